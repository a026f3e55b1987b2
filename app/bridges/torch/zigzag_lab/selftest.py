"""Checks on this machine that plans keep their promises.

    python -m zigzag_lab.selftest [--device cpu|cuda] [--out FILE] [--size N] [--cases NAME,NAME]

Three networks train under a plan of 60 % of their peak: the same loss and gradients to the bit, and measured beside
promised peak. Other ways stand beside it, each with its peak and the time of a step: torch.utils.checkpoint around each
block, a plan in the memory of that, and Selective Checkpointing. Three more are compiled: the plain model,
activation_memory_budget, and Partitioner in the memory of that. Peaks are `max_memory_allocated` on CUDA, and bytes that
the profiler saw on a CPU. Writes zigzag-selftest.json, which `zigzag tables measured FILE` shows, and which
`node app/start/where-ran.mjs FILE` adds to what has run where. Exits with 1 where a check fails.
"""
import argparse
import copy
import datetime
import functools
import json
import platform
import sys
import time

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from . import zigzag_torch as bridge
from .engine import solve
from .report import tell
from .version import __version__
from .zigzag_torch.private import private_missing

BUDGET = '60%'
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
        return {'compileSeconds': time.perf_counter() - start, **measured(one, x)}


def measured(model, x):
    return {key: value for key, value in bridge.measure(model, x, steps=STEPS).items() if key in ('peakBytes', 'seconds')}


def ways(model, x, document, planned):
    """Figures of each way to train a network, or the reason why it failed."""
    regular = solve(document, strategy='regular').head['regularPeakBytes']
    found = {'plain': measured(model, x), 'plan': measured(planned, x)}

    def beside(way):
        return measured(way(copy.deepcopy(model)), x)

    def in_memory_of(name):
        saved = found['plain']['peakBytes'] - found[name]['peakBytes']
        return measured(bridge.apply(copy.deepcopy(model), solve(document, budget=regular - saved).plan), x)

    def compiled_in_memory_of(name):
        from .partitioner import Partitioner
        plan = Partitioner(f"{100 * found[name]['peakBytes'] / found['compiled']['peakBytes']:.2f}%")
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


def tried(name, model, x):
    """Figures of one network."""
    document = bridge.capture(model, x, name=name)
    solved = solve(document, budget=BUDGET)
    planned = bridge.apply(copy.deepcopy(model), solved.plan)
    same = all(torch.equal(a, b) for a, b in zip(once(planned, x), once(copy.deepcopy(model), x)))
    left, rows = bridge.followed(planned)['left'], ways(model, x, document, planned)
    promised, saved = solved.head['regularPeakBytes'] - solved.row['peakBytes'], rows[0]['peakBytes'] - rows[1]['peakBytes']
    return {'name': name, 'same': same, 'left': left, 'promisedSavedBytes': promised, 'savedBytes': saved,
            'savedOverPromised': round(saved / promised, 3), 'ways': rows}


def processor():
    try:
        with open('/proc/cpuinfo', encoding='utf8') as file:
            return next(line.split(':')[1].strip() for line in file if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def selftest(device: str = 'cpu', size: int = 4, names: 'tuple[str, ...]' = ()) -> dict:
    """The figures of networks on a device, all where none is named, with what ran them."""
    torch.manual_seed(0)
    found = [tried(name, model.to(device), x.to(device)) for name, model, x in cases(size) if not names or name in names]
    passed = all(c['same'] and c['left'] is None and PROMISED[0] <= c['savedOverPromised'] <= PROMISED[1] for c in found)
    return {'format': 'zigzag-selftest', 'version': 2, 'passed': passed, 'zigzag': __version__,
            'torch': torch.__version__, 'date': datetime.date.today().isoformat(),
            'system': f'{platform.system().lower()} {platform.machine()}', 'kind': torch.device(device).type,
            'device': torch.cuda.get_device_name(device) if device.startswith('cuda') else processor(),
            'budget': BUDGET, 'size': size, 'privateMissing': private_missing(), 'cases': found}


def main():
    parser = argparse.ArgumentParser(description='Checks on this machine that plans keep their promises.')
    parser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')
    parser.add_argument('--out', default='zigzag-selftest.json')
    parser.add_argument('--size', type=int, default=4, help='scales the batch (default 4)')
    parser.add_argument('--cases', default='', help='networks, separated by commas (all)')
    args = parser.parse_args()
    unknown = set(filter(None, args.cases.split(','))) - {name for name, _, _ in cases(1)}
    if unknown:
        parser.error(f"unknown network {', '.join(sorted(unknown))}; there are {', '.join(n for n, _, _ in cases(1))}")
    if args.device.startswith('cuda') and not torch.cuda.is_available():
        parser.error('this PyTorch finds no CUDA device; use --device cpu')
    made = selftest(args.device, args.size, tuple(filter(None, args.cases.split(','))))
    with open(args.out, 'w', encoding='utf8') as file:
        json.dump(made, file, indent=2)
    for case in made['cases']:
        tell(f"{case['name']}: {'bit-identical' if case['same'] else 'NOT THE SAME'}, saved/promised {case['savedOverPromised']}")
        for row in case['ways']:
            compiles = '' if row['compileSeconds'] is None else f", compiled in {row['compileSeconds']:.1f} s"
            tell(f"  {row['way']}: {row['failed']}" if row['failed'] else f"  {row['way']}: peak {row['peakBytes'] / 1e6:.1f} MB, "
                 f"a step {1e3 * row['seconds']:.1f} ms{compiles}")
    tell(f"{'passed' if made['passed'] else 'FAILED'} on {made['device']}, PyTorch {made['torch']}; wrote {args.out}")
    return 0 if made['passed'] else 1


if __name__ == '__main__':
    sys.exit(main())
