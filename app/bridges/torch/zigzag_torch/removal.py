"""Undoes `apply`."""
import contextlib
import functools

import torch

from .watch import _inner


class _Planned:
    """Base of `_Forward`, by which a forward under a plan is known."""
    removed = False


def _planned_forward(inner):
    """The forward under a plan of a module, which others (accelerate) may have wrapped, or None."""
    found, seen = vars(inner).get('forward'), set()
    while found is not None and not isinstance(found, _Planned) and id(found) not in seen:
        seen.add(id(found))
        function = getattr(found, '__func__', found)
        if isinstance(function, functools.partial):
            found = function.func
        else:
            found = getattr(function, '__wrapped__', None) or getattr(function, 'model_forward', None)
    if found is None:
        found = vars(inner).get('_original_forward')  # of accelerate
    return found if isinstance(found, _Planned) and not found.removed else None


def remove(model: torch.nn.Module) -> torch.nn.Module:
    """Undoes `apply`; returns the model. Where others have wrapped the forward since, it stays there and does nothing."""
    inner = _inner(model)
    forward = _planned_forward(inner)
    if forward is not None and vars(inner).get('forward') is forward:
        del inner.forward
        if forward.own is not None:
            inner.forward = forward.own
    elif forward is not None:
        forward.removed = True
    return model


@contextlib.contextmanager
def _without_plan(model):
    before, wrapped = vars(model).get('forward'), _planned_forward(model)
    remove(model)
    try:
        yield
    finally:
        remove(model)
        if isinstance(before, _Planned):
            model.forward = before
        elif wrapped is not None:
            wrapped.removed = False
