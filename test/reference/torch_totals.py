"""Predictions of `zigzag.total` against PyTorch's MemTracker, for test/app/bridges/torch-totals.test.ts.

    python3 torch_totals.py SITE NAME...      names of torch_families; SITE is a folder with the unpacked wheel

Prints {NAME: {OPTIMIZER: [predicted, tracked]}} in bytes. The tracker misses the inputs, which exist before it
starts, so they are added to its figure.
"""
import json
import os
import sys

import torch

sys.dont_write_bytecode = True
sys.path[:0] = [sys.argv[1], os.path.dirname(os.path.abspath(__file__))]

import torch_families  # noqa: E402
import zigzag_lab as zigzag  # noqa: E402
from torch.distributed._tools.mem_tracker import MemTracker  # noqa: E402

OPTIMIZERS = {'SGD with momentum': lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9),
              'Adam': torch.optim.Adam, 'AdamW': torch.optim.AdamW}


def tracked(model, optimizer, args, kwargs):
    """The tracker's peak of the second step, when the optimizer's state exists."""
    tracker = MemTracker()
    tracker.track_external(model, optimizer)
    with tracker:
        for step in range(2):
            torch_families.loss_of(model(*args, **kwargs)).backward()
            optimizer.step()
            optimizer.zero_grad()
            if step == 0:
                tracker.reset_mod_stats()
    return max(sizes['Total'] for sizes in tracker.get_tracker_snapshot('peak').values())


def main(names):
    results = {}
    for name in names:
        results[name] = {}
        for label, make in OPTIMIZERS.items():
            model, args, kwargs = torch_families.build(name)
            optimizer = make(model.parameters())
            predicted = zigzag.total(model, *args, optimizer=optimizer, loss=torch_families.loss_of, **kwargs)
            inputs = sum(t.numel() * t.element_size() for t in torch_families.tensors_in((args, kwargs)))
            results[name][label] = [predicted['peakBytes'], tracked(model, optimizer, args, kwargs) + inputs]
    print('\n' + json.dumps(results))


if __name__ == '__main__':
    torch.set_num_threads(1)
    main(sys.argv[2:])
