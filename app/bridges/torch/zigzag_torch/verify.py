"""Compares a step under a plan with a plain one."""
import typing

import torch

from .capture import _ends
from .follow import apply, followed
from .removal import _without_plan, remove
from .tensors import CannotCapture, PlanMismatch, _tensors
from .undo import _as_before
from .watch import _inner, _is_engine, _no_checkpointing


def _value(results, loss):
    """The scalar on which backward is called."""
    if loss is not None:
        return loss(results)
    ends = _ends(results)
    if not ends:
        raise CannotCapture('no output of the model has a gradient')
    return ends[0] if len(ends) == 1 and ends[0].dim() == 0 else sum(
        (t.real if t.is_complex() else t).float().sum() for t in ends)


def verify(model: torch.nn.Module, plan: typing.Any, *inputs: typing.Any, loss: 'typing.Callable | None' = None,
           **kwargs: typing.Any) -> dict:
    """Compares a step of `model` under `plan` with a plain one: loss, every gradient, buffers, random state.

    Needs the memory of a plain step. Model, gradients and random state are unchanged afterwards. Returns a dict: the
    value of the `loss`; `same`, true if all is bit-identical; `exact`, true if the forward also followed the plan to its
    end. `left` is None, or where the forward left the plan; `recomputed` counts recomputed operations. Some kernels add
    in any order, so that plain steps differ too. Then up to 16 more of them are run, and a difference of their size is
    allowed, as long as it is no more than rounding. Raises PlanMismatch with the first difference.
    """
    inner = _inner(model)
    model = inner if _is_engine(model) else model
    names = {name: p for name, p in inner.named_parameters() if p.requires_grad}
    devices = sorted({t.get_device() for t in _tensors((inputs, kwargs)) if t.is_cuda})

    def step():
        with _as_before(inner) as undo, torch.random.fork_rng(devices=devices), torch.enable_grad():
            with undo, _no_checkpointing():
                value = _value(model(*inputs, **kwargs), loss)
            gradients = torch.autograd.grad(value, list(names.values()), allow_unused=True)
            found = {'the loss': value.detach()}
            found.update((f'the gradient of {name}', g) for name, g in zip(names, gradients))
            found.update((f'the buffer {name}', b.detach().clone()) for name, b in inner.named_buffers())
            found['the random state'] = torch.get_rng_state()
            return found

    with _without_plan(inner):
        plain = step()
        apply(model, plan)
        planned = step()
        facts = followed(model)
        remove(inner)
        different = [name for name in plain if not _same(plain[name], planned[name])]
        if different:
            _require_noise(plain, {name: planned[name] for name in different}, step)
        return {'loss': float(plain['the loss']), 'exact': not different and facts['left'] is None, 'same': not different,
                **facts}


def _require_noise(plain, different, step):
    """Raises PlanMismatch unless plain steps differ from each other as much as from the step under a plan.

    One pair of plain steps says little about a tensor of few elements, so several are run. A gradient may also differ as
    much as the middle one of all that differ between plain steps.
    """
    found = {name: _distance(plain[name], value) for name, value in different.items()}
    own = dict.fromkeys(different, 0.0)
    for _ in range(_MOST_PLAIN_STEPS):
        again = step()
        for name in different:
            own[name] = max(own[name], _distance(plain[name], again[name]))
        gradients = sorted((name for name in different if name.startswith('the gradient')), key=own.get)
        middle = gradients[len(gradients) // 2:][:1]
        for name in [name for name in different if name not in gradients] + middle:
            if not own[name] <= _rounding(plain[name]):
                raise PlanMismatch(f'two plain steps differ in {name} by {own[name]:.3g} of its largest value, so '
                                   'the plan cannot be verified: values outside the model that change between steps must '
                                   'stay fixed')
        usual = max((own[name] for name in middle), default=0.0)
        wrong = [name for name in different
                 if not found[name] <= max(3 * own[name], usual if name in gradients else 0)]
        if not wrong:
            return
    raise PlanMismatch(f'under the plan {wrong[0]} differs from plain training by {found[wrong[0]]:.3g} of its '
                       'largest value; do not train with it, and report the model')


_MOST_PLAIN_STEPS = 16


def _rounding(value):
    """The largest share of its largest value by which rounding alone changes most tensors from step to step."""
    return max(1e-3, 4 * torch.finfo(value.dtype).eps) if value is not None and value.dtype.is_floating_point else 1e-3


def _same(a, b):
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and a.dtype == b.dtype and bool(((a == b) | ((a != a) & (b != b))).all())


def _distance(a, b):
    if a is None or b is None or a.shape != b.shape:
        return 0.0 if a is b else float('inf')
    a, b = a.double(), b.double()
    return float((a - b).abs().max() / a.abs().max().clamp_min(1e-300)) if a.numel() else 0.0
