"""A plan for each part of a model that a step calls in place of the model."""
from torch import nn

from .family import Family
from .zigzag_torch.removal import _planned_forward
from .zigzag_torch.watch import _inner


class Part(Family):
    """Plans of one part within a share of its own peak, or within the least that is known where that is more."""
    must_fit = False
    untouched = 'is trained as it is: no known plan needs less memory'

    def __init__(self, name, budget, limit):
        super().__init__(budget, None, None, limit)
        self.name = name


def fit_parts(model: nn.Module, budget: str, variants: int = 4) -> None:
    """Plans each part of a model when a step first calls it. Parts rest while the model itself runs under a plan.

    `budget` is a share of each part's own peak such as '60%', and so one of them together.
    """
    forward = _planned_forward(_inner(model))
    for name, part in _called_parts(model):
        if _planned_forward(_inner(part)) is None:
            Part(name, budget, variants).follow(part)
            if forward is not None:
                forward.drop_hooks()  # those of the parts warn if none is called
                forward.parts += (part,)


def _called_parts(model):
    """(name, submodule) of what a step may call. Nothing calls a list of modules, but what is in it."""
    for name, part in model.named_children():
        if isinstance(part, (nn.ModuleList, nn.ModuleDict)):
            yield from ((f'{name}.{inner}', module) for inner, module in _called_parts(part))
        elif next(part.parameters(), None) is not None:
            yield name, part
