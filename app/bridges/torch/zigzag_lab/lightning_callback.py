"""Callback for Lightning's Trainer."""
try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from torch import nn

from .fit import fit
from .parts import fit_parts
from .report import has_report, report, tell_end

# Least share of the trained parameters for a submodule to count as the trained network.
CORE = 0.8


class LightningCallback(Callback):
    """Fits the network of a LightningModule into `budget` on its first batch, as the Trainer runs it.

        trainer = Trainer(callbacks=[LightningCallback(budget='60%')])

    The network is the submodule with most of the trained parameters (a `training_step` may call it instead of `self`), else the
    module itself. With a share such as '60%', each other submodule that `training_step` calls gets a plan too, as in
    autoencoders and GANs: within that share of its own peak, or the least that is known. `options` are those of `fit`;
    with `min_saving` the network alone is planned.
    """

    def __init__(self, budget, **options):
        self.budget, self.options = budget, options

    def on_train_start(self, trainer, pl_module):
        core = _core_of(pl_module)
        own = {id(p) for p in core.parameters()}
        optimizer = next((o for o in trainer.optimizers if any(id(p) in own for g in o.param_groups for p in g['params'])), None)
        fit(core, budget=self.budget, optimizer=optimizer, **self.options)
        if str(self.budget).strip().endswith('%') and 'min_saving' not in self.options:
            fit_parts(pl_module, self.budget, self.options.get('variants', 4))

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
