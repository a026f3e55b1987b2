"""Undoes the changes of a trial forward to modules, parameters and random generators."""
import collections
import contextlib
import copy
import random
import sys

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from .operations import _facts
from .tensors import _key


@contextlib.contextmanager
def _as_before(model):
    """Restores at the end what a forward changes in modules (statistics, counters, attributes); yields the mode under
    which the forward must run."""
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
    """Undoes a forward's writes to parameters, and its draws from the program's own generators."""

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


def _generators(args, kwargs):
    return [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Generator)]
