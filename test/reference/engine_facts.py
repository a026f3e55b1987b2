"""Python's facts about operations and optimizers, for test/app/bridges/engine-facts.test.ts.

    python3 engine_facts.py SITE      reads cases from standard input; SITE is a folder with the unpacked wheel

Prints {'keeps': [...], 'flops': [...], 'optimizers': {...}}: bytes kept and FLOPs of each case, and, for each
optimizer, predicted and profiled bytes of its state and of the temporaries of a step.
"""
import json
import sys

import torch

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from zigzag_lab.stationary import stationary_bytes  # noqa: E402
from zigzag_lab.total import _on_the_way  # noqa: E402
from zigzag_lab.zigzag_torch.kinds import _expected, _flops  # noqa: E402
from zigzag_lab.zigzag_torch.profiled import _profiled  # noqa: E402

ROWS, COLUMNS, COUNT = 256, 128, 4


def flops(label, inputs, arguments, output):
    tensors = [None if shape is None else torch.empty(shape) for shape in inputs]
    return _flops(label, (*tensors, *arguments), {}, [torch.empty(output)])


def optimizer(name, at_once, options):
    """[state predicted, state held, temporaries predicted, temporaries seen], bytes."""
    model = torch.nn.ParameterList([torch.nn.Parameter(torch.randn(ROWS, COLUMNS)) for _ in range(COUNT)])
    made = getattr(torch.optim, name)(model.parameters(), foreach=at_once, **options)
    state = list(stationary_bytes(model, made)[0].values())[2]
    for _ in range(2):
        for parameter in model.parameters():
            parameter.grad = torch.randn(ROWS, COLUMNS)
        made.step()
    held = sum(value.numel() * value.element_size() for kept in made.state.values() for value in kept.values()
               if isinstance(value, torch.Tensor) and value.dim() > 0)
    return [state, held, _on_the_way(made), _profiled(made.step)[0]]


def main():
    cases = json.load(sys.stdin)
    told = {'keeps': [_expected(kind, output) for kind, output in cases['keeps']],
            'flops': [flops(*case) for case in cases['flops']],
            'optimizers': [optimizer(*case) if hasattr(torch.optim, case[0]) else None
                           for case in cases['optimizers']]}
    print('\n' + json.dumps(told))


if __name__ == '__main__':
    torch.set_num_threads(1)
    main()
