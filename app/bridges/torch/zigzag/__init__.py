"""Gradient checkpointing that fits a PyTorch model into a number of bytes.

    import zigzag
    model = zigzag.fit(model, images, budget='60%', optimizer=optimizer)
    zigzag.report(model)     # in a notebook: figures, and live memory over a step

`fit` captures the model, solves, verifies and applies. Each of these is here by itself too: `capture`, `solve`,
`apply`, `verify`, `measure` (see zigzag.zigzag_torch). `open` shows the same experiment in the lab.
"""
from .engine import BadInput, CannotFit, EngineFailed, EngineMissing, Solved, solve
from .fit import fit, stationary_bytes
from .lab import open_lab as open
from .report import Report, report
from .total import total
from .zigzag_torch import *  # noqa: F403
from .zigzag_torch import __all__ as _FROM_BRIDGE

__all__ = ['BadInput', 'CannotFit', 'EngineFailed', 'EngineMissing', 'Report', 'Solved', 'fit', 'open', 'report',
           'solve', 'stationary_bytes', 'total', *_FROM_BRIDGE]
