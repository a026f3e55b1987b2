"""From a model and a budget to the same model within it."""
import collections.abc
import inspect
import re

import torch

from . import zigzag_torch as bridge
from .engine import BadInput, CannotFit, solve
from .report import Report, keep
from .zigzag_torch.engine_facts import ENGINE
from .zigzag_torch.tensors import _key, _storage


def fit(model, *inputs, budget, optimizer=None, loss=None, min_saving=None, **kwargs):
    """Makes `model` train on `inputs` within `budget`, prints one line of it, and returns it.

    `budget` is '60%' of the peak of a step as it is; the memory of a device, as a text ('24GB', '24GiB') or bytes; or
    'knee', from where a byte less costs more time than it did on the average (see `solve`). From the memory of a
    device what lies beside a step is taken off: parameters and buffers, a gradient for each trained parameter, and
    what `optimizer` keeps (see `stationary_bytes`; without an optimizer that is nothing). What the driver, the
    libraries and the allocator take is not known here: leave them some.

    Captures the model (one training step's forward on these inputs, in its present mode), solves with the strategy
    `budget`, verifies that a step under the plan gives the same results, and applies it in place. A model that fits as
    it is stays unchanged. `loss` maps the outputs to a scalar; `kwargs` go to the model. `report(model)` tells more.

    `inputs` may be one batch as a data loader gives it: a dict (BatchEncoding of transformers too) becomes keyword
    arguments, a tuple or list the arguments. `min_saving=0.3` raises CannotFit where the plan saves less than that share
    of the peak of a plain step, or the forward does not follow it.

    Verifying runs plain steps. Where there is not the memory for one, or the model lies on `meta`, the report says so,
    and the first step under the plan checks what it recomputes.

    Raises CannotFit with the least budget known to work; BadInput for what is no budget; CannotCapture and
    PlanMismatch of the bridge; EngineMissing. One sentence each, and the model is as before.
    """
    inputs, kwargs = _unpacked(model, inputs, kwargs)
    _require_own(model, optimizer)
    call = kwargs if loss is None else {**kwargs, 'loss': loss}
    document = bridge.capture(model, *inputs, **call)
    stationary, remark = stationary_bytes(model, optimizer)
    solved = solve(document, budget=budget, stationary=list(stationary.items()))
    rows = [('Budget asked for', str(budget)), *solved.rows]
    if remark:
        rows.append(('Optimizer', remark))
    sentence = solved.sentence
    applied = solved.head['regularPeakBytes'] > solved.budget_bytes
    if applied:
        verified, left = _verified(model, solved.plan, inputs, call)
        _require_saving(solved, left, min_saving)
        rows.append(('Verified', verified))
        if left is not None:
            sentence = f'{sentence} Not all of it is saved: the forward leaves the plan, as {left}.'
        bridge.apply(model, solved.plan)
    else:
        bridge.remove(model)  # the plan of an earlier fit
        sentence = f"{solved.head['model']} fits as it is: nothing was changed."
    keep(model, Report(solved, document, applied, sentence, rows))
    print(sentence)
    return model


def _verified(model, plan, inputs, call):
    if any(p.is_meta for p in model.parameters()):
        return 'not: its parameters have no memory', None
    try:
        facts = bridge.verify(model, plan, *inputs, **call)
    except RuntimeError as error:
        if 'out of memory' not in str(error):
            raise
        reason = 'not: there is no memory for a step without the plan'
    else:
        left = '' if facts['left'] is None else f"; it leaves the plan: {facts['left']}"
        said = 'a step gives the same to the bit' if facts['same'] else 'a step differs as two plain steps do'
        return said + left, facts['left']
    torch.cuda.empty_cache()  # what the failed step held
    return reason, None


def _unpacked(model, inputs, kwargs):
    """Arguments of a model from the batch of a data loader."""
    if len(inputs) != 1 or isinstance(inputs[0], torch.Tensor):
        return inputs, kwargs
    batch = inputs[0]
    if isinstance(batch, collections.abc.Mapping) and all(isinstance(key, str) for key in batch):
        return ((), {**batch, **kwargs}) if _takes(model, (), {**batch, **kwargs}) else (inputs, kwargs)
    # A model of one argument, such as a detector's list of images, takes the list itself.
    is_many = type(batch) in (tuple, list) and not _takes(model, inputs, kwargs)
    return (tuple(batch), kwargs) if is_many or _wants_several(model, batch, kwargs) else (inputs, kwargs)


def _takes(model, inputs, kwargs):
    try:
        inspect.signature(model.forward).bind(*inputs, **kwargs)
    except TypeError:
        return False
    except ValueError:  # no signature
        return True
    return True


def _wants_several(model, batch, kwargs):
    """A tuple or list of tensors for a forward that could take all of them."""
    if type(batch) not in (tuple, list) or not all(isinstance(part, torch.Tensor) for part in batch):
        return False
    required = [p for p in inspect.signature(model.forward).parameters.values()
                if p.default is p.empty and p.name not in kwargs]
    several = len(required) > 1 or any(p.kind is p.VAR_POSITIONAL for p in required)
    return (several or len(batch) == 1) and _takes(model, tuple(batch), kwargs)


def _require_own(model, optimizer):
    own = {id(p) for p in model.parameters()}
    if optimizer is not None and not any(id(p) in own for group in optimizer.param_groups for p in group['params']):
        raise BadInput(f'the {type(optimizer).__name__} has no parameter of this {type(model).__name__}: make it of '
                       'model.parameters()')


def _require_saving(solved, left, least):
    if least is None:
        return
    regular = solved.head['regularPeakBytes']
    saving = 1 - solved.row['peakBytes'] / regular
    if saving < least:
        raise CannotFit(f'the plan saves {100 * saving:.1f} % of the peak of a step, less than min_saving={least}')
    if left is not None:
        raise CannotFit(f'the forward leaves the plan, as {left}, so that min_saving={least} is not kept')


# bitsandbytes' optimizers: a byte an element and a float32 for each block, and what is small stays float32.
EIGHT_BIT = re.compile('^Paged|8bit$')


def optimizer_facts(optimizer):
    """The engine's facts of an optimizer or of the class that it is made of; None where neither is known."""
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


def stationary_bytes(model, optimizer=None):
    """({name: bytes}, remark): what lies in memory beside a training step of `model`.

    Parameters and buffers, each storage once; a gradient for each parameter that is trained; what the optimizer keeps,
    counted where it has stepped already and known by its type where it has not. Of a type that is not known two
    tensors a parameter are assumed, and the remark, else None, says so.
    """
    storages = {}
    for tensor in (*model.parameters(), *model.buffers()):
        key = _key(tensor)
        size = _size(tensor) if key is None else _storage(tensor).nbytes()
        storages[id(tensor) if key is None else key] = size
    amounts = {'Parameters and buffers': sum(storages.values()),
               'Their gradients': sum(_size(p) for p in model.parameters() if p.requires_grad)}
    if optimizer is None:
        return amounts, None
    known = optimizer_facts(optimizer)
    facts = ENGINE['unknownOptimizer'] if known is None else known
    quantised = any(EIGHT_BIT.search(kind.__name__) for kind in type(optimizer).__mro__)
    state, assumed = 0, False
    for group in optimizer.param_groups:
        for parameter in group['params']:
            kept = [_size(value) for value in optimizer.state.get(parameter, {}).values() if hasattr(value, 'numel')]
            if kept:
                state += sum(kept)
            elif parameter.requires_grad:
                assumed = assumed or known is None
                state += _state_bytes(facts, group, parameter, quantised)
    name = type(optimizer).__name__
    amounts[f'State of {name}'] = state
    return amounts, f'{name} has not stepped yet: two tensors a parameter are assumed' if assumed else None


def _size(tensor):
    return tensor.numel() * tensor.element_size()
