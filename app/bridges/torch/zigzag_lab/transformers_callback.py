"""Callback for the Trainer of transformers."""
from transformers import TrainerCallback

from .fit import fit
from .report import tell_end


class ZigzagCallback(TrainerCallback):
    """Fits the model of a Trainer into `budget` on its first batch, as the Trainer runs it.

        trainer = Trainer(model=model, args=args, train_dataset=data, callbacks=[ZigzagCallback(budget='60%')])

    `options` are those of `fit`. At the end the log says how many forward passes followed a plan.
    """

    def __init__(self, budget, **options):
        self.budget, self.options = budget, options

    def on_train_begin(self, args, state, control, model=None, optimizer=None, **kwargs):
        fit(model, budget=self.budget, optimizer=optimizer, **self.options)

    def on_train_end(self, args, state, control, model=None, **kwargs):
        tell_end(model)
