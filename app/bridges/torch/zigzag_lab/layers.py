"""A plan for each layer that FSDP2 shards."""
import collections
import functools

import torch
from torch.autograd.graph import saved_tensors_hooks

from .engine import CannotFit, budget_bytes, solve
from .family import CHECKED, Family, _casting_anew, _is_sharded, _Variant
from .report import Report, amount, keep, tell
from .stationary import stationary_bytes
from .zigzag_torch.capture import _captured
from .zigzag_torch.follow import _follow
from .zigzag_torch.tensors import _tensors
from .zigzag_torch.undo import _as_before

# Vertex after a layer that stands for the rest of the model: it holds what leaves the layer its share.
REST = 'zigzag_rest'
HALVINGS = 30
FOR = 'a model that FSDP2 shards'


def has_shards(model):
    return any(map(_is_sharded, model.modules()))


def sharded_layers(model):
    """The innermost modules that `fully_shard` wraps, by path."""
    return {path: m for path, m in model.named_modules()
            if _is_sharded(m) and not any(_is_sharded(part) for part in m.modules() if part is not m)}


def run_once(model, call, inputs, kwargs):
    """One forward that holds nothing for backward and leaves the model as it was."""
    devices = sorted({t.get_device() for t in _tensors((inputs, kwargs)) if t.is_cuda})
    with _as_before(model) as undo, torch.random.fork_rng(devices=devices), torch.enable_grad(), undo:
        with saved_tensors_hooks(lambda tensor: None, lambda saved: None):
            call(*inputs, **kwargs)


def reshard(modules):
    """FSDP gathers a module at its next forward only where it takes it for sharded."""
    for module in modules:
        if _is_sharded(module):
            module.reshard()


class _Alone:
    """A captured layer by itself: bytes that it saves and that its step needs, beside inputs and its output."""

    def __init__(self, captured):
        self.captured, self.document = captured, captured.document
        self.inputs, last = self.document['vertices'][0]['bytes'], self.document['vertices'][-1]
        self.output, self.keeps_output = last['bytes'], last.get('keeps', {}).get('output', False)

    @functools.cached_property
    def head(self):
        return solve(self.document, strategy='regular').head

    @property
    def saved(self):
        return max(0, self.head['savedBytes'] - self.inputs - self.keeps_output * self.output)

    @property
    def peak(self):
        return max(0, self.head['regularPeakBytes'] - self.inputs)

    def planned(self, share, room, most):
        """The plan of least recompute that saves a share of what the layer saves, within a share of its peak."""
        held, peak = min(share * self.saved, most), room * self.peak
        rest = {'id': REST, 'op': 'outputs', 'bytes': 0,
                'keeps': {'inputs': [], 'output': False, 'auxBytes': max(0, int(peak - held - self.output))}}
        document = {**self.document, 'vertices': [*self.document['vertices'], rest],
                    'edges': [*self.document['edges'], [self.document['vertices'][-1]['id'], REST]]}
        return solve(document, budget=max(1, int(self.inputs + peak)))


class Layer(Family):
    """Plans of equal layers. Until the model is known, forwards only capture each kind once."""
    counts_held = False

    def __init__(self, budget, limit):
        super().__init__(budget, None, None, limit)
        self.share = self.room = None  # of saved bytes, and of the peak of a step, under a plan
        self.most = float('inf')  # saved bytes where the budget is one in bytes
        self.found = {}  # (kind, sizes) -> a layer as captured
        self.calls = collections.defaultdict(list)  # id of a module -> what its forwards were captured as

    def plans_for(self, forward, seen, inputs, kwargs):
        if self.share is not None:
            return super().plans_for(forward, seen, inputs, kwargs)
        if seen not in self.found:
            with _casting_anew():
                self.found[seen] = _Alone(_captured(forward.model, inputs, kwargs, call=forward.plain))
        self.calls[id(forward.model)].append(self.found[seen])
        return None, ()

    def settle(self, share, room, is_relative):
        """Solves what was captured; (FLOPs of a forward, FLOPs of what is recomputed) by captured layer."""
        self.share, self.room, flops = share, room, {}
        if not is_relative:  # larger inputs may not save more
            self.most = max((share * alone.saved for alone in self.found.values()), default=0)
        for (kind, sizes), alone in self.found.items():
            variant = _Variant(alone.captured, alone.planned(share, room, self.most))
            self.add(kind, sizes, variant)
            row = variant.solved.row
            flops[alone] = row['forwardFlops'], row['recomputeFlops']
        return flops

    def solved(self, model, captured, kind=None):
        return _Alone(captured).planned(self.share, self.room, self.most), None

    def present(self, *args):
        """The model's report tells of all layers."""


class Layers(Family):
    """The family of a model whose layers FSDP2 shards: each wrapped layer gets a plan, equal ones the same.

    The weights of a layer are there in its own forward and backward only. So a plan of the whole, which recomputes parts
    of several layers together, cannot be followed. Here each layer holds a share of what it saves until its own backward
    comes, the largest share with which the whole model stays within the budget. What lies between the layers is kept.

    The first forward captures each kind of layer where its weights are gathered, and then what is between them. All
    processes do the same, as the gathering asks for.
    """
    counts_held = False

    def __init__(self, model, layers, budget, optimizer, loss, limit, min_saving):
        super().__init__(budget, optimizer, loss, limit, min_saving)
        budget_bytes(budget, 1, FOR)
        self.layers, self.beside, self.remark = layers, *stationary_bytes(model, optimizer)
        self.by_form, self.document, self.waits = {}, None, False
        for layer in layers.values():
            self.by_form.setdefault(_form_of(layer), Layer(budget, limit))

    def follow(self, model, plan=None, is_verified=False):
        forward = _follow(model, None, True, self)
        forward.parts = tuple(self.layers.values())
        for layer in forward.parts:
            _follow(layer, None, True, self.by_form[_form_of(layer)])

    def seen(self, forward, inputs, kwargs):
        """Kinds of forwards are those of the layers."""

    def plans_for(self, forward, seen, inputs, kwargs):
        if self.document is None:
            self.learn(forward, seen, inputs, kwargs)
            if not self.waits:
                self.settle(forward.model)
        return None, ()

    def ran(self, forward, tape, seen, inputs, kwargs):
        """Nothing runs under a plan of the whole."""

    def learn(self, forward, seen, inputs, kwargs):
        """Captures each kind of layer, and then the model with each layer as one operation."""
        model, layers = forward.model, self.layers.values()
        run_once(model, forward.plain, inputs, kwargs)
        reshard(layers)
        with _casting_anew():
            name = type(model).__name__
            self.document = _captured(model, inputs, kwargs, self.loss, name[4 * _is_sharded(model):], forward.plain,
                                      tuple(self.layers)).document
        reshard(layers)

    def settle(self, model):
        """Solves, and says the report. Raises CannotFit where no plans of the layers are within the budget."""
        document = self.document
        layers = {v['id']: alone for v in document['vertices'] for alone in self.layer_of(v)}
        sizes, sources = {v['id']: v['bytes'] for v in document['vertices'][1:]}, collections.defaultdict(list)
        for source, vertex in document['edges']:
            sources[vertex].append(source)

        def with_layers(share):
            def one(vertex):
                alone = layers.get(vertex['id'])
                return vertex if alone is None else {**vertex, 'keeps': {
                    'inputs': list(range(len(sources[vertex['id']]))), 'output': alone.keeps_output,
                    'auxBytes': int(share * alone.saved)}}
            return {**document, 'vertices': list(map(one, document['vertices']))}

        live = solve(with_layers(1), strategy='regular').live['backward']
        steps = [(held, layers.get(v), sum(sizes.get(end, 0) for end in (v, *sources[v]))) for v, held in live]
        whole = _peak(steps, 1)
        is_relative = str(self.budget).strip().endswith('%')
        budget = budget_bytes(self.budget, whole, FOR, sum(self.beside.values()))
        share, room = _shares(steps, budget)
        if room == 0:
            beside = '' if is_relative else f', and {amount(sum(self.beside.values()))} lie beside a step'
            raise CannotFit(f'a budget of {self.budget} is too small for plans of {len(layers)} layers: what is between them '
                            f'needs {amount(_peak(steps, 0, 0))} of {amount(whole)}{beside}')
        flops = {}
        try:
            for kind in self.by_form.values():
                flops.update(kind.settle(share, room, is_relative))
        except CannotFit as error:
            raise CannotFit(f'a budget of {self.budget} is too small for plans of {len(layers)} layers; of one layer: {error}')
        done, again = (sum(flops[alone][i] for alone in layers.values()) for i in (0, 1))
        made, peak = solve(with_layers(share), strategy='regular'), _peak(steps, share, room)
        made.budget_bytes = budget
        saving = 1 - peak / whole
        if self.min_saving is not None and saving < self.min_saving:
            raise CannotFit(f'plans of the layers save {100 * saving:.1f} % of the peak of a step, less than '
                            f'min_saving={self.min_saving}')
        sentence = (f"{document['name']}: plans of {len(layers)} layers peak at {amount(peak)} instead of {amount(whole)} "
                    f'({100 * saving:.1f} % less), and recompute {100 * again / max(1, done):.1f} % of their forward pass.')
        if share == 1:
            sentence = f"{document['name']} fits as it is: nothing was changed."
        rows = [('Budget asked for', str(self.budget)), ('Peak of a step', amount(peak)), ('Without a plan', amount(whole)),
                ('Budget of a step', amount(budget)), ('Layers', f'{len(layers)}, {len(flops)} solved'),
                *((name, amount(size)) for name, size in self.beside.items()),
                *([('Optimizer', self.remark)] if self.remark else []),
                *([('Verified', CHECKED)] if share < 1 else [])]
        keep(model, Report(made, with_layers(share), share < 1, sentence, rows))
        tell(sentence)

    def layer_of(self, vertex):
        """The layer that a vertex stands for, as captured at this call; in a list, which is empty for another vertex."""
        path = vertex['id'].rpartition('.')[0]
        if path not in self.layers or '()@' not in vertex['id']:
            return []
        layer = self.layers[path]
        return [self.by_form[_form_of(layer)].calls[id(layer)].pop(0)]


def _form_of(layer):
    """Equal for layers of the same modules and shapes."""
    return (tuple((name, type(m)) for name, m in layer.named_modules()),
            tuple((name, tuple(p.shape)) for name, p in layer.named_parameters()))


def _peak(steps, share, room=1.0):
    """Peak of a step whose layers hold a share of what they save, and make the rest again in their own backward."""
    peak, gone = 0, sum((1 - share) * alone.saved for _, alone, _ in steps if alone is not None)
    for held, alone, ends in steps:
        if alone is not None:
            gone -= (1 - share) * alone.saved
            held += room * alone.peak - alone.saved - ends  # its own step, in place of its ends and what it saved
        peak = max(peak, held - gone)
    return int(peak)


def _shares(steps, budget):
    """(share of saved bytes, share of a layer's own peak): the largest within a budget. The latter is 0 where none is."""
    if _peak(steps, 1) <= budget:
        return 1.0, 1.0
    is_tight, least, most = _peak(steps, 0) > budget, 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (least + most) / 2
        fits = _peak(steps, 0, middle) <= budget if is_tight else _peak(steps, middle) <= budget
        least, most = (middle, most) if fits else (least, middle)
    return (0.0, least) if is_tight else (least, 1.0)
