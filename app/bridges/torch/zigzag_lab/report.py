"""Report on what `fit` did with a model."""
import html
import logging
import sys
import weakref

from torch import nn

from .engine import BadInput
from .zigzag_torch.follow import followed
from .zigzag_torch.watch import _inner

LOG = logging.getLogger('zigzag.fit')
_REPORTS = weakref.WeakKeyDictionary()


class Report:
    """`sentence` in a terminal, figures and the zigzag (live memory over a step) in a notebook.

    `solved` is the plan with its figures (see `solve`), `document` the captured graph, `applied` is false if the model
    already fit and was not changed.
    """

    def __init__(self, solved, document, applied, sentence, rows):
        self.solved, self.document, self.applied = solved, document, applied
        self.sentence = sentence
        self.rows = rows
        self.steps = []  # of the forward passes so far

    def __repr__(self):
        rows = [*self.rows, *self.steps]
        width = max(len(name) for name, _ in rows)
        return '\n'.join([self.sentence, *(f'  {name.ljust(width)}  {figure}' for name, figure in rows)])

    def _repr_html_(self):
        rows = ''.join(f'<div><dt>{html.escape(name)}</dt><dd>{html.escape(figure)}</dd></div>'
                       for name, figure in [*self.rows, *self.steps])
        return (f'<div class="zigzag-report"><style>{self.solved.style}</style><p>{html.escape(self.sentence)}</p>'
                f'<dl>{rows}</dl>{self.solved.figure}</div>')


def amount(size):
    """Bytes as people say them."""
    power = next((p for p in (3, 2, 1) if size >= 1024 ** p), 0)
    return f"{size / 1024 ** power:.{2 if power else 0}f} {('bytes', 'KiB', 'MiB', 'GiB')[power]}"


def keep(model, made):
    """Keeps a model's report while the model exists."""
    _REPORTS[_inner(model)] = made


def has_report(model: nn.Module) -> bool:
    """True if `fit` has planned a model. A model planned on its first batch may not have run yet."""
    return _inner(model) in _REPORTS


def report(model: nn.Module) -> Report:
    """The report of a model that `fit` returned, with the number of forward passes that followed a plan so far. Raises
    BadInput for any other model, and before the first batch of a model that is planned on it.
    """
    if not has_report(model):
        parts = [name for name, part in model.named_modules() if has_report(part)]
        if parts:
            raise BadInput(f"this {type(model).__name__} has a report for each of its parts: {', '.join(parts)}")
        raise BadInput(f'this {type(model).__name__} has no report: it did not come from zigzag.fit, or has not trained')
    made, facts = _REPORTS[_inner(model)], followed(model)
    left = f" (the last one: {facts['left']})" if facts['stepsOff'] and facts['left'] else ''
    if facts['stepsOn'] or facts['stepsOff']:
        made.steps = [('Forward passes', f"{facts['stepsOn']} on a plan, {facts['stepsOff']} left it{left}")]
    return made


def tell_end(model):
    """Logs the report after training, or the reason why it is missing."""
    if has_report(model):
        LOG.info('%r', report(model))
    else:
        LOG.warning('nothing was planned, as training did not call this %s itself: call it in place of its methods, or fit the '
                    'part of it that is called', type(_inner(model)).__name__)


class _Said(logging.Handler):
    """Shows the logger's messages if the program has not configured logging."""

    def emit(self, record):
        if not logging.getLogger().handlers:
            sys.stdout.write(f'{record.getMessage()}\n')


def tell(sentence):
    """One line for the user, through the logger `zigzag`."""
    if not LOG.handlers:
        LOG.addHandler(_Said())
        if LOG.level == logging.NOTSET:
            LOG.setLevel(logging.INFO)
    LOG.info(sentence)
