"""A plan as a policy for PyTorch's selective checkpointing."""
import collections
import typing

from .operations import _facts
from .plan import _Plan, _read_plan
from .tensors import PlanMismatch


def contexts(plan: 'dict | str') -> typing.Callable:
    """The plan as a policy for PyTorch's selective checkpointing (PyTorch 2.4 or later), for use under torch.compile,
    FSDP2 or tensor parallelism:

        torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False, context_fn=zigzag.contexts(plan))

    `plan` comes from a capture of the same block. Saves what the plan keeps through the forward, and recomputes the
    rest at once when backward reaches the block. That is PyTorch's schedule, not the plan's, so the peak is that of a
    block.
    """
    from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts
    plan = _Plan(_read_plan(plan))
    if plan.transfers:
        raise PlanMismatch('the plan sends activations to host memory, which selective checkpointing does not: use '
                           'zigzag.plan_model, or make a plan with another strategy')
    dropped = {unit for told in plan.opening.values() for _, unit, auxiliary in told if not auxiliary}

    def fresh():
        counts = collections.Counter()

        def policy(context, function, *args, **kwargs):
            if not _facts(function).counts:
                return CheckpointPolicy.PREFER_RECOMPUTE
            number = counts[context.is_recompute]
            counts[context.is_recompute] += 1
            keep = plan.unit_at.get(number, number) not in dropped
            return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

        return create_selective_checkpoint_contexts(policy)

    return fresh
