"""Models and training scripts for which a plan could easily change the result, for test/app/bridges/torch-traps.test.ts.

    python3 torch_traps.py names                      prints the traps, and those that need two processes
    python3 torch_traps.py capture FOLDER             writes FOLDER/NAME.json of every trap, and captured.results
    python3 torch_traps.py train FOLDER               reads FOLDER/NAME.STRATEGY.plan.json, writes train.results
    python3 torch_traps.py processes FOLDER NAME      prints the same of one trap in two processes

A trap is a model and a script. The script trains the model and records observations: losses, gradients,
parameters, buffers, random states, counters. They must be bit-identical to those without Zigzag.
"""
import contextlib
import copy
import ctypes
import gc
import glob
import inspect
import io
import json
import os
import pickle
import random
import re
import sys
import tempfile
import weakref

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import zigzag_torch  # noqa: E402
from torch_families import loss_of, seed_all  # noqa: E402

TRAPS = {}  # name -> (builder of model, args, kwargs; script)
WIDTH = 16


class Watch:
    """Observations of a script, in order."""

    def __init__(self):
        self.seen = []

    def __call__(self, **values):
        for label, value in values.items():
            self.seen.append((label, copy.deepcopy(_plain(value))))

    def state(self, model):
        self(parameters=dict(model.named_parameters()), buffers=dict(model.named_buffers()),
             gradients={name: p.grad for name, p in model.named_parameters()},
             random=[torch.get_rng_state(), random.random()])


def _plain(value):
    if isinstance(value, torch.Tensor):
        return (value.to_dense() if value.is_sparse else value).detach().clone()
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value if value is None or isinstance(value, (int, float, str)) else type(value).__name__


def _difference(path, ours, plain):
    """First difference between two observations, as a sentence, or None."""
    if isinstance(plain, torch.Tensor) and isinstance(ours, torch.Tensor):
        if ours.shape != plain.shape or ours.dtype != plain.dtype:
            return f'{path} is {ours.dtype} {tuple(ours.shape)}, not {plain.dtype} {tuple(plain.shape)}'
        same = torch.equal(ours, plain) or bool(((ours == plain) | ((ours != ours) & (plain != plain))).all())
        if same:
            return None
        gap = (ours - plain).abs().double().max() if ours.is_floating_point() or ours.is_complex() else 1.0
        worst = float(gap / plain.abs().double().max().clamp_min(1e-30))
        return f'{path} differs by {worst:.1e} of its largest'
    if isinstance(plain, dict) and isinstance(ours, dict) and list(ours) == list(plain):
        return next(filter(None, (_difference(f'{path}.{k}', ours[k], plain[k]) for k in plain)), None)
    if isinstance(plain, list) and isinstance(ours, list) and len(ours) == len(plain):
        pairs = enumerate(zip(ours, plain))
        return next(filter(None, (_difference(f'{path}[{i}]', a, b) for i, (a, b) in pairs)), None)
    return None if type(ours) is type(plain) and ours == plain else f'{path} is {str(ours)[:80]}, not {str(plain)[:80]}'


def optimiser(model):
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.05, momentum=0.9)


def steps(model, args, kwargs, watch, count=3):
    descent = optimiser(model)
    for _ in range(count):
        descent.zero_grad()
        loss = loss_of(model(*args, **kwargs))
        loss.backward()
        watch(loss=loss)
        descent.step()
        watch.state(model)


def _dashed(name):
    return re.sub('(?<=[a-z])(?=[A-Z])', '-', name).lower()


def trap(script=steps, *args, **kwargs):
    """Registers a class of models as a trap; `args` makes its inputs, by default a batch of rows."""
    def register(kind):
        name = _dashed(kind.__name__) if script is steps else script.__name__.replace('_', '-')
        assert name not in TRAPS, name

        def builder():
            seed_all(7)
            model = kind()
            return model.train(), *((make() for make in args) if args else (rows(),)), {
                key: make() for key, make in kwargs.items()}
        TRAPS[name] = (lambda: _split(builder()), script)
        return kind
    return register


def _split(built):
    return built[0], built[1:-1], built[-1]


def script_on(kind, *inputs, **named):
    """Registers a training script as a trap; its class of models may serve other traps."""
    def register(script):
        trap(script, *inputs, **named)(kind)
        return script
    return register


def rows(count=6):
    return torch.randn(count, WIDTH)


def pictures(count=2):
    return torch.randn(count, 4, 8, 8)


class Mlp(nn.Module):
    """Enough layers for every strategy to recompute something."""

    def __init__(self, rate=0.0, depth=3):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Dropout(rate),
                                                  nn.Linear(2 * WIDTH, WIDTH), nn.Tanh()) for _ in range(depth))
        self.head = nn.Linear(WIDTH, 4)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return self.head(x)


# -------------------------------------------------------------------------------------------- models

class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.round(x * 4) / 4

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return gradient * (x.abs() < 2)


def launch(kernel, written, *read):
    """Runs a kernel that PyTorch does not see, as those of Triton: it has addresses alone."""
    def numbers(tensor):
        return np.ctypeslib.as_array(ctypes.cast(tensor.data_ptr(), ctypes.POINTER(ctypes.c_float)), tensor.shape)
    numbers(written)[...] = kernel(*map(numbers, read))


class SeenByNobody(torch.autograd.Function):
    """Its kernels write to memory that is allocated empty, of a shape alone."""

    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        y = torch.empty(x.shape)
        launch(np.tanh, y, x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        y, = ctx.saved_tensors
        found = torch.empty_like(y)
        launch(lambda g, y: g * (1 - y * y), found, gradient.contiguous(), y)
        return found


@trap()
class UnseenKernel(Mlp):
    def forward(self, x):
        for layer in self.layers:
            x = x + SeenByNobody.apply(layer(x))
        return self.head(x)


class OverScores(torch.autograd.Function):
    """A loss whose kernel writes the gradient over the scores, as Liger's does."""

    @staticmethod
    def forward(ctx, scores):
        loss = torch.empty(())
        launch(lambda s: np.square(s).mean(), loss, scores)
        launch(lambda s: 2 * s / s.size, scores, scores)
        ctx.save_for_backward(scores.detach())
        return loss

    @staticmethod
    def backward(ctx, gradient):
        return ctx.saved_tensors[0] * gradient


@trap()
class GradientOverScores(Mlp):
    def forward(self, x):
        return OverScores.apply(super().forward(x))


@trap()
class StraightThrough(Mlp):
    def forward(self, x):
        for layer in self.layers:
            x = Rounded.apply(x + layer(x))
        return self.head(x)


@trap()
class NoGradInside(Mlp):
    def forward(self, x):
        with torch.no_grad():
            scale = self.layers[0](x).abs().amax(1, keepdim=True) + 1
        return super().forward(x / scale)


@trap()
class DetachedTarget(Mlp):
    def forward(self, x):
        y = super().forward(x)
        return {'loss': F.mse_loss(y, y.detach().softmax(1))}


@trap()
class AutocastInside(Mlp):
    def forward(self, x):
        with torch.autocast('cpu', dtype=torch.bfloat16):
            x = self.layers[0](x)
            with torch.autocast('cpu', enabled=False):
                x = self.layers[1](x.float())
            x = self.layers[2](x)
        return self.head(x.float())


@trap()
class Hooks(Mlp):
    """Hooks on containers and leaves that read or change what passes."""

    def __init__(self):
        super().__init__()
        self.heard = []
        container = self.layers[1]
        container.register_forward_pre_hook(lambda m, args: (args[0] * 1.5,))
        container.register_forward_hook(lambda m, args, out: out + args[0].mean())
        container.register_forward_hook(lambda m, args, out: self.heard.append(float(out.detach().sum())))
        container.register_full_backward_hook(lambda m, into, out: self.heard.append(float(out[0].sum())))
        self.layers[2].register_full_backward_hook(lambda m, into, out: (into[0] * 0.5,))
        self.layers[0][0].register_forward_hook(lambda m, args, out: out.clamp(max=1))

    def forward(self, x):
        y = super().forward(x)
        return {'loss': y.square().mean(), 'heard': torch.tensor([float(len(self.heard))])}


@script_on(Hooks)
def hooks_heard(model, args, kwargs, watch):
    steps(model, args, kwargs, watch)
    watch(heard=model.heard)


@trap()
class TensorHooks(Mlp):
    """Hooks on activations: one scales the gradient, one reads it."""

    def __init__(self):
        super().__init__()
        self.register_buffer('norms', torch.zeros(3))

    def forward(self, x):
        for index, layer in enumerate(self.layers):
            x = x + layer(x)
            if x.requires_grad:
                x.register_hook(lambda g, i=index: (self.norms[i].copy_(g.norm()), g * 0.9)[1])
        return self.head(x)


class CountedOf(Mlp):
    def __init__(self):
        super().__init__()
        self.n, self.path = 0, []


@trap()
class Counter(CountedOf):
    def forward(self, x):
        self.n += 1
        self.path.append(x.shape[0])
        return super().forward(x) * self.n


@script_on(Counter)
def counted_once(model, args, kwargs, watch):
    steps(model, args, kwargs, watch)
    watch(n=model.n, path=model.path)


@trap()
class CoinOfPython(CountedOf):
    def forward(self, x):
        for layer in self.layers:
            if random.random() < 0.5:
                x = x + layer(x)
            else:
                x = x * 0.5 + layer(torch.sin(x))
        return self.head(x)


@trap()
class CoinOfTorch(CountedOf):
    """LayerDrop: skips a layer at random."""

    def forward(self, x):
        for layer in self.layers:
            if torch.rand(()) < 0.6:
                x = x + layer(x)
                self.n += 1
        return self.head(x)


@trap()
class BranchOnValues(Mlp):
    def forward(self, x):
        y = self.layers[0](x)
        y = self.layers[1](y) if float(y.detach().mean()) > 0 else self.layers[2](y) * 2
        return self.head(y)


class Convs(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(3))
        self.norms = nn.ModuleList(nn.BatchNorm2d(4) for _ in range(3))

    def forward(self, x):
        for conv, norm in zip(self.convs, self.norms):
            x = F.relu(norm(conv(x)), inplace=True)
        return x.mean((2, 3))


@trap(steps, pictures)
class BatchNorm(Convs):
    pass


@trap(steps, pictures)
class FrozenBeside(nn.Module):
    """A concatenation with an input that needs no gradient, as under LoRA."""

    def __init__(self):
        super().__init__()
        self.frozen = nn.Conv2d(4, 2, 3, padding=1).requires_grad_(False)
        self.convs = nn.ModuleList(nn.Conv2d(inputs, 4, 3, padding=1) for inputs in (4, 6, 4))

    def forward(self, x):
        skipped = self.frozen(x)
        x = torch.cat([self.convs[0](x), skipped], 1)
        return torch.tanh(self.convs[2](torch.tanh(self.convs[1](x)))).mean((2, 3))


@trap(steps, pictures)
class FunctionalBatchNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(3))
        self.register_buffer('mean', torch.zeros(4))
        self.register_buffer('var', torch.ones(4))

    def forward(self, x):
        for conv in self.convs:
            x = F.relu(F.batch_norm(conv(x), self.mean, self.var, training=self.training, momentum=0.3))
        return x.mean((2, 3))


@trap()
class MovingAverage(Mlp):
    """A buffer updated in place from an activation, and one replaced by a new tensor; both are read."""

    def __init__(self):
        super().__init__()
        self.register_buffer('mean', torch.zeros(WIDTH))
        self.register_buffer('count', torch.zeros(()))
        self.last = None

    def forward(self, x):
        y = self.layers[0](x)
        with torch.no_grad():
            self.mean.mul_(0.9).add_(y.mean(0), alpha=0.1)
            self.count = self.count + 1
        self.last = y.detach()
        y = self.layers[1](y - self.mean)
        return self.head(self.layers[2](y) / self.count)


@trap()
class SpectralNorm(nn.Module):
    """A parametrised weight: one step of power iteration in each forward."""

    def __init__(self):
        super().__init__()
        from torch.nn.utils.parametrizations import spectral_norm
        self.layers = nn.ModuleList(spectral_norm(nn.Linear(WIDTH, WIDTH)) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x)) + x
        return x


@trap()
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.second.weight = self.first.weight
        self.middle = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return F.linear(self.second(torch.tanh(self.middle(torch.tanh(self.first(x))))), self.first.weight.t())


@trap()
class UsedTwice(Mlp):
    def __init__(self):
        super().__init__(depth=1)
        self.again = self.layers[0]

    def forward(self, x):
        for _ in range(3):
            x = self.again(x) + self.layers[0](x.flip(1))
        return self.head(x)


@trap()
class InPlace(nn.Module):
    """Writes into activations, into views of them, and into a fresh buffer slice by slice."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x):
        x = self.layers[0](x)
        x.relu_()
        y = self.layers[1](x)
        y[:, :4] *= 2
        y.add_(x)
        out = torch.zeros(x.size(0), 2 * WIDTH)
        out[:, :WIDTH] = self.layers[2](y)
        out[:, WIDTH:] = torch.sigmoid_(self.layers[3](y))
        halves = out.view(-1, 2, WIDTH)
        halves[:, 0].exp_()
        return out.masked_fill(out > 3, 0.0).cumsum_(1)


def sequences(count=4):
    return torch.randn(count, 16, WIDTH)


@trap(steps, sequences)
class AttentionBlock(nn.Module):
    """Operations that people checkpoint one by one; see `selected`."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = self.qkv(self.first(x)).chunk(3, -1)
        x = x + self.out(torch.softmax(q @ k.transpose(1, 2) / 4, -1) @ v)
        return x + self.down(F.gelu(self.up(self.second(x))))


class Masks(nn.Module):
    """A numeric mask in each layer from one boolean mask, as in attention."""
    overwrites = False

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x):
        hidden = x.detach() > 0.5
        for i, layer in enumerate(self.layers):
            mask = torch.where(hidden, -3.0, 0.25)
            x = torch.tanh(layer(x) * (1 + mask))
            if self.overwrites:
                mask.mul_(2)
                x = torch.sigmoid(x + mask[:, : i + 1].sum(1, keepdim=True))
                hidden.logical_not_()
        return x


@trap()
class MasksOfNumbers(Masks):
    pass


@trap()
class MasksOverwritten(Masks):
    """Both masks are overwritten after an operation has read them."""
    overwrites = True


@trap()
class MadeThenFilled(Mlp):
    """A new tensor, overwritten by a tensor with a gradient, and read later."""

    def forward(self, x):
        for layer in self.layers:
            scale = torch.full((x.size(0), WIDTH), 0.5)
            scale.mul_(layer(x))
            x = torch.tanh(scale) * scale + x
            gate = torch.full((x.size(0), WIDTH), 0.25)
            gate[:, : WIDTH // 2] = x.detach()[:, WIDTH // 2:]
            x = x * torch.sigmoid(x * gate)
        return self.head(x)


@trap()
class InPlaceOnView(Mlp):
    def forward(self, x):
        for layer in self.layers:
            y = layer(x)
            left, right = y.chunk(2, 1)
            left = left.clone()
            left.mul_(torch.sigmoid(right))
            x = torch.cat([left, right], 1)
        return self.head(x)


@trap()
class Dropout(Mlp):
    def __init__(self):
        super().__init__(rate=0.3)


@trap()
class NoiseBetweenMasks(Mlp):
    """Noise between masks of dropout."""

    def forward(self, x):
        for layer in self.layers:
            x = F.dropout(layer(x), 0.3)
            x = F.dropout(x * torch.rand_like(x), 0.3)
        return self.head(x)


@trap()
class CoinBetweenMasks(Mlp):
    """A number that nothing reads, drawn between masks of dropout and before attention without dropout."""

    def forward(self, x):
        for layer in self.layers:
            x = F.dropout(layer(x), 0.3)
            torch.rand(())
            if hasattr(F, 'scaled_dot_product_attention'):  # PyTorch 2.0 or later
                x = x[None, None]
                x = F.scaled_dot_product_attention(x, x, x)[0, 0]
        return self.head(x)


@trap()
class OwnGenerator(Mlp):
    """Noise from the model's own generator, which a second draw would advance."""

    def __init__(self):
        super().__init__()
        self.generator = torch.Generator().manual_seed(5)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x) * (torch.rand(x.shape, generator=self.generator) > 0.3)
        return self.head(x)

    def __deepcopy__(self, memo):
        raise TypeError('a generator cannot be copied')


@trap(steps, lambda: [rows(), rows()], lambda: {'c': rows(), 'more': (rows(), 'word', None)}, scale=lambda: 0.5,
      extra=lambda: {'bias': rows()})
class NestedInputs(Mlp):
    def forward(self, pair, named, *, scale=1.0, extra=None, unused=None):
        a, b = pair
        x = a * scale + b + named['c'] + named['more'][0]
        y = super().forward(x + extra['bias'])
        return {'first': y, 'rest': [x.sum(1), (y.mean(), 'text', 3)]}


@trap(steps, lambda: rows().requires_grad_())
class InputWithGradient(Mlp):
    pass


@script_on(Mlp, lambda: rows().requires_grad_())
def gradient_of_input(model, args, kwargs, watch):
    for _ in range(2):
        args[0].grad = None
        loss_of(model(*args)).backward()
        watch(gradient=args[0].grad)
        watch.state(model)


@trap()
class Checkpointed(Mlp):
    def __init__(self):
        super().__init__(rate=0.3)

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return self.head(x)


@trap()
class UnusedParameters(Mlp):
    def __init__(self):
        super().__init__()
        self.unused = nn.Linear(WIDTH, WIDTH)
        self.seldom = nn.Linear(WIDTH, WIDTH)
        self.n = 0

    def forward(self, x):
        self.n += 1
        return super().forward(self.seldom(x) if self.n % 2 else x)


@trap()
class NothingTrained(Mlp):
    """Frozen early layers, trained later layers."""

    def __init__(self):
        super().__init__()
        self.layers[0].requires_grad_(False)
        self.layers[1].requires_grad_(False)


@trap()
class ReturnsItsInput(Mlp):
    def forward(self, x):
        return {'input': x, 'view': x.view(-1), 'y': super().forward(x), 'constant': torch.ones(2)}


@trap()
class CalledByMethods(Mlp):
    """Forward of a child called under another name, a lambda, a loop over children, a closure."""

    def encode(self, x):
        for child in self.layers.children():
            x = child.forward(x) if x.shape[0] % 2 == 0 else child(x)
        return x

    def forward(self, x):
        return (lambda z: self.head(self.encode(z)))(x)


@trap(steps, lambda: torch.randn(3, 5, WIDTH))
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.attention = nn.LSTM(WIDTH, WIDTH, batch_first=True), nn.MultiheadAttention(WIDTH, 2, 0.2)
        self.head = nn.Linear(WIDTH, 3)

    def forward(self, x):
        y, _ = self.lstm(x)
        z, _ = self.attention(y, y, y, need_weights=False)
        return self.head(z + y)


@trap(steps, lambda: torch.randn(4, 6, WIDTH))
class Stateful(nn.Module):
    """Keeps a detached state from one step to the next."""

    def __init__(self):
        super().__init__()
        self.cell, self.head, self.state = nn.GRUCell(WIDTH, WIDTH), nn.Linear(WIDTH, 3), None

    def forward(self, x):
        h = x.new_zeros(x.size(0), WIDTH) if self.state is None else self.state
        for part in x.unbind(1):
            h = self.cell(part, h)
        self.state = h.detach()
        return self.head(h)


@trap(steps, lambda: torch.randint(0, 20, (6, 3)))
class RenormedEmbedding(nn.Module):
    """An embedding with max_norm: renormalises the rows that it reads, in place, in every forward."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(20, WIDTH, max_norm=0.5), Mlp()

    def forward(self, ids):
        return self.head(self.embedding(ids).sum(1))


@trap(steps, lambda: torch.randint(0, 20, (6, 3)))
class SparseEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(20, WIDTH, sparse=True), Mlp()

    def forward(self, ids):
        return self.head(torch.tanh(self.embedding(ids)).sum(1))


@trap()
class Fourier(Mlp):
    """Complex numbers, and views of them as real ones."""

    def forward(self, x):
        for layer in self.layers:
            z = torch.fft.rfft(layer(x))
            x = x + torch.fft.irfft(z * torch.exp(1j * z.abs()), n=WIDTH) + torch.view_as_real(z).sum((1, 2))[:, None]
        return self.head(x)


@trap()
class CachedTable(Mlp):
    """A table of positions that the first forward computes and later ones reuse."""

    def __init__(self):
        super().__init__()
        self.table = None

    def forward(self, x):
        if self.table is None or self.table.shape != x.shape:
            angles = torch.arange(x.shape[0])[:, None] * torch.arange(WIDTH) / WIDTH
            self.table = torch.cat([angles.sin()[:, ::2], angles.cos()[:, ::2]], 1)
        return super().forward(x * self.table)


@trap(steps, lambda: rows().requires_grad_())
class GradientInside(Mlp):
    """Forces as the gradient of an energy, computed in forward."""

    def forward(self, x):
        with torch.enable_grad():
            energy = super().forward(x).sum(1)
            force, = torch.autograd.grad(energy.sum(), [x], create_graph=torch.is_grad_enabled())
        return {'loss': energy.mean() + force.square().mean()}


@trap()
class SavedOnProcessor(Mlp):
    """The model has its own hooks for some saved tensors."""

    def forward(self, x):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: (t + 0, 1), lambda pair: pair[0]):
            x = x + self.layers[0](x)
        return super().forward(x)


@trap(steps, lambda: pictures().contiguous(memory_format=torch.channels_last))
class ChannelsLast(Convs):
    def __init__(self):
        super().__init__()
        self.to(memory_format=torch.channels_last)


# -------------------------------------------------------------------------------------------- scripts

def _backward(model, args, kwargs, watch):
    loss = loss_of(model(*args, **kwargs))
    loss.backward()
    watch(loss=loss)


@script_on(Mlp)
def head_replaced(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    seed_all(5)
    model.head = nn.Linear(WIDTH, 7)
    steps(model, args, kwargs, watch, 2)
    watch(head=model.head.weight.grad)


@script_on(Mlp)
def layer_replaced(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    seed_all(5)
    model.layers[1] = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU())
    model.layers.append(nn.Linear(WIDTH, WIDTH))
    steps(model, args, kwargs, watch, 2)


@script_on(Dropout)
def accumulated(model, args, kwargs, watch):
    descent = optimiser(model)
    for _ in range(2):
        descent.zero_grad()
        for part in args[0].chunk(3):
            (loss_of(model(part)) / 3).backward()
        watch.state(model)
        descent.step()


@script_on(Dropout)
def autocast_outside(model, args, kwargs, watch):
    descent = optimiser(model)
    for _ in range(3):
        descent.zero_grad()
        with torch.autocast('cpu', dtype=torch.bfloat16):
            outputs = model(*args)
            loss = loss_of(outputs)
        loss.backward()
        watch(loss=loss, kind=str(outputs.dtype))
        descent.step()
    watch.state(model)


@script_on(Convs, pictures)
def evaluated(model, args, kwargs, watch):
    for _ in range(2):
        steps(model, args, kwargs, watch, 1)
        model.eval()
        with torch.no_grad():
            y = model(*args)
            watch(evaluated=y, graph=y.requires_grad)
        steps(model, args, kwargs, watch, 1)
        model.train()
        with torch.no_grad():
            watch(forward_only=model(*args))
        with torch.inference_mode():
            watch(inferred=float(model(*args).sum()))


@script_on(Dropout)
def other_shapes(model, args, kwargs, watch):
    for count in (6, 3, 1, 10, 6):
        seed_all(count)
        steps(model, (rows(count),), kwargs, watch, 1)


@script_on(Recurrent, lambda: torch.randn(3, 5, WIDTH))
def other_lengths(model, args, kwargs, watch):
    for batch, length in ((3, 5), (2, 7), (4, 1), (3, 5)):
        seed_all(length)
        steps(model, (torch.randn(batch, length, WIDTH),), kwargs, watch, 1)


@script_on(Convs, pictures)
def other_precision(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    model.double()
    steps(model, [a.double() for a in args], kwargs, watch, 2)


@script_on(Dropout)
def copied(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    other = copy.deepcopy(model)
    steps(other, args, kwargs, watch, 2)
    steps(model, args, kwargs, watch, 1)
    watch(apart=all(a is not b for a, b in zip(model.parameters(), other.parameters())),
          same=type(other) is type(model))


@script_on(Dropout)
def pickled(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    weights = {'weights_only': False} if 'weights_only' in inspect.signature(torch.load).parameters else {}
    for other in (pickle.loads(pickle.dumps(model)), torch.load(file, **weights)):
        steps(other, args, kwargs, watch, 2)


@script_on(Convs, pictures)
def saved_and_loaded(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    state = copy.deepcopy(model.state_dict())
    steps(model, args, kwargs, watch, 1)
    model.load_state_dict(state)
    steps(model, args, kwargs, watch, 1)
    watch(keys=list(state))


@script_on(Convs, pictures)
def same_face(model, args, kwargs, watch):
    watch(kind=type(model).__name__, isinstance=isinstance(model, Convs), keys=list(model.state_dict()),
          modules=[name for name, _ in model.named_modules()], signature=str(inspect.signature(model.forward)),
          kinds=[type(m).__name__ for m in model.modules()], children=[name for name, _ in model.named_children()],
          text=repr(model), training=model.training)
    steps(model, args, kwargs, watch, 1)


@script_on(Dropout)
def backward_twice(model, args, kwargs, watch):
    for _ in range(2):
        loss = loss_of(model(*args))
        loss.backward(retain_graph=True)
        watch.state(model)
        loss.backward()
        watch.state(model)


@script_on(Dropout, lambda: rows().requires_grad_())
def gradients_by_hand(model, args, kwargs, watch):
    parameters = list(model.parameters())
    for _ in range(2):
        gradients = torch.autograd.grad(loss_of(model(*args)), [*parameters, args[0]])
        watch(gradients=gradients, none=all(p.grad is None for p in parameters))
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter.sub_(0.1 * gradient)
    watch(some=torch.autograd.grad(loss_of(model(*args)), [parameters[2]]))


@script_on(Mlp, lambda: rows().requires_grad_())
def gradient_penalty(model, args, kwargs, watch):
    """Backward of a backward."""
    for _ in range(2):
        loss = loss_of(model(*args))
        slope, = torch.autograd.grad(loss, [args[0]], create_graph=True)
        (loss + slope.square().sum()).backward()
        watch(slope=slope)
        watch.state(model)


@script_on(Dropout)
def called_twice(model, args, kwargs, watch):
    descent = optimiser(model)
    for _ in range(3):
        descent.zero_grad()
        first, second = model(*args), model(args[0].flip(0))
        loss = F.mse_loss(first, second) + loss_of(first)
        loss.backward()
        watch(loss=loss)
        descent.step()
        watch.state(model)


@script_on(Dropout)
def interleaved(model, args, kwargs, watch):
    """Backward of the second forward runs first; the third forward has none."""
    first, second, _ = model(*args), model(args[0] * 2), model(args[0] * 3)
    loss_of(second).backward()
    watch.state(model)
    loss_of(first).backward()
    watch.state(model)


@script_on(Mlp)
def after_an_error(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    try:
        model(torch.randn(3, WIDTH + 1))
    except RuntimeError:
        watch(failed=True)
    steps(model, args, kwargs, watch, 2)


@script_on(Mlp)
def frozen_later(model, args, kwargs, watch):
    steps(model, args, kwargs, watch, 1)
    model.layers[0].requires_grad_(False)
    model.zero_grad()
    steps(model, args, kwargs, watch, 1)
    model.layers[0].requires_grad_(True)
    steps(model, args, kwargs, watch, 1)


@script_on(Dropout)
def output_written(model, args, kwargs, watch):
    """The caller overwrites the output of the model."""
    for _ in range(2):
        y = model(*args)
        y.mul_(2)
        y[:, 0] = 0
        loss_of(y).backward()
        watch.state(model)


@script_on(Mlp)
def hooked_later(model, args, kwargs, watch):
    heard = []
    steps(model, args, kwargs, watch, 1)
    handle = model.layers[1].register_forward_hook(lambda m, a, out: heard.append(float(out.detach().sum())))
    model.head.weight.register_hook(lambda g: g * 2)
    steps(model, args, kwargs, watch, 1)
    handle.remove()
    steps(model, args, kwargs, watch, 1)
    watch(heard=heard)


@script_on(Mlp)
def weights_moved_between(model, args, kwargs, watch):
    """`parameter.data = ...`, as in optimizers that flatten weights."""
    for _ in range(2):
        steps(model, args, kwargs, watch, 1)
        for parameter in model.parameters():
            parameter.data = parameter.data.clone()
    steps(model, args, kwargs, watch, 1)


class Doubled(Mlp):
    """Autograd keeps the product and not the input."""

    def forward(self, x):
        return super().forward(torch.tanh(x * 2) + x)


@script_on(Doubled)
def input_overwritten(model, args, kwargs, watch):
    """The next batch is copied into the same tensor before backward."""
    batch, = args
    descent = optimiser(model)
    for _ in range(3):
        loss = loss_of(model(batch))
        watch(loss=loss)
        batch.copy_(rows())
        descent.zero_grad()
        loss.backward()
        watch.state(model)
        descent.step()


@script_on(Mlp)
def bias_changed_between(model, args, kwargs, watch):
    """Backward of a sum does not need the bias, so it may change before."""
    for _ in range(2):
        loss = loss_of(model(*args))
        with torch.no_grad():
            for layer in model.layers:
                layer[0].bias.add_(1)
        loss.backward()
        watch.state(model)


class FrozenStatistics(Convs):
    def train(self, mode=True):
        super().train(mode)
        for norm in self.norms:
            norm.train(False)
        return self


@script_on(FrozenStatistics, pictures)
def buffers_changed_between(model, args, kwargs, watch):
    """Statistics that forward reads change before backward."""
    steps(model, args, kwargs, watch, 1)
    for _ in range(2):
        y = model(*args)
        with torch.no_grad():
            for norm in model.norms:
                norm.running_mean = norm.running_mean + 0.5
                norm.running_var = norm.running_var * 2
        loss_of(y).backward()
        watch.state(model)


@script_on(Convs, pictures)
def eval_with_gradients(model, args, kwargs, watch):
    """Gradients of the input: a backward in another mode than captured, between two steps."""
    steps(model, args, kwargs, watch, 1)
    model.eval()
    image = args[0].clone().requires_grad_()
    watch(pixels=torch.autograd.grad(loss_of(model(image)), [image]))
    model.train()
    steps(model, args, kwargs, watch, 1)


@script_on(Dropout)
def other_thread(model, args, kwargs, watch):
    """Backward in a separate thread, and once the whole step."""
    import threading
    loss = loss_of(model(*args))

    def alone(job):
        # A new Python thread uses one worker per processor. Products summed by another number of workers round
        # differently, recomputed ones too.
        torch.set_num_threads(1)
        job()

    for job in (loss.backward, lambda: loss_of(model(*args)).backward()):
        thread = threading.Thread(target=alone, args=(job,))
        thread.start()
        thread.join()
        watch.state(model)


@script_on(Mlp)
def called_with_other_weights(model, args, kwargs, watch):
    try:
        from torch.func import functional_call
    except ImportError:
        from torch.nn.utils.stateless import functional_call
    weights = {name: (p.detach() * 0.5).requires_grad_() for name, p in model.named_parameters()}
    for _ in range(2):
        loss = loss_of(functional_call(model, weights, tuple(args)))
        watch(loss=loss, gradients=torch.autograd.grad(loss, list(weights.values())))


@script_on(Dropout)
def stepped_in_backward(model, args, kwargs, watch):
    """Updates each parameter as soon as its gradient is computed."""
    def move(parameter):
        with torch.no_grad():
            parameter.sub_(0.1 * parameter.grad)
        parameter.grad = None

    if hasattr(torch.Tensor, 'register_post_accumulate_grad_hook'):
        for parameter in model.parameters():
            parameter.register_post_accumulate_grad_hook(move)
    for _ in range(3):
        _backward(model, args, kwargs, watch)
        watch.state(model)


@script_on(Dropout)
def forward_by_name(model, args, kwargs, watch):
    for _ in range(2):
        loss = loss_of(model.forward(*args))
        loss.backward()
        watch.state(model)


@script_on(Dropout)
def part_of_another(model, args, kwargs, watch):
    """The planned model is a child, and its children are called separately."""
    whole = nn.Sequential(nn.Linear(WIDTH, WIDTH), model, nn.Linear(4, 2))
    steps(whole, args, kwargs, watch, 2)
    loss_of(model.layers[0](*args)).backward()
    watch.state(model)


# --------------------------------------------------------------------- promises of capture and apply

def _state_of(model):
    attributes = {f'{path}.{key}': value for path, module in model.named_modules()
                  for key, value in vars(module).items() if isinstance(value, (int, float, str, bool, list, tuple))}
    return {'state': {k: v.clone() for k, v in model.state_dict().items()},
            'attributes': copy.deepcopy(_plain(attributes)),
            'gradients': [None if p.grad is None else p.grad.clone() for p in model.parameters()],
            'random': [torch.get_rng_state(), str(random.getstate())],
            'forward': [str(vars(m).get('forward')) for m in model.modules()],
            'versions': [t._version for t in (*model.parameters(), *model.buffers())],
            'addresses': [t.data_ptr() for t in (*model.parameters(), *model.buffers())],
            'graphs': [str(t.grad_fn) for t in (*model.parameters(), *model.buffers())]}


def untouched(name, folder):
    """Captures a trap; returns a change made by capture, or None."""
    model, args, kwargs = TRAPS[name][0]()
    before = _state_of(model)
    versions = before.pop('versions') if name in WRITERS else None
    # A plan belongs to one precision.
    outside = torch.autocast('cpu', dtype=torch.bfloat16) if name == 'autocast-outside' else contextlib.nullcontext()
    with outside:
        zigzag_torch.capture(model, *args, path=os.path.join(folder, f'{name}.json'), name=name, **kwargs)
    after = _state_of(model)
    if versions is not None:
        after.pop('versions')  # capture restored the buffers that forward changed
    return _difference('capture left', _plain(after), _plain(before))


WRITERS = {'batch-norm', 'functional-batch-norm', 'moving-average', 'spectral-norm', 'evaluated', 'other-precision',
           'saved-and-loaded', 'same-face', 'tensor-hooks', 'buffers-changed-between', 'renormed-embedding',
           'channels-last', 'eval-with-gradients'}


def plan_of_another(folder):
    """The refusal of a plan of another model."""
    path = sorted(glob.glob(os.path.join(folder, 'used-twice.*.plan.json')))[0]
    model, args, kwargs = TRAPS['batch-norm'][0]()
    try:
        planned = zigzag_torch.apply(model, path)
        loss_of(planned(*args, **kwargs)).backward()
    except zigzag_torch.PlanMismatch as mismatch:
        return str(mismatch)
    return None


class Unsteady(Mlp):
    """Never the same twice, whatever the seed: it reads its own counter."""
    ticks = [0]

    def forward(self, x):
        Unsteady.ticks[0] += 1
        return super().forward(x) + 0.01 * Unsteady.ticks[0]


class Atomic(Dropout):
    """Its gradients differ from step to step by rounding, as where kernels of a GPU add in any order."""
    backwards, wrong = [0], [0]

    def forward(self, x):
        y = super().forward(x)
        y.register_hook(self.rounded)
        return y

    def rounded(self, gradient):
        self.backwards[0] += 1
        noise = torch.randn(gradient.shape, generator=torch.Generator().manual_seed(self.backwards[0]))
        return gradient * (1 + 1e-6 * noise) * (1.001 if self.backwards == self.wrong else 1)


def noisy(path):
    """How many of 40 verifications are refused where gradients differ by rounding, and where the one under the plan is wrong."""
    refused = []
    seed_all(7)
    model = Atomic().train()
    for is_wrong in (False, True):
        refusals = 0
        for _ in range(40):
            # A plain step comes first.
            Atomic.wrong[0] = Atomic.backwards[0] + 2 if is_wrong else 0
            try:
                zigzag_torch.verify(model, path, rows(), loss=loss_of)
            except zigzag_torch.PlanMismatch as mismatch:
                refusals += 'under the plan' in str(mismatch)
        refused.append(refusals)
    return refused


def verified(folder):
    """Verdicts of `verify` on a correct model, on one that is never the same twice, and on one that rounds as it likes."""
    path = sorted(glob.glob(os.path.join(folder, 'dropout.budget.plan.json')))[0]
    said = {'noisy': noisy(path)}
    for label, kind in (('steady', Dropout), ('unsteady', Unsteady)):
        seed_all(7)
        model, inputs = kind().train(), rows()
        before = _state_of(model)
        try:
            zigzag_torch.verify(model, path, inputs, loss=loss_of)
            said[label] = None
        except zigzag_torch.PlanMismatch as mismatch:
            said[label] = str(mismatch)
        said[f'{label} left'] = _difference('verify left', _plain(_state_of(model)), _plain(before))
    return said


def same_object(folder):
    path = sorted(glob.glob(os.path.join(folder, 'dropout.*.plan.json')))[0]
    model = TRAPS['dropout'][0]()[0]
    return zigzag_torch.apply(model, path) is model


def held_after(folder):
    """Steps that still hold memory after their results are deleted, with and without a backward, before garbage collection."""
    path = sorted(glob.glob(os.path.join(folder, 'dropout.live.plan.json')))[0]
    model = zigzag_torch.apply(Dropout().train(), path)
    steps = []
    watching = zigzag_torch._Tape.watching
    zigzag_torch._Tape.watching = lambda tape, model: steps.append(weakref.ref(tape)) or watching(tape, model)
    gc.collect()
    gc.disable()
    try:
        for backward in (True, False, True):
            value = loss_of(model(rows()))
            if backward:
                value.backward()
            del value
        return [len(steps), sum(step() is not None for step in steps)]
    finally:
        gc.enable()
        zigzag_torch._Tape.watching = watching


def selected(folder):
    """A plan as the policy of PyTorch's selective checkpointing of each of four blocks, plain and compiled: the
    largest difference of a gradient from plain training as a share of the largest gradient, and the peak as a share.
    """
    if not hasattr(torch.utils.checkpoint, 'create_selective_checkpoint_contexts'):
        return None
    from torch.utils.checkpoint import checkpoint
    seed_all(7)
    blocks, inputs = nn.ModuleList(AttentionBlock() for _ in range(4)), sequences(64)

    class Stack(nn.Module):
        def __init__(self, context):
            super().__init__()
            self.blocks, self.context = blocks, context

        def forward(self, x):
            for block in self.blocks:
                x = block(x) if self.context is None else checkpoint(
                    block, x, use_reentrant=False, context_fn=self.context)
            return x

    def step(model):
        blocks.zero_grad()
        loss_of(model(inputs)).backward()
        return [p.grad.clone() for p in blocks.parameters()]

    def peak(model):
        return zigzag_torch.measure(model, inputs, loss=loss_of, steps=0)['peakBytes']

    def told(model, plain, whole):
        distance = max(float((a - b).abs().max() / b.abs().max()) for a, b in zip(step(model), plain))
        return [distance, peak(model) / whole]

    def compiled(model):
        torch._dynamo.reset()
        return torch.compile(model, backend='aot_eager_decomp_partition')

    without, said = Stack(None), {}
    plain, whole = step(without), peak(without)
    for path in sorted(glob.glob(os.path.join(folder, 'attention-block.*.plan.json'))):
        model = Stack(zigzag_torch.contexts(path))
        said[os.path.basename(path).split('.')[-3]] = {
            'eager': told(model, plain, whole), 'compiled': told(compiled(model), plain, whole)}
    return {'plans': said, 'compiled alone': told(compiled(without), plain, whole)}


def peaks_of(folder, name, size, owner, attribute, without):
    """Peak bytes of a step under the optimal plan: with one feature off, and as usual."""
    path = sorted(glob.glob(os.path.join(folder, f'{name}.optimal.plan.json')))[0]
    usual, peaks = getattr(owner, attribute), []
    for each in (without, usual):
        setattr(owner, attribute, each)
        model = zigzag_torch.apply(TRAPS[name][0]()[0].train(), path)
        peaks.append(zigzag_torch.measure(model, rows(size), loss=loss_of, steps=0)['peakBytes'])
    return peaks


def masks_held(folder):
    return peaks_of(folder, 'masks-of-numbers', 512, zigzag_torch._Tape, 'note', lambda *_: None)


def states_held(folder):
    return peaks_of(folder, 'dropout', 4, zigzag_torch, 'LONGEST_RUN', 0)


# ------------------------------------------------------------------------------------------- processes

def tied_in_two(rank, watch, prepare):
    """Tied weights: two layers share a Parameter, whose gradient is complete after both have run."""
    from torch.nn.parallel import DistributedDataParallel
    seed_all(7)
    model = DistributedDataParallel(prepare(Tied().train()))
    distributed_steps(model, rank, watch)


def unused_in_two(rank, watch, prepare):
    from torch.nn.parallel import DistributedDataParallel
    seed_all(7)
    model = DistributedDataParallel(prepare(UnusedParameters().train()), find_unused_parameters=True)
    distributed_steps(model, rank, watch)


def planned_inside_in_two(rank, watch, prepare):
    """The plan comes after DistributedDataParallel has wrapped the model."""
    from torch.nn.parallel import DistributedDataParallel
    seed_all(7)
    model = DistributedDataParallel(Dropout().train())
    prepare(model.module)
    distributed_steps(model, rank, watch)


def sharded_in_two(rank, watch, prepare):
    """FSDP2: the whole model in one group, whose weights stay from forward to backward."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    seed_all(7)
    model = fully_shard(prepare(Dropout().train()), mesh=init_device_mesh('cpu', (2,)), reshard_after_forward=False)
    distributed_steps(model, rank, watch)


@trap()
class Part(nn.Module):
    """A layer with its own capture and plan."""

    def __init__(self):
        super().__init__()
        self.parts = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dropout(0.3), nn.Tanh(),
                                   nn.Linear(4 * WIDTH, WIDTH), nn.Tanh(), nn.Dropout(0.1))

    def forward(self, x):
        return x + self.parts(x)


def sharded_by_layer_in_two(rank, watch, prepare):
    """FSDP2 by layer: weights are gathered before each layer's forward and backward, and freed afterwards."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    seed_all(7)
    model = nn.Sequential(*(Part() for _ in range(3)))
    mesh = init_device_mesh('cpu', (2,))
    for layer in model:
        fully_shard(prepare(layer), mesh=mesh)
    distributed_steps(fully_shard(model, mesh=mesh), rank, watch)


def distributed_steps(model, rank, watch, count=5):
    descent = optimiser(model)
    for step in range(count):
        seed_all(100 + 2 * step + rank)
        descent.zero_grad()
        loss = loss_of(model(rows()))
        loss.backward()
        descent.step()
        whole = [p.full_tensor() if hasattr(p, 'full_tensor') else p for p in model.parameters()]
        watch(loss=loss, parameters=whole)


PROCESSES = {'tied-in-two': (tied_in_two, Tied), 'unused-in-two': (unused_in_two, UnusedParameters),
             'planned-inside-in-two': (planned_inside_in_two, Dropout), 'sharded-in-two': (sharded_in_two, Dropout),
             'sharded-by-layer-in-two': (sharded_by_layer_in_two, Part)}


def _worker(rank, names, folder, scratch):
    """Runs each script in turn: a process takes longer to start than most of them."""
    torch.set_num_threads(1)
    for name in names:
        said = _in_two(rank, name, folder, scratch)
        with open(os.path.join(scratch, f'{name}.{rank}'), 'w') as file:
            json.dump(said, file)
        if any(v is not None for v in said.values()):
            os._exit(0)  # the other process may wait for a collective that never starts


def _in_two(rank, name, folder, scratch):
    import datetime
    import torch.distributed as dist
    dist.init_process_group('gloo', init_method=f'file://{os.path.join(scratch, name)}', rank=rank, world_size=2,
                            timeout=datetime.timedelta(seconds=40))
    script, kind = PROCESSES[name]
    plans = sorted(glob.glob(os.path.join(folder, f'{_dashed(kind.__name__)}.*.plan.json')))
    if not plans:
        return {'error': f'there are no plans of {kind.__name__}'}
    plain = Watch()
    script(rank, plain, lambda model: model)
    said = {}
    for path in plans:
        ours = Watch()
        strategy = os.path.basename(path).split('.')[-3]
        try:
            script(rank, ours, lambda model, path=path: zigzag_torch.apply(model, path))
            said[strategy] = _compare(ours, plain)
        except Exception as error:
            said[strategy] = _told(error)
            return said
    dist.destroy_process_group()
    return said


def processes(folder, names):
    import torch.multiprocessing as mp
    with tempfile.TemporaryDirectory() as scratch:
        context = mp.get_context('spawn')
        workers = [context.Process(target=_worker, args=(rank, names, folder, scratch)) for rank in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(100 * len(names))
            if worker.is_alive():
                worker.kill()
        codes = [worker.exitcode for worker in workers]
        said = {}
        for name in names:
            said[name] = {}
            for rank in range(2):
                with contextlib.suppress(OSError), open(os.path.join(scratch, f'{name}.{rank}')) as file:
                    said[name][f'process {rank}'] = json.load(file)
            if len(said[name]) < 2:
                said[name]['error'] = f'the processes ended with {codes}'
        return said


# ------------------------------------------------------------------------------------------------ main

def _compare(ours, plain):
    labels = [label for label, _ in ours.seen], [label for label, _ in plain.seen]
    if labels[0] != labels[1]:
        return f'what was watched differs: {len(labels[0])} and {len(labels[1])} entries'
    return next(filter(None, (_difference(f'{i} {label}', a, b) for i, ((label, a), (_, b))
                              in enumerate(zip(ours.seen, plain.seen)))), None)


def _told(error):
    import traceback
    inner = traceback.extract_tb(error.__traceback__)[-1]
    return f'{type(error).__name__}: {str(error)[:300]} ({os.path.basename(inner.filename)}:{inner.lineno})'


def _run(name, plan):
    build, script = TRAPS[name]
    model, args, kwargs = build()
    if plan is not None:
        model = zigzag_torch.apply(model, plan)
    seed_all(11)
    watch = Watch()
    script(model, args, kwargs, watch)
    return watch


def train(name, folder):
    plain = _run(name, None)
    repeated = _compare(_run(name, None), plain)
    if repeated is not None:
        return {'error': f'it does not train the same twice without Zigzag: {repeated}'}
    said = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), f'{name}.*.plan.json'))):
        strategy = os.path.basename(path).split('.')[-3]
        try:
            said[strategy] = _compare(_run(name, path), plain)
        except Exception as error:
            said[strategy] = _told(error)
    return said


def _guarded(action, *args):
    try:
        return action(*args)
    except Exception as error:
        return {'error': _told(error)}


def main(action, folder=None, *names):
    if action == 'names':
        print(json.dumps({'traps': list(TRAPS), 'processes': list(PROCESSES)}))
    elif action == 'capture':
        captured = {name: _guarded(untouched, name, folder) for name in TRAPS}
        with open(os.path.join(folder, 'captured.results'), 'w') as file:
            json.dump(captured, file)
    elif action == 'train':
        results = {name: _guarded(train, name, folder) for name in TRAPS}
        results = {'traps': results, 'another': _guarded(plan_of_another, folder),
                   'verified': _guarded(verified, folder), 'same': _guarded(same_object, folder),
                   'held': _guarded(held_after, folder), 'masks': _guarded(masks_held, folder),
                   'states': _guarded(states_held, folder),
                   'selected': _guarded(selected, folder)}
        with open(os.path.join(folder, 'train.results'), 'w') as file:
            json.dump(results, file)
    else:
        print(json.dumps(processes(folder, names)))


if __name__ == '__main__':
    torch.set_num_threads(1)
    main(*sys.argv[1:])
