"""Facts of ATen operations, read from their declarations."""
import re

import torch

from .tensors import _flat

RANDOM = re.compile(r'dropout|bernoulli|rand|normal|uniform|multinomial|exponential|poisson|cauchy|geometric|rrelu')
# All elements of their result are equal.
FILLS = re.compile(r'(new_)?(zeros|ones|full)(_like)?')
# Their number of results depends on values, so later operations may differ from step to step.
DYNAMIC = {'nonzero', 'masked_select', 'unique', '_unique2', 'unique_dim', 'unique_consecutive'}


class _Facts:
    """Facts about an ATen operation from its declaration."""

    def __init__(self, function):
        self.function, schema = function, function._schema
        self.label = schema.name.split('::')[-1]
        tensors = [r for r in schema.returns if 'Tensor' in str(r.type)]
        aliases = [r.alias_info for r in tensors]
        # A view takes no memory and no time: its readers read its base.
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
        self.fills = FILLS.fullmatch(self.label) is not None
        # Processes that wait for one another. Those that write in place do not declare it.
        self.is_collective = 'c10d' in schema.name.split('::')[0]
        if self.is_collective and self.label.endswith('_'):
            self.writes = [(i, a.name) for i, a in enumerate(schema.arguments) if 'Tensor' in str(a.type)]
        self.results = {'result', 'output'} | {f'result{i}' for i in range(len(schema.returns))} | {
            r.name for r in schema.returns if r.name}
        # Type of a node of autograd -> number of the operation's own results that it saves; None if each can differ.
        self.saves = {}

    def written(self, args, kwargs):
        named = (args[i] if i < len(args) else kwargs.get(name) for i, name in self.writes)
        return [t for value in named for t in _flat(value)]


# By the identity of a function, which its facts hold: PyTorch hashes functions in Python, and that at every operation.
_known = {}


def _facts(function):
    found = _known.get(id(function))
    if found is None:
        found = _known[id(function)] = _Facts(function)
    return found
