"""Tensors and their storages."""
import functools

import torch
from torch import nn


class CannotCapture(ValueError):
    """The model cannot be captured as a graph; the message is one sentence that says where and why."""


class NothingSaved(CannotCapture):
    """No result of the forward has a gradient."""


class PlanMismatch(ValueError):
    """The plan does not belong to the model; the message says where they differ."""


# In 1.13 a tensor has only a typed storage.
_storage = getattr(torch.Tensor, 'untyped_storage', lambda tensor: tensor.storage().untyped())
STRIDED, ORDINARY = torch.strided, (torch.Tensor, nn.Parameter)


def _key(tensor):
    """Key of a tensor's memory while anything refers to it; None if it has no memory of its own."""
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
    """The tensors in a model's arguments or outputs, each once."""
    found = []
    _gather(value, found, set())
    return found


def _gather(item, found, seen):
    # Not nested: a recursive inner function would keep the tensors until Python's garbage collector runs.
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
    """The tensors among the arguments or results of one operation, nested no deeper than lists."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for part in value for t in _flat(part)]
    return []


class _Geometry:
    """Layout of a tensor in its storage."""
    __slots__ = ('size', 'stride', 'offset', 'dtype')

    def __init__(self, tensor):
        self.size, self.stride = tensor.size(), tensor.stride()
        self.offset, self.dtype = tensor.storage_offset(), tensor.dtype

    def of(self, base):
        if base.dtype == self.dtype:
            if base.size() == self.size and base.stride() == self.stride and base.storage_offset() == self.offset:
                return base  # making a view of it takes longer
            return base.as_strided(self.size, self.stride, self.offset)
        return torch.empty(0, dtype=self.dtype, device=base.device).set_(
            _storage(base), self.offset, self.size, self.stride)


def _plain(tensor):
    """True if size, stride, offset and type fully describe how a tensor reads its storage."""
    return type(tensor) in ORDINARY and tensor.layout is STRIDED and not tensor.is_conj() and not tensor.is_neg()


def _base(tensor):
    """The whole storage as a tensor outside autograd's graph."""
    return tensor.detach()


def _copy_of(base):
    """A copy of the whole storage of `base`, as a tensor."""
    storage = _storage(base).clone()
    return torch.empty(0, dtype=base.dtype, device=base.device).set_(
        storage, base.storage_offset(), base.size(), base.stride())


def _samples(inputs):
    """The first extent of a model's inputs; 1 if none has one."""
    return next((int(t.shape[0]) for t in _tensors(inputs) if t.dim() > 0 and t.shape[0] > 0), 1)


def _product(extents):
    return functools.reduce(lambda a, b: a * b, extents, 1)
