"""Checks on this machine that plans keep their promises, without the engine."""
import argparse
import contextlib
import copy
import datetime
import functools
import json
import platform
import time

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from .blocks import _plan_of_blocks
from .capture import capture
from .follow import apply, followed
from .measure import measure
from .private import private_missing

# Asked of the compiler's own solver.
SHARE = 0.5
# Saved over promised bytes; kernels' workspace and the allocator's rounding are not in a promise.
PROMISED = 0.9, 1.1
STEPS = 5


class Convolutions(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                                  nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        return torch.relu(x + self.body(x))


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.own, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.body = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(),
                                  nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x):
        q, k, v = self.own(self.norm(x)).chunk(3, -1)
        x = x + self.out((q @ k.transpose(1, 2) / x.shape[-1] ** 0.5).softmax(-1) @ v)
        return x + self.body(x)


class Dense(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width), nn.Tanh())

    def forward(self, x):
        return x + self.body(x)


class Network(nn.Module):
    """Blocks in a row, each within a checkpoint where `options` are set."""

    def __init__(self, kind, width, depth=8):
        super().__init__()
        self.blocks, self.options = nn.ModuleList(kind(width) for _ in range(depth)), None

    def forward(self, x):
        for block in self.blocks:
            x = block(x) if self.options is None else checkpoint(block, x, use_reentrant=False, **self.options)
        return x.square().mean()


def cases(size):
    """(name, network, inputs); `size` scales the batch, and 1 makes them shallow too."""
    depth = 8 if size > 1 else 4
    yield 'convolutions', Network(Convolutions, 16, depth), torch.randn(4 * size, 16, 32, 32)
    yield 'attention', Network(Attention, 64, depth), torch.randn(4 * size, 64, 64)
    yield 'dense', Network(Dense, 64, depth), torch.randn(256 * size, 64)


def once(model, x):
    """Loss and gradients of one step."""
    model.zero_grad(set_to_none=True)
    torch.manual_seed(1)
    loss = model(x)
    loss.backward()
    return [loss.detach(), *(p.grad.clone() for p in model.parameters())]


def by_block(model, **options):
    model.options = options
    return model


def selective(model):
    from torch.utils.checkpoint import create_selective_checkpoint_contexts
    ops = torch.ops.aten
    kept = [ops.mm.default, ops.addmm.default, ops.bmm.default, ops.convolution.default]
    return by_block(model, context_fn=functools.partial(create_selective_checkpoint_contexts, kept))


def compiled(model, x, partition=None, share=1.0):
    """Figures of a compiled model; `compileSeconds` is its first step."""
    import torch._functorch.config as functorch
    import torch._inductor.config as inductor
    torch._dynamo.reset()
    with inductor.patch(custom_partitioner_fn=partition, force_disable_caches=True), functorch.patch(
            activation_memory_budget=share):
        one, start = torch.compile(copy.deepcopy(model)), time.perf_counter()
        once(one, x)
        return {'compileSeconds': time.perf_counter() - start, **figures_of(one, x)}


def figures_of(model, x):
    return {key: value for key, value in measure(model, x, steps=STEPS).items() if key in ('peakBytes', 'seconds')}


class WithoutEngine:
    """Plans of the self-test where the engine is missing."""
    version, budget = 'zigzag_torch.py', 'one checkpoint a block'

    def plan(self, document):
        """A plan, and the bytes that it promises to save."""
        return _plan_of_blocks(document)

    def plan_saving(self, document, saved):
        """A plan that saves so many bytes."""
        raise RuntimeError('requires the package zigzag_lab')

    def partitioner(self, share):
        """A partitioner for so many percent of a compiled graph's peak."""
        raise RuntimeError('requires the package zigzag_lab')


def ways(model, x, document, planned, planner):
    """Figures of each way to train a network, or the reason why it failed."""
    found = {'plain': figures_of(model, x), 'plan': figures_of(planned, x)}

    def beside(way):
        return figures_of(way(copy.deepcopy(model)), x)

    def in_memory_of(name):
        saved = found['plain']['peakBytes'] - found[name]['peakBytes']
        return figures_of(apply(copy.deepcopy(model), planner.plan_saving(document, saved)), x)

    def compiled_in_memory_of(name):
        plan = planner.partitioner(100 * found[name]['peakBytes'] / found['compiled']['peakBytes'])
        figures = compiled(model, x, plan)
        if plan.warned:
            raise RuntimeError('no plan known fits')
        return figures

    for name, figures in {
            'checkpoint of each block': lambda: beside(by_block),
            'plan in its memory': lambda: in_memory_of('checkpoint of each block'),
            'selective checkpointing': lambda: beside(selective),
            'plan in the memory of selective': lambda: in_memory_of('selective checkpointing'),
            'compiled': lambda: compiled(model, x),
            'compiled with a memory budget': lambda: compiled(model, x, share=SHARE),
            'compiled with Partitioner in its memory': lambda: compiled_in_memory_of('compiled with a memory budget')}.items():
        try:
            found[name] = figures()
        except Exception as error:  # another PyTorch, or a machine without a compiler
            found[name] = {'failed': ' '.join(f'{type(error).__name__}: {error}'.split())[:300]}
    return [{'way': name, 'peakBytes': None, 'seconds': None, 'compileSeconds': None, 'failed': None, **figures}
            for name, figures in found.items()]


@contextlib.contextmanager
def deterministic():
    """Kernels that give the same bits every time, where a device has a choice."""
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])


def tried(name, model, x, planner):
    """Figures of one network."""
    document = capture(model, x, name=name)
    plan, promised = planner.plan(document)
    planned = apply(copy.deepcopy(model), plan)
    with deterministic():
        same = all(torch.equal(a, b) for a, b in zip(once(planned, x), once(copy.deepcopy(model), x)))
    left, rows = followed(planned)['left'], ways(model, x, document, planned, planner)
    saved = rows[0]['peakBytes'] - rows[1]['peakBytes']
    return {'name': name, 'same': same, 'left': left, 'promisedSavedBytes': promised, 'savedBytes': saved,
            'savedOverPromised': round(saved / promised, 3), 'ways': rows}


def processor():
    try:
        with open('/proc/cpuinfo', encoding='utf8') as file:
            return next(line.split(':')[1].strip() for line in file if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def selftest(device: str = 'cpu', size: int = 4, names: 'tuple[str, ...]' = (), planner=WithoutEngine()) -> dict:
    """The figures of networks on a device, all by default, and the device."""
    torch.manual_seed(0)
    found = [tried(name, model.to(device), x.to(device), planner)
             for name, model, x in cases(size) if not names or name in names]
    passed = all(c['same'] and c['left'] is None and PROMISED[0] <= c['savedOverPromised'] <= PROMISED[1] for c in found)
    return {'format': 'zigzag-selftest', 'version': 2, 'passed': passed, 'zigzag': planner.version,
            'torch': torch.__version__, 'date': datetime.date.today().isoformat(),
            'system': f'{platform.system().lower()} {platform.machine()}', 'kind': torch.device(device).type,
            'device': torch.cuda.get_device_name(device) if device.startswith('cuda') else processor(),
            'budget': planner.budget, 'size': size, 'privateMissing': private_missing(), 'cases': found}


def _run_selftest(arguments, planner=WithoutEngine()):
    """The command of the self-test; returns its exit status."""
    parser = argparse.ArgumentParser(description='Checks on this machine that plans keep their promises.')
    parser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')
    parser.add_argument('--out', default='zigzag-selftest.json')
    parser.add_argument('--size', type=int, default=4, help='scales the batch (default 4)')
    parser.add_argument('--cases', default='', help='networks, separated by commas (all)')
    args = parser.parse_args(arguments)
    unknown = set(filter(None, args.cases.split(','))) - {name for name, _, _ in cases(1)}
    if unknown:
        parser.error(f"unknown network {', '.join(sorted(unknown))}; there are {', '.join(n for n, _, _ in cases(1))}")
    if args.device.startswith('cuda') and not torch.cuda.is_available():
        parser.error('this PyTorch finds no CUDA device; use --device cpu')
    made = selftest(args.device, args.size, tuple(filter(None, args.cases.split(','))), planner)
    with open(args.out, 'w', encoding='utf8') as file:
        json.dump(made, file, indent=2)
    for case in made['cases']:
        print(f"{case['name']}: {'bit-identical' if case['same'] else 'NOT THE SAME'}, saved/promised {case['savedOverPromised']}")
        for row in case['ways']:
            compiles = '' if row['compileSeconds'] is None else f", compiled in {row['compileSeconds']:.1f} s"
            print(f"  {row['way']}: {row['failed']}" if row['failed'] else f"  {row['way']}: peak {row['peakBytes'] / 1e6:.1f} MB, "
                  f"a step {1e3 * row['seconds']:.1f} ms{compiles}")
    print(f"{'passed' if made['passed'] else 'FAILED'} on {made['device']}, PyTorch {made['torch']}; wrote {args.out}")
    return 0 if made['passed'] else 1
