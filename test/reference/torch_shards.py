"""Models whose layers FSDP2 shards, for test/app/bridges/torch-shards.test.ts.

    python3 torch_shards.py SITE WORLD      SITE is a folder with the unpacked wheel, WORLD the number of processes

Prints {ROW: [for each process {'shares': peak of each step as a share of plain training's, 'plain': the latter in bytes,
'same': true if loss and gradients are bit-identical to plain training, 'left': why the last step left its plans,
'solved': calls of the engine, 'collectives': true if a step runs as many as a plain one}]}.
"""
import collections
import copy
import datetime
import json
import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from torch_loops import Block, Language, _profiled, batch, quiet, zigzag

import zigzag_lab.layers as of_layers  # noqa: E402  (its path is in torch_loops)

BUDGET = '40%'
DEPTH, STEPS = 6, 3


class Counted(TorchDispatchMode):
    """Counts collectives."""

    def __init__(self):
        super().__init__()
        self.count = collections.Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function._schema.name
        if 'c10d' in name:
            self.count[name] += 1
        return function(*args, **(kwargs or {}))


class Summed(torch.autograd.Function):
    """A sum over all processes, as in layers of parallel models."""

    @staticmethod
    def forward(context, x):
        total = x.clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    def backward(context, gradient):
        gradient = gradient.clone()
        dist.all_reduce(gradient)
        return gradient


class Talking(Block):
    def forward(self, x, mask):
        x = super().forward(x, mask)
        return x + Summed.apply(x.tanh()).sin()


def sharded(model, by_layer=True):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    mesh = init_device_mesh('cpu', (dist.get_world_size(),))
    for layer in model.blocks if by_layer else ():
        fully_shard(layer, mesh=mesh)
    return fully_shard(model, mesh=mesh)


def step_of(model, given):
    def step():
        loss = model(**given)
        step.loss = loss.detach()
        loss.backward()
    return step


def trained(model, batches):
    """(peaks, losses and gradients, collectives of the last step)"""
    peaks, seen = [], []
    for given in batches:
        model.zero_grad(set_to_none=True)
        step, counted = step_of(model, given), Counted()
        peaks.append(_profiled(step)[1])
        seen.append([step.loss, *(p.grad.to_local().clone() for p in model.parameters())])
        model.zero_grad(set_to_none=True)
        with counted:
            step()
    return peaks, seen, counted.count


def row(first, batches, kind=Block, by_layer=True):
    model, calls, solve = Language(DEPTH), [], of_layers.solve
    model.blocks = nn.ModuleList(kind() for _ in range(DEPTH))
    plain, model = sharded(copy.deepcopy(model).train(), by_layer), sharded(model.train(), by_layer)
    of_layers.solve = lambda *args, **kwargs: calls.append(1) or solve(*args, **kwargs)
    with quiet():
        zigzag.fit(model, *first, budget=BUDGET)
        (ours, mine, made), (theirs, reference, own) = trained(model, batches), trained(plain, batches)
    of_layers.solve = solve
    same = all(torch.equal(a, b) for one, other in zip(mine, reference) for a, b in zip(one, other))
    facts = zigzag.followed(model)
    return {'shares': [round(a / b, 3) for a, b in zip(ours, theirs)], 'plain': theirs, 'same': same, 'left': facts['left'],
            'recomputes': facts['recomputed'] > 0, 'solved': len(calls), 'collectives': made == own,
            'sentence': zigzag.report(model).sentence}


def refusals():
    """Refusals of impossible requests; the model must train on unchanged."""
    found = {}
    for budget in ('1%', 'knee', 1000):
        model = sharded(Language(2).train())
        try:
            zigzag.fit(model, batch(), budget=budget)
        except ValueError as error:
            found[str(budget)] = f'{type(error).__name__}: {error}'
        model(**batch()).backward()
        assert zigzag.followed(model)['left'] == 'the model has not run under a plan'
    with quiet():
        model = sharded(Language(2).train())
        zigzag.fit(model, batch(), budget='1GiB')
        found['ample'] = zigzag.report(model).sentence
        fitted = sharded(Language(2).train())
        zigzag.fit(fitted, batch(), budget='60%')
    zigzag.remove(fitted)
    fitted(**batch()).backward()
    found['removed'] = zigzag.followed(fitted)['left']
    return found


def rows(rank):
    def steps(**sizes):
        return [batch(**sizes) for _ in range(STEPS)]

    yield 'fit on a batch', lambda: row([batch()], steps())
    yield 'collectives inside of layers', lambda: row([batch()], steps(), Talking)
    if dist.get_world_size() > 1:
        return
    yield 'fit in the first step', lambda: row([], steps())
    yield 'longer than the batch of the fit', lambda: row([batch()], steps(length=96))
    yield 'padded after unpadded', lambda: row([batch()], steps(padded=True))
    yield 'one group', lambda: row([batch()], steps(), by_layer=False)
    yield 'refusals', refusals


def worker(rank, world, store, into):
    torch.set_num_threads(1)
    dist.init_process_group('gloo', init_method=f'file://{store}', rank=rank, world_size=world,
                            timeout=datetime.timedelta(seconds=60))
    found = {}
    for name, make in rows(rank):
        torch.manual_seed(7)
        found[name] = make()
        with open(f'{into}.{rank}', 'w') as file:
            json.dump(found, file)
    dist.barrier()
    os._exit(0)


def main(world):
    import torch.multiprocessing as mp
    with tempfile.TemporaryDirectory() as folder:
        into, store = os.path.join(folder, 'found'), os.path.join(folder, 'store')
        workers = [mp.get_context('spawn').Process(target=worker, args=(r, world, store, into)) for r in range(world)]
        for process in workers:
            process.start()
        for process in workers:
            process.join()
        found = [json.load(open(f'{into}.{rank}')) for rank in range(world)]
    print('\n' + json.dumps({name: [one[name] for one in found] for name in found[0]}))


if __name__ == '__main__':
    main(int(sys.argv[2]))
