"""Zigzag for PyTorch: one file, nothing but torch (1.13 or 2.x). Copy it beside your training script.

    import zigzag_torch as zigzag
    zigzag.capture(model, images, path='net.json')      # what autograd really saves, operation by operation
    # then: zigzag export net.json --strategy live --to plan > plan.json
    model = zigzag.plan_model(model, 'plan.json')       # trains as before, within the plan's memory
    zigzag.verify(model, 'plan.json', images)           # one step against the plain model, bit by bit
    print(zigzag.measure(model, images))                # peak bytes and seconds of a training step

`python zigzag_torch.py selftest` trains three networks on this machine, or with `--device cuda` on its GPU, and writes
zigzag-selftest.json for `zigzag tables measured`: bytes saved beside bytes promised, and times beside other ways.

Python is not traced. The model runs unchanged: a dispatch mode below autograd watches its operations, and hooks on
saved tensors see what autograd saves. `capture` writes that as a graph. `apply` numbers the operations of every later
forward in the same way and manages the saved tensors: what the plan frees is dropped, and recomputed in backward.
Autograd's own graph stays unchanged, so everything that uses it (custom functions, hooks, DDP, accumulation,
autograd.grad) works as before. If a forward leaves the captured path, the rest of it is saved as in plain training.
"""
import sys

from .capture import capture
from .contexts import contexts
from .follow import apply, followed
from .measure import measure
from .removal import remove
from .selftest import _run_selftest
from .tensors import CannotCapture, PlanMismatch
from .verify import verify

plan_model = apply  # a name that `nn.Module` lacks

__all__ = ['CannotCapture', 'PlanMismatch', 'apply', 'capture', 'contexts', 'followed', 'measure', 'plan_model', 'remove',
           'verify']

if __name__ == '__main__':  # as one file
    if sys.argv[1:2] != ['selftest']:
        sys.exit('usage: python zigzag_torch.py selftest [--device cpu|cuda] [--out FILE] [--size N] [--cases NAME,NAME]')
    sys.exit(_run_selftest(sys.argv[2:]))
