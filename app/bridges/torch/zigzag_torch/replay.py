"""The backward pass under a plan."""
import collections
import threading
import warnings

import torch

from .autocast import _as_recorded
from .checksum import _checksum
from .host import _Host
from .random_state import _random
from .saved import _Argument, _Direct, _is_changed, _Made, _Summary
from .tensors import PlanMismatch, _base, _copy_of, _flat
from .watch import _Watch

# The number of the running backward; PyTorch 1.13 does not tell it.
_backward_number = getattr(torch._C, '_current_graph_task_id', None)


class _Replay(_Watch):
    """State of a forward under a plan, which answers its backward."""

    def __init__(self, plan, check, seeking=False, others=()):
        super().__init__(tuple(plan.wholes))
        self.plan, self.check, self.others = plan, check, others
        self.owners, self.references, self.recipes = {}, [], {}
        self.readers = collections.defaultdict(list)  # storage outside the plan -> recorded arguments in it
        self.values = collections.defaultdict(dict)  # unit -> slot -> tensor (no part of autograd's graph)
        self.entries = collections.defaultdict(list)  # unit -> operations
        self.kept = collections.defaultdict(set)  # unit -> slots that its own backward keeps
        self.read = collections.defaultdict(set)  # unit -> slots that others read
        self.packs = collections.Counter()  # unit -> saved tensors that backward has not asked for yet
        # (unit, slot) within a unit of several operations, or a module that runs as a whole -> the same for one tensor
        self.uses = collections.Counter()
        self.single = set()  # units that run once, as other processes take part
        self.freed = set()  # units whose value the plan dropped in the forward
        self.host = _Host()
        self.outputs = {}  # (unit, slot) -> weak reference to a result that the program holds, until the forward ends
        self.copied = set()  # overwritten (unit, slot) of which a copy is kept
        self.changed = set()  # units with a result that the program changed in place since the forward
        self.weights, self.trained = {}, 0  # storages of parameters not read so far -> elements; elements of those read
        self.results = {}  # (unit, slot) -> its layout in its storage, in the first step
        self.sums = {}  # (unit, slot) -> its checksum
        self.left, self.position, self.closed = None, 0, False
        self.before = None  # `packs`, `uses` and the values held, as the forward left them
        self.number, self.asking = 0, float('inf')  # the backward, and the unit in it, that asked last
        self.skipped = set()  # casts of parameters that an earlier forward made
        self.trigger, self.run = None, None
        self.seeking, self.thread = seeking, threading.get_ident()
        self.waiting, self.done = None, -1  # the unit at which a lost forward may return to the plan; the last unit that ran
        self.beyond = False  # true if autograd saves a tensor for an operation after the plan's last
        self.is_inside = False  # true if the last operation was a part of a torch.autograd.Function
        self.lock = threading.RLock()
        self.summary = _Summary()

    def send(self, unit):
        """Copies the value of `unit` to host memory; tensors that only its own backward needs stay."""
        kept, read = self.kept[unit], self.read[unit]
        for slot, base in self.values.get(unit, {}).items():
            if slot not in kept or slot in read:
                self.host.send(unit, slot, base)
        self.summary.host_bytes = self.host.peak

    def fetch(self, unit, last=True):
        """Fetches missing results of `unit` from host memory; returns true if any was missing. `last` drops the copies."""
        found = self.host.fetch(unit, self.values[unit], last)
        self.summary.fetched += found
        return found

    def free(self, unit, auxiliary, opening=False):
        if opening and unit in self.single:
            return
        if not auxiliary:
            self.host.sent(unit)
        values = self.values.get(unit)
        if not values:
            if opening and not auxiliary:
                self.freed.add(unit)
            return
        kept, read = self.kept[unit], self.read[unit]
        for slot in [s for s in values if (s in kept and s not in read) == auxiliary]:
            if self.check and opening and (unit, slot) in self.results:
                self.sums[unit, slot] = _checksum(self.results[unit, slot].of(values[slot]))
            del values[slot]
        if opening and not auxiliary:
            self.freed.add(unit)

    def unpack(self, saved):
        if isinstance(saved, _Direct):
            return saved.get()
        with self.lock:
            if not self.closed:  # a gradient that the forward itself computes: the plan is not there yet
                return self.answer_in_forward(saved)
            unit = saved.owner
            if unit is not None:
                if torch.is_grad_enabled() and not self.plan.told_of_graph:
                    self.plan.told_of_graph = True
                    warnings.warn('zigzag: a backward with create_graph=True keeps what it computes again for the backward that '
                                  'follows, so this step may need more memory than its plan promises')
                if self.is_another(unit) and self.position > self.plan.backward.get(unit, float('inf')):
                    self.begin_again()
                self.advance(unit)
            tensor = self.answer(saved)
            if unit is not None:
                if self.uses:
                    self.used(saved.value, unit)
                self.packs[unit] -= 1
                if self.packs[unit] == 0:
                    self.after(unit)
            return tensor

    def is_another(self, unit):
        """True if another backward asks than before."""
        # Without a number: autograd runs the latest operation that is left, on one device.
        before, number = self.number, _backward_number() if _backward_number else self.number + (unit > self.asking)
        self.number, self.asking = number, unit
        return number != before

    def begin_again(self):
        """Restores what the plan holds at the end of the forward, for another backward of a retained graph."""
        packs, uses, held = self.before
        self.position, self.packs, self.uses, wanted = 0, packs.copy(), uses.copy(), set()
        with _as_recorded():
            for unit in reversed(self.plan.order):
                if unit in wanted or any(self.held(unit, slot) is None and slot not in self.host.copies.get(unit, ())
                                         for slot in held.get(unit, ())):
                    wanted.update((unit, *self.missing(unit)))
            for unit in self.plan.order:
                if unit in wanted:
                    self.recompute(unit, 0)
                self.free_after(unit)

    def free_after(self, unit):
        self.trigger = None
        for kind, other, auxiliary in self.plan.opening.get(unit, ()):
            if kind == 'send':
                self.send(other)
            else:
                self.free(other, auxiliary, opening=True)

    def used(self, value, unit):
        """Frees what a unit has saved within, after its last use."""
        at = (value.unit, value.slot) if type(value) is _Argument and value.unit == unit else None
        if at in self.uses:
            self.uses[at] -= 1
            if self.uses[at] == 0 and at[1] not in self.read[unit]:
                self.values[unit].pop(at[1], None)

    def answer(self, saved):
        value = saved.value
        return value.of(self.value(value.unit, value.slot)) if type(value) is _Argument else value.get()

    def answer_in_forward(self, saved):
        self.busy = True
        try:
            return self.answer(saved)
        finally:
            self.busy = False

    def advance(self, unit):
        """Runs the plan's steps before the backward of `unit`."""
        at = self.plan.backward.get(unit, -1)
        if self.position >= at:
            return
        with _as_recorded():
            while self.position < at:
                kind, other, auxiliary = self.plan.steps[self.position]
                self.position += 1
                if kind == 'free':
                    self.free(other, auxiliary)
                elif kind == 'forward' and self.entries.get(other):
                    self.recompute(other, self.position - 1)
                elif kind == 'send':
                    self.send(other)
                elif kind == 'fetch':
                    self.fetch(other, self.plan.last_fetch[other] == self.position - 1)

    def after(self, unit):
        """Backward of `unit` has all its tensors: frees what it kept for itself, and what the plan frees now."""
        self.free(unit, True)
        if self.plan.backward.get(unit, -1) == self.position:
            self.position += 1
            while self.position < len(self.plan.steps) and self.plan.steps[self.position][0] == 'free':
                _, other, auxiliary = self.plan.steps[self.position]
                self.free(other, auxiliary)
                self.position += 1

    def held(self, unit, slot):
        """A value; None if it is freed, or if the program changed it in place since the forward."""
        found = self.values[unit].get(slot)
        if found is None or not _is_changed(found):
            return found
        del self.values[unit][slot]
        self.changed.add(unit)
        return None

    def value(self, unit, slot):
        self.host.arrived(unit)
        found = self.held(unit, slot)
        if found is None and self.fetch(unit, False):  # earlier than in the plan
            self.host.arrived(unit)
            found = self.values[unit].get(slot)
        if found is not None:
            return found
        before, pending = {}, [unit]
        with _as_recorded():
            while pending:
                top = pending[-1]
                missing = [u for u in self.missing(top) if u not in before]
                if missing:
                    pending.extend(missing)
                elif top in before:
                    pending.pop()
                else:
                    before[top] = set(self.values[top])
                    self.recompute(top)
        found = self.values[unit].get(slot)
        for other, had in before.items():  # frees what was recomputed only on the way
            if other != unit:
                for extra in set(self.values[other]) - had:
                    del self.values[other][extra]
        if found is None:
            raise self.lost(unit)
        return found

    def lost(self, unit):
        if unit in self.changed:
            return RuntimeError('one of the variables needed for gradient computation has been modified by an inplace '
                                f'operation: the result of {self.plan.units[unit][2]}, which cannot be recomputed')
        return PlanMismatch(f'backward needs a result of {self.plan.units[unit][2]} that cannot be recomputed; '
                            'capture the model with this version of torch and make the plan from that file')

    def missing(self, unit):
        """Units with missing results that a recompute of `unit` needs."""
        arguments = (argument for entry in self.entries[unit] for argument in entry.arguments())
        return {a.unit: a.slot for a in arguments if a.unit != unit and self.held(a.unit, a.slot) is None
                and not (self.fetch(a.unit, False) and a.slot in self.values[a.unit])}

    def dropped(self, unit, wanted):
        """Results within `unit` that none of its later operations reads, by the operation after which they go."""
        last, found = {}, collections.defaultdict(list)
        for at, entry in enumerate(self.entries[unit]):
            read = (argument.slot for argument in entry.arguments() if argument.unit == unit)
            last.update(dict.fromkeys((*entry.slots, *read), at))
        for slot, at in last.items():
            if slot not in wanted:
                found[at].append(slot)
        return found

    def recompute(self, unit, position=None):
        """Recomputes `unit` under `_as_recorded`: at a position of the plan, or because it is needed now."""
        if unit in self.single:
            return
        if position is not None:
            for other, slot in self.missing(unit).items():
                self.value(other, slot)
        self.summary.recomputed += 1
        local, wanted = {}, self.kept[unit] | self.read[unit]
        values = self.values[unit]
        dropped = self.dropped(unit, wanted) if len(self.entries[unit]) > 2 else {}
        for at, entry in enumerate(self.entries[unit]):
            positions = [i for i, _ in entry.facts.writes]
            args = [self.give(unit, a, local, i in positions, position) for i, a in enumerate(entry.args)]
            kwargs = {k: self.give(unit, v, local, False, position) for k, v in entry.kwargs.items()}
            if entry.random is None:
                results = entry.function(*args, **kwargs)
            else:
                with _random(entry.random):
                    results = entry.function(*args, **kwargs)
            for slot, tensor in zip(entry.slots, _flat(results)):
                if slot is not None:
                    local[slot] = _base(tensor)
            del args, kwargs, results
            for slot in dropped.get(at, ()):
                local.pop(slot, None)
        for slot, tensor in local.items():
            if slot in wanted:  # an overwritten result has another unit's name
                if (unit, slot) in self.sums:
                    self.compare(unit, slot, tensor)
                values[slot] = tensor

    def give(self, unit, value, local, written, position):
        if isinstance(value, list):
            return [self.give(unit, v, local, written, position) for v in value]
        if isinstance(value, _Direct):
            return value.tensor.clone() if written else value.get()
        if isinstance(value, _Made):
            return value.get()
        if not isinstance(value, _Argument):
            return value
        if value.unit == unit and value.slot in local:
            return value.of(local[value.slot])
        self.host.arrived(value.unit)
        if written:
            self.host.sent(value.unit)
        base = self.held(value.unit, value.slot)
        if base is None:
            base = local.get((value.unit, value.slot))  # what this operation overwrites
        if base is None:
            raise self.lost(value.unit)
        if written and (position is None or self.plan.frees_later(value.unit, position)):
            base = _copy_of(base)
        elif written:
            local[value.unit, value.slot] = self.values[value.unit].pop(value.slot, base)
        return value.of(base)

    def compare(self, unit, slot, tensor):
        before, now = self.sums.pop((unit, slot)), _checksum(self.results[unit, slot].of(tensor))
        if bool((before[0] == now[0]).all()):
            return
        vertex = self.plan.units[unit][2]
        scale = max(abs(float(before[1])), 1e-12)
        if not abs(float(before[1]) - float(now[1])) <= 1e-4 * scale:
            raise PlanMismatch(f'{vertex} gives another result when it is recomputed, so gradients would '
                               'be wrong; keep it by making it part of a module that is not in the plan, or report it')
        warnings.warn(f'zigzag: {vertex} is not deterministic: its recomputation differs in the last digits')
