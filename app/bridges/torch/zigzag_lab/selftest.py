"""Checks on this machine that plans keep their promises.

    python -m zigzag_lab.selftest [--device cpu|cuda] [--out FILE] [--size N]

Three networks train under a plan of 60 % of their peak: the same loss and gradients to the bit, measured beside promised
peak, and the time of a step beside plain training and torch.utils.checkpoint around each block. Peaks are
`max_memory_allocated` on CUDA, and bytes that the profiler saw on a CPU. Writes zigzag-selftest.json, which
`node app/start/where-ran.mjs FILE` adds to what has run where. Exits with 1 where a check fails.
"""
import argparse
import copy
import datetime
import json
import platform
import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from . import zigzag_torch as bridge
from .engine import solve
from .report import tell
from .version import __version__
from .zigzag_torch.private import private_missing

BUDGET = '60%'
# Saved over promised bytes; kernels' workspace and the allocator's rounding are not in a promise.
PROMISED = 0.9, 1.1


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
    """Blocks in a row, each within a checkpoint where `by_block` is set."""

    def __init__(self, kind, width, depth=8):
        super().__init__()
        self.blocks, self.by_block = nn.ModuleList(kind(width) for _ in range(depth)), False

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.by_block else block(x)
        return x.square().mean()


def cases(size):
    """(name, network, inputs); `size` scales the batch."""
    yield 'convolutions', Network(Convolutions, 16), torch.randn(4 * size, 16, 32, 32)
    yield 'attention', Network(Attention, 64), torch.randn(4 * size, 64, 64)
    yield 'dense', Network(Dense, 64), torch.randn(256 * size, 64)


def once(model, x):
    """Loss and gradients of one step."""
    model.zero_grad(set_to_none=True)
    torch.manual_seed(1)
    loss = model(x)
    loss.backward()
    return [loss.detach(), *(p.grad.clone() for p in model.parameters())]


def tried(name, model, x):
    """Figures of one network."""
    document = bridge.capture(model, x, name=name)
    solved = solve(document, budget=BUDGET)
    planned, by_block = bridge.apply(copy.deepcopy(model), solved.plan), copy.deepcopy(model)
    by_block.by_block = True
    same = all(torch.equal(a, b) for a, b in zip(once(planned, x), once(copy.deepcopy(model), x)))
    plain, ours, theirs = (bridge.measure(one, x) for one in (model, planned, by_block))
    promised = solved.head['regularPeakBytes'] - solved.row['peakBytes']
    return {'name': name, 'same': same, 'left': bridge.followed(planned)['left'], 'promisedSavedBytes': promised,
            'savedBytes': plain['peakBytes'] - ours['peakBytes'],
            'savedOverPromised': round((plain['peakBytes'] - ours['peakBytes']) / promised, 3),
            **{f'{who}{key[0].upper()}{key[1:]}': made[key] for who, made in (
                ('plain', plain), ('plan', ours), ('checkpoint', theirs)) for key in ('peakBytes', 'seconds')}}


def processor():
    try:
        with open('/proc/cpuinfo', encoding='utf8') as file:
            return next(line.split(':')[1].strip() for line in file if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def selftest(device: str = 'cpu', size: int = 4) -> dict:
    """The figures of all networks on a device, with what ran them."""
    torch.manual_seed(0)
    found = [tried(name, model.to(device), x.to(device)) for name, model, x in cases(size)]
    passed = all(c['same'] and c['left'] is None and PROMISED[0] <= c['savedOverPromised'] <= PROMISED[1] for c in found)
    return {'format': 'zigzag-selftest', 'version': 1, 'passed': passed, 'zigzag': __version__,
            'torch': torch.__version__, 'date': datetime.date.today().isoformat(),
            'system': f'{platform.system().lower()} {platform.machine()}', 'kind': torch.device(device).type,
            'device': torch.cuda.get_device_name(device) if device.startswith('cuda') else processor(),
            'budget': BUDGET, 'size': size, 'privateMissing': private_missing(), 'cases': found}


def main():
    parser = argparse.ArgumentParser(description='Checks on this machine that plans keep their promises.')
    parser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')
    parser.add_argument('--out', default='zigzag-selftest.json')
    parser.add_argument('--size', type=int, default=4, help='scales the batch (default 4)')
    args = parser.parse_args()
    if args.device.startswith('cuda') and not torch.cuda.is_available():
        parser.error('this PyTorch finds no CUDA device; use --device cpu')
    made = selftest(args.device, args.size)
    with open(args.out, 'w', encoding='utf8') as file:
        json.dump(made, file, indent=2)
    for case in made['cases']:
        same = 'bit-identical' if case['same'] else 'NOT THE SAME'
        tell(f"{case['name']}: {same}; peak {case['planPeakBytes'] / 1e6:.1f} of {case['plainPeakBytes'] / 1e6:.1f} MB, "
             f"saved/promised {case['savedOverPromised']}; a step takes {1e3 * case['planSeconds']:.1f} ms, plain "
             f"{1e3 * case['plainSeconds']:.1f}, checkpoint {1e3 * case['checkpointSeconds']:.1f} at "
             f"{case['checkpointPeakBytes'] / 1e6:.1f} MB")
    tell(f"{'passed' if made['passed'] else 'FAILED'} on {made['device']}, PyTorch {made['torch']}; wrote {args.out}")
    return 0 if made['passed'] else 1


if __name__ == '__main__':
    sys.exit(main())
