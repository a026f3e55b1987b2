"""Whether training fits: everything that lies in memory over a whole step, not only what a plan is about."""
from . import zigzag_torch as bridge
from .engine import solve
from .fit import stationary_bytes

# Tensors as large as a parameter that the step of an optimizer makes and drops, one parameter after the other (as it
# does on a CPU, and with foreach=False).
STEP_COPIES = {
    'Adam': lambda group: 2,
    'AdamW': lambda group: 2,
    'NAdam': lambda group: 2,
    'RAdam': lambda group: 2,
    'RMSprop': lambda group: 1,
    'SGD': lambda group: int(group.get('nesterov', False)),
}


def total(model, *inputs, optimizer=None, loss=None, solved=None, **kwargs):
    """The most bytes that a step of training holds, and of what: a dict.

    `peakBytes` is the larger of `stepPeakBytes`, over forward and backward (inputs, activations and their gradients,
    what operations keep, and the parameters' gradients as backward makes them), and `optimizerPeakBytes`, while the
    optimizer steps (all gradients, and what it makes on the way). Both hold `parametersBytes` (parameters and buffers,
    each storage once) and `stateBytes` of the optimizer. `gradientsBytes` are all gradients of parameters; they are
    taken to be freed before the forward, as `zero_grad()` does. `solved` is what `solve` returned for this model;
    without it the step is a plain one.

    What kernels allocate and release within themselves, and what an allocator rounds up, is not in it.
    Raises what `capture` and `solve` raise.
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
    if optimizer is None:
        return 0
    copies = next((STEP_COPIES[kind.__name__] for kind in type(optimizer).__mro__ if kind.__name__ in STEP_COPIES),
                  lambda group: 1)
    return max((copies(group) + bool(group.get('weight_decay') and type(optimizer).__name__ != 'AdamW'))
               * parameter.numel() * parameter.element_size()
               for group in optimizer.param_groups for parameter in group['params'])
