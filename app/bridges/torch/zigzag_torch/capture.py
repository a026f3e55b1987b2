"""Captures a model as a zigzag-graph document."""
import contextlib
import json
import os
import traceback
import typing
import warnings

import torch

from .beside import _wasted
from .draw import _Drawing
from .record import _Recorder
from .removal import _without_plan
from .tensors import CannotCapture, _key, _samples, _size, _tensors
from .undo import _as_before
from .watch import _eager, _inner, _require_weights

# Frames of these files are not the user's code: this file, or its package.
OWN_FILES = os.path.dirname(__file__) + os.sep if (__package__ or '').endswith('zigzag_torch') else __file__

# Names of keys and values in a result of transformers: that of earlier versions, and of 5.24.
CACHES = 'past_key_values', 'cache'
# Least share of the bytes of all results that a warning tells of.
WASTE = 0.05


def capture(model: torch.nn.Module, *inputs: typing.Any, path: 'str | os.PathLike | None' = None,
            loss: 'typing.Callable | None' = None, name: 'str | None' = None, **kwargs: typing.Any) -> dict:
    """Runs one forward of `model(*inputs, **kwargs)` in its present mode; returns its zigzag-graph/1 document.

    Every operation whose result needs a gradient is a vertex, with the bytes of its result, the tensors that autograd
    saves for its backward, and its FLOPs. It also says what this backward allocates at once and hands on, and how long
    the program itself holds the result. Saved tensors without a gradient (masks, the inputs) count as the source.
    `loss` maps the model's result to the scalar for `.backward()`, and is captured too; the default is the result's own
    `loss` if it has one, else all outputs. Tensors on the device `meta` are replaced by fakes with a shape and no
    memory (PyTorch 2.x). `samples` of the document is the inputs' first extent. `coverage` lists unsupported operations
    (size only), and the share of the bytes that the others hold.

    Model, random state and gradients are unchanged afterwards; `path` names a file to write. Raises CannotCapture with
    one sentence that names the file and line of the user's code where the forward fails.
    """
    plain = _inner(model)
    with _without_plan(plain):
        document = _captured(plain, inputs, kwargs, loss, name).document
    if path is not None:
        with open(path, 'w', encoding='utf8') as file:
            json.dump(document, file)
    return document


class _Capture(typing.NamedTuple):
    document: dict
    labels: typing.Sequence  # of all operations of the forward
    checkpoints: list  # vertices that the model's own checkpointing keeps, if it has one


def _captured(plain, inputs, kwargs, loss=None, name=None, call=None, wholes=()):
    """Captures a forward, in which each of the modules in `wholes` counts as one operation."""
    recorder = _record(plain, inputs, kwargs, loss, wholes, call)
    dynamic = set(recorder.dynamic_modules()) - set(wholes)
    if dynamic:
        recorder = _record(plain, inputs, kwargs, loss, (*wholes, *sorted(dynamic)), call)
    drawing = _Drawing(recorder)
    vertices, edges, coverage = drawing.draw()
    _warn_of_waste(plain, drawing, sum(v['bytes'] for v in vertices))
    document = {'format': 'zigzag-graph', 'version': 1, 'name': name or type(plain).__name__,
                'samples': _samples((inputs, kwargs)), 'order': 'given', 'coverage': coverage, 'vertices': vertices,
                'edges': edges}
    return _Capture(document, recorder.labels(), drawing.checkpoints(vertices, edges))


def _record(model, inputs, kwargs, loss, wholes, call=None, keeps=False):
    _require_weights(model)
    recorder = _Recorder(model, (inputs, kwargs), wholes, keeps)
    devices = sorted({t.get_device() for t in _tensors((inputs, kwargs)) if t.is_cuda})
    try:
        with _as_before(model) as undo, torch.random.fork_rng(devices=devices), torch.enable_grad(), undo, _eager():
            with _fakes(model, inputs, kwargs) as (own, args, named, stationary):
                recorder.begin(args, named, stationary)
                with recorder.watching(model):
                    results = (call or own)(*args, **named)
                    with recorder.inside('loss'):
                        ends = _ends(loss(results) if loss is not None else results)
                recorder.end(ends)
                _warn_of_cache(model, results)
                del results, ends
    except Exception as error:
        if recorder.asked and not keeps:
            return _record(model, inputs, kwargs, loss, wholes, call, True)
        if isinstance(error, CannotCapture):
            raise
        raise CannotCapture(_sentence(type(model).__name__, error)) from error
    return recorder


def _sentence(what, error):
    """One sentence with the line of the user's code where a forward failed, and the reason."""
    inside = os.path.dirname(torch.__file__) + os.sep
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith((inside, OWN_FILES))] or frames
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return f'{what} cannot be captured: {own[-1].filename}:{own[-1].lineno} `{own[-1].line}` fails ({reason})'


def _ends(results):
    """The tensors on which backward is called: the result's own loss, or every output with a gradient."""
    own = results.get('loss') if isinstance(results, dict) else getattr(results, 'loss', None)
    if isinstance(own, torch.Tensor) and own.requires_grad:
        return [own]
    return [t for t in _tensors(results) if t.requires_grad]


def _warn_of_cache(model, results):
    """Warns of keys and values in the result of a model in training: those of transformers return them unless told not to."""
    caches = [part for name, part in results.items() if name in CACHES] if isinstance(results, dict) else ()
    held = sum({_key(t): _size(t) for t in _tensors(caches)}.values())
    if model.training and held and hasattr(model, 'config'):
        warnings.warn(f'zigzag: the {type(model).__name__} returns its keys and values ({held / 2 ** 20:.2f} MiB), which no plan '
                      'frees while your loop holds its result: train with use_cache=False')


def _warn_of_waste(model, drawing, whole):
    """Warns of much that autograd saves for gradients that never come, `whole` being the bytes of the forward's results."""
    wasted, path = _wasted(drawing)
    if wasted > WASTE * whole:
        warnings.warn(f'zigzag: autograd saves {wasted / 2 ** 20:.2f} MiB within {path or "the " + type(model).__name__} for '
                      'gradients that nothing asks for: run that within torch.no_grad()')


@contextlib.contextmanager
def _fakes(model, inputs, kwargs):
    """(callable, inputs, kwargs), with tensors without memory if the model is on `meta`."""
    tensors = [*model.parameters(), *model.buffers()]
    if not any(t.is_meta for t in (*tensors, *_tensors((inputs, kwargs)))):
        yield model, inputs, kwargs, tensors
        return
    try:
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.func import functional_call
    except ImportError:
        raise CannotCapture('a model on the device meta is captured with PyTorch 2.0 or later')
    device = next((t.device for t in _tensors((inputs, kwargs)) if not t.is_meta), torch.device('cpu'))
    mode, made = FakeTensorMode(allow_non_fake_inputs=True), {}

    def fake(tensor):
        if id(tensor) not in made:
            with mode:
                made[id(tensor)] = torch.empty_strided(
                    tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device,
                    requires_grad=tensor.requires_grad)
        return made[id(tensor)]

    def fakes(value):
        if isinstance(value, torch.Tensor):
            return fake(value)
        if isinstance(value, dict):
            return type(value)((k, fakes(v)) for k, v in value.items())
        return type(value)(fakes(v) for v in value) if type(value) in (list, tuple) else value

    named = dict(model.named_parameters(remove_duplicate=False))
    named.update(model.named_buffers(remove_duplicate=False))
    state = {key: fake(tensor) for key, tensor in named.items()}
    with mode:
        yield (lambda *a, **k: functional_call(model, state, a, k, tie_weights=False),
               fakes(inputs), fakes(kwargs), list(state.values()))
