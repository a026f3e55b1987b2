"""Plans of networks whose operations are not PyTorch's own, such as the ONNX file of a transformer."""
import typing

from torch import nn

from . import zigzag_torch as bridge
from .engine import CannotFit, solve
from .family import Family
from .zigzag_torch.plan import _Plan, _names_operations, _read_plan


def plan_model(model: nn.Module, plan: typing.Any = None, check: bool = True) -> nn.Module:
    """As `zigzag_torch.plan_model`, and for a plan that does not name PyTorch's operations too.

    `zigzag export FILE --to torch-plan` makes such a plan of the ONNX file of a transformer: one attention or one GELU of
    PyTorch is many operations there. The model is captured at its first training forward and solved for the least
    recompute within the plan's own peak, in the operations that PyTorch runs; that step checks what it recomputes.
    `report(model)` tells what came of it. The peak counts inputs, activations and their gradients, whatever the batch.

    Raises what `zigzag_torch.plan_model` raises; the first training forward raises CannotFit where the model needs more,
    and the message says how much.
    """
    document = plan if plan is None or isinstance(plan, _Plan) else _read_plan(plan)
    if not isinstance(document, dict) or document.get('format') != 'zigzag-plan' or _names_operations(document):
        return bridge.plan_model(model, document, check)
    _Promise(document).follow(model)
    return model


class _Promise(Family):
    """Plans within the peak of another plan, which is that of one forward."""
    counts_held = False

    def __init__(self, document):
        super().__init__(document['peakBytes'], None, None, 4)
        self.title = document.get('model', 'another network')

    def beside(self, model):
        return {}, None

    def solved(self, model, captured, kind=None):
        try:
            return super().solved(model, captured, kind)
        except CannotFit as error:
            name, least = type(model).__name__, error.least_budget
            known = '' if least is None else f'; a peak of {least} bytes is known to work'
            raise CannotFit(f'the plan of {self.title} promises a peak of {self.budget} bytes, and this {name} needs more '
                            f'in PyTorch{known}: make the plan again with a larger --budget or a smaller batch', least
                            ) from error
