"""Messages of a planned model, and state that it must not change, for test/app/bridges/torch-manners.test.ts.

    python3 torch_manners.py SITE      SITE is a folder with the unpacked wheel; prints {CHECK: result}
"""
import contextlib
import copy
import functools
import io
import itertools
import json
import logging
import os
import sys
import tempfile
import threading
import warnings
from contextlib import redirect_stdout

import torch
import torch.utils.checkpoint as torch_checkpoint
from torch import nn

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import zigzag_lab as zigzag  # noqa: E402
from zigzag_lab.parts import fit_parts, join_parts  # noqa: E402
from zigzag_lab.report import tell_end  # noqa: E402
from zigzag_lab.zigzag_torch.profiled import _profiled as zigzag_profiled  # noqa: E402

ROWS = 64


class Features(nn.Module):
    """Returns features beside its result, or stores them as an attribute."""

    def __init__(self, hidden):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)])
        self.tables = nn.ParameterList([nn.Parameter(torch.randn(1, 8, 16)) for _ in range(2)])
        self.hidden, self.found = hidden, []

    def forward(self, x):
        first = self.layers[0](x)  # small and not needed by backward; its result is large
        wide = torch.tanh(first[:, None] + self.tables[0])
        second = self.layers[1](wide.mean(1))
        wide = torch.tanh(torch.sigmoid(second[:, None] + self.tables[1]))
        result = self.layers[2](wide.mean(1))
        if not self.hidden:
            return result, first, second
        self.found = [first.flatten(1), second]
        return result


class Checkpointed(nn.Module):
    def __init__(self, depth=4, width=16):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, width), *(nn.Linear(width, width) for _ in range(depth - 1))])
        self.pause = None

    def forward(self, x):
        for index, layer in enumerate(self.layers):
            if index == 2 and self.pause is not None:
                self.pause()
            x = torch_checkpoint.checkpoint(lambda z, layer=layer: torch.tanh(layer(z)), x, use_reentrant=False)
        return x


def first_of(results):
    return (results[0] if isinstance(results, tuple) else results).pow(2).sum()


def with_changed_features(model, x):
    model.zero_grad()
    results = model(x)
    loss = first_of(results)
    with torch.no_grad():
        for feature in results[1:] if isinstance(results, tuple) else model.found:
            feature.clamp_(0, 0.1)
    loss.backward()
    return [p.grad.clone() for p in model.parameters()]


def features():
    """Gradients equal to those of plain training where features change in place after the forward."""
    said, x = {}, torch.randn(ROWS, 16)
    for hidden in (False, True):
        model = Features(hidden)
        plain = with_changed_features(model, x)
        document = zigzag.capture(model, x, loss=first_of)
        for strategy in ('live', 'optimal', 'memory-poor'):
            zigzag.plan_model(model, zigzag.solve(document, strategy=strategy).plan)
            ours = with_changed_features(model, x)
            facts = zigzag.followed(model)
            zigzag.remove(model)
            same = all(torch.equal(a, b) for a, b in zip(ours, plain))
            said[f'{"kept" if hidden else "returned"}, {strategy}'] = [same, facts['recomputed'] > 0]
    return said


def forwards_of(reentrant):
    """Number of times that PyTorch's checkpoint runs a function: twice if it works."""
    count = [0]

    def function(z):
        count[0] += 1
        return torch.tanh(z)

    torch_checkpoint.checkpoint(function, torch.ones(3, requires_grad=True), use_reentrant=reentrant).sum().backward()
    return count[0]


def plan_of(model, x, strategy='live'):
    return zigzag.solve(zigzag.capture(model, x), strategy=strategy).plan


def threads():
    """Checkpointing of an unrelated model while a planned forward runs in another thread, and after two overlapped."""
    names = [name for name in vars(torch_checkpoint) if name.startswith('_checkpoint_without_reentrant')]
    before = [getattr(torch_checkpoint, name) for name in names]
    x = torch.randn(ROWS, 16)
    slow = Checkpointed()
    zigzag.plan_model(slow, plan_of(slow, x))
    quick = copy.deepcopy(slow)
    inside, go_on = threading.Event(), threading.Event()
    slow.pause = lambda: (inside.set(), go_on.wait(60))
    thread = threading.Thread(target=lambda: slow(x).sum().backward())
    thread.start()
    inside.wait(60)
    during = [forwards_of(False), forwards_of(True)]
    quick(x).sum().backward()
    go_on.set()
    thread.join()
    restored = [getattr(torch_checkpoint, name) for name in names] == before
    return {'during': during, 'after': [forwards_of(False), forwards_of(True)],
            'restored': restored and 'apply' not in vars(torch_checkpoint.CheckpointFunction),
            'left': [zigzag.followed(m)['left'] for m in (slow, quick)]}


def sentence(action):
    try:
        with redirect_stdout(io.StringIO()):
            action()
    except Exception as error:
        return f'{type(error).__name__}: {error}'
    return None


def refusals():
    x = torch.randn(ROWS, 16)
    plan = plan_of(Checkpointed(), x)
    steps = plan['steps']
    with tempfile.NamedTemporaryFile('w', suffix='.json', delete=False) as file:
        file.write('[1]')
    plans = {'missing': '/nowhere/plan.json', 'no JSON': __file__, 'no steps': {**plan, 'steps': None},
             'truncated': {**plan, 'steps': steps[:-3]}, 'doubled': {**plan, 'steps': steps + steps},
             'repeated': {**plan, 'steps': [steps[0], *steps]}, 'malformed': {**plan, 'steps': [['forward'], *steps]},
             'number in a step': {**plan, 'steps': [['forward', 3]]}, 'peak as text': {**plan, 'regularPeakBytes': '9'}, 'parameters as text': {**plan, 'parameters': '9'},
             'another document': file.name, 'list': [plan], 'number': 3}
    said = {name: sentence(lambda bad=bad: zigzag.plan_model(Checkpointed(), bad)) for name, bad in plans.items()}
    said['wider'] = sentence(lambda: zigzag.plan_model(Checkpointed(width=32), plan)(x))
    said['narrower'] = sentence(lambda: zigzag.plan_model(Checkpointed(width=8), plan)(x))
    others = torch.optim.SGD(nn.Linear(2, 2).parameters(), 0.1)
    said['optimizer'] = sentence(lambda: zigzag.fit(Checkpointed(), x, budget='60%', optimizer=others))
    os.unlink(file.name)
    said['saving'] = sentence(lambda: zigzag.fit(Checkpointed(), x, budget='90%', min_saving=0.5))
    return said


def longer():
    """`verify` of a model that continues after the end of its plan."""
    x = torch.randn(ROWS, 16)
    plan = plan_of(Checkpointed(), x)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        facts = zigzag.verify(Checkpointed(6), plan, x)
    return [facts['exact'], facts['left']]


def exports():
    x = torch.randn(ROWS, 16)
    model = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 16))
    zigzag.plan_model(model, plan_of(model, x, 'optimal'))
    said = {'trace': sentence(lambda: torch.jit.trace(model, x)), 'script': sentence(lambda: torch.jit.script(model))}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        torch.save(model, io.BytesIO())
    said['save'] = '; '.join(str(w.message) for w in warned if 'zigzag' in str(w.message))
    if hasattr(torch, 'export') and hasattr(torch.export, 'export'):
        said['export'] = sentence(lambda: torch.export.export(model, (x,)))
        said['strict export'] = sentence(lambda: torch.export.export(model, (x,), strict=True))
    zigzag.remove(model)
    return {**said, 'removed': sentence(lambda: torch.jit.trace(model, x))}


def transformed():
    """torch.func runs a planned model as a plain one: the gradients of two calls, and their warnings."""
    if not hasattr(torch, 'func'):
        return None
    x, model = torch.randn(ROWS, 16), nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())

    def gradients(one):
        call = functools.partial(torch.func.functional_call, one)
        return torch.func.grad(lambda own: call(own, (x,)).sum())(dict(one.named_parameters()))

    plain = gradients(model)
    zigzag.plan_model(model, plan_of(model, x, 'optimal'))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        found = [gradients(model) for _ in range(2)]
    return {'same': [all(torch.equal(one[k], plain[k]) for k in plain) for one in found],
            'warned': [str(w.message) for w in warned if 'zigzag' in str(w.message)]}


def nested():
    """The refusal of nested tensors."""
    if not hasattr(torch, 'jagged'):
        return None
    parts = torch.nested.nested_tensor([torch.randn(3, 16), torch.randn(5, 16)], layout=torch.jagged)
    return sentence(lambda: zigzag.fit(nn.Sequential(nn.Linear(16, 16), nn.Tanh()), parts, budget='60%'))


def wrapped():
    """A forward wrapped after `apply`, as accelerate does: facts, removal, and a second `apply`."""
    x = torch.randn(ROWS, 16)
    model = Checkpointed()
    plan = plan_of(model, x)
    zigzag.plan_model(model, plan)
    inner = model.forward

    def forward(*args, **kwargs):
        return inner(*args, **kwargs)

    forward.__wrapped__ = inner
    model.forward = forward
    steps = []
    model(x).sum().backward()
    steps.append(zigzag.followed(model)['stepsOn'])
    zigzag.remove(model)
    model(x).sum().backward()
    steps.append(zigzag.followed(model)['stepsOn'])
    zigzag.plan_model(model, plan)
    model(x).sum().backward()
    return [*steps, zigzag.followed(model)['stepsOn']]


class DeepSpeedEngine(nn.Module):
    """Stands for DeepSpeed's: every backward of its forward is taken for one of its own loop."""

    def __init__(self, module):
        super().__init__()
        self.module, self.backwards = module, 0

    def forward(self, x):
        result = self.module(x)
        result.register_hook(self.count)
        return result

    def count(self, gradient):
        self.backwards += 1


class DeepSpeedOptimizer:
    """Stands for DeepSpeed's: it trains a copy of the weights."""

    def __init__(self, model):
        copied = torch.cat([p.detach().flatten() for p in model.parameters()]).requires_grad_()
        self.optimizer = torch.optim.AdamW([copied])
        self.param_groups = self.optimizer.param_groups


def deepspeed():
    """`fit` of DeepSpeed's engine and optimizer, and weights that ZeRO-3 takes away."""
    x, engine = torch.randn(ROWS, 16), DeepSpeedEngine(Checkpointed())
    with redirect_stdout(io.StringIO()):
        zigzag.fit(engine, x, budget='60%', optimizer=DeepSpeedOptimizer(engine.module))
    verifying = engine.backwards
    engine(x).sum().backward()
    amounts, _ = zigzag.stationary_bytes(engine.module, DeepSpeedOptimizer(engine.module))
    sharded = Checkpointed()
    zigzag.plan_model(sharded, plan_of(sharded, x))
    next(sharded.parameters()).ds_id = 0
    return {'backwards': [verifying, engine.backwards], 'steps': zigzag.followed(engine)['stepsOn'],
            'state': amounts['State of AdamW'] / amounts['Parameters and buffers'],
            'said': [sentence(lambda: sharded(x)), sentence(lambda: zigzag.fit(sharded, x, budget='60%'))]}


def flattened():
    """Refusals of the first FSDP, which wraps a model before its fit or after it."""
    distributed = torch.distributed
    distributed.init_process_group('gloo', store=distributed.HashStore(), rank=0, world_size=1)
    try:
        return [sentence(lambda: _flattened(*case)) for case in itertools.product((False, True), ((), {nn.Linear}), (False, True))]
    finally:
        distributed.destroy_process_group()


def _flattened(late, layers, own):
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy
    x, model = torch.randn(ROWS, 16), nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh())
    planned = zigzag.fit(model, x, budget='90%') if late else model
    sharded = FullyShardedDataParallel(planned, device_id=torch.device('cpu'), use_orig_params=own,
                                       auto_wrap_policy=ModuleWrapPolicy(layers) if layers else None)
    (sharded if late else zigzag.fit(sharded, budget='90%'))(x)


class Thrice(nn.Module):
    """Runs as a whole, as its operations may depend on values; saves the result of its first operation thrice."""

    def forward(self, x):
        first = torch.tanh(x)
        y = first * torch.sigmoid(first) * first
        return y[y.isfinite().all(-1).nonzero().flatten()]


def within():
    """Operations that a plan recomputes, and those that were recomputed."""
    x, model = torch.randn(ROWS, 16), nn.Sequential(nn.Linear(16, 64), Thrice(), *(
        part for _ in range(5) for part in (nn.Linear(64, 64), nn.Tanh())))
    plan = plan_of(model, x)
    zigzag.plan_model(model, plan)
    model(x).sum().backward()
    forwards = [step[1] for step in plan['steps'] if step[0] == 'forward']
    return [len(forwards) - len(set(forwards)), zigzag.followed(model)['recomputed']]


def batches():
    """`fit` accepts a batch as a data loader returns it."""
    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 16))

        def forward(self, rows, labels):
            return (self.body(rows) - labels).pow(2).mean()

    rows, labels, said = torch.randn(ROWS, 16), torch.randn(ROWS, 16), []
    for batch in ({'rows': rows, 'labels': labels}, (rows, labels), [rows, labels]):
        with redirect_stdout(io.StringIO()):
            model = zigzag.fit(Named(), batch, budget='85%', min_saving=0.1)
        model(rows, labels).backward()
        said.append(zigzag.followed(model)['stepsOn'])
    return said


def penalty():
    """Warnings and report of steps of three forward passes, the first of which has a backward with create_graph."""
    model = nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(16, 16), nn.Tanh())), nn.Linear(16, 1))
    real, made = torch.randn(ROWS, 16), torch.randn(ROWS, 16)
    with warnings.catch_warnings(record=True) as warned, redirect_stdout(io.StringIO()):
        warnings.simplefilter('always')
        zigzag.fit(model, budget='90%')
        for _ in range(2):
            mixed = (real + made).requires_grad_()
            judged = model(mixed)
            slope, = torch.autograd.grad(judged.sum(), mixed, create_graph=True)
            (model(made).mean() - model(real).mean() + slope.square().mean()).backward()
    return [*{str(w.message) for w in warned}, zigzag.report(model).sentence]


def uncalled():
    """Warnings of two steps, and the end of training, with a model whose methods were called, but not the model."""
    class Towers(nn.Module):
        def __init__(self):
            super().__init__()
            self.tower = nn.Linear(4, 4)

        def encode(self, x):
            return self.tower(x)

    model = zigzag.fit(Towers(), budget='90%')
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        for _ in range(2):
            model.encode(torch.randn(2, 4)).sum().backward()
    said, log = [str(w.message) for w in warned], logging.getLogger('zigzag.fit')
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    log.addHandler(handler)
    tell_end(model)
    log.removeHandler(handler)
    return said


def in_parts():
    """A model whose steps call its parts, the first without a gradient in one of them, and then itself: what is told, forward
    passes on a plan of each after either, and the answer to the question for its report."""
    class Pair(nn.Module):
        def __init__(self):
            super().__init__()
            self.towers = nn.ModuleList(nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(16, 16), nn.Tanh())))
                                        for _ in range(2))
            self.head = nn.Linear(16, 1)

        def forward(self, x):
            return self.head(self.towers[1](self.towers[0](x)))

    def counts():
        return [zigzag.followed(part)['stepsOn'] for part in (*pair.towers, pair.head)]

    pair = zigzag.fit(Pair(), budget='60%')
    fit_parts(pair, '60%')
    join_parts(pair)
    with warnings.catch_warnings(record=True) as warned, redirect_stdout(io.StringIO()) as printed:
        warnings.simplefilter('always')
        for trains_all in (False, True):
            pair.towers[0].requires_grad_(trains_all)
            pair.head(pair.towers[1](pair.towers[0](torch.randn(ROWS, 16)))).sum().backward()
        by_parts, refusal = counts(), sentence(lambda: zigzag.report(pair))
        pair(torch.randn(ROWS, 16)).sum().backward()
    told = [line.partition(' for ')[0] for line in printed.getvalue().splitlines()]
    own = zigzag.report(pair).steps[0][1]
    return [str(w.message) for w in warned], told, by_parts, refusal, counts(), own


def wasted():
    """Warnings of a model that detaches what it computes with a gradient, and of one that does not."""
    class Pair(nn.Module):
        def __init__(self, within):
            super().__init__()
            self.within = within
            self.old, self.new = (nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 16)) for _ in range(2))

        def forward(self, x):
            with self.within():
                known = self.old(x)
            return (self.new(x) - known.detach()).square().mean()

    said = []
    for within in (contextlib.nullcontext, torch.no_grad):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter('always')
            zigzag.zigzag_torch.capture(Pair(within), torch.randn(64 * ROWS, 16))
        said.append([str(w.message) for w in warned])
    return said


def copied_early():
    """Warnings about a model that is copied before its first batch, and forward passes of the copy on a plan."""
    model = zigzag.fit(nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(16, 16), nn.Tanh()))), budget='60%')
    with warnings.catch_warnings(record=True) as warned, redirect_stdout(io.StringIO()):
        warnings.simplefilter('always')
        twin = copy.deepcopy(model)
        twin(torch.randn(ROWS, 16)).sum().backward()
    return [str(w.message) for w in warned], zigzag.report(twin).steps[0][1]


def replicated():
    """Refusal of the copies that nn.DataParallel makes of a planned model, and whether it may copy the model without its plan."""
    model = zigzag.fit(nn.Linear(4, 4), budget='90%')
    return sentence(model._replicate_for_data_parallel), zigzag.remove(model)._replicate_for_data_parallel()._is_replica


def checked():
    """Peaks of the first step under a plan as shares of the plain peak: with its check, and without."""
    x, said = torch.randn(256, 64), []
    model = nn.Sequential(*(layer for _ in range(8) for layer in (nn.Linear(64, 64), nn.Tanh())))

    def peak(planned):
        return zigzag_profiled(lambda: planned(x).pow(2).mean().backward())[1]

    plan, peak_of_plain = zigzag.solve(zigzag.capture(model, x), budget='60%').plan, peak(copy.deepcopy(model))
    for check in (True, False):
        said.append(peak(zigzag.plan_model(copy.deepcopy(model), plan, check=check)) / peak_of_plain)
    return said


def package():
    """The package's names: short ones, old ones, and the private names of PyTorch that it uses."""
    import zigzag as short
    from zigzag_lab.zigzag_torch.private import private_missing
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        old = [zigzag.apply is zigzag.plan_model, zigzag.open is zigzag.open_lab]
    return {'short': short is zigzag, 'old': old, 'warned': [w.category.__name__ for w in said],
            'version': zigzag.__version__, 'missing': private_missing(), 'hinted': sorted(
                name for name in ('capture', 'fit', 'measure', 'plan_model', 'report', 'solve', 'verify')
                if 'return' not in getattr(zigzag, name).__annotations__)}


class Cells(nn.Module):
    """Begins with zeros in the shape of the batch, without reading an input."""

    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.LSTMCell(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        h = c = torch.zeros(x.shape[0], 16)
        for step in range(x.shape[1]):
            h, c = self.cell(x[:, step], (h, c))
        return self.head(h)


class Embedded(nn.Module):
    """Adds embeddings of position numbers expanded to the batch, as BERT does, and of unexpanded ones."""

    def __init__(self):
        super().__init__()
        self.words, self.types, self.places = (nn.Embedding(size, 16) for size in (50, 2, 32))
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        kinds, places = torch.zeros(1, 32, dtype=torch.long).expand(*x.shape), torch.arange(32)[None]
        x = self.words(x) + self.types(kinds)
        return self.head((x + self.places(places)).tanh())


def apart():
    """Peaks at a batch of 4 under captures with 1, 2 and 4 samples."""
    def peak(model, x):
        return zigzag.solve(zigzag.capture(model, x), 'regular', batch=4).head['regularPeakBytes']

    return {'cells': [peak(Cells(), torch.randn(count, 3, 8)) for count in (1, 2, 4)],
            'embedded': [peak(Embedded(), torch.randint(50, (count, 32))) for count in (1, 2, 4)]}


class Branching(nn.Module):
    """Runs different operations before its blocks and in one of them, on request."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 32), nn.Sigmoid(),
                                                  nn.Linear(32, 32), nn.Tanh()) for _ in range(6))
        self.extra = nn.Linear(32, 32)

    def forward(self, x, otherwise=False):
        if otherwise:
            x = (self.extra(x) * 2).cos()
        for index, block in enumerate(self.blocks):
            x = block(x).exp() if otherwise and index == 2 else block(x)
        return x


def branches():
    """Steps that leave the captured path: gradients, recomputed operations, share of the plain peak."""
    x, model = torch.randn(512, 32), Branching()
    plain = copy.deepcopy(model)
    zigzag.plan_model(model, zigzag.solve(zigzag.capture(model, x), budget='50%').plan)
    plain(x, otherwise=True).sum().backward()
    same, recomputed = [], []
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        for _ in range(2):
            model.zero_grad()
            model(x, otherwise=True).sum().backward()
            same.append(all(torch.equal(a.grad, b.grad) for a, b in zip(model.parameters(), plain.parameters())))
            recomputed.append(zigzag.followed(model)['recomputed'] > 0)
        peaks = [zigzag.measure(m, x, otherwise=True, steps=0)['peakBytes'] for m in (model, plain)]
    return {'same': same, 'recomputed': recomputed, 'share': peaks[0] / peaks[1]}


# FSDP of 1.13 cannot be imported in Python 3.11.
SHARDED = (flattened,) if torch.__version__ >= '2' else ()

if __name__ == '__main__':
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print('\n' + json.dumps({check.__name__: check() for check in (
        features, threads, refusals, longer, exports, transformed, nested, wrapped, deepspeed, *SHARDED, within, batches,
        penalty, uncalled, in_parts, wasted, copied_early, replicated, checked, package, apart, branches)}))
