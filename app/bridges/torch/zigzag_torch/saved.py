"""References to saved tensors that a plan manages."""
from torch.multiprocessing.reductions import StorageWeakRef

from .tensors import _base, _flat, _Geometry, _storage


class _Direct:
    """A saved tensor that is kept."""
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


def _marked(tensor):
    """A view of a result that the program still holds; it shows a later change in place."""
    seen = tensor.detach()
    seen._zigzag_version = _version(seen)
    return seen


def _is_changed(base):
    version = getattr(base, '_zigzag_version', None)
    return version is not None and version != _version(base)


class _Argument(_Geometry):
    """A unit's result in the form in which an operation read it."""
    __slots__ = ('unit', 'slot')

    def __init__(self, at, tensor):
        super().__init__(tensor)
        self.unit, self.slot = at


class _Saved:
    """A saved tensor that the tape provides: an `_Argument`, or something with `get`."""
    __slots__ = ('owner', 'value')

    def __init__(self, owner, value):
        self.owner, self.value = owner, value


class _Inner(_Saved):
    """A tensor that an operation on the way to a unit's result saved. If autograd drops it within the forward, no gradient
    comes."""
    __slots__ = ('tape',)

    def __init__(self, owner, value, tape):
        super().__init__(owner, value)
        self.tape = tape

    def __del__(self):
        self.tape.lapse(self)


class _Recipe:
    """How a result outside the plan was computed from a much smaller tensor, which is kept instead."""
    __slots__ = ('function', 'args', 'kwargs', 'index', 'result')

    def __init__(self, function, args, kwargs, index, tensor):
        self.function, self.args, self.kwargs, self.index = function, args, kwargs, index
        self.result = StorageWeakRef(_storage(tensor))

    def base(self):
        results = self.function(*(_read(a) for a in self.args), **{k: _read(v) for k, v in self.kwargs.items()})
        return _base(_flat(results)[self.index])


class _Made:
    """Such a result in the form in which an operation read it."""
    __slots__ = ('recipe', 'geometry')

    def __init__(self, recipe, tensor):
        self.recipe, self.geometry = recipe, _Geometry(tensor)

    def get(self):
        return self.geometry.of(self.recipe.base())


def _read(value):
    return [_read(v) for v in value] if isinstance(value, list) else value.get() if isinstance(value, _Direct) else value


class _Entry:
    """One recorded operation, to run it again."""
    __slots__ = ('function', 'facts', 'args', 'kwargs', 'random', 'slots')

    def arguments(self):
        for value in (*self.args, *self.kwargs.values()):
            yield from (a for a in (value if isinstance(value, list) else (value,)) if isinstance(a, _Argument))


class _Summary:
    """Facts about a step that outlive its tape."""

    def __init__(self):
        self.left, self.recomputed, self.fetched, self.host_bytes = None, 0, 0, 0
