"""Gradient checkpointing that fits a PyTorch model into a number of bytes.

    import zigzag_lab as zigzag
    model = zigzag.fit(model, images, budget='60%', optimizer=optimizer)
    zigzag.report(model)     # in a notebook: figures, and live memory over a step

`fit` captures the model, solves, verifies and applies the plan. Each step is also a function: `capture`, `solve`,
`plan_model`, `verify`, `measure` (see zigzag_lab.zigzag_torch). `open_lab` shows the same experiment in the lab.
`ZigzagCallback` fits the model of a Trainer of transformers, `LightningCallback` that of Lightning. `Partitioner` plans
the graphs that torch.compile compiles (PyTorch 2.10 or later).
"""
import importlib
import warnings
from typing import Any

from .engine import BadInput, CannotFit, EngineFailed, EngineMissing, Solved, solve
from .fit import fit
from .lab import open_lab
from .report import Report, report
from .stationary import stationary_bytes
from .total import total
from .version import __version__
from .zigzag_torch import *  # noqa: F403
from .zigzag_torch import __all__ as _FROM_BRIDGE
from .planned import plan_model  # in place of the bridge's

__all__ = ['BadInput', 'CannotFit', 'EngineFailed', 'EngineMissing', 'Report', 'Solved', '__version__', 'fit', 'open_lab',
           'report', 'solve', 'stationary_bytes', 'total', *(name for name in _FROM_BRIDGE if name != 'apply')]

# Names that need another library or the compiler, and their modules.
_ON_DEMAND = {'ZigzagCallback': 'transformers_callback', 'LightningCallback': 'lightning_callback',
              'Partitioner': 'partitioner'}
# Names of version 0.1 that shadow others, kept for one version.
_OLD = {'apply': ('plan_model', plan_model), 'open': ('open_lab', open_lab)}
globals().pop('apply', None)


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return getattr(importlib.import_module(f'.{_ON_DEMAND[name]}', __name__), name)
    if name in _OLD:
        new, function = _OLD[name]
        warnings.warn(f'zigzag.{name} is now zigzag.{new}', DeprecationWarning, stacklevel=2)
        return function
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
