"""Plans for a model and for its parts, of which a step may call either."""
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
    """Plans each part of a model when a step first calls it, `budget` being a share of the part's own peak such as '60%'."""
    for name, part in _called_parts(model):
        if _planned_forward(_inner(part)) is None:
            Part(name, budget, variants).follow(part)


def join_parts(model: nn.Module) -> None:
    """Makes the plans of a model's parts its own: they rest while the model runs, and one call of any is enough to not warn."""
    forward = _planned_forward(_inner(model))
    forward.parts = tuple(part for part in model.modules() if part is not model and _planned_forward(part) is not None)
    for part in map(_planned_forward, forward.parts):
        part.drop_hooks()
        part.hooks = forward.hooks


def _called_parts(model):
    """(name, submodule) of what a step may call. Nothing calls a list of modules, but what is in it."""
    for name, part in model.named_children():
        if isinstance(part, (nn.ModuleList, nn.ModuleDict)):
            yield from ((f'{name}.{inner}', module) for inner, module in _called_parts(part))
        elif next(part.parameters(), None) is not None:
            yield name, part
