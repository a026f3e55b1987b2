"""Fits a model into a memory budget."""
import collections.abc
import inspect
import typing

import torch
from torch import nn

from . import zigzag_torch as bridge
from .engine import BadInput
from .family import Family, _kind_of, _sizes, _Variant
from .layers import Layers, has_shards, reshard, run_once, sharded_layers
from .stationary import wrapped
from .zigzag_torch.capture import _captured
from .zigzag_torch.removal import _without_plan
from .zigzag_torch.watch import _inner


def fit(model: nn.Module, *inputs: typing.Any, budget: 'int | str', optimizer: 'torch.optim.Optimizer | None' = None,
        loss: 'typing.Callable | None' = None, min_saving: 'float | None' = None, variants: int = 4,
        **kwargs: typing.Any) -> nn.Module:
    """Makes `model` train on `inputs` within `budget`, reports it in one line, and returns the model.

    `budget` is '60%' of the peak of a plain step, or the memory of a device as a text ('24GB', '24GiB') or bytes. Or it
    is 'knee', the point from which saving another byte costs more time than average (see `solve`), or 'checkpointing',
    what a step needs with the model's own gradient checkpointing, which a plan turns off. A device's memory
    also holds parameters and buffers, a gradient for each trained parameter, and the state of `optimizer` (see
    `stationary_bytes`), which are subtracted. Without `optimizer` its state counts as 0. The memory of driver,
    libraries and allocator is unknown: leave some headroom.

    Captures the model (one training step's forward on these inputs, in its present mode), solves with the strategy
    `budget`, verifies that a step under the plan gives the same results, and applies it in place. A model that already
    fits stays unchanged. `loss` maps the outputs to a scalar; `kwargs` go to the model. `report(model)` shows the
    details.

    `inputs` may be one batch of a data loader: a dict (BatchEncoding of transformers too) becomes keyword arguments, a
    tuple or list positional ones. `min_saving=0.3` raises CannotFit if the plan saves less than that share of a plain
    step's peak, or the forward does not follow the plan.

    Without `inputs` the model is captured at its first training forward, in the context in which the loop runs it.

    A loop may run several kinds of forward: padded and unpadded batches, with and without autocast, other arguments.
    Each of up to `variants` kinds is captured before its first forward and gets its own plan. A kind that only differs
    in its operations is captured at its second forward. Plans are solved for the largest inputs seen, and for the most
    forwards that a step has held at once: losses of several, added up, hold all of them until the backward.

    A model that `fully_shard` wraps layer by layer gets a plan for each layer, equal ones the same: the weights of a
    layer are there in its own forward and backward only. All processes call `fit`.

    Verification runs plain steps. If memory does not suffice for one, or the model is on `meta`, the report says so,
    and the first step under the plan checks the recomputed tensors.

    Raises CannotFit with the least budget known to work; BadInput for an invalid budget; CannotCapture and PlanMismatch
    of the bridge; EngineMissing. Each message is one sentence, and the model is left unchanged.
    """
    inputs, kwargs = _unpacked(model, inputs, kwargs)
    _require_own(model, optimizer)
    inner = _inner(model)
    if has_shards(inner):
        return _fit_shards(model, inputs, kwargs, budget, optimizer, loss, variants, min_saving)
    family = Family(budget, optimizer, loss, variants, min_saving)
    if not inputs and not kwargs:
        family.follow(model)
        return model
    with _without_plan(inner):
        captured = _captured(inner, inputs, kwargs, loss)
    made, remark = family.solved(model, captured)
    variant = _Variant(captured, made)
    if not variant.applied:
        family.present(model, variant, remark)
        return bridge.remove(model)  # the plan of an earlier fit
    verified, left = _verified(model, variant.plan, inputs, kwargs if loss is None else {**kwargs, 'loss': loss})
    family.present(model, variant, remark, verified, left)
    family.add(_kind_of(inner, inputs, kwargs), _sizes(inputs, kwargs), variant)
    family.follow(model, variant.plan, left is None and not verified.startswith('not'))
    return model


def _fit_shards(model, inputs, kwargs, budget, optimizer, loss, variants, min_saving):
    """Weights are there within a forward only: one that holds nothing is captured where there is a batch already."""
    inner, layers = _inner(model), sharded_layers(_inner(model))
    options = budget, optimizer, loss, variants, min_saving
    family = Family(*options) if inner in layers.values() else Layers(inner, layers, *options)
    family.waits = bool(inputs or kwargs)
    family.follow(model)
    if not family.waits:
        return model
    try:
        run_once(inner, model, inputs, kwargs)
        reshard(inner.modules())
        family.settle(inner)
    except Exception:
        bridge.remove(model)
        raise
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
        said = 'a step is bit-identical' if facts['same'] else 'a step differs no more than plain steps do'
        return said + left, facts['left']
    torch.cuda.empty_cache()  # memory of the failed step
    return reason, None


def _unpacked(model, inputs, kwargs):
    """Arguments of a model from a data loader's batch."""
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
    """True for a tuple or list of tensors whose items fit the forward's arguments."""
    if type(batch) not in (tuple, list) or not all(isinstance(part, torch.Tensor) for part in batch):
        return False
    required = [p for p in inspect.signature(model.forward).parameters.values()
                if p.default is p.empty and p.name not in kwargs]
    several = len(required) > 1 or any(p.kind is p.VAR_POSITIONAL for p in required)
    return (several or len(batch) == 1) and _takes(model, tuple(batch), kwargs)


def _require_own(model, optimizer):
    kinds = {kind.__name__ for part in wrapped(optimizer) for kind in type(part).__mro__}
    if optimizer is None or 'DeepSpeedOptimizer' in kinds:  # the latter trains copies
        return
    if not trains(optimizer, model):
        raise BadInput(f'the {type(optimizer).__name__} has no parameter of this {type(model).__name__}: create it from '
                       'model.parameters()')


def trains(optimizer, model):
    """True if `optimizer` has a parameter of `model`."""
    own = {id(p) for p in model.parameters()}
    return any(id(p) in own for group in optimizer.param_groups for p in group['params'])
