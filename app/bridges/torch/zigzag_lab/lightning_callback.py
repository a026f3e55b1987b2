"""Callback for Lightning's Trainer."""
try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from torch import nn

from .fit import fit, trains
from .layers import has_shards
from .parts import fit_parts, join_parts
from .report import has_report, report, tell_end

# Least share of the trained parameters for a submodule to count as the trained network.
CORE = 0.8


class LightningCallback(Callback):
    """Fits what a LightningModule trains into `budget` on its first batch, as the Trainer runs it.

        trainer = Trainer(callbacks=[LightningCallback(budget='60%')])

    That is the module itself if `training_step` calls `self`, or the submodule with most of the trained parameters. With a
    share such as '60%', each other submodule that `training_step` calls gets a plan too, as in autoencoders and GANs: within
    that share of its own peak, or the least that is known. `options` are those of `fit`; with `min_saving` no other
    submodule is planned.
    """

    def __init__(self, budget, **options):
        self.budget, self.options = budget, options

    def on_train_start(self, trainer, pl_module):
        core, is_sharded = _core_of(pl_module), has_shards(pl_module)
        for model in (core,) if is_sharded else dict.fromkeys((pl_module, core)):
            optimizer = next((o for o in trainer.optimizers if trains(o, model)), None)
            fit(model, budget=self.budget, optimizer=optimizer, **self.options)
        if is_sharded:
            return
        if str(self.budget).strip().endswith('%') and 'min_saving' not in self.options:
            fit_parts(pl_module, self.budget, self.options.get('variants', 4))
        join_parts(pl_module)

    def on_train_end(self, trainer, pl_module):
        planned = [part for part in pl_module.modules() if has_report(part) and report(part).applied]
        for part in planned or [_core_of(pl_module)]:
            tell_end(part)


def _core_of(module):
    def count(part):
        return sum(p.numel() for p in part.parameters() if p.requires_grad)
    largest = max(module.children(), key=count, default=module)
    # Nothing calls a list of layers: the module calls what is in it.
    is_called = not isinstance(largest, (nn.ModuleList, nn.ModuleDict))
    return largest if is_called and count(largest) >= CORE * count(module) else module
