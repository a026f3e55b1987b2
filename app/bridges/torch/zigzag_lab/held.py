"""Forward passes that a step holds at once."""
import collections
import weakref

import torch

from .zigzag_torch.tensors import _tensors


class _Pass:
    """A forward pass, until its backward begins or autograd's graph is gone, which owns it as a hook of its results."""

    def __init__(self, held, kind, size):
        self.held, self.kind, self.size, self.is_over = held, kind, size, False

    def end(self, *_):
        if not self.is_over:
            if not self.held.is_after_backward:
                self.held.count()
            # With create_graph another backward follows, for which autograd holds this forward pass too.
            self.held.is_after_backward = self.is_over = not torch.is_grad_enabled()


class Held:
    """The forward passes of a model whose backward has not begun: a sum of several losses holds all of them.

    `most` has the most bytes, as captured, that a step held when a backward began, by the kinds of its forward passes.
    Those without a backward, such as a validation's, do not count. `is_after_backward` is true before a step's first.
    """

    def __init__(self):
        self.passes, self.most, self.is_after_backward = weakref.WeakSet(), collections.Counter(), False

    def count(self):
        found = [one for one in self.passes if not one.is_over]
        if len(found) == 1:
            return  # alone it is no more than was captured of its own kind, and may be more than of a like one
        together = sum(one.size for one in found)
        for one in found:
            self.most[one.kind] = max(self.most[one.kind], together)

    def add(self, results, kind, size):
        one, self.is_after_backward = _Pass(self, kind, size), False
        for node in {t.grad_fn for t in _tensors(results) if t.grad_fn is not None}:
            node.register_hook(one.end)
        self.passes.add(one)
