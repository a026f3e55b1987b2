"""Numbers the operations of one forward, and finds the operation of a saved tensor."""
import contextlib
import functools
import threading

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils import checkpoint as torch_checkpoint
from torch.utils._python_dispatch import TorchDispatchMode

from .operations import _facts
from .tensors import CannotCapture, _flat, _key


class _Watch(TorchDispatchMode):
    """Numbers the operations of one forward, and finds the operation whose backward needs a saved tensor. Operations
    are counted in running order, without views. A module in `wholes`, whose inside differs from step to step, counts as
    one.
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
        self.busy = False  # the running operation is not the model's
        self.last = None  # (number, results, facts) of the last operation
        self.remaining = None  # number of its saved tensors still to come
        self.regions = []  # numbers of the operations within each of the model's own checkpoints

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if self.busy:
            return function(*args, **(kwargs or {}))
        facts = _facts(function)
        if self.last is not None:
            self.settle(*self.last)
            self.last = self.remaining = None
        if not facts.counts:
            return function(*args, **(kwargs or {}))
        number = self.next_number(facts, args)
        results = self.operation(number, facts, function, args, kwargs or {})
        self.last = (number, results, facts)
        return results

    def next_number(self, facts, args):
        number = self.count
        if self.whole is None:
            self.count += 1
        return number

    def settle(self, number, results, facts):
        """Called after autograd has seen an operation's results, before the next operation."""

    def owner(self, key):
        """The number of the operation for whose backward autograd now saves a tensor with this key.

        Autograd saves inputs before an operation runs and results after. So between two operations come first the
        results of one and then the inputs of the other; the node of the first shows what it saved.
        """
        if self.whole is not None or self.last is None:
            return self.count
        number, results, facts = self.last
        if self.remaining is None:
            node = next((t.grad_fn for t in _flat(results) if t.grad_fn is not None), None)
            if node is None:
                return self.count
            kind = type(node)
            if kind not in facts.saves:
                is_custom = hasattr(node, '_raw_saved_tensors') and not kind.__module__.startswith('torch')
                names = [n[len('_raw_saved_'):] for n in dir(node) if n.startswith('_raw_saved_')]
                facts.saves[kind] = None if is_custom else sum(n in facts.results for n in names)
            saves = facts.saves[kind]
            self.custom = saves is None  # a torch.autograd.Function
            self.remaining = len(node._raw_saved_tensors) if self.custom else saves
        if self.remaining > 0 and (self.custom or any(_key(t) == key for t in _flat(results))):
            self.remaining -= 1
            return number
        return self.count

    @contextlib.contextmanager
    def watching(self, model):
        """Turns everything on: the mode, the hooks, whole modules counted once, and the model's own checkpointing off."""
        hooks = []
        modules = dict(model.named_modules()) if self.wholes else {}
        for path in self.wholes:
            if path in modules:
                hooks.append(modules[path].register_forward_pre_hook(functools.partial(self.enter, path)))
                hooks.append(modules[path].register_forward_hook(self.leave))
        try:
            with _no_checkpointing(self), saved_tensors_hooks(self.pack, self.unpack), self:
                yield self
            if self.last is not None:
                self.settle(*self.last)
        finally:
            self.last = self.remaining = None
            for hook in hooks:
                hook.remove()

    @contextlib.contextmanager
    def region(self):
        start = self.count
        yield
        self.regions.append(range(start, self.count))

    def enter(self, path, *_):
        if self.whole is None:
            self.whole = path

    def leave(self, module, *_):
        if self.whole is not None:
            self.whole = None
            self.count += 1

    def unpack(self, saved):
        return saved.tensor


class _Uncheckpointed(threading.local):
    watches = ()


_uncheckpointed = _Uncheckpointed()
_ROUTES = threading.RLock()
_routes = []  # (owner, name, original) while a forward under a plan runs in any thread
_running = [0]


def _is_watched():
    """True while a forward of this thread is being captured, or runs under a plan."""
    return bool(_uncheckpointed.watches)


def _is_numbered():
    """True while this thread's operations are numbered, for a capture or a plan."""
    return any(watch is not None for watch in _uncheckpointed.watches)


def _bare(function, preserve=True, *args, **kwargs):
    watch = _uncheckpointed.watches[-1]
    with contextlib.nullcontext() if watch is None else watch.region():
        return function(*args, **kwargs)


def _once(*args, **kwargs):
    with _uncheckpointed.watches[-1].region():
        yield


@contextlib.contextmanager
def _no_checkpointing(watch=None):
    """Turns a model's own checkpointing off in this thread: the plan decides what is recomputed. Without `watch` only the
    reentrant one, which refuses `torch.autograd.grad`. PyTorch's functions are replaced only during such a forward, and
    behave as before in every other thread.
    """
    with _ROUTES:
        _running[0] += 1
        if _running[0] == 1:
            _open_routes()
    before = _uncheckpointed.watches
    _uncheckpointed.watches = (*before, watch)
    try:
        yield
    finally:
        _uncheckpointed.watches = before
        with _ROUTES:
            _running[0] -= 1
            if _running[0] == 0:
                _close_routes()


def _open_routes():
    reentrant = torch_checkpoint.CheckpointFunction
    names = {'_checkpoint_without_reentrant': _bare, '_checkpoint_without_reentrant_generator': _once,
             '_checkpoint_without_reentrant_generator_impl': _once}
    for owner, name, plain in [(reentrant, 'apply', _bare), *((torch_checkpoint, n, f) for n, f in names.items())]:
        original = getattr(owner, name, None)
        if original is not None:
            _routes.append((owner, name, original))
            route = _route(plain, original, owner is reentrant)
            setattr(owner, name, staticmethod(route) if owner is reentrant else route)


def _route(plain, original, is_reentrant):
    def route(*args, **kwargs):
        watches = _uncheckpointed.watches
        is_off = watches and (is_reentrant or watches[-1] is not None)
        return (plain if is_off else original)(*args, **kwargs)
    return route


def _close_routes():
    while _routes:
        owner, name, original = _routes.pop()
        if name == 'apply':
            del owner.apply
        else:
            setattr(owner, name, original)


def _inner(model):
    """The user's module inside DistributedDataParallel, DataParallel, DeepSpeed's engine or torch.compile."""
    while True:
        if isinstance(model, (nn.parallel.DistributedDataParallel, nn.DataParallel)) or _is_engine(model):
            model = model.module
        elif '_orig_mod' in getattr(model, '_modules', ()):
            model = model._orig_mod
        else:
            return model


def _is_engine(model):
    """True for DeepSpeed's, whose hooks take every backward for that of its training loop."""
    return any(kind.__name__ == 'DeepSpeedEngine' for kind in type(model).__mro__)


def _require_weights(model):
    """Raises CannotCapture if another library takes a layer's weights away after its forward: a plan runs parts of the layer
    again, without what brings them back."""
    if hasattr(next(model.parameters(), None), 'ds_id'):
        who, instead = 'ZeRO-3 of DeepSpeed', 'ZeRO-2 or fully_shard of PyTorch'
    elif _is_flattened(model):
        who, instead = 'FullyShardedDataParallel', 'fully_shard (FSDP2; fsdp_version: 2 in the configuration of accelerate)'
    else:
        return
    raise CannotCapture(f'{who} takes the weights of this model away between its layers, so that no plan can compute results '
                        f'again: use {instead}')


def _is_flattened(model):
    """True for a model within the first FSDP or around it, which joins the weights of a layer to one tensor."""
    if any(type(module).__name__ == 'FullyShardedDataParallel' for module in model.modules()):
        return True
    # Both kinds of FSDP manage modules; only the first makes weights views of that tensor.
    return getattr(model, '_is_fsdp_managed_module', False) and (
        not model._fsdp_use_orig_params or any(type(p) is torch.Tensor for p in model.parameters()))


def _eager():
    """Runs compiled parts of a model uncompiled, so that their operations are visible."""
    compiler = getattr(torch, 'compiler', None)
    stance = getattr(compiler, 'set_stance', None)
    return stance('force_eager') if stance is not None else contextlib.nullcontext()
