"""Callback for Lightning's Trainer."""
try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from torch import nn

from .fit import fit
from .report import tell_end

# Least share of the parameters for a submodule to count as the trained network.
CORE = 0.8


class LightningCallback(Callback):
    """Fits the network of a LightningModule into `budget` on its first batch, as the Trainer runs it.

        trainer = Trainer(callbacks=[LightningCallback(budget='60%')])

    The network is the submodule with most of the parameters (a `training_step` may call it instead of `self`), else the
    module itself. `options` are those of `fit`.
    """

    def __init__(self, budget, **options):
        self.budget, self.options = budget, options

    def on_train_start(self, trainer, pl_module):
        optimizer = trainer.optimizers[0] if trainer.optimizers else None
        fit(_core_of(pl_module), budget=self.budget, optimizer=optimizer, **self.options)

    def on_train_end(self, trainer, pl_module):
        tell_end(_core_of(pl_module))


def _core_of(module):
    def count(part):
        return sum(p.numel() for p in part.parameters())
    largest = max(module.children(), key=count, default=module)
    # Nothing calls a list of layers: the module calls what is in it.
    is_called = not isinstance(largest, (nn.ModuleList, nn.ModuleDict))
    return largest if is_called and count(largest) >= CORE * count(module) else module
