"""Gradients that the backward pass of an operation allocates, and those that it hands on."""
import re
import typing

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

from .operations import _facts
from .tensors import ORDINARY, STRIDED, _flat, _key, _size, _storage

# Nodes of autograd: a part of a tensor, and another form of all of it or of its parts.
SLICE = re.compile('Slice|Select|Diagonal|Unfold|AsStrided')
RESHAPE = re.compile('(Reshape|Unsafe)?(View|Alias|Split)|M?TBackward|Transpose|Permute|(Uns|S)queeze|Movedim')


class _Like(typing.NamedTuple):
    """A tensor's layout, and what autograd does with it."""
    size: tuple
    stride: tuple
    dtype: torch.dtype
    grad: bool
    view: bool  # an operation that overwrites it copies its gradient first
    trained: bool  # a parameter, whose gradient outlives the step


class _Backward(typing.NamedTuple):
    """The backward of one operation."""
    most_bytes: int  # that it allocates at once, gradients of parameters left out
    ends_bytes: int  # of the gradients of its results
    left_bytes: int  # of these when it has run, less the gradient of its result if that is free then
    keeps_result: bool  # true if it reads the result itself
    shares: bool  # the gradients of its inputs are all in the storage of its result's


class _Unlike(Exception):
    """A tensor that is not described by its layout."""


def _like(value, is_trained):
    if isinstance(value, torch.Tensor):
        if value.layout is not STRIDED or not (type(value) in ORDINARY or type(value).__name__ == 'FakeTensor'):
            raise _Unlike
        return _Like(tuple(value.size()), tuple(value.stride()), value.dtype, value.requires_grad, value._is_view(),
                     is_trained(value))
    if isinstance(value, (list, tuple)):
        return [_like(part, is_trained) for part in value]
    return value


class _Call:
    """An operation as it ran, without its tensors' memory."""

    def __init__(self, function, args, kwargs, is_trained):
        self.function = function
        self.args = _like(args, is_trained)
        self.kwargs = {name: _like(value, is_trained) for name, value in kwargs.items()}
        given = [t for t in _flat(args) if t.requires_grad]
        # Two gradients of one tensor are added up, and that of a part is copied into one of the whole.
        is_whole = all(t.numel() * t.element_size() == _size(t) for t in given)
        self.may_share = is_whole and len({_key(t) for t in given}) == len(given)

    def backward(self, ends, known):
        """The backward from its results at `ends` (None: from all), on the device `meta`; nothing if it cannot run there. A
        formula of autograd may hold several tensors beside its results."""
        key = repr((self.function, self.args, self.kwargs, ends, self.may_share))
        if key not in known:
            try:
                with torch.enable_grad(), torch.autocast('cpu', enabled=False), torch.autocast('cuda', enabled=False):
                    known[key] = self.measured(ends)
            except Exception:  # an operation without a kernel for `meta`
                known[key] = _Backward(0, 0, 0, True, False)
        return known[key]

    def measured(self, places):
        leaves = []
        args = [_made(value, leaves) for value in self.args]
        kwargs = {name: _made(value, leaves) for name, value in self.kwargs.items()}
        results = _flat(self.function(*args, **kwargs))
        ends = [results[i] for i in (range(len(results)) if places is None else places) if results[i].requires_grad]
        given = [torch.empty_like(t) for t in ends]
        with _Allocated() as allocated:
            found = torch.autograd.grad(ends, [leaf for leaf, _ in leaves], given, allow_unused=True)

        def keys(trained):
            return {_key(g) for g, (_, is_trained) in zip(found, leaves) if g is not None and is_trained == trained}
        made, sizes = keys(False), {_key(g): _size(g) for g in given}
        left = sum(allocated.storages[key][1] for key in made if key in allocated.storages)
        freed = sum(size for key, size in sizes.items() if key not in made)
        shares = self.may_share and len(given) == 1 and made == set(sizes)
        keeps = any(f'_raw_saved_{name}' in dir(t.grad_fn) for t in ends for name in _facts(self.function).results)
        return _Backward(allocated.most(keys(True)), sum(sizes.values()), left - freed, keeps, shares)


def _made(value, leaves):
    if isinstance(value, _Like):
        tensor = torch.empty_strided(value.size, value.stride, dtype=value.dtype, device='meta', requires_grad=value.grad)
        if not value.grad:
            return tensor
        leaves.append((tensor, value.trained))
        copy = tensor.clone()  # autograd lets nothing overwrite a leaf
        return copy.view(value.size) if value.view else copy
    return [_made(part, leaves) for part in value] if isinstance(value, list) else value


def _sliced(tensor):
    """Bytes of the result that a tensor is a slice of: its backward makes a gradient of that size. 0 for any other tensor."""
    node = tensor.grad_fn if tensor.numel() * tensor.element_size() < _size(tensor) else None
    while node is not None and RESHAPE.match(node.name()):
        node = node.next_functions[0][0]
    return _size(tensor) if node is not None and SLICE.match(node.name()) else 0


def _most_within(unit, result, known):
    """The most bytes that the backward within a module allocates that runs as a whole, less what it has freed by then of what
    the module saved within; `result` is the size of its result."""
    first = {}
    for place, at in enumerate(unit.saved):
        if at[0] == 'held':
            first.setdefault(at[1], (place, at[2]))
        elif at[0] == unit.number:
            first.setdefault(unit.keys[at[1]], (place, unit.results[at[1]]))
    saved, most, end, freed = sorted(first.values()), 0, len(unit.saved), 0
    for call, place in reversed(unit.calls):
        backward = call.backward(None, known)
        # Autograd saves an operation's result after it has run, and the next one's inputs then too.
        while saved and saved[-1][0] >= (end if backward.keeps_result else place):
            freed += saved.pop()[1]
        end = place
        most = max(most, backward.most_bytes + max(0, backward.ends_bytes - result) - freed)
    return most


class _Allocated(TorchDispatchMode):
    """Storages that operations allocate, and when they are free again."""

    def __init__(self):
        super().__init__()
        self.storages, self.moments = {}, []  # key -> (reference, bytes); keys of those that live after each operation

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        results = function(*args, **(kwargs or {}))
        given = {_key(t) for t in _flat(args)}
        for tensor in _flat(results):
            key = _key(tensor)
            if key not in given and key not in self.storages:
                self.storages[key] = StorageWeakRef(_storage(tensor)), _size(tensor)
        self.moments.append([key for key, (reference, _) in self.storages.items() if not reference.expired()])
        return results

    def most(self, left_out):
        return max((sum(self.storages[key][1] for key in live if key not in left_out) for live in self.moments), default=0)
