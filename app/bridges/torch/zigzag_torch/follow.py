"""Applies a plan to a model."""
import contextlib
import copy
import functools
import inspect
import logging
import sys
import threading
import typing
import warnings
import weakref

import torch

from .autocast import _autocast_state
from .match import _for_model
from .plan import _holds_gradients, _Plan, _read_plan, _require_whole
from .removal import _Planned, _planned_forward, remove
from .tape import _Tape
from .tensors import PlanMismatch, _key, _tensors
from .watch import _eager, _inner, _is_numbered, _require_weights

PLAN = None
LOG = logging.getLogger('zigzag')


def apply(model: torch.nn.Module, plan: typing.Any = None, check: bool = True) -> torch.nn.Module:
    """Makes `model` train within the memory that a zigzag-plan promises; changes it in place and returns it.

    `plan` is a path or the parsed document, made from a `capture` of this model in this mode, or a `_Plan`. By default it
    is the one that `zigzag export FILE --to torch` wrote into this file. A plan of one of Zigzag's own networks
    (`zigzag export MODEL --to torch-plan`) is matched operation by operation with the same network of torchvision or
    timm, regardless of module names. Class, parameters, `state_dict`, signature, hooks and autograd's graph stay
    unchanged: losses, gradients and statistics are bit-identical to plain training if the kernels are deterministic.
    Forwards without gradients are not changed. A forward that leaves the captured path (another mode, a branch) saves
    what it runs there, with a warning. It returns to the plan at the next operation that the plan expects and, from the
    next forward on, at the plan's next module.

    In the first step with gradients every recomputed tensor is compared with a checksum of the original; `check=False`
    turns that off. Apply a plan to each layer where FSDP shards each layer. `remove(model)` undoes it.

    Raises PlanMismatch if the plan is invalid, belongs to another model, or recomputes without saving memory.
    """
    plan = PLAN if plan is None else plan
    if plan is None:
        raise PlanMismatch('there is no plan: make one with `zigzag export FILE --to plan`')
    inner = _inner(model)
    plan = plan if isinstance(plan, _Plan) else _plan_of(_read_plan(plan), inner)
    plan.require(inner)
    _follow(model, plan, check)
    return model


def _follow(model, plan, check=True, family=None):
    """Wraps a model's forward with a plan, or with a family of plans for its kinds of forward."""
    inner = _inner(model)
    remove(inner)
    inner.forward = forward = _Forward(inner, plan, check, vars(inner).get('forward'), family)
    inner._replicate_for_data_parallel = _refuse_replicas
    forward.hooks = _bypass_hooks(forward)
    return forward


def _refuse_replicas():
    raise PlanMismatch('nn.DataParallel copies the model to every GPU in each step, and a plan belongs to one model: start one '
                       'process per GPU with torchrun or accelerate launch, or use one GPU with CUDA_VISIBLE_DEVICES=0')


def _bypass_hooks(forward):
    """Hooks of the parameters, which warn if gradients reach them before the forward under the plan has run."""
    known = weakref.ref(forward)

    def reached(_):
        forward = known()
        if forward is None or not forward.hooks or _planned_forward(forward.model) is not forward:
            return
        forward.drop_hooks()
        name = type(forward.model).__name__
        warnings.warn(f'zigzag: this step trains a {name} without calling it, so it follows no plan: call the {name} itself in '
                      'place of its methods, or plan the part of it that is called')

    return [p.register_hook(reached) for p in forward.model.parameters() if p.requires_grad]


def followed(model: torch.nn.Module) -> dict:
    """Facts of the forwards under a plan, as a dict. `left` is None, or where the last one left the plan. `recomputed` is
    its number of recomputed operations, `fetched` that of results from host memory. `hostBytes` has the most bytes in
    host memory at once. `stepsOn` and `stepsOff` count forwards that followed the plan to its end, and that left it.
    With a plan for each layer, bytes and counts are of all layers, and steps of the layer that followed its plan least
    often."""
    forward = _planned_forward(_inner(model))
    parts = forward.parts if forward is not None else ()
    ran = [f for f in (*map(_planned_forward, parts), forward) if f is not None and f.tape is not None]
    facts = {'left': None if ran else 'the model has not run under a plan', 'recomputed': 0, 'fetched': 0, 'hostBytes': 0,
             'stepsOn': min((f.on for f in ran), default=0), 'stepsOff': max((f.off for f in ran), default=0)}
    for tape in (f.tape for f in ran):
        facts['left'] = facts['left'] or tape.left
        facts['recomputed'] += tape.recomputed
        facts['fetched'] += tape.fetched
        facts['hostBytes'] += tape.host_bytes
    return facts


class _Forward(_Planned):
    """Replaces a module's `forward`."""

    def __init__(self, model, plan, check, own=None, family=None):
        # `own` is a forward that other code had set on the object.
        self.model, self.plan, self.check, self.own, self.tape = model, plan, check, own, None
        self.family, self.checked = family, []  # plans whose recomputed tensors were checked
        self.on = self.off = 0  # forwards that followed the plan to its end, and that left it
        self.matched = {_autocast_state(): plan}  # autocast -> the plan in the operations that run under it
        self.threads = set()  # in which a forward runs
        self.hooks = []  # of the parameters, until a forward has run
        self.is_compiled = self.is_transformed = False  # True once torch.compile or torch.func has called it
        self.compiled = any('_orig_mod' in module._modules for module in model.modules())
        try:
            self.__signature__ = inspect.signature(model.forward)
        except (TypeError, ValueError):
            pass

    def __getstate__(self):
        warnings.warn(f'zigzag: the {type(self.model).__name__} is saved with its plan, and only a Python with zigzag can load '
                      'it; to save it as it was, call zigzag.remove(model) first', stacklevel=2)
        return {**vars(self), 'plan': self.plan and self.plan.document, 'tape': None, 'matched': None, 'family': None,
                'checked': [], 'threads': set(), 'hooks': []}

    def __setstate__(self, state):
        vars(self).update(state)
        self.plan = state['plan'] and _Plan(state['plan'])
        self.matched = {}

    def __deepcopy__(self, memo):
        twin = memo[id(self)] = object.__new__(type(self))
        vars(twin).update(vars(self), tape=None, threads=set(), hooks=[])  # it keeps the family, which may wait for a batch
        twin.model, twin.own, twin.parts = (copy.deepcopy(part, memo) for part in (self.model, self.own, self.parts))
        return twin

    def __getattr__(self, name):
        if name in ('__code__', '__globals__'):  # torch.export and torch.jit.script look for them first
            raise AttributeError(_export_refusal(self.model))
        raise AttributeError(name)

    def plain(self, *inputs, **kwargs):
        return (self.own or functools.partial(type(self.model).forward, self.model))(*inputs, **kwargs)

    def __call__(self, *inputs, **kwargs):
        if _is_exported():
            raise RuntimeError(_export_refusal(self.model))
        if self.removed or not torch.is_grad_enabled():
            return self.plain(*inputs, **kwargs)
        self.drop_hooks()
        if _is_transformed():
            if not self.is_transformed:
                self.is_transformed = True
                warnings.warn(f'zigzag: torch.func runs a {type(self.model).__name__} without its plan, as it has no saved '
                              'tensors to manage there', stacklevel=2)
            return self.plain(*inputs, **kwargs)
        if _is_compiled():
            if not self.is_compiled:
                self.is_compiled = True
                warnings.warn(f'zigzag: torch.compile runs a {type(self.model).__name__} under a plan as it is written; to '
                              'compile it, call zigzag.remove(model) and set torch._inductor.config.custom_partitioner_fn '
                              "= zigzag_lab.Partitioner(budget='60%')", stacklevel=2)
            return torch._dynamo.disable(self.run)(*inputs, **kwargs)
        return self.run(*inputs, **kwargs)

    def run(self, *inputs, **kwargs):
        thread = threading.get_ident()
        # A forward may call itself, as those of ultralytics do for the loss: the inner one is a part of the outer. So is that of
        # a part with its own plan.
        if thread in self.threads or _is_numbered():
            return self.plain(*inputs, **kwargs)
        self.threads.add(thread)
        try:
            return self.run_outermost(*inputs, **kwargs)
        finally:
            self.threads.discard(thread)

    def run_outermost(self, *inputs, **kwargs):
        _require_weights(self.model)
        family = self.family
        seen = family and family.seen(self, inputs, kwargs)
        plan, others = family.plans_for(self, seen, inputs, kwargs) if family else (self.fitting(), ())
        if plan is None:
            results = self.plain(*inputs, **kwargs)
            if family:
                family.hold(seen, results)
            return results
        tape = _Tape(plan, self.check and plan not in self.checked, self.off > 0, others)
        planned = None if family or not tape.check else plan.document.get('parameters')
        if planned:
            tape.weights = {_key(p): p.numel() for p in self.model.parameters() if p.requires_grad}
        with _eager() if self.compiled else contextlib.nullcontext(), tape.watching(self.model):
            results = self.plain(*inputs, **kwargs)
        tape.close(_tensors(results))
        if planned and tape.trained > planned:
            raise PlanMismatch(f'the plan is for {planned:,} trained parameters, and the same operations of this '
                               f'{type(self.model).__name__} have {tape.trained:,}, so the memory that it promises does not '
                               'hold; capture this model and make the plan from that file')
        self.tape = tape.summary
        if tape.left is None:
            self.on += 1
        else:
            self.off += 1
            self.tell(tape)
        if tape.check:
            self.checked.append(tape.plan)
        if family:
            family.ran(self, tape, seen, inputs, kwargs)
            family.hold(seen, results)
        return results

    def fitting(self):
        """The plan; that of one of Zigzag's own networks is matched again if autocast runs other operations."""
        origin = self.plan and self.plan.document.get('origin')
        if origin is None:
            return self.plan
        state = _autocast_state()
        if state not in self.matched and not self.model.training:
            return self.plan
        if state not in self.matched:
            self.matched[state] = _plan_of(origin, self.model)
        return self.matched[state]

    def tell(self, tape):
        """Warns the first time, logs every further place once, and logs every step at level debug."""
        told = tape.plan.told
        LOG.log(logging.DEBUG if tape.left in told else logging.INFO, 'forward %d left the plan: %s', self.on + self.off,
                tape.left)
        if not told:
            warnings.warn(f'zigzag: this step left the plan ({tape.left}) and saves the rest as in plain training; if every '
                          'step does, capture the model as it is trained (mode, precision, device, torch version)',
                          stacklevel=3)
        told.add(tape.left)


def _export_refusal(model):
    return (f'a {type(model).__name__} under a plan cannot be exported or traced: call zigzag.remove(model) first, and '
            'zigzag.plan_model(model, plan) afterwards')


def _is_exported():
    """True while torch.jit or torch.export traces."""
    # PyTorch 2.10 compiles `torch.compiler.is_exporting()` to True.
    return torch.jit.is_tracing() or getattr(getattr(torch, 'compiler', None), '_is_exporting_flag', False)


def _is_transformed():
    """True inside a transform of torch.func."""
    functorch = getattr(torch._C, '_functorch', None)
    return functorch is not None and getattr(functorch, 'peek_interpreter_stack', lambda: None)() is not None


def _is_compiled():
    """True if torch.compile would continue with the calls here, in fragments."""
    dynamo = sys.modules.get('torch._dynamo.eval_frame')
    if dynamo is None or not hasattr(dynamo, '_set_stance'):
        return False
    try:
        dynamo._set_stance(dynamo._stance)  # unchanged; PyTorch refuses this inside a compiled region
    except RuntimeError:
        return True
    return False


def _plan_of(document, model):
    """A zigzag-plan with `model`'s operations, which a plan of Zigzag's own networks names differently."""
    known = isinstance(document, dict) and document.get('operations') and document.get('origin') is None
    if known and not _holds_gradients(document):
        _require_whole(document)
    return _Plan(_for_model(document, model) if known else document)


# torch.compile must skip this call. Its own decorator would import the compiler.
_Forward.__call__._torchdynamo_disable = True
_Forward.__call__._torchdynamo_disable_msg = (
    'a model under a plan cannot be exported, or compiled as one graph: call zigzag.remove(model) first')
_is_compiled._torchdynamo_disable = _is_transformed._torchdynamo_disable = True
