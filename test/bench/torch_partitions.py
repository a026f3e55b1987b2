"""Plans inside torch.compile beside PyTorch's own memory budget, for test/bench/pytorch-partitioner.ts.

    python3 torch_partitions.py SITE [NAME...]      SITE is a folder with the unpacked wheel

Prints a row of each model as JSON. Inductor's decompositions are applied, and graphs run without compiled kernels, so that
the peak of allocated bytes is that of the partition. Dropout is off: PyTorch's solver draws masks again.
"""
import json
import os
import resource
import sys
import time

import torch
from torch import nn

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'reference')]

import torch_partitioner as reference  # noqa: E402
from torch._functorch import partitioners  # noqa: E402
from torch._inductor.compile_fx import select_decomp_table  # noqa: E402
from torch_families import build, loss_of  # noqa: E402
from zigzag_lab import Partitioner  # noqa: E402
from zigzag_lab.zigzag_torch.selftest import Attention, Dense, Network  # noqa: E402

MODELS = ('vision-transformer', 'convnext-small-blocks', 'timm-mixer', 'timm-resmlp', 'timm-gmlp',
          'timm-vit-tiny-patch16-224', 'timm-deit-tiny-distilled-patch16-224', 'timm-eva02-tiny-patch14-224',
          'hf-gpt2', 'hf-llama-no-cache', 'hf-qwen2', 'hf-phi', 'hf-gpt-neox', 'hf-bert', 'hf-roberta', 'hf-t5', 'hf-vit',
          'tiny-gpt', 'unet-skips')
# The share that PyTorch's solver is asked for.
SHARE = 0.5


class Timed(reference.Watched):
    """A watched partitioner that also counts its processor time, child processes included."""
    seconds = 0

    def __call__(self, *args, **kwargs):
        start = processor_time()
        try:
            return super().__call__(*args, **kwargs)
        finally:
            self.seconds += processor_time() - start


def processor_time():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Whole(nn.Module):
    """A model with its loss, of which one graph is compiled."""

    def __init__(self, model, args, kwargs):
        super().__init__()
        self.model, self.args, self.kwargs = model, args, kwargs

    def forward(self):
        return loss_of(self.model(*self.args, **self.kwargs))


def without_dropout(model):
    for module in model.modules():
        for name in ('p', 'drop_prob', 'dropout'):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return model


def decompositions():
    """Inductor's. Without its kernels, `prims.fma` would be two operations, and hide the bytes between them."""
    return {**select_decomp_table(), torch.ops.prims.fma.default: lambda a, b, c: a * b + c}


def measured(model, partition, budget=1):
    one = Timed(partition)
    return *reference.run(model, {}, one, budget, decompositions())[:2], one


def ran(model):
    """Figures of PyTorch's plan at a share of the memory, and of ours at the peak that was measured under it."""
    default = partitioners.min_cut_rematerialization_partition
    plain, own, first = measured(model, default)
    made, peak, theirs = measured(model, default, SHARE)
    plan = Partitioner(peak, fuses=False)
    mine, ours, one = measured(model, plan)
    promised = None if plan.warned else max(figures['peakBytes'] for figures in plan.figures)
    near = [max((abs(a - b).max() / abs(b).max().clamp_min(1e-12)).item() for a, b in zip(steps, plain))
            for steps in (made, mine)]
    return {'ownBytes': own, 'theirBytes': peak, 'ourBytes': ours, 'promisedBytes': promised, 'warned': plan.warned,
            'ownFlops': first.flops, 'theirFlops': theirs.flops, 'ourFlops': one.flops, 'theirSeconds': theirs.seconds,
            'ourSeconds': one.seconds, 'theirDifference': near[0], 'ourDifference': near[1]}


def models(wanted):
    for name, kind, x in (('selftest attention', Attention, torch.randn(8, 64, 32)), ('selftest dense', Dense, torch.randn(512, 32))):
        if not wanted or name in wanted:
            yield name, lambda: Whole(without_dropout(Network(kind, 32, 4)), (x,), {})
    for name in MODELS:
        if not wanted or name in wanted:
            def made():
                model, args, kwargs = build(name)
                return Whole(without_dropout(model), args, kwargs)
            yield name, made


def main(wanted):
    for name, make in models(wanted):
        torch.manual_seed(0)
        try:
            row = ran(make())
        except Exception as error:
            row = {'failed': ' '.join(f'{type(error).__name__}: {error}'.split())[:200]}
        print('\n' + json.dumps({'name': name, **row}), flush=True)


if __name__ == '__main__':
    main(sys.argv[2:])
