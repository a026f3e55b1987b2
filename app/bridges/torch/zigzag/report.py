"""What `fit` did with a model, for people."""
import html
import weakref

from .engine import BadInput

_REPORTS = weakref.WeakKeyDictionary()


class Report:
    """`sentence` in a terminal, figures and the zigzag (live memory over a step) in a notebook.

    `solved` is the plan with its figures (see `solve`), `document` the captured graph, `applied` whether the model
    was changed: it is not where it fits as it is.
    """

    def __init__(self, solved, document, applied, sentence, rows):
        self.solved, self.document, self.applied = solved, document, applied
        self.sentence = sentence
        self.rows = rows

    def __repr__(self):
        width = max(len(name) for name, _ in self.rows)
        return '\n'.join([self.sentence, *(f'  {name.ljust(width)}  {figure}' for name, figure in self.rows)])

    def _repr_html_(self):
        rows = ''.join(f'<div><dt>{html.escape(name)}</dt><dd>{html.escape(figure)}</dd></div>'
                       for name, figure in self.rows)
        return (f'<div class="zigzag-report"><style>{self.solved.style}</style><p>{html.escape(self.sentence)}</p>'
                f'<dl>{rows}</dl>{self.solved.figure}</div>')


def keep(model, made):
    """Remembers a model's report for as long as the model lives."""
    _REPORTS[model] = made


def report(model):
    """The report of a model that `fit` returned.

    Raises BadInput for another one.
    """
    if model not in _REPORTS:
        raise BadInput(f'this {type(model).__name__} has no report: it did not come from zigzag.fit')
    return _REPORTS[model]
