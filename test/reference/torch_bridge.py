"""Runs zigzag_torch.py on the reference networks, for test/app/bridges/torch.test.ts.

    python3 torch_bridge.py capture FOLDER NAME...     writes FOLDER/NAME.json
    python3 torch_bridge.py version                    prints PyTorch's version
    python3 torch_bridge.py refuse FOLDER FILE...      prints the refusal of each plan
    python3 torch_bridge.py train FOLDER NAME...       reads FOLDER/NAME.STRATEGY.plan.json, writes FOLDER/NAME.result.json
"""
import copy
import glob
import json
import os
import sys

import torch
from torch.utils._pytree import tree_flatten

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import torch_networks  # noqa: E402
import zigzag_torch  # noqa: E402


def loss_of(outputs):
    generator = torch.Generator().manual_seed(3)
    tensors = [t for t in tree_flatten(outputs)[0] if isinstance(t, torch.Tensor)]
    return sum((t * torch.randn(t.shape, generator=generator)).sum() for t in tensors) / len(tensors)


def train(model, inputs):
    """Loss and gradients of a step under one seed, and every buffer."""
    torch.manual_seed(11)
    value = loss_of(model(*inputs))
    value.backward()
    return value.item(), [p.grad for p in model.parameters()], [b.clone() for b in model.buffers()]


def compare(ours, regular):
    value, grads, buffers = ours
    value0, grads0, buffers0 = regular
    worst = max((float((a - b).abs().max() / b.abs().max().clamp_min(1e-30)) for a, b in zip(grads, grads0) if b is not None),
                default=0)
    return {'loss': value == value0, 'gradientsEqual': all(a is b or torch.equal(a, b) for a, b in zip(grads, grads0)),
            'worstGradient': worst, 'buffersEqual': all(torch.equal(a, b) for a, b in zip(buffers, buffers0))}


def measured(model, inputs):
    # `compare` still holds the compared gradients.
    model.zero_grad(set_to_none=True)
    return zigzag_torch.measure(model, *inputs, steps=0)


def refused(path):
    """The refusal of a plan."""
    try:
        zigzag_torch.apply(torch.nn.Linear(2, 2), path)
    except zigzag_torch.PlanMismatch as error:
        return str(error)


def main(action, folder, names):
    if action == 'refuse':
        return print(json.dumps({name: refused(os.path.join(folder, name)) for name in names}))
    for name in names:
        model, inputs = torch_networks.build(name)
        if action == 'capture':
            document = zigzag_torch.capture(model, *inputs, path=os.path.join(folder, f'{name}.json'), name=name)
            trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
            with open(os.path.join(folder, f'{name}.facts.json'), 'w') as file:
                json.dump({'parameters': trained, 'coverage': document['coverage']}, file)
            continue
        unplanned = copy.deepcopy(model)
        regular = train(unplanned, inputs)
        result = {'regular': measured(unplanned, inputs), 'plans': {}}
        for path in sorted(glob.glob(os.path.join(folder, f'{name}.*.plan.json'))):
            strategy = os.path.basename(path).split('.')[-3]
            planned = zigzag_torch.apply(copy.deepcopy(model), path)
            row = compare(train(planned, inputs), regular)
            facts = zigzag_torch.followed(planned)
            result['plans'][strategy] = {**row, **measured(planned, inputs), **facts}
        with open(os.path.join(folder, f'{name}.result.json'), 'w') as file:
            json.dump(result, file)


if __name__ == '__main__':
    torch.set_num_threads(1)
    if sys.argv[1] == 'version':
        sys.exit(print(torch.__version__))
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
