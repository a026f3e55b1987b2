"""Total memory of a training step: everything on the device, not only the tensors of a plan."""
import typing

import torch

from . import zigzag_torch as bridge
from .engine import Solved, solve
from .stationary import optimizer_facts, stationary_bytes
from .zigzag_torch.engine_facts import ENGINE


def total(model: torch.nn.Module, *inputs: typing.Any, optimizer: 'torch.optim.Optimizer | None' = None,
          loss: 'typing.Callable | None' = None, solved: 'Solved | None' = None, **kwargs: typing.Any) -> dict:
    """The most bytes that a training step holds, by part, as a dict.

    `peakBytes` is the larger of `stepPeakBytes` and `optimizerPeakBytes`. The former is over forward and backward: inputs,
    activations and their gradients, saved auxiliaries, and the parameters' gradients as backward computes them. The
    latter is during the optimizer's step: all gradients and its temporaries. Both include `parametersBytes` (parameters
    and buffers, each storage once) and `stateBytes` of the optimizer. `gradientsBytes` are all gradients of parameters, assumed to be
    freed before the forward, as `zero_grad()` does. `solved` is the result of `solve` for this model; without it the
    step is a plain one. The workspace of kernels and the rounding of an allocator are not included. Raises what
    `capture` and `solve` raise.
    """
    call = kwargs if loss is None else {**kwargs, 'loss': loss}
    document = bridge.capture(model, *inputs, **call)
    live = (solve(document, strategy='regular') if solved is None else solved).live
    amounts, _ = stationary_bytes(model, optimizer)
    parameters, state = amounts['Parameters and buffers'], sum(list(amounts.values())[2:])
    made = {vertex['id']: vertex.get('gradBytes', 0) for vertex in document['vertices']}
    peak, gradients = live['forwardPeakBytes'], 0
    for vertex, held in live['backward']:
        gradients += made.get(vertex, 0)
        peak = max(peak, held + gradients)
    beside = parameters + state
    return {'peakBytes': beside + max(peak, gradients + _on_the_way(optimizer)), 'stepPeakBytes': beside + peak,
            'optimizerPeakBytes': beside + gradients + _on_the_way(optimizer), 'parametersBytes': parameters,
            'gradientsBytes': gradients, 'stateBytes': state}


def _on_the_way(optimizer):
    """Temporary bytes of an optimizer step: for all parameters at once, or for one after the other."""
    if optimizer is None:
        return 0
    facts = optimizer_facts(optimizer) or ENGINE['unknownOptimizer']
    together, largest = 0, 0
    for group in optimizer.param_groups:
        sizes = [p.numel() * p.element_size() for p in group['params'] if p.requires_grad]
        if group.get('fused') or not sizes:
            continue
        decays = bool(group.get('weight_decay'))
        if _at_once(facts, group):
            together = max(together, (facts['all'] + decays * facts['decay'][1]) * sum(sizes))
        else:
            copies = facts['one'] + sum(one for option, (_, one) in facts.get('options', {}).items() if group.get(option))
            largest = max(largest, (copies + decays * facts['decay'][0]) * max(sizes))
    return max(together, largest)


def _at_once(facts, group):
    """PyTorch's rule for `foreach`: the given value, else true if all parameters are on CUDA."""
    if group.get('foreach') is not None or facts['all'] is None:
        return bool(group.get('foreach')) and facts['all'] is not None
    return 'foreach' in group and all(p.is_cuda for p in group['params'])
