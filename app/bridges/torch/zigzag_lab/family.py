"""A plan for each kind of forward that a training loop runs."""
import collections
import collections.abc
import contextlib
import logging
import math

import torch
from torch import nn

from . import zigzag_torch as bridge
from .engine import BadInput, CannotFit, EngineFailed, EngineMissing, solve
from .held import Held
from .report import Report, amount, keep, tell
from .stationary import stationary_bytes
from .zigzag_torch.autocast import _autocast_state
from .zigzag_torch.capture import _captured
from .zigzag_torch.follow import _follow
from .zigzag_torch.plan import _Plan
from .zigzag_torch.tensors import NothingSaved, _tensors
from .zigzag_torch.watch import _is_watched

LOG = logging.getLogger('zigzag.fit')
# Longer lists count as one form, such as a detector's images.
LONGEST_LIST = 8
# Plans are solved again for this many times as many forward passes at once.
MORE = 1.02
OWN = 'checkpointing'
CHECKED = 'the first step compares what it recomputes'


class _Variant:
    """A captured kind of forward; `plan` is None if it fits without one."""

    def __init__(self, captured, solved):
        self.captured, self.solved = captured, solved
        self.total, self.elements = _total(captured), 0
        self.applied = solved.head['regularPeakBytes'] > solved.budget_bytes
        self.plan = _Plan(solved.plan) if self.applied else None
        if self.plan is not None:
            self.plan.labels = captured.labels
        self.sizes = []  # input shapes for which the plan is valid

    def size_of(self, sizes):
        """Bytes of a forward as captured: activations grow at least as fast as inputs."""
        return self.total * min(1, _elements(sizes) / max(1, self.elements))

    def holds_for(self, sizes):
        return any(len(own) == len(sizes) and all(len(a) == len(b) and all(x <= y for x, y in zip(a, b))
                                                  for a, b in zip(sizes, own)) for own in self.sizes)


class Family:
    """Captures and solves each new kind of forward of a model, and gives the plans that a forward may follow.

    A kind is the mode, autocast, and the form of the arguments. It is captured before its first forward, by an extra
    forward that holds no activations. Forwards of one kind whose operations differ (a mask that depends on values)
    leave the plan the first time, and are captured at the next one. A plan is solved for the largest inputs seen, and for
    the most forwards that a step held at once.
    """
    counts_held = must_fit = True
    name = None  # of the model in reports; by default that of its class
    untouched = 'fits as it is: nothing was changed'

    def __init__(self, budget, optimizer, loss, limit, min_saving=None):
        self.budget, self.optimizer, self.loss, self.limit = budget, optimizer, loss, limit
        self.min_saving = min_saving
        self.kinds = collections.defaultdict(list)  # kind -> variants, the last followed one first
        self.waiting = {}  # kind -> arguments of a forward that left its plans, or was larger than they allow
        self.refused = collections.Counter()  # kind -> captures that gave no new plan
        self.free = set()  # kinds whose forward saves nothing
        self.recent, self.first = [], None  # the reported variant
        self.held = Held()

    def beside(self, model):
        """({name: bytes}, remark): what a budget in bytes holds beside a step."""
        return stationary_bytes(model, self.optimizer)

    def solved(self, model, captured, kind=None):
        """(the plan of a captured forward, remark of `beside`)."""
        stationary, remark = self.beside(model)
        options = {'stationary': list(stationary.items()), 'forwards': self.forwards(_total(captured), kind)}
        document, budget, own = captured.document, self.budget, None
        if budget == OWN:
            own = self.own(captured, options['forwards'])
            if own is None:
                # A model may turn it off in another mode.
                raise (CannotFit if self.recent else BadInput)(
                    f"budget='{OWN}' is the memory of the model's own gradient checkpointing, and it has none: turn it on, or "
                    "give a budget such as '60%'")
            budget = own.row['peakBytes'] + sum(stationary.values())
        try:
            made = solve(document, budget=budget, **options)
        except CannotFit as error:
            if (self.must_fit and not self.recent) or error.least_budget is None:
                raise
            LOG.log(logging.WARNING if self.must_fit else logging.DEBUG, 'this training loop needs more: %s', error)
            made = solve(document, budget=error.least_budget, **options)
        made.own = own
        return made, remark

    def forwards(self, total, kind):
        """Forward passes that a step has held at once with one of this kind, in sizes of `total` bytes."""
        found = self.held.most[kind] / max(1, total)
        return found if found > MORE else 1

    def own(self, captured, forwards):
        """The model's own checkpointing as a plan; None if it has none."""
        kept = captured.checkpoints
        return solve(captured.document, 'manual', checkpoints=kept, forwards=forwards) if kept else None

    def add(self, kind, sizes, variant):
        old = next((v for v in self.kinds[kind] if v.captured.labels == variant.captured.labels), None)
        if old is not None:
            variant.sizes = old.sizes
            self.kinds[kind].remove(old)
            self.recent.remove(old)
        variant.sizes, variant.elements = [*variant.sizes, sizes], _elements(sizes)
        self.kinds[kind].insert(0, variant)
        self.recent.insert(0, variant)

    def seen(self, forward, inputs, kwargs):
        """(kind, sizes) of a forward."""
        return _kind_of(forward.model, inputs, kwargs), _sizes(inputs, kwargs)

    def learn(self, forward, seen, inputs, kwargs):
        """Captures a forward, and solves it if it is new or needs more memory than earlier ones."""
        model, (kind, sizes) = forward.model, seen
        try:
            with _casting_anew():
                captured = _captured(model, inputs, kwargs, self.loss, self.name, forward.plain)
            known = next((v for v in self.kinds[kind] if v.captured.labels == captured.labels), None)
            if known is not None and _total(captured) <= known.total:
                self.refused[kind] += known.holds_for(sizes)
                known.sizes.append(sizes)
                return
            is_reported = known is self.first
            made, remark = self.solved(model, captured, kind)
            variant = _Variant(captured, made)
        except NothingSaved:
            self.free.add(kind)
            self.refused[kind] = self.limit
            return
        except (bridge.CannotCapture, bridge.PlanMismatch, CannotFit, EngineFailed, EngineMissing) as error:
            if not self.recent and self.must_fit:
                raise
            self.refused[kind] = self.limit
            LOG.warning('%s has no plan of its own: %s', 'a forward of another kind' if self.recent else self.name, error)
            return
        self.add(kind, sizes, variant)
        if is_reported:
            self.present(model, variant, remark, CHECKED)
        else:
            LOG.info('forward of another kind or size: %s', made.sentence)

    def hold(self, seen, results):
        """After a forward: counts it until its backward begins."""
        if not self.counts_held or _is_watched():
            return
        kind, sizes = seen
        variants = self.kinds.get(kind) or self.recent
        if variants:
            self.held.add(results, kind, variants[0].size_of(sizes))

    def solve_again(self, model):
        """Before a step: solves for as many forwards at once as a step has held."""
        for kind, variants in self.kinds.items():
            for at, old in enumerate(variants):
                if self.forwards(old.total, kind) <= MORE * old.solved.forwards:
                    continue
                try:
                    made, remark = self.solved(model, old.captured, kind)
                    new = _Variant(old.captured, made)
                except (bridge.PlanMismatch, CannotFit, EngineFailed, EngineMissing) as error:
                    LOG.warning('plans stay as they are: %s', error)
                    old.solved.forwards = float('inf')  # not tried again
                    continue
                new.sizes, new.elements = old.sizes, old.elements
                variants[at] = self.recent[self.recent.index(old)] = new
                if old is self.first:
                    self.present(model, new, remark, CHECKED)

    def settle(self, model):
        """Solves what a forward has captured, where that waits for the end of the forward."""

    def present(self, model, variant, remark, verified=None, left=None):
        """Keeps and logs the report of the first kind."""
        made, is_new, self.first = variant.solved, self.first is None, variant
        rows, sentence = [('Budget asked for', str(self.budget)), *made.rows], made.sentence
        if remark:
            rows.append(('Optimizer', remark))
        if variant.applied:
            if is_new:
                _require_saving(made, left, self.min_saving)
            rows.append(('Verified', verified))
            own = made.own or self.own(variant.captured, made.forwards)
            if own is not None:
                needs = f"{amount(own.row['peakBytes'])} for {100 * own.row['predictedOverhead']:.0f} % more time (predicted)"
                rows.append(('Own checkpointing', f'{needs}; a plan turns it off'))
                if made.row['peakBytes'] > own.row['peakBytes']:
                    sentence += (f" Its own checkpointing, which the plan turns off, needs {needs}: budget='{OWN}' asks for "
                                 'a plan in that memory.')
        else:
            sentence = f"{made.head['model']} {self.untouched}."
        if left is not None:
            sentence = f'{sentence} The saving is smaller: the forward leaves the plan, because {left}.'
        keep(model, Report(made, variant.captured.document, variant.applied, sentence, rows))
        tell(sentence)

    def plans_for(self, forward, seen, inputs, kwargs):
        """(first plan, other plans that the forward may follow); (None, ()) if it fits without a plan."""
        kind, sizes = seen
        if not _is_watched() and not _is_collective(forward.model):
            if self.held.is_after_backward:
                self.solve_again(forward.model)
            call = self.waiting.pop(kind, None)
            if call is not None and self.may_learn(kind):
                self.learn(forward, (kind, _sizes(*call)), *call)
            if self.may_learn(kind) and not any(v.holds_for(sizes) for v in self.kinds[kind]):
                self.learn(forward, seen, inputs, kwargs)
        if kind in self.free:
            return None, ()
        plans = [v.plan for v in self.kinds.get(kind) or self.recent if v.plan is not None]
        return (plans[0], plans[1:]) if plans else (None, ())

    def may_learn(self, kind):
        return self.refused[kind] < self.limit and (bool(self.kinds.get(kind)) or len(self.recent) < self.limit)

    def follow(self, model, plan=None, is_verified=False):
        forward = _follow(model, plan, True, self)
        if is_verified:
            forward.checked.append(plan)

    def ran(self, forward, tape, seen, inputs, kwargs):
        """After a forward: the plan that it followed comes first; a forward that left its plans is captured at the next
        one."""
        kind, sizes = seen
        followed = next((v for v in self.kinds.get(kind, ()) if v.plan is tape.plan), None)
        if followed is not None and tape.left is None:
            for variants in (self.kinds[kind], self.recent):
                variants.remove(followed)
                variants.insert(0, followed)
            if followed.holds_for(sizes):
                return
        if self.may_learn(kind) and len(self.recent) < self.limit + (tape.left is None):
            self.waiting[kind] = _detached_call(inputs), _detached_call(kwargs)


def _require_saving(solved, left, least):
    if least is None:
        return
    saving = 1 - solved.row['peakBytes'] / solved.head['regularPeakBytes']
    if saving < least:
        raise CannotFit(f'the plan saves {100 * saving:.1f} % of the peak of a step, less than min_saving={least}')
    if left is not None:
        raise CannotFit(f'the forward leaves the plan, because {left}, so min_saving={least} is not reached')


def _total(captured):
    return sum(v['bytes'] + v.get('keeps', {}).get('auxBytes', 0) for v in captured.document['vertices'])


def _elements(sizes):
    return sum(map(math.prod, sizes))


def _kind_of(model, inputs, kwargs):
    trained = tuple(p.requires_grad for p in model.parameters())
    return model.training, _autocast_state(), _form(inputs), _form(kwargs), trained


def _form(value):
    if isinstance(value, torch.Tensor):
        return value.dtype, value.dim(), value.requires_grad, value.device.type
    if isinstance(value, collections.abc.Mapping):
        return tuple((str(key), _form(part)) for key, part in sorted(value.items(), key=lambda item: str(item[0])))
    if isinstance(value, (list, tuple)):
        return tuple(map(_form, value)) if len(value) <= LONGEST_LIST else ('many', _form(value[0]))
    return value if value is None or isinstance(value, (bool, str)) else type(value).__name__


def _sizes(inputs, kwargs):
    return tuple(tuple(t.shape) for t in _tensors((inputs, kwargs)))


def _detached_call(value):
    if isinstance(value, torch.Tensor):
        return value.detach().requires_grad_(value.requires_grad)
    if type(value) is dict:
        return {key: _detached_call(part) for key, part in value.items()}
    return type(value)(map(_detached_call, value)) if type(value) in (list, tuple) else value


@contextlib.contextmanager
def _casting_anew():
    """A capture within autocast casts all parameters itself, and leaves no casts to the forward."""
    before = torch.is_autocast_cache_enabled()
    torch.set_autocast_cache_enabled(False)
    try:
        yield
    finally:
        torch.set_autocast_cache_enabled(before)


def _is_sharded(module):
    """True for what `fully_shard` of FSDP2 wraps."""
    return type(module).__name__.startswith('FSDP') and hasattr(module, 'reshard')


def _is_collective(model):
    """True when something in a forward talks to other processes, which would not take part in a capture."""
    distributed = torch.distributed
    if not (distributed.is_available() and distributed.is_initialized()):
        return False
    return any(isinstance(m, nn.SyncBatchNorm) or (_is_sharded(m) and m is not model) for m in model.modules()) or any(
        hasattr(p, 'full_tensor') for p in model.parameters())
