"""Undoes `apply`."""
import contextlib

from .watch import _inner


class _Planned:
    """Base of `_Forward`, by which a forward under a plan is known."""


def remove(model):
    """Undoes `apply`; returns the model."""
    inner = _inner(model)
    forward = vars(inner).get('forward')
    if isinstance(forward, _Planned):
        del inner.forward
        if forward.own is not None:
            inner.forward = forward.own
    return model


@contextlib.contextmanager
def _without_plan(model):
    before = vars(model).get('forward')
    remove(model)
    try:
        yield
    finally:
        remove(model)
        if isinstance(before, _Planned):
            model.forward = before
