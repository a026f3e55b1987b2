"""Zigzag for PyTorch: one file, nothing but torch (1.13 or 2.x). Copy it beside your training script.

    import zigzag_torch as zigzag
    zigzag.capture(model, images, path='net.json')      # what autograd really keeps, operation by operation
    # then: zigzag export net.json --strategy live --to plan > plan.json
    model = zigzag.apply(model, 'plan.json')            # trains as before, in the memory that the plan says
    zigzag.verify(model, 'plan.json', images)           # one step against the plain model, to the bit
    print(zigzag.measure(model, images))                # peak bytes and seconds of a training step

Nothing of Python is traced. The model runs as it is, and a dispatch mode below autograd watches its operations
while hooks on saved tensors see what autograd keeps of them. `capture` writes that down as a graph. `apply` numbers
the operations of every later forward in the same way and answers for the saved tensors: what the plan frees is
dropped, and in backward forwarded again from what is left. Autograd's own graph stays as it is, so whatever a
model does with it (custom functions, hooks, DDP, accumulation, autograd.grad) works as before, and where a forward
leaves the path that was captured, the rest of it is kept as in plain training.
"""
import bisect
import collections
import contextlib
import copy
import functools
import inspect
import json
import os
import random
import re
import sys
import threading
import time
import traceback
import warnings

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils import checkpoint as torch_checkpoint
from torch.utils._python_dispatch import TorchDispatchMode

SOURCE, TARGET = 'zigzag_source', 'zigzag_target'


class CannotCapture(ValueError):
    """The model cannot be drawn as a graph; the message is one sentence that says where and why."""


class PlanMismatch(ValueError):
    """The plan and the model do not belong together; the message says where they differ."""


# ------------------------------------------------------------------------------------- tensors and storages

def _storage(tensor):
    return tensor.untyped_storage() if hasattr(tensor, 'untyped_storage') else tensor.storage().untyped()


def _key(tensor):
    """What names the memory of a tensor while anything refers to it, or None where it has none of its own."""
    try:
        return _storage(tensor)._cdata
    except (RuntimeError, NotImplementedError):  # sparse and other tensors without a storage
        return None


def _size(tensor):
    try:
        return _storage(tensor).nbytes()
    except (RuntimeError, NotImplementedError):
        return tensor.numel() * tensor.element_size()


def _tensors(value):
    """The tensors in what people pass to a model and get from it, each once."""
    found = []
    _gather(value, found, set())
    return found


def _gather(item, found, seen):
    # No function within the other: one that calls itself would keep what it found until Python's collector runs.
    if id(item) in seen:
        return
    if isinstance(item, torch.Tensor):
        seen.add(id(item))
        found.append(item)
    elif isinstance(item, dict):
        for part in item.values():
            _gather(part, found, seen)
    elif isinstance(item, (list, tuple, set)):
        for part in item:
            _gather(part, found, seen)
    elif hasattr(item, '__dict__') and not isinstance(item, (type, nn.Module)):
        seen.add(id(item))
        for part in vars(item).values():
            _gather(part, found, seen)


def _flat(value):
    """The tensors among the arguments or results of one operation, which hold nothing deeper than lists."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for part in value for t in _flat(part)]
    return []


class _Geometry:
    """How a tensor lies in its storage."""
    __slots__ = ('size', 'stride', 'offset', 'dtype')

    def __init__(self, tensor):
        self.size, self.stride = tensor.size(), tensor.stride()
        self.offset, self.dtype = tensor.storage_offset(), tensor.dtype

    def of(self, base):
        if base.dtype == self.dtype:
            return base.as_strided(self.size, self.stride, self.offset)
        return torch.empty(0, dtype=self.dtype, device=base.device).set_(
            _storage(base), self.offset, self.size, self.stride)


def _plain(tensor):
    """Whether size, stride, offset and type say all about how a tensor reads its storage."""
    return (tensor.layout == torch.strided and not tensor.is_conj() and not tensor.is_neg()
            and type(tensor) in (torch.Tensor, nn.Parameter))


# ------------------------------------------------------------------------------------------------ operations

RANDOM = re.compile(r'dropout|bernoulli|rand|normal|uniform|multinomial|exponential|poisson|cauchy|geometric|rrelu')
# Elements of masks that are drawn again, at most, to come to the random state of another.
LONGEST_RUN = 1 << 15
# Their workspace is theirs: bytes that differ mean nothing.
WORKSPACE = re.compile(r'rnn')
# Their number of results depends on values, so that what follows may differ from step to step.
DYNAMIC = {'nonzero', 'masked_select', 'unique', '_unique2', 'unique_dim', 'unique_consecutive'}


class _Facts:
    """What is known of an operation of ATen from its declaration alone."""

    def __init__(self, function):
        schema = function._schema
        self.label = schema.name.split('::')[-1]
        tensors = [r for r in schema.returns if 'Tensor' in str(r.type)]
        aliases = [r.alias_info for r in tensors]
        # A view takes no memory and no time: what reads it reads what it is a view of.
        self.counts = bool(tensors) and self.label not in ('detach', '_unsafe_view', 'lift_fresh') and not any(
            a is not None and not a.is_write for a in aliases)
        self.writes = [(i, a.name) for i, a in enumerate(schema.arguments)
                       if a.alias_info is not None and a.alias_info.is_write]
        self.is_norm = 'batch_norm' in self.label
        names = [a.name for a in schema.arguments]
        if self.is_norm:  # statistics that a kernel updates, declared or not
            self.writes = [(i, n) for i, n in enumerate(names) if n in ('running_mean', 'running_var')]
        tags = getattr(function, 'tags', ())
        tag = getattr(getattr(torch, 'Tag', None), 'nondeterministic_seeded', None)
        self.random = tag in tags or RANDOM.search(self.label) is not None or 'generator' in names
        self.chance = names.index('dropout_p') if 'dropout_p' in names else None
        self.dynamic = self.label in DYNAMIC
        self.results = {'result', 'output'} | {f'result{i}' for i in range(len(schema.returns))} | {
            r.name for r in schema.returns if r.name}
        self.saves = None  # how many of its own results its backward keeps; known once one has a grad_fn

    def written(self, args, kwargs):
        named = (args[i] if i < len(args) else kwargs.get(name) for i, name in self.writes)
        return [t for value in named for t in _flat(value)]


_facts = functools.lru_cache(maxsize=None)(_Facts)


class _Watch(TorchDispatchMode):
    """Numbers the operations of one forward, and says whose backward a saved tensor is for.

    Operations are counted in the order in which they run, views apart. A module named in `wholes`, whose inside
    differs from step to step, counts as one.
    """

    @classmethod
    def _should_skip_dynamo(cls):
        # Else PyTorch wraps every operation's call so that torch.compile does not look into it; none of them is
        # compiled (see `_Forward`), and that takes longer than all that is done here.
        return False

    def __init__(self, wholes=()):
        super().__init__()
        self.count = 0
        self.wholes, self.whole = wholes, None
        self.busy = False  # what runs now is not the model's
        self.last = None  # (number, results, facts) of the operation that ran just now
        self.remaining = None  # how many saved tensors are still of that one

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if self.busy:
            return function(*args, **(kwargs or {}))
        facts = _facts(function)
        if self.last is not None:
            self.settle(*self.last)
            self.last = self.remaining = None
        if not facts.counts:
            return function(*args, **(kwargs or {}))
        number = self.count
        if self.whole is None:
            self.count += 1
        results = self.operation(number, facts, function, args, kwargs or {})
        self.last = (number, results, facts)
        return results

    def settle(self, number, results, facts):
        """Called when autograd has seen the results of an operation: before the next one."""

    def owner(self, tensor):
        """The number of the operation for whose backward autograd saves `tensor` now.

        Autograd saves inputs before an operation runs and results after. So between two operations come first
        results of the one and then inputs of the other, and what the first has saved is to be read from its node.
        """
        if self.whole is not None or self.last is None:
            return self.count
        number, results, facts = self.last
        outputs = _flat(results)
        if self.remaining is None:
            node = next((t.grad_fn for t in outputs if t.grad_fn is not None), None)
            if node is None:
                return self.count
            saved = getattr(node, '_raw_saved_tensors', None)  # torch.autograd.Function has it
            if saved is not None and not type(node).__module__.startswith('torch'):
                self.remaining, self.custom = len(saved), True
            else:
                if facts.saves is None:
                    names = [n[len('_raw_saved_'):] for n in dir(node) if n.startswith('_raw_saved_')]
                    facts.saves = sum(n in facts.results for n in names)
                self.remaining, self.custom = facts.saves, False
        if self.remaining > 0:
            key = _key(tensor)
            if self.custom or any(_key(t) == key for t in outputs):
                self.remaining -= 1
                return number
        return self.count

    @contextlib.contextmanager
    def watching(self, model):
        """Everything on: the mode, the hooks, whole modules counted once, and no checkpointing of the model's own."""
        hooks = []
        modules = dict(model.named_modules()) if self.wholes else {}
        for path in self.wholes:
            if path in modules:
                hooks.append(modules[path].register_forward_pre_hook(functools.partial(self.enter, path)))
                hooks.append(modules[path].register_forward_hook(self.leave))
        try:
            with _no_checkpointing(), saved_tensors_hooks(self.pack, self.unpack), self:
                yield self
            if self.last is not None:
                self.settle(*self.last)
        finally:
            self.last = self.remaining = None
            for hook in hooks:
                hook.remove()

    def enter(self, path, *_):
        if self.whole is None:
            self.whole = path

    def leave(self, module, *_):
        if self.whole is not None:
            self.whole = None
            self.count += 1

    def unpack(self, saved):
        return saved.tensor


@contextlib.contextmanager
def _no_checkpointing():
    """A model that checkpoints itself is forwarded plainly: the plan decides what is forwarded again."""
    def plain(function, preserve, *args):
        return function(*args)

    def bare(function, preserve=True, *args, **kwargs):
        return function(*args, **kwargs)

    def generator(*args, **kwargs):
        yield

    names = {'_checkpoint_without_reentrant': bare, '_checkpoint_without_reentrant_generator': generator,
             '_checkpoint_without_reentrant_generator_impl': generator}
    saved = {name: getattr(torch_checkpoint, name) for name in names if hasattr(torch_checkpoint, name)}
    reentrant = torch_checkpoint.CheckpointFunction
    try:
        for name in saved:
            setattr(torch_checkpoint, name, names[name])
        torch_checkpoint.CheckpointFunction = type('CheckpointFunction', (), {'apply': staticmethod(plain)})
        yield
    finally:
        for name, value in saved.items():
            setattr(torch_checkpoint, name, value)
        torch_checkpoint.CheckpointFunction = reentrant


def _inner(model):
    """The user's own module in what DistributedDataParallel, DataParallel or torch.compile made of it."""
    while True:
        if isinstance(model, (nn.parallel.DistributedDataParallel, nn.DataParallel)):
            model = model.module
        elif '_orig_mod' in getattr(model, '_modules', ()):
            model = model._orig_mod
        else:
            return model


def _eager():
    """Compiled parts of a model are run as they are written, so that their operations can be seen."""
    compiler = getattr(torch, 'compiler', None)
    stance = getattr(compiler, 'set_stance', None)
    return stance('force_eager') if stance is not None else contextlib.nullcontext()


# ------------------------------------------------------------------------------------------------- capturing

def capture(model, *inputs, path=None, loss=None, name=None, **kwargs):
    """Runs one forward of `model(*inputs, **kwargs)` in its present mode; returns its zigzag-graph/1 document.

    Every operation whose result needs a gradient is a vertex, with the bytes of its result, what autograd keeps for
    its backward and its FLOPs. What needs no gradient but is kept (masks, the inputs) counts as the source. `loss`
    maps the model's result to what `.backward()` is called on, and is captured too; without it that is the result's
    own `loss`, where it has one, else all that it returns. Tensors on the device `meta` are replaced by fakes that
    have a shape and no memory (PyTorch 2.x). `samples` of the document is the inputs' first extent.
    `coverage` says which operations are known only from outside, and what share of the bytes the others hold.

    The model, the random state and gradients are as before afterwards; `path` names a file to write.
    Raises CannotCapture with one sentence that names file and line of the user's code where the forward fails.
    """
    plain = _inner(model)
    with _without_plan(plain):
        recorder = _record(plain, inputs, kwargs, loss, ())
        wholes = recorder.dynamic_modules()
        if wholes:
            recorder = _record(plain, inputs, kwargs, loss, wholes)
    vertices, edges, coverage = _Drawing(recorder).draw()
    document = {'format': 'zigzag-graph', 'version': 1, 'name': name or type(plain).__name__,
                'samples': _samples((inputs, kwargs)), 'order': 'given', 'coverage': coverage, 'vertices': vertices,
                'edges': edges}
    if path is not None:
        with open(path, 'w', encoding='utf8') as file:
            json.dump(document, file)
    return document


def _samples(inputs):
    return next((int(t.shape[0]) for t in _tensors(inputs) if t.dim() > 0 and t.shape[0] > 0), 1)


def _record(model, inputs, kwargs, loss, wholes):
    recorder = _Recorder(model, (inputs, kwargs), wholes)
    devices = sorted({t.get_device() for t in _tensors((inputs, kwargs)) if t.is_cuda})
    try:
        with _as_before(model) as undo, torch.random.fork_rng(devices=devices), torch.enable_grad(), undo, _eager():
            with _fakes(model, inputs, kwargs) as (call, inputs, kwargs, stationary):
                recorder.begin(inputs, kwargs, stationary)
                with recorder.watching(model):
                    results = call(*inputs, **kwargs)
                    with recorder.inside('loss'):
                        ends = _ends(loss(results) if loss is not None else results)
                recorder.end(ends)
                del results, ends
    except CannotCapture:
        raise
    except Exception as error:
        raise CannotCapture(_sentence(type(model).__name__, error)) from error
    return recorder


def _sentence(what, error):
    """Where in the user's code a forward failed, and why, as one sentence."""
    inside = os.path.dirname(torch.__file__) + os.sep
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename != __file__ and not f.filename.startswith(inside)] or frames
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return f'{what} cannot be captured: {own[-1].filename}:{own[-1].lineno} `{own[-1].line}` fails ({reason})'


def _ends(results):
    """The tensors on which backward is called: the result's own loss, or whatever of it has a gradient."""
    own = results.get('loss') if isinstance(results, dict) else getattr(results, 'loss', None)
    if isinstance(own, torch.Tensor) and own.requires_grad:
        return [own]
    return [t for t in _tensors(results) if t.requires_grad]


@contextlib.contextmanager
def _fakes(model, inputs, kwargs):
    """(what to call, inputs, kwargs): with tensors that have no memory where the model lies on `meta`."""
    tensors = [*model.parameters(), *model.buffers()]
    if not any(t.is_meta for t in (*tensors, *_tensors((inputs, kwargs)))):
        yield model, inputs, kwargs, tensors
        return
    try:
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.func import functional_call
    except ImportError:
        raise CannotCapture('a model on the device meta is captured with PyTorch 2.0 or later')
    device = next((t.device for t in _tensors((inputs, kwargs)) if not t.is_meta), torch.device('cpu'))
    mode, made = FakeTensorMode(allow_non_fake_inputs=True), {}

    def fake(tensor):
        if id(tensor) not in made:
            with mode:
                made[id(tensor)] = torch.empty_strided(
                    tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device,
                    requires_grad=tensor.requires_grad)
        return made[id(tensor)]

    def fakes(value):
        if isinstance(value, torch.Tensor):
            return fake(value)
        if isinstance(value, dict):
            return type(value)((k, fakes(v)) for k, v in value.items())
        return type(value)(fakes(v) for v in value) if type(value) in (list, tuple) else value

    named = dict(model.named_parameters(remove_duplicate=False))
    named.update(model.named_buffers(remove_duplicate=False))
    state = {key: fake(tensor) for key, tensor in named.items()}
    with mode:
        yield (lambda *a, **k: functional_call(model, state, a, k, tie_weights=False),
               fakes(inputs), fakes(kwargs), list(state.values()))


@contextlib.contextmanager
def _as_before(model):
    """What a forward leaves in modules (statistics, counters, attributes) is taken back at the end; gives the mode
    under which it has to run."""
    plain = (list, dict, set, collections.deque, collections.OrderedDict, collections.defaultdict)
    modules = list(dict.fromkeys(model.modules()))
    found = [(m, dict(vars(m)), {k: copy.copy(v) for k, v in vars(m).items() if type(v) in plain}) for m in modules]
    tensors = {id(t): t for m in modules for v in (*m._buffers.values(), *vars(m).values())
               for t in ([v] if isinstance(v, torch.Tensor) else [])
               if not isinstance(t, nn.Parameter) and not t.is_meta}
    with torch.no_grad():
        tensors = [(t, t.grad_fn, t.clone()) for t in tensors.values()]
    undo, drawn = _Undo(model), [(random.getstate(), random.setstate)]
    if 'numpy' in sys.modules:
        numpy = sys.modules['numpy'].random
        drawn.append((numpy.get_state(), numpy.set_state))
    try:
        yield undo
    finally:
        undo.restore()
        for state, put in drawn:
            put(state)
        for module, attributes, contents in found:
            for key in [k for k in vars(module) if k not in attributes]:
                del vars(module)[key]
            vars(module).update(attributes)
            for key, content in contents.items():
                held = attributes[key]
                held.clear()
                (held.extend if isinstance(held, (list, collections.deque)) else held.update)(content)
        with torch.no_grad():
            for tensor, node, value in tensors:
                if tensor.grad_fn is not node:
                    tensor.detach_()
                if tensor.shape != value.shape or not torch.equal(tensor, value):
                    tensor.data = value if tensor.shape != value.shape else tensor.data.copy_(value)


class _Undo(TorchDispatchMode):
    """Takes back what a forward writes into parameters, and draws from generators of the program's own."""

    @classmethod
    def _should_skip_dynamo(cls):
        return False

    def __init__(self, model):
        super().__init__()
        self.parameters = {_key(p): p for p in model.parameters() if not p.is_meta}
        self.written, self.generators = {}, {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        facts = _facts(function)
        for tensor in facts.written(args, kwargs) if facts.writes else ():
            key = _key(tensor)
            if key in self.parameters and key not in self.written:
                self.written[key] = self.parameters[key].detach().clone()
        if facts.random:
            for generator in _generators(args, kwargs):
                self.generators.setdefault(generator, generator.get_state())
        return function(*args, **kwargs)

    def restore(self):
        with torch.no_grad():
            for key, value in self.written.items():
                self.parameters[key].data.copy_(value)
        for generator, state in self.generators.items():
            generator.set_state(state)


class _Unit:
    """One counted operation of a forward (or one whole module), as it was seen."""

    def __init__(self, number, path):
        self.number, self.path = number, path
        self.label, self.kind, self.flops, self.shape, self.dtype = '', None, 0, None, None
        self.results = []  # bytes by slot
        self.keys = []  # what names the storage of a slot
        self.reads = {}  # (number, slot) of other units, in the order of the first reading
        self.views = {}  # (number, slot) or SOURCE -> shape in which it was read
        self.reads_inputs = self.grad = self.writes_elsewhere = self.outside = False
        self.overwrites = None  # (number, slot)
        self.needs_grad = set()  # slots
        self.parameters = []
        self.saved = []  # (number, slot) or ('held', key, bytes)


class _Recorder(_Watch):
    """Writes one forward down, holding none of its tensors."""

    def __init__(self, model, inputs, wholes):
        super().__init__(wholes)
        self.units, self.owners, self.references = {}, {}, []
        self.modules = dict(model.named_modules())
        self.names = {id(module): name for name, module in model.named_modules()}
        self.attributes = {_key(t) for m in model.modules() for t in vars(m).values() if isinstance(t, torch.Tensor)}
        self.stack, self.dynamic, self.numbers = [''], [], set()

    def begin(self, inputs, kwargs, stationary):
        given = _tensors((inputs, kwargs))
        self.inputs = {_key(t): _size(t) for t in given}
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
        self.stack.append(self.names.get(id(module), self.stack[-1]))

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
        unit = self.unit(number)
        unit.path, unit.grad = self.whole or self.stack[-1], torch.is_grad_enabled()
        if facts.dynamic:
            self.dynamic.append(unit.path)
        given = [*_flat(args), *_flat(list(kwargs.values()))]
        for tensor in given:
            self.read(unit, tensor)
        written = {_key(t) for t in facts.written(args, kwargs)}
        before = {_key(t) for t in given}
        results = function(*args, **kwargs)
        outputs = _flat(results)
        for tensor in outputs:
            key = _key(tensor)
            if key is None or (key in before and key not in written) or key in unit.keys:
                continue
            at = self.owners.get(key)
            if key in before and at is None:
                unit.writes_elsewhere = True  # into a buffer, an input: memory that is not the step's own
                continue
            if key in before and unit.overwrites is None and at[0] != number:
                unit.overwrites = at
            unit.keys.append(key)
            unit.results.append(_size(tensor))
            self.owners[key] = (number, len(unit.keys) - 1)
            if len(unit.keys) == 1:
                unit.shape, unit.dtype = list(tensor.shape), tensor.dtype
            self.references.append(StorageWeakRef(_storage(tensor)))
        unit.label = facts.label if self.whole is None else f'{type(self.modules[self.whole]).__name__}()'
        unit.outside = unit.outside or self.whole is not None
        unit.flops += _flops(facts.label, args, kwargs, outputs)
        if self.whole is None:
            unit.kind = _kind(facts.label, args, kwargs, outputs)
        return results

    def read(self, unit, tensor):
        key = _key(tensor)
        at = self.owners.get(key)
        if at is not None:
            if at[0] != unit.number:
                unit.reads.setdefault(at)
                unit.views.setdefault(at, list(tensor.shape))
            if tensor.requires_grad:
                self.units[at[0]].needs_grad.add(at[1])
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

    def pack(self, tensor):
        unit, key = self.unit(self.owner(tensor)), _key(tensor)
        at = self.owners.get(key)
        if at is not None:
            if tensor.requires_grad:
                self.units[at[0]].needs_grad.add(at[1])
            unit.saved.append(at)
        elif key in self.inputs:
            unit.saved.append(('held', key, 0))
        elif key is not None and key not in self.parameters and key not in self.attributes:
            if key not in self.numbers:  # made by the program on the way: numbers, indices
                self.numbers.add(key)
                self.references.append(StorageWeakRef(_storage(tensor)))
            unit.saved.append(('held', key, _size(tensor)))
        return _Direct(tensor)

    def end(self, ends):
        self.ends = list(dict.fromkeys(self.owners[_key(t)] for t in ends if _key(t) in self.owners))
        for number, slot in self.ends:
            self.units[number].needs_grad.add(slot)


def _product(extents):
    return functools.reduce(lambda a, b: a * b, extents, 1)


def _flops(label, args, kwargs, outputs):
    """Two for every product and sum of those that are products of matrices; one an element elsewhere."""
    elements = sum(t.numel() for t in outputs)
    tensors = [a for a in args if isinstance(a, torch.Tensor)]
    if label in ('mm', 'bmm', '_scaled_mm') and tensors:
        return 2 * tensors[0].shape[-1] * elements
    if label in ('addmm', 'baddbmm', 'addbmm', 'addmv') and len(tensors) > 1:
        return 2 * tensors[1].shape[-1] * elements
    if 'convolution' in label and len(tensors) > 1:
        transposed = len(args) > 6 and args[6] is True
        weight = tensors[1]
        return 2 * _product(weight.shape[1:]) * (tensors[0].numel() if transposed else outputs[0].numel())
    if 'scaled_dot_product' in label and len(tensors) > 2:
        q, k, v = tensors[:3]
        return 2 * _product(q.shape[:-1]) * k.shape[-2] * (q.shape[-1] + v.shape[-1])
    return elements


def _pair(value):
    return [int(value)] * 2 if not isinstance(value, (tuple, list)) else [int(v) for v in (*value, *value)[:2]]


def _pads(value):
    vertical, horizontal = _pair(value)
    return [vertical, vertical, horizontal, horizontal]


NORMS = {'native_batch_norm': (6, 7), 'cudnn_batch_norm': (6, 7), 'miopen_batch_norm': (6, 7),
         '_native_batch_norm_legit': (6, 7), '_batch_norm_with_update': (5, 6), 'batch_norm_with_update': (5, 6)}


def _kind(label, args, kwargs, outputs):
    """(operation, attributes) where it is one of Zigzag's own, or None. Shapes are looked at again when drawn."""
    if kwargs and label != 'bernoulli_' and any(v is not None for v in kwargs.values()):
        return None
    x = args[0] if args and isinstance(args[0], torch.Tensor) else None
    if label in ('convolution', 'cudnn_convolution') and len(args) == 9 and x.dim() == 4 and not args[6]:
        return 'conv2d', {'outChannels': outputs[0].shape[1], 'kernel': list(args[1].shape[2:]),
                          'stride': _pair(args[3]), 'padding': _pads(args[4]), 'dilation': _pair(args[5]), 'groups': args[8],
                          'bias': args[2] is not None}
    if label in NORMS and x.dim() in (2, 4) and args[1] is not None:
        momentum, epsilon = (args[i] for i in NORMS[label])
        training = label not in ('native_batch_norm', 'cudnn_batch_norm', '_native_batch_norm_legit') or args[5]
        return ('batch-norm', {'epsilon': epsilon, 'momentum': momentum}) if training and momentum else None
    if label in ('relu', 'relu_'):
        return 'relu', {'inplace': label == 'relu_'}
    if label == 'max_pool2d_with_indices' and x.dim() == 4:
        kernel, stride, padding, dilation, ceil = (*args[1:], *(([], 0, 1, False)[len(args) - 2:]))
        return ('max-pool', _pool(kernel, stride, padding, ceil, True)) if _pair(dilation) == [1, 1] else None
    if label == 'avg_pool2d' and x.dim() == 4:
        kernel, stride, padding, ceil, include, divisor = (*args[1:], *(([], 0, False, True, None)[len(args) - 2:]))
        return ('avg-pool', _pool(kernel, stride, padding, ceil, include)) if divisor is None else None
    if label == '_adaptive_avg_pool2d' and x.dim() == 4:
        return 'adaptive-avg-pool', {'output': list(outputs[0].shape[2:])}
    if label == 'addmm':
        return 'linear', {'outFeatures': outputs[0].shape[1], 'bias': True}
    if label == 'mm':
        return 'linear', {'outFeatures': outputs[0].shape[1], 'bias': False}
    if label in ('add', 'add_', 'mul') and len(args) == 2 and isinstance(args[1], torch.Tensor):
        if args[0].shape == args[1].shape:
            return ('add', {'inplace': label == 'add_'}) if label != 'mul' else ('multiply', {})
    if label == 'cat' and outputs[0].dim() >= 2 and (args[1] if len(args) > 1 else 0) % outputs[0].dim() == 1:
        return 'concat', {}
    if label == 'bernoulli_' and len(args) > 1 and isinstance(args[1], float):
        return 'dropout', {'rate': round(1 - args[1], 12)}
    if label == 'native_dropout':
        return 'dropout', {'rate': args[1]}
    return None


def _pool(kernel, stride, padding, ceil, include):
    return {'kernel': _pair(kernel), 'stride': _pair(stride if stride not in (None, [], ()) else kernel),
            'padding': _pads(padding), 'ceilMode': bool(ceil), 'countIncludePad': bool(include)}


def _expected(kind, vertex, x):
    """What backward of one of Zigzag's own operations is known to keep in profile pytorch; elsewhere it is opaque."""
    elements = _product(vertex['shape'])
    keeps = {'inputs': [0], 'output': False, 'auxBytes': 0, 'fixedAuxBytes': 0}
    if kind == 'relu':
        return {**keeps, 'inputs': [], 'output': True}
    if kind in ('add', 'concat'):
        return {**keeps, 'inputs': []}
    if kind == 'multiply':
        return {**keeps, 'inputs': [0, 1]}
    if kind == 'dropout':
        return {**keeps, 'inputs': [], 'auxBytes': elements}
    if kind == 'batch-norm':
        return {**keeps, 'fixedAuxBytes': 8 * x[1]}
    return {**keeps, 'auxBytes': 8 * elements} if kind == 'max-pool' else keeps


class _Drawing:
    """A recorded forward as vertices and edges."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.units = {n: u for n, u in sorted(recorder.units.items()) if u.label}
        self.group = {}  # number -> number of the vertex it is part of
        self.members = {}  # vertex -> its numbers, ascending
        self.readers = collections.defaultdict(set)
        for number, unit in self.units.items():
            for at in unit.reads:
                self.readers[at[0]].add(number)
        for number, unit in recorder.units.items():
            for at in unit.saved:
                if at[0] != 'held':
                    self.readers[at[0]].add(number)
        for number, _ in recorder.ends:
            self.readers[number].add(TARGET)

    def draw(self):
        self.live = self.reached()
        self.dependent = set()
        for number, unit in self.units.items():
            if unit.reads_inputs or any(n in self.dependent for n, _ in unit.reads):
                self.dependent.add(number)
        for number in self.live:
            self.group[number] = number
            self.members[number] = self.absorb(number)
        if not self.members:
            raise CannotCapture('no result of the model has a gradient')
        self.find_values()
        self.last_read, seen = collections.defaultdict(list), set()
        for number in sorted(self.group, reverse=True):
            for parameter in self.units[number].parameters:
                if parameter.requires_grad and id(parameter) not in seen:
                    seen.add(id(parameter))
                    self.last_read[number].append(parameter)
        self.held = {}
        self.counted = set()
        vertices, edges, known = [], [], {}
        for number in self.members:
            vertex, sources, extra = self.vertex(number, known)
            vertices.extend((*extra, vertex))
            for view in extra:
                edges.append([sources[0], view['id']])
                sources = [view['id'], *sources[1:]]
            edges.extend([source, vertex['id']] for source in sources)
        self.join(vertices, edges)
        self.begin(vertices, edges)
        return vertices, edges, self.coverage(vertices)

    def reached(self):
        """Operations that need a gradient and get one: from the ends backward."""
        pending, seen = [number for number, _ in self.recorder.ends], set()
        while pending:
            number = pending.pop()
            if number not in seen and number in self.units:
                seen.add(number)
                unit = self.units[number]
                # No gradient goes through what needs none, but for the inside of a Function.
                if unit.needs_grad or not unit.grad:
                    pending.extend(n for n, _ in unit.reads)
        return dict.fromkeys(n for n, unit in self.units.items() if n in seen and unit.needs_grad)

    def absorb(self, number):
        """What only this operation reads or keeps and gets no gradient (a dropout's mask, the inside of a Function,
        a copy of what is overwritten) is part of it, as far as it ran right before."""
        members, at = {number}, number - 1
        while at in self.units:
            unit = self.units[at]
            if at in self.live or unit.writes_elsewhere or not self.readers[at] or not self.readers[at] <= members:
                break
            if unit.overwrites is not None and self.group.get(unit.overwrites[0]) is not None:
                break
            members.add(at)
            at -= 1
        # A constant that an absorbed one overwrites must be inside too, or it could not be made again.
        for member in sorted(members):
            target = self.units[member].overwrites
            if member != number and target is not None and target[0] not in members:
                members = {m for m in members if m > member}
        for member in members:
            self.group[member] = number
        return sorted(members)

    def find_values(self):
        """Which results of a vertex are its value: what others read or keep. The rest it keeps for itself, or drops."""
        self.values = collections.defaultdict(set)
        for number, unit in self.units.items():
            owner = self.group.get(number)
            for n, slot in unit.reads:
                if self.group.get(n) is not None and self.group[n] != owner:
                    self.values[self.group[n]].add((n, slot))
        for number, unit in self.recorder.units.items():
            owner = self.group.get(number, number)
            for at in unit.saved:
                if at[0] != 'held' and self.group.get(at[0]) is not None and self.group[at[0]] != owner:
                    self.values[self.group[at[0]]].add(at)
        for at in self.recorder.ends:
            if self.group.get(at[0]) is not None:
                self.values[self.group[at[0]]].add(at)
        for number in self.members:
            if not self.values[number]:
                self.values[number].add((number, min(self.units[number].needs_grad)))

    def sources(self, number):
        """The vertices that a vertex reads, the one it overwrites first, and whether it reads the inputs."""
        found, inputs = {}, False
        target = self.units[number].overwrites
        if target is not None and self.group.get(target[0]) not in (None, number):
            found[self.group[target[0]]] = None
        pending, seen = list(self.members[number]), set()
        while pending:
            unit = self.units[pending.pop(0)]
            inputs = inputs or unit.reads_inputs
            for n, _ in unit.reads:
                if self.group.get(n) is not None:
                    if self.group[n] != number:
                        found[self.group[n]] = None
                elif not unit.grad and n not in seen:  # through what a Function computed on the way
                    seen.add(n)
                    pending.append(n)
        return list(found), inputs

    def name(self, number):
        unit, members = self.units[number], self.members[number]
        span = f'{members[0]}' if len(members) == 1 else f'{members[0]}-{members[-1]}'
        return f'{unit.path}.{unit.label}@{span}' if unit.path else f'{unit.label}@{span}'

    def vertex(self, number, known):
        unit, members = self.units[number], self.members[number]
        found, inputs = self.sources(number)
        size = {(m, slot): (self.units[m].keys[slot], self.units[m].results[slot])
                for m in members for slot in range(len(self.units[m].keys))}
        own = dict(size[at] for at in self.values[number])
        keeps, kept = {'inputs': [], 'output': False, 'auxBytes': 0, 'fixedAuxBytes': 0}, {}
        held = False
        for member in members:
            for at in self.recorder.units[member].saved:
                if at[0] == 'held':
                    held = held or at[1] in self.recorder.inputs
                    kept[at[1]] = at[2]
                elif self.group.get(at[0]) == number:
                    if at in self.values[number]:
                        keeps['output'] = True
                    else:
                        kept.update([size[at]])
                elif self.group.get(at[0]) is not None:
                    source = self.group[at[0]]
                    if source not in found:
                        found.append(source)
                    keeps['inputs'].append(found.index(source))
                else:  # needs no gradient: it is held as the inputs are
                    constant = self.units[at[0]]
                    self.held[constant.keys[at[1]]] = constant.results[at[1]]
        keeps['inputs'] = sorted(set(keeps['inputs']))
        norm = 'norm' in unit.label and 'batch' in unit.label
        keeps['fixedAuxBytes' if norm else 'auxBytes'] = sum(kept.values())
        sources = [self.name(n) for n in found]
        if inputs or not sources:
            sources.append(SOURCE)
            if held:
                keeps['inputs'].append(len(sources) - 1)
        vertex = {'id': self.name(number), 'op': unit.label, 'bytes': sum(own.values())}
        if len(own) == 1 and unit.shape and all(unit.shape):
            vertex['shape'] = unit.shape
            if unit.dtype != torch.float32:
                vertex['dtype'] = str(unit.dtype).replace('torch.', '')
        extra = self.classify(number, vertex, keeps, found, sources, known)
        target = unit.overwrites
        if target is not None and found and self.group.get(target[0]) == found[0]:
            vertex['alias'] = 'inplace'
        made = sum(p.numel() * p.element_size() for m in members for p in self.last_read.get(m, ()))
        if made:
            vertex['gradBytes'] = made  # gradients of parameters that this backward is the first to make
        fresh = [p for m in members for p in self.units[m].parameters if p.requires_grad and id(p) not in self.counted]
        self.counted |= {id(p) for p in fresh}
        if not any(m in self.dependent for m in members):
            vertex['fixed'] = True  # made of parameters alone: it does not grow with the batch
        if fresh:
            vertex['params'] = sum(p.numel() for p in {id(p): p for p in fresh}.values())
        return vertex, sources, extra

    def classify(self, number, vertex, keeps, found, sources, known):
        """Gives an operation of Zigzag's own its attributes, and a view that such a one needs a vertex of its own."""
        unit = self.units[number]
        masks = [self.units[m].kind for m in self.members[number][:-1] if self.units[m].label == 'bernoulli_']
        kind = masks[0] if masks and unit.label in ('mul', 'div') else unit.kind
        single = len(self.members[number]) == 1 or (masks and kind)
        extra = []
        if kind and single and 'shape' in vertex and 'dtype' not in vertex:
            shapes = [known.get(source, self.recorder.input[0] if source == SOURCE and self.recorder.input else None)
                      for source in sources]
            read = list(unit.views.values())
            x = shapes[0]
            if kind[0] == 'linear' and x and len(x) > 2 and read[:1] == [[x[0], _product(x[1:])]] and len(sources) == 1:
                extra = [{'id': self.name(found[0]) + VIEW if found else VIEW[1:], 'op': 'flatten', 'attrs': {},
                          'bytes': 4 * _product(x), 'shape': read[0], 'alias': 'view',
                          'keeps': {'inputs': [], 'output': False, 'auxBytes': 0}}]
                x = read[0]
            whole = x and (not read or all(r == s for r, s in zip(read, [x, *shapes[1:]])))
            if kind[0] == 'concat' and sum(shape[1] for shape in read if len(shape) > 1) != unit.shape[1]:
                whole = False  # a parameter is among them
            count = {'add': 2, 'multiply': 2, 'concat': len(sources)}.get(kind[0], 1)
            if whole and keeps == _expected(kind[0], vertex, x) and len(sources) == count:
                vertex['op'], vertex['attrs'], vertex['keeps'] = kind[0], kind[1], keeps
                known[vertex['id']] = unit.shape
                return extra
            extra = []
        vertex['op'] = kind[0] if kind and kind[0] == 'dropout' else vertex['op']
        vertex['keeps'] = keeps
        vertex['flops'] = sum(self.units[m].flops for m in self.members[number])
        if 'shape' in vertex:
            known[vertex['id']] = unit.shape
        return extra

    def join(self, vertices, edges):
        """One target: the last operation, or a vertex that reads all ends."""
        found = (self.group.get(number) for number, _ in self.recorder.ends)
        ends = list(dict.fromkeys(self.name(group) for group in found if group is not None))
        if len(ends) > 1 or ends[0] in {source for source, _ in edges}:
            vertices.append({'id': TARGET, 'op': 'outputs', 'bytes': 0, 'keeps': {'inputs': []}})
            edges.extend([end, TARGET] for end in ends)

    def begin(self, vertices, edges):
        """One source: the input, or the inputs together with what needs no gradient and is kept for backward."""
        size = sum(self.recorder.inputs.values()) + sum(self.held.values())
        source = {'id': SOURCE, 'op': 'inputs', 'bytes': size}
        if self.recorder.input and not self.held and self.recorder.input[0] and all(self.recorder.input[0]):
            shape, dtype = self.recorder.input
            source = {'id': SOURCE, 'op': 'input', 'bytes': size, 'shape': shape, 'attrs': {}}
            if dtype != torch.float32:
                source['dtype'] = str(dtype).replace('torch.', '')
        vertices.insert(0, source)

    def coverage(self, vertices):
        """Which vertices are known from outside only, and what share of all bytes the others hold."""
        def size(vertex):
            keeps = vertex.get('keeps', {})
            return vertex['bytes'] + keeps.get('auxBytes', 0) + keeps.get('fixedAuxBytes', 0)
        names = {self.name(n): self.units[n] for n in self.members}
        opaque = [v for v in vertices if v['id'] in names and (
            names[v['id']].outside or not names[v['id']].grad)]
        total = sum(size(v) for v in vertices if v['id'] in names) or 1
        return {'share': round(1 - sum(size(v) for v in opaque) / total, 4),
                'opaque': [{'id': v['id'], 'bytes': size(v)} for v in opaque]}


# -------------------------------------------------------------------------------------------------- applying

PLAN = None
TRANSFERS = 'send', 'fetch'  # kinds of steps of a zigzag-plan/2
VIEW = '.flatten'  # of a vertex: its result as another shape
PLACE = re.compile(r'^(.*?)([^.]+)@(\d+)(?:-(\d+))?$')


def apply(model, plan=None, check=True):
    """Lets `model` train in the memory that a zigzag-plan promises; changes it in place and returns it.

    `plan` is a path or the parsed document (by default the one that `zigzag export FILE --to torch` wrote into this
    file), made from a `capture` of this model in this mode, or a `_Plan`. A plan that `zigzag export MODEL --to
    torch-plan` made of one of Zigzag's own networks is matched with the model operation by operation: the same network
    of torchvision or timm, whatever its modules are called. Class, parameters, `state_dict`, signature and hooks stay
    as they are, and so does autograd's graph: losses, gradients and statistics equal those of plain training to the
    bit where the kernels are deterministic. Forwards without gradients are not touched. A forward that leaves the
    captured path (another mode, a branch) keeps everything from there on, and a warning says so.

    In the first step with gradients every recomputed tensor is compared with a checksum of the one it stands for;
    `check=False` turns that off. Apply a plan to each layer where FSDP shards each layer. `remove(model)` undoes it.

    Raises PlanMismatch where the plan is no plan, would recompute without saving anything, or is of another model.
    """
    plan = PLAN if plan is None else plan
    if plan is None:
        raise PlanMismatch('there is no plan: make one with `zigzag export FILE --to plan`')
    if not isinstance(plan, (dict, _Plan)):
        with open(plan, encoding='utf8') as file:
            plan = json.load(file)
    inner = _inner(model)
    plan = plan if isinstance(plan, _Plan) else _plan_of(plan, inner)
    plan.require(inner)
    remove(inner)
    inner.forward = _Forward(inner, plan, check, vars(inner).get('forward'))
    return model


def remove(model):
    """Undoes `apply`; returns the model."""
    inner = _inner(model)
    forward = vars(inner).get('forward')
    if isinstance(forward, _Forward):
        del inner.forward
        if forward.own is not None:
            inner.forward = forward.own
    return model


def followed(model):
    """Facts of the last forward under a plan: {'left': None or where it left the plan, 'recomputed': how often,
    'fetched': results that came back from host memory, 'hostBytes': the most that was there at once}."""
    forward = vars(_inner(model)).get('forward')
    if not isinstance(forward, _Forward) or forward.tape is None:
        return {'left': 'it has not run under a plan', 'recomputed': 0, 'fetched': 0, 'hostBytes': 0}
    tape = forward.tape
    return {'left': tape.left, 'recomputed': tape.recomputed, 'fetched': tape.fetched, 'hostBytes': tape.host_bytes}


@contextlib.contextmanager
def _without_plan(model):
    before = vars(model).get('forward')
    remove(model)
    try:
        yield
    finally:
        remove(model)
        if isinstance(before, _Forward):
            model.forward = before


class _Forward:
    """What stands in a module's place of `forward`."""

    def __init__(self, model, plan, check, own=None):
        # `own` is a forward that somebody else had set on the object.
        self.model, self.plan, self.check, self.own, self.tape = model, plan, check, own, None
        self.matched = {_autocast_state(): plan}  # autocast -> the plan in the operations that run under it
        self.compiled = any('_orig_mod' in module._modules for module in model.modules())
        try:
            self.__signature__ = inspect.signature(model.forward)
        except (TypeError, ValueError):
            pass

    def __getstate__(self):
        return {**vars(self), 'plan': self.plan.document, 'tape': None, 'matched': None}

    def __setstate__(self, state):
        vars(self).update(state)
        self.plan = _Plan(state['plan'])
        self.matched = {}

    def __deepcopy__(self, memo):
        twin = copy.copy(self)
        memo[id(self)] = twin
        twin.model, twin.own, twin.tape = copy.deepcopy(self.model, memo), copy.deepcopy(self.own, memo), None
        return twin

    def plain(self, *inputs, **kwargs):
        return (self.own or functools.partial(type(self.model).forward, self.model))(*inputs, **kwargs)

    def __call__(self, *inputs, **kwargs):
        if not torch.is_grad_enabled():
            return self.plain(*inputs, **kwargs)
        tape = _Tape(self.fitting(), self.check)
        with _eager() if self.compiled else contextlib.nullcontext(), tape.watching(self.model):
            results = self.plain(*inputs, **kwargs)
        tape.close(_tensors(results))
        self.tape = tape.summary
        if tape.left is not None:
            self.tell(tape)
        self.check = False
        return results

    def fitting(self):
        """The plan; one of Zigzag's own networks is matched again where autocast runs other operations."""
        origin = self.plan.document.get('origin')
        if origin is None:
            return self.plan
        state = _autocast_state()
        if state not in self.matched:
            self.matched[state] = _plan_of(origin, self.model)
        return self.matched[state]

    def tell(self, tape):
        if not self.plan.told:
            self.plan.told = True
            warnings.warn(f'zigzag: this step keeps what comes after it left the plan, as {tape.left}; where every '
                          'step does, capture the model as it is trained (mode, precision, device, version of torch)',
                          stacklevel=3)


def _plan_of(document, model):
    """A zigzag-plan as `model` runs it, which one of Zigzag's own networks names otherwise."""
    known = isinstance(document, dict) and document.get('operations') and document.get('origin') is None
    return _Plan(_for_model(document, model) if known else document)


# What torch.compile must not look into; its own decorator would import the compiler.
_Forward.__call__._torchdynamo_disable = True


class _Plan:
    """A zigzag-plan (/1 or /2) as the tape reads it: which operations are a vertex, and what happens when."""

    def __init__(self, document):
        if not isinstance(document, dict) or document.get('format') != 'zigzag-plan':
            raise PlanMismatch('this is no zigzag-plan document; make one with `zigzag export FILE --to plan`')
        version = document.get('version')
        if version not in (1, 2):
            raise PlanMismatch(f'the plan is a zigzag-plan/{version}, and this zigzag_torch.py reads /1 and /2; take '
                               'the one of the Zigzag that made the plan: `zigzag export FILE --to torch`')
        regular, peak = document.get('regularPeakBytes'), document.get('peakBytes')
        if regular is not None and document.get('recomputeFraction', 0) > 0 and peak >= regular:
            raise PlanMismatch(f'the plan forwards again and saves nothing: its peak is {peak} bytes, that of plain '
                               f'training {regular}; choose another strategy or a lower budget')
        self.document, self.told = document, False
        self.units, self.unit_at, self.wholes, seen = {}, {}, [], {}
        steps, names = [], collections.defaultdict(set)  # unit -> vertices through which the plan holds its value
        for kind, vertex, *rest in document['steps']:
            if version == 1 and kind in TRANSFERS:
                raise PlanMismatch(f'the plan is a zigzag-plan/1, which knows no {kind}: make it again with `zigzag '
                                   'export FILE --to plan`')
            if kind not in ('forward', 'backward', 'free', *TRANSFERS):
                raise PlanMismatch('the plan holds gradients, as reentrant segments do, and this file follows a plan '
                                   'operation by operation; make it with --checkpointing non-reentrant')
            view = vertex.endswith(VIEW)
            name = vertex[:-len(VIEW)] if view else vertex
            if name not in seen:
                seen[name] = self.read(name)
            unit, auxiliary = seen[name], len(rest) > 0
            if unit is None:
                continue
            if kind in ('forward', 'fetch'):
                names[unit].add(vertex)
            elif kind == 'free' and not auxiliary:
                names[unit].discard(vertex)
                if names[unit]:
                    continue
            if not view or kind == 'free':
                steps.append((kind, unit, auxiliary))
        if not self.units:
            raise PlanMismatch('the plan does not say what its operations are in PyTorch; make it with `zigzag export '
                               'MODEL --to torch-plan` (torchvision\'s and timm\'s models), or capture the model and '
                               'make the plan from that file')
        left, opening, forwarded = set(self.units), len(steps), set()
        for i, (kind, unit, _) in enumerate(steps):
            if kind == 'backward' or (kind in ('forward', 'fetch') and not left):
                opening = i
                break
            left.discard(unit if kind == 'forward' else None)
        # What is freed and forwarded again or fetched within the forward stays: the program itself still holds it.
        frees, last, sends, places = {}, None, [], {}
        for i, (kind, unit, auxiliary) in enumerate(steps[:opening]):
            if kind == 'forward':
                last = unit if unit not in forwarded else last
                forwarded.add(unit)
                frees.pop((unit, False), None)
                frees.pop((unit, True), None)
            elif kind == 'free':
                frees[unit, auxiliary] = last
                places[unit, auxiliary] = i
            elif kind == 'send':
                sends.append((i, last, unit))
            elif kind == 'fetch':
                frees.pop((unit, False), None)
        self.frees = frees
        self.steps = steps[opening:]
        # The last fetch of each copy lets it go; what is fetched within the forward alone need not be sent.
        self.last_fetch = {unit: i for i, (kind, unit, _) in enumerate(self.steps) if kind == 'fetch'}
        told = [(places[unit, auxiliary], trigger, ('free', unit, auxiliary))
                for (unit, auxiliary), trigger in frees.items()]
        told += [(i, trigger, ('send', unit, False)) for i, trigger, unit in sends if unit in self.last_fetch]
        self.opening = collections.defaultdict(list)  # unit -> what happens once it has run, in the plan's order
        for _, trigger, step in sorted(told, key=lambda one: one[0]):
            self.opening[trigger].append(step)
        self.transfers = any(kind in TRANSFERS for kind, _, _ in steps)
        self.backward = {unit: i for i, (kind, unit, _) in enumerate(self.steps) if kind == 'backward'}
        self.events = collections.defaultdict(lambda: ([], []))  # unit -> (positions, kinds) of what befalls its value
        for i, (kind, unit, auxiliary) in enumerate(self.steps):
            if kind != 'backward' and not auxiliary:
                self.events[unit][0].append(i)
                self.events[unit][1].append(kind)

    def outlives(self, unit, writer):
        """Whether a value is still wanted after `writer` has overwritten its memory in the forward."""
        freed = self.frees.get((unit, False))
        return freed > writer if freed is not None else self.frees_later(unit, -1)

    def frees_later(self, unit, position):
        """Whether the next thing that befalls a value is that it is freed or sent: then a recompute may not overwrite it."""
        positions, kinds = self.events[unit]
        at = bisect.bisect_right(positions, position)
        return at < len(kinds) and kinds[at] in ('free', 'send')

    def read(self, vertex):
        """The first number of a vertex' operations, by its id; None for what is no operation of the model."""
        match = PLACE.match(vertex)
        if match is None or vertex.startswith('loss.'):
            return None
        path, label, first, last = match.groups()
        first = int(first)
        last = first if last is None else int(last)
        if label.endswith('()'):
            self.wholes.append(path[:-1])
        self.units[first] = (last, label, vertex)
        for number in range(first, last + 1):
            self.unit_at[number] = first
        return first

    def require(self, model):
        modules = dict(model.named_modules())
        for _, _, vertex in self.units.values():
            path = PLACE.match(vertex).group(1).rstrip('.')
            if path not in modules:
                raise PlanMismatch(f'the plan speaks of {path!r}, which this {type(model).__name__} has not; capture '
                                   'this model and make the plan from that file')


class _Direct:
    """A saved tensor that is kept itself."""
    __slots__ = ('tensor', 'version')

    def __init__(self, tensor):
        self.tensor, self.version = tensor, _version(tensor)

    def get(self):
        if _version(self.tensor) != self.version:
            raise RuntimeError('one of the variables needed for gradient computation has been modified by an inplace '
                               f'operation: a tensor of shape {tuple(self.tensor.shape)} is at version '
                               f'{self.tensor._version}, version {self.version} was expected')
        return self.tensor


def _version(tensor):
    return None if tensor.is_inference() else tensor._version


class _Saved:
    """A saved tensor for which the tape answers."""
    __slots__ = ('tape', 'owner', 'unit', 'slot', 'geometry', 'direct')


class _Argument:
    """A result of a unit as an operation read it."""
    __slots__ = ('unit', 'slot', 'geometry')

    def __init__(self, unit, slot, tensor):
        self.unit, self.slot, self.geometry = unit, slot, _Geometry(tensor)


class _Recipe:
    """How a result that is none of the plan's was made, from so much less that this is kept in its place."""
    __slots__ = ('function', 'args', 'kwargs', 'index', 'result')

    def __init__(self, function, args, kwargs, index, tensor):
        self.function, self.args, self.kwargs, self.index = function, args, kwargs, index
        self.result = StorageWeakRef(_storage(tensor))

    def base(self):
        results = self.function(*(_read(a) for a in self.args), **{k: _read(v) for k, v in self.kwargs.items()})
        return _base(_flat(results)[self.index])


class _Made:
    """Such a result as an operation read it."""
    __slots__ = ('recipe', 'geometry')

    def __init__(self, recipe, tensor):
        self.recipe, self.geometry = recipe, _Geometry(tensor)

    def get(self):
        return self.geometry.of(self.recipe.base())


def _read(value):
    return [_read(v) for v in value] if isinstance(value, list) else value.get() if isinstance(value, _Direct) else value


class _Entry:
    """One operation as it ran, to run it again."""
    __slots__ = ('function', 'facts', 'args', 'kwargs', 'random', 'slots')


class _Tape(_Watch):
    """One forward under a plan, and the answers to its backward."""

    def __init__(self, plan, check):
        super().__init__(tuple(plan.wholes))
        self.plan, self.check = plan, check
        self.owners, self.references, self.readers, self.recipes = {}, [], {}, {}
        self.values = collections.defaultdict(dict)  # unit -> slot -> tensor (no part of autograd's graph)
        self.entries = collections.defaultdict(list)  # unit -> operations
        self.kept = collections.defaultdict(set)  # unit -> slots that its own backward keeps
        self.read = collections.defaultdict(set)  # unit -> slots that others read
        self.packs = collections.Counter()  # unit -> saved tensors that backward has not asked for yet
        self.freed = set()  # units whose value the plan has dropped in the forward
        self.host = _Host()
        self.copied = set()  # (unit, slot) that was overwritten and of which a copy is kept
        self.results = {}  # (unit, slot) -> how it lies in its storage, in the first step
        self.sums = {}  # (unit, slot) -> its checksum
        self.left, self.matched, self.position, self.closed = None, 0, 0, False
        self.trigger, self.run = None, None
        self.lock = threading.RLock()
        self.summary = _Summary()

    # ---- forward

    def operation(self, number, facts, function, args, kwargs):
        if self.trigger is not None:
            self.free_after(self.trigger)
        unit = self.plan.unit_at.get(number) if self.left is None else None
        if unit is not None and number == self.plan.units[unit][0] and not self.matches(unit, facts):
            unit = None
        if facts.writes:
            self.before_writing(facts.written(args, kwargs))
        if unit is None:
            results = function(*args, **kwargs)
            if facts.writes:
                for tensor in facts.written(args, kwargs):
                    self.disown(_key(tensor))
            elif not facts.random and self.left is None:
                self.note(function, args, kwargs, results)
            return results
        entry = _Entry()
        entry.function, entry.facts = function, facts
        entry.random = self.random_states(facts, args, kwargs) if facts.random else None
        entry.args = self.refer(args, unit, facts)
        entry.kwargs = {k: self.refer_one(v, unit) for k, v in kwargs.items()} if kwargs else kwargs
        before = {_key(t) for t in _flat(args)} if facts.writes else ()
        results = function(*args, **kwargs)
        if facts.random and self.run is not None:
            self.run.end = torch.get_rng_state()
        self.entries[unit].append(entry)
        entry.slots = self.own(unit, number, results, before, args)
        if number == self.plan.units[unit][0] and self.whole is None:
            self.trigger = unit
            self.matched += 1
        return results

    def random_states(self, facts, args, kwargs):
        at = facts.chance
        if at is not None and (args[at] if at < len(args) else kwargs.get('dropout_p', 0)) == 0:
            return None  # attention that may drop, and does not
        states = _random_states(args, kwargs)
        if states[0] is None or states[1] or facts.label != 'bernoulli_' or len(args) != 2 or kwargs:
            return states
        if self.run is None or self.run.size + args[0].numel() > LONGEST_RUN or not torch.equal(
                self.run.end, states[0]):
            self.run = _Run(states[0])
        return self.run.before(args[0], args[1]), []

    def leave(self, *args):
        unit = self.plan.unit_at.get(self.count) if self.whole is not None and self.left is None else None
        super().leave(*args)
        if unit is not None and self.entries.get(unit):
            self.trigger = unit
            self.matched += 1

    def matches(self, unit, facts):
        last, label, vertex = self.plan.units[unit]
        if self.whole is not None or facts.label == label:
            return True
        self.left = f'{vertex} was captured where {facts.label} runs now'
        return False

    def refer(self, args, unit, facts):
        held = [self.refer_one(arg, unit) for arg in args]
        for position, _ in facts.writes:
            # What is overwritten and cannot be made again is copied first; statistics are, wherever they run again.
            target = held[position] if position < len(held) else None
            if isinstance(target, _Direct) and not facts.is_norm:
                held[position] = _Direct(args[position].detach().clone())
            elif isinstance(target, _Argument) and target.unit != unit:
                self.save_overwritten(target.unit, target.slot, unit)
        return held

    def save_overwritten(self, other, slot, unit):
        """The program overwrites what the plan goes on using (as it does not where nobody else reads it): a copy."""
        if slot in self.values[other] and self.plan.outlives(other, unit):
            self.values[other][slot] = _copy_of(self.values[other][slot])
            self.copied.add((other, slot))

    def note(self, function, args, kwargs, results):
        """A mask of numbers is four times the one of truth values that it is made from, in every layer anew."""
        for key in [k for k, recipe in self.recipes.items() if recipe.result.expired()]:
            del self.recipes[key]
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
                if at[0] != unit:
                    self.seen(at, value)
                return _Argument(*at, value)
            made = self.made(key, value) if unit is not None else None
            if made is not None:
                return made
            if value.requires_grad and not value.is_leaf:
                value = value.detach()
            direct = _Direct(value)
            self.readers.setdefault(key, []).append(direct)
            return direct
        if isinstance(value, (list, tuple)) and value and any(isinstance(v, torch.Tensor) for v in value):
            return [self.refer_one(v, unit) for v in value]
        return value

    def made(self, key, tensor):
        recipe = self.recipes.get(key)
        known = recipe is not None and _plain(tensor) and not recipe.result.expired()
        return _Made(recipe, tensor) if known else None

    def seen(self, at, tensor):
        """Somebody else reads it: it is a value."""
        unit, slot = at
        if slot not in self.read[unit]:
            self.read[unit].add(slot)
            if slot not in self.values[unit] and unit not in self.freed:
                self.values[unit][slot] = _base(tensor)

    def own(self, unit, number, results, before, args):
        slots = []
        last = number == self.plan.units[unit][0] and self.whole is None
        values = self.values[unit]
        for index, tensor in enumerate(_flat(results)):
            key = _key(tensor)
            if key is None or not _plain(tensor):
                slots.append(None)
                continue
            at = self.owners.get(key)
            if key in before:  # in place
                if at is None:
                    slots.append(None)  # into memory that is not the step's own
                    continue
                if at[0] == unit:
                    slots.append(at[1])  # its own result goes on under its first name
                    continue
                if at not in self.copied:
                    self.values[at[0]].pop(at[1], None)
            elif at is not None and any(_key(t) == key for t in _flat(args)):
                slots.append(None)  # another view of what it reads
                continue
            slot = (len(self.entries[unit]) - 1, index)
            slots.append(slot)
            self.owners[key] = (unit, slot)
            self.references.append(StorageWeakRef(_storage(tensor)))
            if self.check and not WORKSPACE.search(self.entries[unit][-1].facts.label):
                self.results[unit, slot] = _Geometry(tensor)
            if last:
                values[slot] = _base(tensor)
        return slots

    def disown(self, key):
        at = self.owners.pop(key, None)
        if at is not None:
            self.values[at[0]].pop(at[1], None)

    def before_writing(self, tensors):
        """Whoever read the old content and may have to run again gets a copy of it; the new one is made otherwise."""
        for tensor in tensors:
            if _key(tensor) in self.owners:
                self.host.sent(self.owners[_key(tensor)][0])
            self.recipes.pop(_key(tensor), None)
            found = self.readers.pop(_key(tensor), None)
            if found:
                copies = {}
                for direct in found:
                    old = direct.tensor
                    shape = (old.size(), old.stride(), old.storage_offset())
                    if shape not in copies:
                        copies[shape] = old.detach().clone()
                    direct.tensor, direct.version = copies[shape], _version(copies[shape])

    def free_after(self, unit):
        self.trigger = None
        for kind, other, auxiliary in self.plan.opening.get(unit, ()):
            if kind == 'send':
                self.send(other)
            else:
                self.free(other, auxiliary, opening=True)

    def send(self, unit):
        """Copies what is a value of `unit` to host memory; what its own backward alone keeps stays."""
        kept, read = self.kept[unit], self.read[unit]
        for slot, base in self.values.get(unit, {}).items():
            if slot not in kept or slot in read:
                self.host.send(unit, slot, base)
        self.summary.host_bytes = self.host.peak

    def fetch(self, unit, last=True):
        """Brings back what was sent of `unit`, where it is not there; whether something was. `last`: for good."""
        found = self.host.fetch(unit, self.values[unit], last)
        self.summary.fetched += found
        return found

    def free(self, unit, auxiliary, opening=False):
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

    def pack(self, tensor):
        if self.closed:
            return _Direct(tensor)
        number, key = self.owner(tensor), _key(tensor)
        owner = self.plan.unit_at.get(number) if self.left is None else None
        saved = _Saved()
        saved.tape, saved.owner, saved.direct = self, owner, None
        at = self.owners.get(key) if _plain(tensor) else None
        if owner is not None:
            self.packs[owner] += 1
        if at is None or (owner is None and at[0] in self.freed):
            if tensor.requires_grad and not tensor.is_leaf:
                tensor = _detached(self, tensor)
            saved.direct = self.made(key, tensor) or _Direct(tensor)
            return saved
        saved.unit, saved.slot = at
        saved.geometry = _Geometry(tensor)
        if owner != saved.unit:
            self.read[saved.unit].add(saved.slot)
        else:
            self.kept[saved.unit].add(saved.slot)
        if saved.slot not in self.values[saved.unit] and saved.unit not in self.freed:
            self.values[saved.unit][saved.slot] = _detached(self, tensor)
        return saved

    def close(self, results):
        """The forward is over: what the loss does with its results is no part of the plan."""
        if self.trigger is not None:
            self.free_after(self.trigger)
        if self.left is None and self.matched < len(self.plan.units):
            missing = next(v for first, (_, _, v) in self.plan.units.items() if not self.entries.get(first))
            self.left = f'{missing} has not run'
        for tensor in results:
            at = self.owners.get(_key(tensor))
            if at is not None:
                self.read[at[0]].add(at[1])
        self.summary.left = self.left
        self.closed, self.run = True, None
        self.owners, self.references, self.readers, self.recipes = {}, [], {}, {}

    # ---- backward

    def unpack(self, saved):
        if isinstance(saved, _Direct):
            return saved.get()
        with self.lock:
            if not self.closed:  # a gradient that the forward itself asks for: the plan has not come so far
                return self.answer_in_forward(saved)
            unit = saved.owner
            if unit is not None:
                self.advance(unit)
            tensor = self.answer(saved)
            if unit is not None:
                self.packs[unit] -= 1
                if self.packs[unit] == 0:
                    self.after(unit)
            return tensor

    def answer(self, saved):
        return saved.direct.get() if saved.direct is not None else saved.geometry.of(self.value(saved.unit, saved.slot))

    def answer_in_forward(self, saved):
        self.busy = True
        try:
            return self.answer(saved)
        finally:
            self.busy = False

    def advance(self, unit):
        """Does what the plan does before the backward of `unit`."""
        at = self.plan.backward.get(unit, -1)
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
        """Backward of `unit` has all that it needs: what it kept for itself goes, and what the plan frees now."""
        self.free(unit, True)
        if self.plan.backward.get(unit, -1) == self.position:
            self.position += 1
            while self.position < len(self.plan.steps) and self.plan.steps[self.position][0] == 'free':
                _, other, auxiliary = self.plan.steps[self.position]
                self.free(other, auxiliary)
                self.position += 1

    def value(self, unit, slot):
        self.host.arrived(unit)
        found = self.values[unit].get(slot)
        if found is None and self.fetch(unit, False):  # sooner than the plan says
            self.host.arrived(unit)
            found = self.values[unit].get(slot)
        if found is not None:
            return found
        before, pending = {}, [unit]
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
        for other, had in before.items():  # what was made only on the way goes again
            if other != unit:
                for extra in set(self.values[other]) - had:
                    del self.values[other][extra]
        if found is None:
            raise self.lost(unit)
        return found

    def lost(self, unit):
        return PlanMismatch(f'backward needs a result of {self.plan.units[unit][2]} that cannot be made again; '
                            'capture the model with this version of torch and make the plan from that file')

    def missing(self, unit):
        """Units of which a recompute of `unit` needs something that is not there."""
        arguments = (item for entry in self.entries[unit] for value in (*entry.args, *entry.kwargs.values())
                     for item in (value if isinstance(value, list) else (value,)) if isinstance(item, _Argument))
        return {a.unit: a.slot for a in arguments if a.unit != unit and a.slot not in self.values[a.unit]
                and not (self.fetch(a.unit, False) and a.slot in self.values[a.unit])}

    def recompute(self, unit, position=None):
        """Runs the operations of `unit` again: at a position of the plan, or because it is needed now."""
        if position is not None:
            for other, slot in self.missing(unit).items():
                self.value(other, slot)
        self.summary.recomputed += 1
        local, wanted = {}, self.kept[unit] | self.read[unit]
        values = self.values[unit]
        with _below_autograd(), _no_autocast():
            for entry in self.entries[unit]:
                positions = {i for i, _ in entry.facts.writes}
                args = [self.give(unit, a, local, i in positions, position) for i, a in enumerate(entry.args)]
                kwargs = {k: self.give(unit, v, local, False, position) for k, v in entry.kwargs.items()}
                with _random(entry.random):
                    results = entry.function(*args, **kwargs)
                for slot, tensor in zip(entry.slots, _flat(results)):
                    if slot is not None:
                        local[slot] = _base(tensor)
                del args, kwargs, results
        for slot, tensor in local.items():
            if slot in wanted:  # what was overwritten bears another unit's name
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
            return value.geometry.of(local[value.slot])
        self.host.arrived(value.unit)
        if written:
            self.host.sent(value.unit)
        base = self.values[value.unit].get(value.slot)
        if base is None:
            base = local.get((value.unit, value.slot))  # what this very operation overwrites
        if base is None:
            raise self.lost(value.unit)
        if written and (position is None or self.plan.frees_later(value.unit, position)):
            base = _copy_of(base)
        elif written:
            local[value.unit, value.slot] = self.values[value.unit].pop(value.slot, base)
        return value.geometry.of(base)

    def compare(self, unit, slot, tensor):
        before, now = self.sums.pop((unit, slot)), _checksum(self.results[unit, slot].of(tensor))
        if bool((before[0] == now[0]).all()):
            return
        vertex = self.plan.units[unit][2]
        scale = max(abs(float(before[1])), 1e-12)
        if not abs(float(before[1]) - float(now[1])) <= 1e-4 * scale:
            raise PlanMismatch(f'{vertex} gives something else when it is forwarded again, so that gradients would '
                               'be wrong; keep it by making it part of a module that is not in the plan, or report it')
        warnings.warn(f'zigzag: {vertex} is not deterministic: forwarded again it differs in the last digits')


class _Summary:
    """What is left to tell of a step when its tape is gone."""

    def __init__(self):
        self.left, self.recomputed, self.fetched, self.host_bytes = None, 0, 0, 0


class _Host:
    """What a plan has sent to host memory, storage by storage.

    On CUDA copies run on a stream of each direction, to and from pinned memory, and the step's stream waits for one
    only where it needs its end: before it frees or overwrites what is sent, and before it reads what is fetched.
    Elsewhere a copy is done when it returns; on a CPU it is one more buffer of the same memory.
    """

    def __init__(self):
        self.copies = {}  # unit -> slot -> (bytes in host memory, how they become the tensor again, event of the send)
        self.leaving, self.coming = {}, {}  # unit -> events of copies that may not be done
        self.bytes = self.peak = 0

    def send(self, unit, slot, base):
        if slot in self.copies.setdefault(unit, {}):
            return
        flat = torch.empty(0, dtype=torch.uint8, device=base.device).set_(_storage(base))
        like, event = (base.new_empty(0), base.storage_offset(), base.size(), base.stride()), None
        if base.is_cuda:
            with _aside(base.device, 'send') as side:
                host = torch.empty(flat.numel(), dtype=torch.uint8, pin_memory=True)
                host.copy_(flat, non_blocking=True)
                event = side.record_event()
                self.leaving.setdefault(unit, []).append((base.device, event))
        else:
            host = torch.empty(flat.numel(), dtype=torch.uint8).copy_(flat)
        self.copies[unit][slot] = host, like, event
        self.bytes += host.numel()
        self.peak = max(self.peak, self.bytes)

    def fetch(self, unit, values, last):
        """Gives `values` what they lack of the copies of a unit; `last` drops these. Whether one was made."""
        copies, found = self.copies.get(unit, {}), False
        for slot, (host, (empty, offset, size, stride), sent) in copies.items():
            if slot in values:
                continue
            flat, found = torch.empty(host.numel(), dtype=torch.uint8, device=empty.device), True
            if flat.is_cuda:
                with _aside(flat.device, 'fetch') as side:
                    side.wait_event(sent)
                    flat.copy_(host, non_blocking=True)
                    self.coming.setdefault(unit, []).append((flat.device, side.record_event()))
                flat.record_stream(side)  # nobody may have this memory before the copy into it is done
            else:
                flat.copy_(host)
            values[slot] = empty.new_empty(0).set_(_storage(flat), offset, size, stride)
        if last:
            self.bytes -= sum(host.numel() for host, _, _ in self.copies.pop(unit, {}).values())
        return found

    def sent(self, unit):
        """The step's stream goes on once what is sent of a unit has left."""
        _wait_for(self.leaving.pop(unit, ()))

    def arrived(self, unit):
        _wait_for(self.coming.pop(unit, ()))


def _wait_for(copies):
    for device, event in copies:
        torch.cuda.current_stream(device).wait_event(event)


@contextlib.contextmanager
def _aside(device, direction):
    """The stream of a device's copies, which goes on from where the step's own is now."""
    side = _copies_of(device, direction)
    side.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(side):
        yield side


@functools.lru_cache(maxsize=None)
def _copies_of(device, direction):
    return torch.cuda.Stream(device)


def _base(tensor):
    """The same memory, seen from its beginning, and no part of autograd's graph."""
    return tensor.detach()


def _detached(tape, tensor):
    """The same for a hook, in which the mode is on: it must not take that for an operation of the model."""
    tape.busy = True
    try:
        return tensor.detach()
    finally:
        tape.busy = False


def _copy_of(base):
    """A tensor with a storage of its own that holds all that the storage of `base` holds."""
    storage = _storage(base).clone()
    return torch.empty(0, dtype=base.dtype, device=base.device).set_(
        storage, base.storage_offset(), base.size(), base.stride())


class _Run:
    """Masks drawn one after another: the state before each is the first one, after the masks between are drawn again.

    A state of the CPU's generator is 5 KB, more than many a mask.
    """
    __slots__ = ('start', 'draws', 'size', 'end')

    def __init__(self, start):
        self.start, self.draws, self.size, self.end = start, [], 0, None

    def before(self, mask, chance):
        """What gives the state in which this mask is drawn."""
        self.draws.append((mask.size(), chance))
        self.size += mask.numel()
        return functools.partial(self.state, len(self.draws) - 1)

    def state(self, count):
        generator = torch.Generator().set_state(self.start)
        for size, chance in self.draws[:count]:
            torch.empty(size, dtype=torch.uint8).bernoulli_(chance, generator=generator)
        return generator.get_state()


def _generators(args, kwargs):
    return [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Generator)]


def _random_states(args, kwargs):
    own = _generators(args, kwargs)
    if own:
        return None, [(generator, generator.get_state()) for generator in own]
    devices = sorted({t.get_device() for t in (*_flat(args), *_flat(list(kwargs.values()))) if t.is_cuda})
    device = kwargs.get('device')
    if device is not None and torch.device(device).type == 'cuda' and not devices:
        devices = [torch.cuda.current_device()]
    return torch.get_rng_state(), [(d, torch.cuda.get_rng_state(d)) for d in devices]


@contextlib.contextmanager
def _random(states):
    """Draws what was drawn, and leaves the random state as it is."""
    if states is None:
        yield
        return
    now = (None if states[0] is None else torch.get_rng_state(),
           [(d, d.get_state() if isinstance(d, torch.Generator) else torch.cuda.get_rng_state(d))
            for d, _ in states[1]])
    try:
        _set_random(states)
        yield
    finally:
        _set_random(now)


def _set_random(states):
    if states[0] is not None:
        torch.set_rng_state(states[0]() if callable(states[0]) else states[0])
    for device, state in states[1]:
        if isinstance(device, torch.Generator):
            device.set_state(state)
        else:
            torch.cuda.set_rng_state(state, device)


def _autocast_enabled(device):
    if hasattr(torch, 'get_autocast_dtype'):  # PyTorch 2.4 or later
        return torch.is_autocast_enabled(device)
    return torch.is_autocast_cpu_enabled() if device == 'cpu' else torch.is_autocast_enabled()


def _autocast_state():
    return tuple(_autocast_dtype(device) if _autocast_enabled(device) else None for device in ('cpu', 'cuda'))


def _autocast_dtype(device):
    if hasattr(torch, 'get_autocast_dtype'):
        return torch.get_autocast_dtype(device)
    return torch.get_autocast_cpu_dtype() if device == 'cpu' else torch.get_autocast_gpu_dtype()


@contextlib.contextmanager
def _below_autograd():
    """Where operations were recorded: kernels that ask see that gradients are wanted, and no graph is made."""
    guard = torch._C._AutoDispatchBelowAutograd()
    with guard if hasattr(guard, '__enter__') else contextlib.nullcontext(), torch.enable_grad():
        yield  # without a protocol (1.13) the guard is in force while it lives


@contextlib.contextmanager
def _no_autocast():
    """What runs again ran below autocast: its types are decided."""
    if not any(_autocast_enabled(device) for device in ('cpu', 'cuda')):
        yield
        return
    with torch.autocast('cpu', enabled=False), torch.autocast('cuda', enabled=False):
        yield


def _checksum(tensor):
    """(sums over the bits of a tensor, sum of its absolute values), on the device where it lies."""
    parts = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)
    integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[parts.element_size()]
    exact, total = [], torch.zeros((), dtype=torch.float64, device=tensor.device)
    for part in parts.split(1 << 22):  # so that a sum needs little memory
        bits = part.view(integer).to(torch.int64)
        exact.append(torch.stack([bits.sum(), (bits * torch.arange(1, len(bits) + 1, device=bits.device)).sum()]))
        total += part.double().nan_to_num(0, 0, 0).abs().sum()
    return torch.stack(exact) if exact else torch.zeros(0, 2, dtype=torch.int64, device=tensor.device), total


# ---------------------------------------------------------------------------------------------- plans of the zoo

# How ATen calls what a plan of Zigzag's own networks names by kind.
KINDS = {'hardtanh': 'relu6', 'hardtanh_': 'relu6', 'mean': 'adaptive-avg-pool'}
# By these alone: the other attributes of an operation change no byte of what it makes and keeps.
ATTRIBUTES = {'conv2d': ('outChannels', 'kernel', 'stride', 'padding', 'dilation', 'groups', 'bias'),
              'max-pool': ('kernel', 'stride', 'padding', 'ceilMode'),
              'avg-pool': ('kernel', 'stride', 'padding', 'ceilMode', 'countIncludePad'),
              'linear': ('outFeatures', 'bias')}
UNORDERED = ('add', 'multiply')
TRIED_SAMPLES = 2  # batch norm wants more than one


class _Node:
    """An operation as a plan's network and a model's forward can be compared: kind, size of a sample, inputs."""
    __slots__ = ('id', 'label', 'inputs', 'inplace', 'after')

    def __init__(self, id, kind, attributes, shape, inputs, inplace):
        told = tuple((key, str(attributes[key])) for key in ATTRIBUTES.get(kind, ()) if key in attributes)
        sample = list(shape[1:])
        while sample and sample[-1] == 1:  # of what is averaged: whether its sides are left away
            sample.pop()
        self.id, self.label, self.inputs, self.inplace, self.after = (
            id, (kind, tuple(sample), told), inputs, inplace, None)

    def __str__(self):
        kind, sample, told = self.label
        kernel = dict(told).get('kernel')
        size = ' x '.join(str(extent) for extent in sample) or '1'
        return f'{kind}{f" {kernel}" if kernel else ""} of {size} a sample'

    def reads(self, found):
        inputs = [found[i] for i in self.inputs]
        return tuple(sorted(inputs, key=str) if self.label[0] in UNORDERED else inputs)


def _planned(operations):
    """(nodes of the network for which a plan was made, its views -> what they are views of)."""
    nodes, views = [], {}
    for operation in operations:
        inputs = [views.get(i, i) for i in operation['inputs']]
        if operation.get('view'):
            views[operation['id']] = inputs[0]
            continue
        attributes = operation.get('attrs') or {}
        nodes.append(_Node(operation['id'], operation['op'], attributes, operation['shape'], inputs,
                           attributes.get('inplace') is True))
    return nodes, views


def _found(drawing):
    """(nodes of a recorded forward by the numbers of their operations, casts of autocast -> what they cast)."""
    nodes, casts = [_Node(SOURCE, 'input', {}, drawing.recorder.input[0], [], False)], {}
    for number in drawing.members:
        unit = drawing.units[number]
        numbers, reads_inputs = drawing.sources(number)
        if unit.label == '_to_copy':
            if numbers or reads_inputs:
                source = numbers[0] if numbers else SOURCE
                casts[number] = casts.get(source, source)
            else:
                casts[number] = None  # of a parameter
            continue
        inputs = [casts.get(n, n) for n in numbers]
        inputs = [n for n in inputs if n is not None]
        if reads_inputs:
            inputs.append(SOURCE)
        kind, attributes = unit.kind or (KINDS.get(unit.label, unit.label), {})
        if any('dropout' in drawing.units[m].label or drawing.units[m].label == 'bernoulli_'
               for m in drawing.members[number]):
            kind, attributes = 'dropout', {}
        nodes.append(_Node(number, kind, attributes, unit.shape or [0], inputs, unit.overwrites is not None))
    return nodes, casts


def _look_ahead(nodes, numbers):
    """Gives each node a number that stands for all that follows from it, the same in every network."""
    followers = collections.defaultdict(list)
    for node in reversed(nodes):
        follows = tuple(sorted(followers[node.id]))
        node.after = numbers.setdefault((node.label, follows), len(numbers))
        for position, source in enumerate(node.inputs):
            followers[source].append((node.after, 0 if node.label[0] in UNORDERED else position))


def _matched(planned, found, model):
    """Operation of the plan -> number in the model's forward: one to one, kinds, sizes and edges alike.

    Both are walked from the input. What reads the same, makes the same and is followed by the same is the same, or
    else cannot be told apart by anything that memory depends on. Raises PlanMismatch with the first difference.
    """
    numbers = {}
    for nodes in (planned, found):
        _look_ahead(nodes, numbers)
    pairs = _walk(planned, found, lambda node: node.after)
    if pairs is None:
        what = _walk(planned, found, lambda node: node.label, telling=True)
        raise PlanMismatch(f'the plan is of {model}, and this model is another network: {what}; capture this model and '
                           'make the plan from that file')
    return pairs


def _walk(planned, found, sign, telling=False):
    waiting, own = collections.defaultdict(collections.deque), {node.id: node.id for node in planned}
    for node in planned:
        waiting[sign(node), node.reads(own)].append(node)
    pairs = {}  # number -> operation of the plan
    for node in found:
        open_ = waiting[sign(node), node.reads(pairs)] if all(i in pairs for i in node.inputs) else None
        if not open_:
            return f'nothing in it is what {node} is here ({node.id})' if telling else None
        pairs[node.id] = open_.popleft().id
    left = next((nodes[0] for nodes in waiting.values() if nodes), None)
    if left is not None:
        return f'it has {left.id} ({left}), and here is none' if telling else None
    return 'its operations are put together otherwise' if telling else {v: k for k, v in pairs.items()}


def _for_model(document, model):
    """A plan of one of Zigzag's own networks in the words of `model`, whose forward has the same operations.

    The model is run once on two samples of zeros of the plan's size, under the autocast that is in force; nothing of
    it changes. Casts of autocast go with what they cast. Raises PlanMismatch where the two are not one network.
    """
    title, first = document.get('model', 'another network'), document['operations'][0]
    shape, parameter = first.get('shape') or [], next(model.parameters(), None)
    if first.get('op') != 'input' or len(shape) < 2 or parameter is None:
        raise PlanMismatch(f'the plan is of {title}, which no model is compared with; capture the model and make the '
                           'plan from that file')
    if not model.training:
        raise PlanMismatch('the plan is of training, and the model is in evaluation mode: call model.train() first')
    sample = torch.zeros(TRIED_SAMPLES, *shape[1:], dtype=parameter.dtype, device=parameter.device)
    try:
        with _without_plan(model):
            drawing = _Drawing(_record(model, (sample,), {}, None, ()))
        drawing.draw()
    except CannotCapture as error:
        size = ' x '.join(str(extent) for extent in shape[1:])
        raise PlanMismatch(f'the plan is of {title} at {size} a sample, on which this model does not run ({error})'
                           ) from error
    planned, views = _planned(document['operations'])
    found, casts = _found(drawing)
    pairs = _matched(planned, found, title)
    return {**document, 'origin': document, 'steps': _translated(document, planned, found, views, casts, pairs, drawing)}


def _translated(document, planned, found, views, casts, pairs, drawing):
    """The steps of a plan, each with the model's own operation; the model must run them in the plan's order."""
    by_number = {node.id: node for node in found}
    release = {}  # what the plan lets overwrite its input -> that input, where the model does not overwrite it
    for node in planned:
        theirs = by_number[pairs[node.id]]
        if theirs.inplace and not node.inplace:
            raise PlanMismatch(f'{drawing.name(theirs.id)} overwrites its input, on which the plan counts; capture '
                               'this model and make the plan from that file')
        if node.inplace and not theirs.inplace:
            release[theirs.id] = theirs.inputs[0]
    casting = sorted(cast for cast, source in casts.items() if source is not None)
    steps, names, forwarded, newest, oldest = [], collections.defaultdict(set), set(), -1, float('inf')

    def ordered(fits):
        if not fits:
            raise PlanMismatch('the plan runs operations in another order than PyTorch does; take it from Use in '
                               'PyTorch in the lab, or make it with `zigzag export MODEL --to torch-plan`')

    for kind, vertex, *rest in document['steps']:
        number = pairs.get(views.get(vertex, vertex))
        if number is None or number == SOURCE:
            continue
        if kind in ('forward', 'fetch'):
            names[number].add(vertex)
        elif kind == 'free' and not rest:
            names[number].discard(vertex)
            if names[number]:
                continue
        if vertex in views and kind != 'free':
            continue
        name = drawing.name(number)
        if kind == 'forward' and number not in forwarded:
            ordered(number > newest)
            # Autocast casts where something is first read.
            steps.extend(['forward', drawing.name(cast)] for cast in casting if newest < cast < number)
            forwarded.add(number)
            newest = number
        elif kind == 'backward':
            ordered(number < oldest)
            oldest = number
        steps.append([kind, name, *rest])
        if kind == 'forward' and number in release:
            steps.append(['free', drawing.name(release[number])])
        elif kind == 'free' and not rest:
            steps.extend(['free', drawing.name(cast)] for cast in casting
                         if cast < newest and casts[cast] == number)
    return steps


# ------------------------------------------------------------------------------------------------- verifying

def _value(results, loss):
    """The scalar on which backward is called."""
    if loss is not None:
        return loss(results)
    ends = _ends(results)
    if not ends:
        raise CannotCapture('nothing that the model returns has a gradient')
    return ends[0] if len(ends) == 1 and ends[0].dim() == 0 else sum(
        (t.real if t.is_complex() else t).float().sum() for t in ends)


def verify(model, plan, *inputs, loss=None, **kwargs):
    """One step of `model` under `plan` against one without: loss, every gradient, buffers, random state.

    Needs the memory of a plain step. The model, its gradients and the random state are as before afterwards.
    Returns {'loss': its value, 'exact': whether all is equal to the bit, 'left': None or where the forward left the
    plan, 'recomputed': operations forwarded again}. Where two plain steps differ themselves, differences up to twice
    theirs are allowed, as long as that is no more than rounding. Raises PlanMismatch with the first difference.
    """
    inner = _inner(model)
    names = {name: p for name, p in inner.named_parameters() if p.requires_grad}
    devices = sorted({t.get_device() for t in _tensors((inputs, kwargs)) if t.is_cuda})

    def step():
        with _as_before(inner) as undo, torch.random.fork_rng(devices=devices), torch.enable_grad():
            with undo:
                value = _value(model(*inputs, **kwargs), loss)
            gradients = torch.autograd.grad(value, list(names.values()), allow_unused=True)
            found = {'the loss': value.detach()}
            found.update((f'the gradient of {name}', g) for name, g in zip(names, gradients))
            found.update((f'the buffer {name}', b.detach().clone()) for name, b in inner.named_buffers())
            found['the random state'] = torch.get_rng_state()
            return found

    with _without_plan(inner):
        plain = step()
        apply(model, plan)
        planned = step()
        facts = followed(model)
        remove(inner)
        different = [name for name in plain if not _same(plain[name], planned[name])]
        if different:
            again = step()
            for name in different:
                own, found = _distance(plain[name], again[name]), _distance(plain[name], planned[name])
                if not own <= 1e-3:
                    raise PlanMismatch(f'two plain steps differ in {name} by {own:.3g} of its largest value, so that '
                                       'nothing can be said: whatever moves between steps outside of the model must '
                                       'stand still')
                if not found <= 2 * own:
                    raise PlanMismatch(f'under the plan {name} differs from plain training by {found:.3g} of its '
                                       'largest value; do not train with it, and report the model')
        return {'loss': float(plain['the loss']), 'exact': not different, **facts}


def _same(a, b):
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and a.dtype == b.dtype and bool(((a == b) | ((a != a) & (b != b))).all())


def _distance(a, b):
    if a is None or b is None or a.shape != b.shape:
        return 0.0 if a is b else float('inf')
    a, b = a.double(), b.double()
    return float((a - b).abs().max() / a.abs().max().clamp_min(1e-300)) if a.numel() else 0.0


# ------------------------------------------------------------------------------------------- inside PyTorch's own

def contexts(plan):
    """The plan as a policy for PyTorch's selective checkpointing (PyTorch 2.4 or later), for use under
    torch.compile, FSDP2 or tensor parallelism:

        torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False, context_fn=zigzag.contexts(plan))

    `plan` is of a capture of that very block. Saves what the plan keeps through the forward and recomputes the rest
    at once when backward reaches the block: PyTorch's schedule, not the plan's, so that the peak is that of a block.
    """
    from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts
    if not isinstance(plan, dict):
        with open(plan, encoding='utf8') as file:
            plan = json.load(file)
    plan = _Plan(plan)
    if plan.transfers:
        raise PlanMismatch('the plan sends activations to host memory, which selective checkpointing does not: use '
                           'zigzag.apply, or make a plan with another strategy')
    dropped = {unit for told in plan.opening.values() for _, unit, auxiliary in told if not auxiliary}

    def fresh():
        counts = collections.Counter()

        def policy(context, function, *args, **kwargs):
            if not _facts(function).counts:
                return CheckpointPolicy.PREFER_RECOMPUTE
            number = counts[context.is_recompute]
            counts[context.is_recompute] += 1
            keep = plan.unit_at.get(number, number) not in dropped
            return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

        return create_selective_checkpoint_contexts(policy)

    return fresh


# ------------------------------------------------------------------------------------------------- measuring

def measure(model, *inputs, loss=None, steps=3, path=None, **kwargs):
    """Peak bytes and seconds of a training step of `model` (regular or planned) on `inputs`.

    `peakBytes` counts the inputs and what a step allocates and releases: activations and their gradients, not
    parameters and what lasts. On CUDA the allocator says it, kernels' workspace included. On a CPU the
    profiler does, and `peakBytes` leaves out what a convolution or a batch norm's backward allocates and releases
    inside one kernel (the im2col buffer; a second buffer for the gradient of the input); `rawPeakBytes` has it.
    `hostBytes` is what a plan has in host memory at most; on a CPU, where that is the same memory, the peaks count it
    too. `loss` maps the outputs to a scalar; by
    default it is their own `loss`, else their sum. `path` writes the result as JSON, which `zigzag explain` and the
    lab lay over the prediction; `parameters` and `batch` say what was measured. Under torch.autocast a step is one
    whose forward alone is inside of it, as PyTorch has it.
    """
    def step():
        outputs = model(*inputs, **kwargs)
        value = _value(outputs, loss)
        del outputs
        # As leaving autocast does. A copy of a weight that the step before made would keep its gradient to the end.
        torch.clear_autocast_cache()
        value.backward()

    def written(result):
        if path is not None:
            with open(path, 'w') as file:
                json.dump(result, file)
        return result

    given = _tensors((inputs, kwargs))
    cuda = any(t.is_cuda for t in given)
    size = sum(t.numel() * t.element_size() for t in given)
    step()
    seconds = []
    for _ in range(steps):
        if cuda:
            torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        if cuda:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    result = {'device': 'cuda' if cuda else 'cpu', 'seconds': sorted(seconds)[len(seconds) // 2] if seconds else None,
              'parameters': sum(p.numel() for p in model.parameters()), 'batch': _samples((inputs, kwargs))}
    if cuda:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        step()
        torch.cuda.synchronize()
        return written({**result, 'peakBytes': torch.cuda.max_memory_allocated() - before + size, **_host_bytes(model)})
    model.zero_grad(set_to_none=True)
    raw, peak = _profiled(step)
    return written({**result, 'peakBytes': peak + size, 'rawPeakBytes': raw + size, **_host_bytes(model)})


def _host_bytes(model):
    host = followed(model)['hostBytes']
    return {'hostBytes': host} if host > 0 else {}


# Operations whose CPU kernels hold buffers of a tensor's size, by a part of their names. That of a batch norm's backward
# was measured on 1.13 and 2.15 as exactly what ResNet-18 under `live` lacked of its promise: 1.05 of 4.00 MB.
_BUFFERED = 'conv', 'native_batch_norm_backward'


def _profiled(step):
    """(peak of all, peak outside kernels with buffers) of the bytes that a step allocates and releases."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        step()
    changes, kernels = [], []

    def walk(events):
        for event in events:
            fields = event.extra_fields
            if hasattr(fields, 'alloc_size'):
                changes.append((event.start_time_ns, fields.ptr, fields.alloc_size))
            elif event.name.startswith('aten::') and any(part in event.name for part in _BUFFERED):
                kernels.append((event.start_time_ns, event.end_time_ns))
            walk(event.children)

    walk(profile.profiler.kineto_results.experimental_event_tree())
    changes.sort(key=lambda change: change[0])
    held, size_of = {}, [0] * len(changes)
    for index, (_, pointer, size) in enumerate(changes):
        if size > 0:
            held[pointer] = (index, size)
        elif pointer in held:  # released: count it from where it was allocated to here
            at, allocated = held.pop(pointer)
            size_of[at], size_of[index] = allocated, -allocated
    kernels.sort()
    live = raw = peak = kernel = 0
    for (when, _, _), size in zip(changes, size_of):
        while kernel < len(kernels) and kernels[kernel][1] < when:
            peak = max(peak, live)
            kernel += 1
        inside = kernel < len(kernels) and kernels[kernel][0] <= when
        live += size
        raw = max(raw, live)
        if not inside:
            peak = max(peak, live)
    return raw, max(peak, live)
