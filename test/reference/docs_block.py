"""Runs a block of Python from the documentation as it is printed, for test/docs/python-blocks.test.ts.

    python3 docs_block.py SITE < BLOCK      in the folder of the page's files; SITE is a folder with the unpacked wheel

The block may use `torch` and the reader's `model`, `images`, `batch` and `optimizer`. Prints {'worst': largest difference of
loss and gradients from plain training, in parts of the largest gradient, 'recomputed': operations that a step recomputed,
'graphs': graphs of torch.compile that got a plan}.
"""
import copy
import json
import os
import sys

import torch

sys.dont_write_bytecode = True
sys.path[:0] = [os.getcwd(), sys.argv[1]]

from zigzag_lab.zigzag_torch.selftest import Dense, Network  # noqa: E402


def step(model, images):
    model.zero_grad(set_to_none=True)
    torch.manual_seed(1)
    loss = model(images)
    loss.backward()
    return [loss.detach(), *(p.grad.clone() for p in model.parameters())]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model, images = Network(Dense, 32, 4).train(), torch.randn(512, 32)
    plain = copy.deepcopy(model)
    found = {'torch': torch, 'model': model, 'images': images, 'batch': images,
             'optimizer': torch.optim.SGD(model.parameters(), lr=0.1)}
    exec(compile(sys.stdin.read(), 'block', 'exec'), found)
    ours, theirs = step(found['model'], images), step(plain, images)
    worst = max(float((a - b).abs().max()) for a, b in zip(ours, theirs)) / max(float(b.abs().max()) for b in theirs)
    planned = getattr(sys.modules.get('torch._inductor.config'), 'custom_partitioner_fn', None)
    recomputed = found['zigzag'].followed(model)['recomputed'] if 'zigzag' in found else 0
    graphs = len(planned.figures) if planned else 0
    print('\n' + json.dumps({'worst': worst, 'recomputed': recomputed, 'graphs': graphs}))


main()
