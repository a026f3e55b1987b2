"""Records one forward, operation by operation."""
import contextlib
import weakref

import torch
from torch import nn
from torch.multiprocessing.reductions import StorageWeakRef

from .autocast import CAST, _is_kept_by_autocast
from .backward import _Call, _sliced, _Unlike
from .kinds import _flops, _kind
from .saved import _Direct
from .tensors import CannotCapture, _flat, _key, _samples, _size, _storage, _tensors
from .unseen import _Unseen
from .watch import _Watch

SOURCE, TARGET = 'zigzag_source', 'zigzag_target'


class _Unit:
    """One counted operation of a forward (or one whole module), as recorded."""

    def __init__(self, number, path):
        self.number, self.path = number, path
        self.label, self.kind, self.flops, self.shape, self.dtype = '', None, 0, None, None
        self.results = []  # bytes by slot
        self.keys = []  # key of the storage of a slot
        self.places = []  # place of a slot's tensor among the results
        self.times, self.time = [], 0  # in operations: when a slot's tensor was made, when the last one began
        self.reads = {}  # (number, slot) of other units, in the order of their first read: true if it needs a gradient
        self.views = {}  # (number, slot) or SOURCE -> shape in which it was read
        self.reads_inputs = self.grad = self.writes_elsewhere = self.outside = self.is_cached_cast = False
        self.is_unseen = False
        self.overwrites, self.is_partial = None, False  # (number, slot); true if it writes a part of that
        self.needs_grad = set()  # slots
        self.parameters = []
        self.saved = []  # (number, slot) or ('held', key, bytes)
        self.calls = []  # operations as they ran, and how many tensors were saved before each
        self.sliced_bytes = 0  # of the results that it reads slices of


class _Recorder(_Watch):
    """Records one forward without holding its tensors; autograd holds none either, as no backward follows."""

    def __init__(self, model, inputs, wholes, keeps=False):
        super().__init__(wholes)
        self.keeps, self.asked = keeps, False  # `asked`: the forward itself runs a backward, which consumes saved tensors
        self.units, self.owners, self.references = {}, {}, []
        self.alive, self.held_until = {}, {}  # by key of a result: its storage, the last (number, time) at which it was there
        self.marks, self.ended = [], {}  # (number, reference to the mark of its node in autograd's graph); when a node was gone
        self.time = 0  # of operations, those within a whole module too
        self.modules = dict(model.named_modules())
        self.names = {id(module): name for name, module in model.named_modules()}
        self.attributes = {_key(t) for m in model.modules() for t in vars(m).values() if isinstance(t, torch.Tensor)}
        self.stack, self.dynamic, self.numbers = [''], [], set()
        self.unseen = _Unseen()

    def begin(self, inputs, kwargs, stationary):
        given = _tensors((inputs, kwargs))
        self.inputs = {_key(t): _size(t) for t in given}
        self.samples = _samples((inputs, kwargs))
        self.input = (list(given[0].shape), given[0].dtype) if len(given) == 1 else None
        self.parameters = {_key(t): t if t.requires_grad else None for t in stationary}

    @contextlib.contextmanager
    def watching(self, model):
        register = nn.modules.module
        hooks = [register.register_module_forward_pre_hook(self.go_in),
                 register.register_module_forward_hook(self.go_out)]
        try:
            with super().watching(model):
                yield self
        finally:
            for hook in hooks:
                hook.remove()

    def go_in(self, module, _):
        name = self.names.get(id(module), self.stack[-1])
        self.stack.append(name)
        # The module's own hooks come now. Their work, such as gathering its weights, is no part of a forward.
        self.busy = name in self.wholes and self.whole is None

    def enter(self, path, *_):
        self.busy = False
        super().enter(path)

    def go_out(self, module, *_):
        self.stack.pop()

    @contextlib.contextmanager
    def inside(self, path):
        self.stack.append(path)
        yield
        self.stack.pop()

    def dynamic_modules(self):
        """The outermost modules in which the number of operations depends on values."""
        paths = sorted(set(self.dynamic) - {'', 'loss'})
        return tuple(p for p in paths if not any(p.startswith(q + '.') for q in paths))

    def unit(self, number):
        if number not in self.units:
            self.units[number] = _Unit(number, self.whole or self.stack[-1])
        return self.units[number]

    def operation(self, number, facts, function, args, kwargs):
        self.time += 1
        self.look_at_held(number)
        unit = self.unit(number)
        unit.time = self.time
        unit.path, unit.grad = self.whole or self.stack[-1], torch.is_grad_enabled()
        if facts.dynamic:
            self.dynamic.append(unit.path)
        given = [*_flat(args), *_flat(list(kwargs.values()))]
        written = {_key(t) for t in facts.written(args, kwargs)}
        for tensor in given:
            self.read(unit, tensor, _key(tensor) in written)
        before = {_key(t) for t in given}
        if unit.grad and any(t.requires_grad for t in given):
            with contextlib.suppress(_Unlike):
                call = _Call(function, args, kwargs, lambda t: self.parameters.get(_key(t)) is not None)
                unit.calls.append((call, len(unit.saved)))
        results = function(*args, **kwargs)
        outputs = _flat(results)
        if any(t.is_nested for t in outputs):
            raise CannotCapture('a forward on nested tensors cannot be captured, because the lengths of their parts differ '
                                'from step to step: pad the batch')
        for index, tensor in enumerate(outputs):
            key = _key(tensor)
            if key is None or (key in before and key not in written) or key in unit.keys:
                continue
            at = self.owners.get(key)
            if self.whole is None:
                self.unseen.made(facts, tensor)
            if key in before and at is None:
                unit.writes_elsewhere = True  # into a buffer or an input: memory outside the step
                continue
            if key in before and unit.overwrites is None and at[0] != number:
                unit.overwrites = at
                unit.is_partial = self.whole is None and tensor.numel() * tensor.element_size() < _size(tensor)
            unit.keys.append(key)
            unit.results.append(_size(tensor))
            unit.places.append(index)
            unit.times.append(self.time)
            self.owners[key] = (number, len(unit.keys) - 1)
            if len(unit.keys) == 1:
                unit.shape, unit.dtype = list(tensor.shape), tensor.dtype
            self.alive[key] = StorageWeakRef(_storage(tensor))
        unit.label = facts.label if self.whole is None else f'{type(self.modules[self.whole]).__name__}()'
        unit.outside = unit.outside or self.whole is not None
        unit.flops += _flops(facts.label, args, kwargs, outputs)
        if self.whole is None:
            unit.kind = _kind(facts.label, args, kwargs, outputs)
            unit.is_cached_cast = facts.label == CAST and _is_kept_by_autocast(args[0])
        return results

    def look_at_held(self, number):
        """Results that are there still, though autograd holds none, are in the program's variables or lists."""
        for key in [key for key, reference in self.alive.items() if reference.expired()]:
            self.references.append(self.alive.pop(key))  # while it is referred to, its key is not used again
        if not self.keeps:
            self.held_until.update(dict.fromkeys(self.alive, (number, self.time)))

    def read(self, unit, tensor, is_written=False):
        key = _key(tensor)
        at = self.owners.get(key)
        if at is not None:
            self.unseen.read(at[0], tensor, not unit.grad, is_written)
            if at[0] != unit.number:
                unit.reads[at] = unit.reads.get(at, False) or tensor.requires_grad
                unit.views.setdefault(at, list(tensor.shape))
            if tensor.requires_grad:
                self.units[at[0]].needs_grad.add(at[1])
                unit.sliced_bytes += _sliced(tensor) if at[0] != unit.number else 0
        elif key in self.inputs:
            unit.reads_inputs = True
            unit.views.setdefault(SOURCE, list(tensor.shape))
        else:
            parameter = self.parameters.get(key)
            if parameter is not None and all(p is not parameter for p in unit.parameters):
                unit.parameters.append(parameter)

    def settle(self, number, results, facts):
        for tensor in _flat(results):
            if tensor.requires_grad and self.owners.get(_key(tensor), (None,))[0] == number:
                self.units[number].needs_grad.add(self.owners[_key(tensor)][1])
                mark = self.unseen.settle(self.owners[_key(tensor)], tensor)
                self.marks.append((number, weakref.ref(mark, lambda _: self.ended.update({number: self.time}))))

    def pack(self, tensor):
        key = _key(tensor)
        unit = self.unit(self.owner(key))
        at = self.owners.get(key)
        if at is not None:
            self.look(at, tensor)
            if tensor.requires_grad:
                self.units[at[0]].needs_grad.add(at[1])
            unit.saved.append(at)
        elif key in self.inputs:
            unit.saved.append(('held', key, 0))
        elif key is not None and key not in self.parameters and key not in self.attributes:
            if key not in self.numbers:  # created by the program: numbers, indices
                self.numbers.add(key)
                self.references.append(StorageWeakRef(_storage(tensor)))
            unit.saved.append(('held', key, _size(tensor)))
        return _Direct(tensor) if self.keeps else None

    def look(self, at, tensor):
        """Reads a tensor between two operations."""
        busy, self.busy = self.busy, True
        with torch.no_grad():
            self.unseen.read(at[0], tensor, True)
        self.busy = busy

    def unpack(self, saved):
        if saved is None:
            self.asked = True
            raise CannotCapture('the forward runs a backward')
        return saved.get()

    def labels(self):
        """Names of all operations, in the order in which they ran."""
        return tuple(self.units[n].label if n in self.units else '' for n in range(self.count))

    def end(self, ends):
        # Operations whose results, or what is computed from them, outlive the forward.
        self.lasting = {number for number, mark in self.marks if mark() is not None}
        self.ends = list(dict.fromkeys(self.owners[_key(t)] for t in ends if _key(t) in self.owners))
        for number, slot in self.ends:
            self.units[number].needs_grad.add(slot)
        for tensor in ends:
            if _key(tensor) in self.owners:
                self.look(self.owners[_key(tensor)], tensor)
        if self.unseen.numbers():
            self.see()

    def see(self):
        """Adds what kernels have read, written and saved unseen."""
        for number in self.unseen.found:
            self.units[number].is_unseen = True
        seen = set()
        for number, node in self.unseen.nodes.items():
            unit = self.units[number]
            # A Function saves its tensors after its last operation, and before the next one does.
            after = next((u for n, u in sorted(self.units.items()) if n > number and u.saved), None)
            if after is not None and node not in seen:
                count = len(node._raw_saved_tensors)
                unit.saved, after.saved = [*unit.saved, *after.saved[:count]], after.saved[count:]
            seen.add(node)
            results, parameters = self.unseen.sources(number)
            for at in results:
                unit.reads[at] = True
                unit.views.setdefault(at, self.units[at[0]].shape)
            unit.parameters.extend(p for p in parameters if all(p is not own for own in unit.parameters))
