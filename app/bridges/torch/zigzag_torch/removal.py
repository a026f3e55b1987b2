"""Undoes `apply`."""
import contextlib
import functools

import torch

from .watch import _inner


class _Planned:
    """Base of `_Forward`, which marks a forward under a plan."""
    removed = False
    parts = ()  # modules whose own plans belong to this one
    hooks = ()  # of the parameters, until a forward has run

    def drop_hooks(self):
        while self.hooks:
            self.hooks.pop().remove()


def _planned_forward(inner):
    """A module's forward under a plan, which other code (accelerate) may have wrapped, or None."""
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
    """Undoes `apply`; returns the model. If other code has wrapped the forward since, it stays there but does nothing."""
    inner = _inner(model)
    forward = _planned_forward(inner)
    if forward is not None:
        forward.drop_hooks()
        vars(inner).pop('_replicate_for_data_parallel', None)
        for part in forward.parts:
            remove(part)
        _take_off(inner, forward)
    return model


def _take_off(inner, forward):
    if vars(inner).get('forward') is not forward:
        forward.removed = True
        return
    del inner.forward
    if forward.own is not None:
        inner.forward = forward.own


@contextlib.contextmanager
def _without_plan(model):
    before, wrapped = vars(model).get('forward'), _planned_forward(model)
    parts = [_planned_forward(part) for part in (wrapped.parts if wrapped is not None else ())]
    if wrapped is not None:
        _take_off(model, wrapped)
    for part in filter(None, parts):
        part.removed = True
    try:
        yield
    finally:
        for part in filter(None, parts):
            part.removed = False
        remove(model)
        if isinstance(before, _Planned):
            model.forward = before
        elif wrapped is not None:
            wrapped.removed = False
