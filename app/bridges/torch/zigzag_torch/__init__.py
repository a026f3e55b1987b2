"""Zigzag for PyTorch: one file, nothing but torch (1.13 or 2.x). Copy it beside your training script.

    import zigzag_torch as zigzag
    zigzag.capture(model, images, path='net.json')      # what autograd really keeps, operation by operation
    # then: zigzag export net.json --strategy live --to plan > plan.json
    model = zigzag.plan_model(model, 'plan.json')       # trains as before, in the memory that the plan says
    zigzag.verify(model, 'plan.json', images)           # one step against the plain model, to the bit
    print(zigzag.measure(model, images))                # peak bytes and seconds of a training step

Nothing of Python is traced. The model runs as it is, and a dispatch mode below autograd watches its operations
while hooks on saved tensors see what autograd keeps of them. `capture` writes that down as a graph. `apply` numbers
the operations of every later forward in the same way and answers for the saved tensors: what the plan frees is
dropped, and in backward recomputed from what is left. Autograd's own graph stays as it is, so whatever a
model does with it (custom functions, hooks, DDP, accumulation, autograd.grad) works as before, and where a forward
leaves the path that was captured, the rest of it is kept as in plain training.
"""
from .capture import capture
from .contexts import contexts
from .follow import apply, followed
from .measure import measure
from .removal import remove
from .tensors import CannotCapture, PlanMismatch
from .verify import verify

plan_model = apply  # a name that `nn.Module` has not

__all__ = ['CannotCapture', 'PlanMismatch', 'apply', 'capture', 'contexts', 'followed', 'measure', 'plan_model', 'remove',
           'verify']
