"""Bytes in memory that are not part of a training step."""
import re

import torch
from torch import nn

from .zigzag_torch.engine_facts import ENGINE
from .zigzag_torch.tensors import _key, _storage

# bitsandbytes' optimizers: one byte per element and one float32 per block; small tensors stay float32.
EIGHT_BIT = re.compile('^Paged|8bit$')


def optimizer_facts(optimizer):
    """The engine's facts about an optimizer or its base class; None if neither is known."""
    names = (EIGHT_BIT.sub('', kind.__name__) for kind in type(optimizer).__mro__)
    return next((ENGINE['optimizers'][name] for name in names if name in ENGINE['optimizers']), None)


def _state_bytes(facts, group, parameter, quantised):
    if facts.get('isFactored') and parameter.dim() > 1:
        rows, columns = parameter.shape[-2:]
        return (parameter.numel() // rows + parameter.numel() // columns) * parameter.element_size()
    copies = facts['state'] + bool(facts.get('isFactored'))
    copies += sum(state for option, (state, _) in facts.get('options', {}).items() if group.get(option))
    copies += sum(state * group.get(option, 0) for option, state in facts.get('times', {}).items())
    return copies * (_quantised_size(parameter) if quantised else _size(parameter))


def _quantised_size(parameter):
    count, facts = parameter.numel(), ENGINE['quantised']
    return 4 * count if count < facts['small'] else count + 4 * -(-count // facts['block'])


def stationary_bytes(model: nn.Module, optimizer: 'torch.optim.Optimizer | None' = None) -> 'tuple[dict, str | None]':
    """({name: bytes}, remark): memory of `model` that is not part of a training step.

    Parameters and buffers, each storage once; a gradient for each trained parameter; the optimizer's state, counted
    after its first step and known from its type before. An optimizer that trains copies of the weights holds them too.
    For an unknown type two tensors per parameter are assumed; the remark then says so, else it is None.
    """
    storages = {}
    for tensor in map(_own, (*model.parameters(), *model.buffers())):
        key = _key(tensor)
        size = _size(tensor) if key is None else _storage(tensor).nbytes()
        storages[id(tensor) if key is None else key] = size
    amounts = {'Parameters and buffers': sum(storages.values()),
               'Their gradients': sum(_size(p) for p in model.parameters() if p.requires_grad)}
    if optimizer is None:
        return amounts, None
    optimizer = wrapped(optimizer)[-1]
    known = optimizer_facts(optimizer)
    facts = ENGINE['unknownOptimizer'] if known is None else known
    quantised = any(EIGHT_BIT.search(kind.__name__) for kind in type(optimizer).__mro__)
    state, assumed = 0, False
    trained = [p for group in optimizer.param_groups for p in group['params']]
    if all(storages.keys().isdisjoint((_key(_own(p)), id(p))) for p in trained):
        state = sum(map(_size, trained))
    for group in optimizer.param_groups:
        for parameter in group['params']:
            kept = [_size(value) for value in optimizer.state.get(parameter, {}).values() if hasattr(value, 'numel')]
            if kept:
                state += sum(kept)
            elif parameter.requires_grad:
                assumed = assumed or known is None
                state += _state_bytes(facts, group, _own(parameter), quantised)
    name = type(optimizer).__name__
    amounts[f'State of {name}'] = state
    return amounts, f'{name} has not stepped yet: two tensors per parameter are assumed' if assumed else None


def wrapped(optimizer):
    """An optimizer and those inside it: accelerate, Lightning and DeepSpeed wrap one."""
    found = [optimizer]
    while hasattr(found[-1], 'optimizer'):
        found.append(found[-1].optimizer)
    return found


def _size(tensor):
    own = _own(tensor)
    return own.numel() * own.element_size()


def _own(tensor):
    """The part of a sharded tensor that lies here."""
    return tensor.to_local() if hasattr(tensor, 'to_local') else tensor
