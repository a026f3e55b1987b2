"""Plans of the zoo on torchvision's and timm's own models: torch_zoo.py FOLDER prints one answer per line for
FOLDER/requests.json; torch_zoo.py versions prints those of the libraries.

A request is {"make": expression, "plan": file, "input": [C, H, W], "step": bool, "eval": bool, "autocast": bool}.
"""
import contextlib
import json
import os
import sys
import warnings

warnings.simplefilter('ignore')

import torch
import torchvision  # noqa: F401  (used by the expressions)
import zigzag_torch as zigzag

try:
    import timm  # noqa: F401
except ImportError:
    pass

torch.set_num_threads(1)


@contextlib.contextmanager
def without_weights():
    """Random weights of a VGG take longest to draw, and matching needs none."""
    names = [n for n in dir(torch.nn.init) if n.endswith('_') and not n.startswith('_')]
    drawn = {name: getattr(torch.nn.init, name) for name in names}
    try:
        for name in names:
            setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)
        yield
    finally:
        for name, function in drawn.items():
            setattr(torch.nn.init, name, function)


def answer(folder, request):
    if request['make'].startswith('timm') and 'timm' not in globals():
        return {'absent': 'timm'}
    torch.manual_seed(1)
    with contextlib.nullcontext() if request.get('step') else without_weights():
        model = eval(request['make'])  # noqa: S307  (the test's own text)
    model.train(not request.get('eval', False))
    with open(os.path.join(folder, request['plan']), encoding='utf8') as file:
        plan = json.load(file)
    images = torch.randn(4, *request['input'])
    try:
        if not request.get('step', False):
            zigzag.apply(model, plan)
            return {'matched': True}
        with torch.autocast('cpu', torch.bfloat16, enabled=request.get('autocast', False)):
            found = zigzag.verify(model, plan, images)
            regular = zigzag.measure(model, images, steps=0)['peakBytes']
            zigzag.apply(model, plan)
            planned = zigzag.measure(model, images, steps=0)['peakBytes']
        parameters = sum(p.numel() for p in model.parameters())
        return {**found, 'regularPeakBytes': regular, 'peakBytes': planned, 'parameters': parameters}
    except zigzag.PlanMismatch as error:
        return {'refused': str(error)}


def main():
    if sys.argv[1] == 'versions':
        libraries = [name for name in ('torch', 'torchvision', 'timm') if name in globals()]
        print(json.dumps({name: globals()[name].__version__ for name in libraries}))
        return
    with open(os.path.join(sys.argv[1], 'requests.json'), encoding='utf8') as file:
        requests = json.load(file)
    for request in requests:
        print(json.dumps(answer(sys.argv[1], request)), flush=True)


main()
