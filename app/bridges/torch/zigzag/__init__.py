"""Gradient checkpointing that fits a PyTorch model into a number of bytes.

    import zigzag
    model = zigzag.fit(model, images, budget='60%', optimizer=optimizer)
    zigzag.report(model)     # in a notebook: figures, and live memory over a step

`fit` captures the model, solves, verifies and applies. Each of these is here by itself too: `capture`, `solve`,
`apply`, `verify`, `measure` (see zigzag.zigzag_torch). `open` shows the same experiment in the lab.
"""
from . import zigzag_torch as _bridge
from .engine import BadInput, CannotFit, EngineFailed, EngineMissing, Solved, solve
from .fit import fit, stationary_bytes
from .lab import open_lab as open
from .report import Report, report
from .total import total

# Whatever the bridge offers: it is a file of its own, which grows without this one.
_FROM_BRIDGE = {name: value for name, value in vars(_bridge).items()
                if name[:1] != '_' and getattr(value, '__module__', None) == _bridge.__name__}
globals().update(_FROM_BRIDGE)

__all__ = ['BadInput', 'CannotFit', 'EngineFailed', 'EngineMissing', 'Report', 'Solved', 'fit', 'open', 'report',
           'solve', 'stationary_bytes', 'total', *sorted(_FROM_BRIDGE)]
