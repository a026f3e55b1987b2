"""One forward under a plan."""
import bisect
import contextlib
import functools
import itertools
import re
import threading
import weakref

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from .autocast import CAST
from .random_state import LONGEST_RUN, _random_states, _Run
from .replay import _Replay
from .saved import _Argument, _Direct, _Entry, _Inner, _Made, _marked, _Recipe, _Saved, _version
from .tensors import _base, _copy_of, _flat, _Geometry, _key, _plain, _size, _storage

# Their results include workspace, whose bytes may differ.
WORKSPACE = re.compile(r'rnn')
# Numbers of operations outside the plan.
LOST = 1 << 40


class _Tape(_Replay):
    """One forward under a plan, and its backward."""

    @contextlib.contextmanager
    def watching(self, model):
        """A forward that left the plan may return at any module call."""
        hooks = []
        for path, module in model.named_modules() if self.seeking else ():
            if path in self.plan.modules:
                hooks.append(module.register_forward_pre_hook(functools.partial(self.go_in, path)))
        try:
            with super().watching(model):
                yield self
        finally:
            for hook in hooks:
                hook.remove()

    def go_in(self, path, *_):
        if self.waiting is None or threading.get_ident() != self.thread:
            return
        unit = self.plan.first_under(path, self.done)
        if unit is not None:
            self.resume(unit)

    def next_number(self, facts, args):
        """A lost forward returns to the plan at the operation that the plan expects next."""
        label = facts.label
        if self.whole is not None:
            return self.count
        if self.waiting is not None:
            if self.plan.units[self.waiting][1] == label:
                self.resume(self.waiting)
        elif self.plan.label_at(self.count) not in (None, label):
            self.take_other(label) or self.skip_casts(label) or self.skip_unplanned(label)
        elif label == CAST:
            if args[0].is_leaf and args[0].requires_grad:
                self.plan.casts.add(self.count)
            elif self.count in self.plan.casts:
                self.skip_casts(CAST)
        return super().next_number(facts, args)

    def take_other(self, label):
        """Switches to another plan with the same operations so far and the one that runs now."""
        count, before = self.count, self.plan.labels[:self.count]
        for other in self.others:
            if other.labels[:count] == before and other.label_at(count) == label and other.wholes == self.plan.wholes:
                if self.trigger is not None:
                    self.free_after(self.trigger)
                self.plan = other
                for unit in other.order[:bisect.bisect_right(other.order, self.done)]:
                    self.free_after(unit)
                return True
        return False

    def skip_casts(self, label):
        """A second forward within one autocast finds cast parameters."""
        number = self.after_casts(self.count) if label != CAST else next(
            n for n in itertools.count(self.count) if n not in self.plan.casts)
        if number > self.count and self.plan.label_at(number) == label:
            self.skipped.update(u for u in range(self.count, number) if u in self.plan.units)
            self.pass_over(number)
            self.count = number
            return True
        return False

    def skip_unplanned(self, label):
        """Operations outside the plan need not run again, such as those that a program runs in its first forward."""
        number = self.count
        while number < self.plan.last and number not in self.plan.unit_at and self.plan.label_at(number) != label:
            number += 1
        if self.plan.label_at(number) == label:
            self.count = number

    def after_casts(self, number):
        return next(n for n in itertools.count(number) if self.plan.label_at(n) != CAST)

    def resume(self, unit):
        self.pass_over(unit)
        self.count, self.waiting = unit, None

    def pass_over(self, end):
        """Frees what the plan frees after operations that do not run."""
        if self.trigger is not None:
            self.free_after(self.trigger)
        for unit in self.plan.between(self.done, end):
            if unit not in self.entries:
                self.free_after(unit)

    def lose(self, unit):
        """The current operation is not the plan's: numbers are invalid until the forward returns to it."""
        self.waiting = self.plan.next_single(unit)
        self.count = LOST

    def operation(self, number, facts, function, args, kwargs):
        self.is_inside = not torch.is_grad_enabled()
        if self.trigger is not None:
            self.free_after(self.trigger)
        unit = self.plan.unit_at.get(number)
        if unit is not None and number == self.plan.units[unit][0] and not self.matches(unit, facts):
            unit = None
            self.lose(self.plan.unit_at[number])
        written = facts.written(args, kwargs) if facts.writes else ()
        self.before_writing(written)
        if unit is None:
            results = function(*args, **kwargs)
            for tensor in written:
                self.disown(_key(tensor))
            if not facts.writes and not facts.random and self.left is None:
                self.note(facts, args, kwargs, results)
            return results
        if self.weights:
            self.trained += sum(self.weights.pop(_key(t), 0) for t in _flat([*args, *kwargs.values()]))
        entry = _Entry()
        entry.function, entry.facts = function, facts
        entry.random = self.random_states(facts, args, kwargs) if facts.random else None
        entry.args = self.refer(args, unit, facts)
        entry.kwargs = {k: self.refer_one(v, unit) for k, v in kwargs.items()} if kwargs else kwargs
        # An operation that writes into zeros makes a result of its own: the zeros have a recipe.
        anew = {_key(t) for t in written if self.made(_key(t), t) is not None}
        for tensor in written:
            self.recipes.pop(_key(tensor), None)
        before = {_key(t) for t in _flat(args)} - anew if facts.writes else ()
        results = function(*args, **kwargs)
        if entry.random is not None and self.run is not None:
            self.run.end = torch.get_rng_state()
        self.entries[unit].append(entry)
        if facts.is_collective:
            self.single.add(unit)
        is_last = number == self.plan.units[unit][0] and self.whole is None
        entry.slots = self.own(unit, is_last, results, before, args)
        if is_last:
            self.trigger = self.done = unit
        return results

    def random_states(self, facts, args, kwargs):
        at = facts.chance
        if at is not None and (args[at] if at < len(args) else kwargs.get('dropout_p', 0)) == 0:
            return None  # attention whose dropout is off
        states = _random_states(args, kwargs)
        if states[0] is None or states[1] or facts.label != 'bernoulli_' or len(args) != 2 or kwargs:
            self.run = None  # its numbers are not drawn again to reach a later mask
            return states
        if self.run is None or self.run.size + args[0].numel() > LONGEST_RUN or not torch.equal(
                self.run.end, states[0]):
            self.run = _Run(states[0])
        return self.run.before(args[0], args[1]), []

    def leave(self, *args):
        unit = self.plan.unit_at.get(self.count) if self.whole is not None else None
        super().leave(*args)
        if unit is not None and self.entries.get(unit):
            self.trigger = self.done = unit

    def matches(self, unit, facts):
        last, label, vertex = self.plan.units[unit]
        if self.whole is not None or facts.label == label:
            return True
        self.left = self.left or f'{facts.label} ran in place of the captured {vertex}'
        return False

    def refer(self, args, unit, facts):
        held = [self.refer_one(arg, unit) for arg in args]
        for position, _ in facts.writes:
            # A tensor that is overwritten and cannot be recomputed is copied first; statistics are copied wherever they
            # run again.
            target = held[position] if position < len(held) else None
            if isinstance(target, _Direct) and not facts.is_norm:
                held[position] = _Direct(args[position].detach().clone())
            elif isinstance(target, _Argument) and target.unit != unit:
                self.save_overwritten(target.unit, target.slot, unit)
        return held

    def save_overwritten(self, other, slot, unit):
        """Copies a result that the program overwrites while the plan still uses it."""
        if slot in self.values[other] and self.plan.outlives(other, unit):
            self.values[other][slot] = _copy_of(self.values[other][slot])
            self.copied.add((other, slot))

    def note(self, facts, args, kwargs, results):
        """A mask of numbers is four times the one of truth values that it is made from, in every layer. Zeros are made from
        nothing."""
        for key in [k for k, recipe in self.recipes.items() if recipe.result.expired()]:
            del self.recipes[key]
        function = facts.function
        if facts.fills and _plain(results):
            value = 0 if 'zeros' in facts.label else 1 if 'ones' in facts.label else args[-1]
            args, kwargs, function = (results.size(), results.stride(), results.dtype, results.device, value), {}, _filled
        read = _flat((*args, *kwargs.values()))
        sources = {_key(t): 0 if t.is_leaf and t.requires_grad else _size(t) for t in read}
        for index, tensor in enumerate(_flat(results)):
            key = _key(tensor)
            if (key is None or key in sources or any(k in self.owners for k in sources) or tensor.requires_grad
                    or not _plain(tensor) or 2 * sum(sources.values()) > _size(tensor)):
                continue
            given = [self.refer_one(a, None) for a in args], {k: self.refer_one(v, None) for k, v in kwargs.items()}
            self.recipes[key] = _Recipe(function, *given, index, tensor)

    def refer_one(self, value, unit):
        if isinstance(value, torch.Tensor):
            key = _key(value)
            at = self.owners.get(key)
            if at is not None and _plain(value):
                if at[0] != unit and at[1] not in self.read[at[0]]:
                    self.seen(at, value)
                return _Argument(at, value)
            made = self.made(key, value) if unit is not None else None
            if made is not None:
                return made
            if value.requires_grad and not value.is_leaf:
                value = value.detach()
            direct = _Direct(value)
            self.readers[key].append(direct)
            return direct
        if isinstance(value, (list, tuple)) and any(isinstance(v, torch.Tensor) for v in value):
            return [self.refer_one(v, unit) for v in value]
        return value

    def made(self, key, tensor):
        recipe = self.recipes.get(key)
        known = recipe is not None and _plain(tensor) and not recipe.result.expired()
        return _Made(recipe, tensor) if known else None

    def seen(self, at, tensor):
        """Marks a result as a value: another operation reads it."""
        unit, slot = at
        self.read[unit].add(slot)
        if slot not in self.values[unit] and unit not in self.freed:
            self.values[unit][slot] = _base(tensor)

    def own(self, unit, is_last, results, before, args):
        slots, values, position = [], self.values[unit], len(self.entries[unit]) - 1
        for index, tensor in enumerate(_flat(results)):
            key = _key(tensor)
            if key is None or not _plain(tensor):
                slots.append(None)
                continue
            at = self.owners.get(key)
            if key in before:  # in place
                if at is None:
                    slots.append(None)  # into memory outside the step
                    continue
                if at[0] == unit:
                    slots.append(at[1])  # its own result keeps its first name
                    continue
                if at not in self.copied:
                    self.values[at[0]].pop(at[1], None)
            elif at is not None and any(_key(t) == key for t in _flat(args)):
                slots.append(None)  # another view of its input
                continue
            slot = position, index
            slots.append(slot)
            self.owners[key] = at = unit, slot
            self.references.append(StorageWeakRef(_storage(tensor)))
            if self.check and not WORKSPACE.search(self.entries[unit][-1].facts.label):
                self.results[at] = _Geometry(tensor)
            if is_last:
                values[slot] = _base(tensor)
                self.outputs[at] = weakref.ref(tensor)
        return slots

    def disown(self, key):
        self.recipes.pop(key, None)
        at = self.owners.pop(key, None)
        if at is not None:
            self.values[at[0]].pop(at[1], None)

    def before_writing(self, tensors):
        """Keeps a copy of the old content for operations that read it and may run again."""
        for tensor in tensors:
            if _key(tensor) in self.owners:
                self.host.sent(self.owners[_key(tensor)][0])
            found = self.readers.pop(_key(tensor), None)
            if found:
                copies = {}
                for direct in found:
                    old = direct.tensor
                    shape = (old.size(), old.stride(), old.storage_offset())
                    if shape not in copies:
                        copies[shape] = old.detach().clone()
                    direct.tensor, direct.version = copies[shape], _version(copies[shape])

    def pack(self, tensor):
        if self.closed:
            return _Direct(tensor)
        key = _key(tensor)
        number = self.owner(key)
        if self.skipped and number == self.count:
            number = self.after_casts(number)  # its casts of parameters do not run either
        # A Function saves its tensors after the last of its operations.
        self.beyond = self.beyond or (number > self.plan.last and not self.is_inside)
        owner = self.plan.unit_at.get(number)
        at = self.owners.get(key) if _plain(tensor) else None
        if owner is not None:
            self.packs[owner] += 1
        if at is None or (owner is None and at[0] in self.freed):
            if tensor.requires_grad and not tensor.is_leaf:
                tensor = _detached(self, tensor)
            return _Saved(owner, self.made(key, tensor) or _Direct(tensor))
        unit, slot = at
        (self.kept if owner == unit else self.read)[unit].add(slot)
        is_inner = owner is not None and number != self.plan.units[owner][0] and self.whole is None
        if owner == unit and (is_inner or self.whole is not None or at in self.uses):
            self.uses[at] += 1
        if slot not in self.values[unit] and unit not in self.freed:
            self.values[unit][slot] = _detached(self, tensor)
        return _Inner(owner, _Argument(at, tensor), self) if is_inner else _Saved(owner, _Argument(at, tensor))

    def lapse(self, saved):
        """Autograd dropped what an operation on the way to a unit's result saved."""
        if self.closed:
            return
        unit, slot = saved.value.unit, saved.value.slot
        self.packs[saved.owner] -= 1
        self.used(saved.value, saved.owner)
        if unit == saved.owner and self.uses[unit, slot] == 0:
            self.kept[unit].discard(slot)

    def mark_outputs(self):
        """The program may now change results in place that it still holds; these are then recomputed."""
        for (unit, slot), output in self.outputs.items():
            tensor = output()
            if tensor is not None and slot in self.values.get(unit, {}) and _plain(tensor):
                self.values[unit][slot] = _marked(tensor)
        self.outputs = {}

    def close(self, results):
        """The forward ended: the loss's use of its results is not part of the plan."""
        self.pass_over(float('inf') if self.left is not None else self.done)
        missing = next((v for first, (_, _, v) in self.plan.units.items()
                        if not self.entries.get(first) and first not in self.skipped), None)
        if self.left is None and missing is not None:
            self.left = f'{missing} has not run'
        if self.left is None and self.beyond:
            self.left = "the forward continued after the plan's last operation"
        for tensor in results:
            at = self.owners.get(_key(tensor))
            if at is not None:
                self.read[at[0]].add(at[1])
                self.outputs[at] = weakref.ref(tensor)
        self.mark_outputs()
        self.summary.left = self.left
        self.closed, self.run = True, None
        self.before = self.packs.copy(), self.uses.copy(), {
            unit: {*values, *self.host.copies.get(unit, ())} for unit, values in self.values.items()}
        self.owners, self.references, self.recipes = {}, [], {}
        self.readers.clear()


def _filled(size, stride, dtype, device, value):
    return torch.empty_strided(size, stride, dtype=dtype, device=device).fill_(value)


def _detached(tape, tensor):
    """The same for a hook, in which the mode is on: its operations are not the model's."""
    tape.busy = True
    try:
        return tensor.detach()
    finally:
        tape.busy = False
