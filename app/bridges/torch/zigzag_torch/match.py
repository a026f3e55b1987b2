"""Plans of the engine's own networks, matched with a model operation by operation."""
import collections

import torch

from .autocast import CAST
from .capture import _record
from .draw import _Drawing
from .engine_facts import ENGINE
from .record import SOURCE
from .removal import _without_plan
from .tensors import CannotCapture, PlanMismatch

# Operations of the engine's networks that `_kind` leaves opaque.
KINDS = {label: ENGINE['aten'][label] for label in ('hardtanh', 'hardtanh_', 'mean')}
UNORDERED = ('add', 'multiply')
TRIED_SAMPLES = 2  # batch norm needs more than one


def _attributes_of(kind):
    """Attributes that change bytes but not the shape of the output."""
    return ENGINE['kinds'].get(kind, {}).get('attributes', ())


class _Node:
    """An operation in a form that compares a plan's network with a model's forward: kind, size of a sample, inputs."""
    __slots__ = ('id', 'label', 'inputs', 'inplace', 'after')

    def __init__(self, id, kind, attributes, shape, inputs, inplace):
        told = tuple((key, str(attributes[key])) for key in _attributes_of(kind) if key in attributes)
        sample = list(shape[1:])
        while sample and sample[-1] == 1:  # for a mean: true if it drops its axes
            sample.pop()
        self.id, self.label, self.inputs, self.inplace, self.after = (
            id, (kind, tuple(sample), told), inputs, inplace, None)

    def __str__(self):
        kind, sample, told = self.label
        kernel = dict(told).get('kernel')
        size = ' x '.join(str(extent) for extent in sample) or '1'
        return f'{kind}{f" {kernel}" if kernel else ""} of {size} a sample'

    def reads(self, found):
        inputs = [found[i] for i in self.inputs]
        return tuple(sorted(inputs, key=str) if self.label[0] in UNORDERED else inputs)


def _planned(operations):
    """(nodes of the plan's network, its views -> their bases)."""
    nodes, views = [], {}
    for operation in operations:
        inputs = [views.get(i, i) for i in operation['inputs']]
        if operation.get('view'):
            views[operation['id']] = inputs[0]
            continue
        attributes = operation.get('attrs') or {}
        nodes.append(_Node(operation['id'], operation['op'], attributes, operation['shape'], inputs,
                           attributes.get('inplace') is True))
    return nodes, views


def _found(drawing):
    """(nodes of a recorded forward by the numbers of their operations, casts of autocast -> what they cast)."""
    nodes, casts = [_Node(SOURCE, 'input', {}, drawing.recorder.input[0], [], False)], {}
    for number in drawing.members:
        unit = drawing.units[number]
        numbers, reads_inputs = drawing.sources(number)
        if unit.label == CAST:
            if numbers or reads_inputs:
                source = numbers[0] if numbers else SOURCE
                casts[number] = casts.get(source, source)
            else:
                casts[number] = None  # of a parameter
            continue
        inputs = [casts.get(n, n) for n in numbers]
        inputs = [n for n in inputs if n is not None]
        if reads_inputs:
            inputs.append(SOURCE)
        kind, attributes = unit.kind or (KINDS.get(unit.label, unit.label), {})
        if any('dropout' in drawing.units[m].label or drawing.units[m].label == 'bernoulli_'
               for m in drawing.members[number]):
            kind, attributes = 'dropout', {}
        nodes.append(_Node(number, kind, attributes, unit.shape or [0], inputs, unit.overwrites is not None))
    return nodes, casts


def _look_ahead(nodes, numbers):
    """Gives each node a hash of everything that follows from it, equal across networks."""
    followers = collections.defaultdict(list)
    for node in reversed(nodes):
        follows = tuple(sorted(followers[node.id]))
        node.after = numbers.setdefault((node.label, follows), len(numbers))
        for position, source in enumerate(node.inputs):
            followers[source].append((node.after, 0 if node.label[0] in UNORDERED else position))


def _matched(planned, found, model):
    """Operation of the plan -> number in the model's forward: one to one, kinds, sizes and edges alike.

    Walks both from the input. Operations with equal inputs, results and successors are the same, or do not differ in
    anything that affects memory. Raises PlanMismatch with the first difference.
    """
    numbers = {}
    for nodes in (planned, found):
        _look_ahead(nodes, numbers)
    pairs = _walk(planned, found, lambda node: node.after)
    if pairs is None:
        what = _walk(planned, found, lambda node: node.label, telling=True)
        raise PlanMismatch(f'the plan is of {model}, and this model is another network: {what}; capture this model and '
                           'make the plan from that file')
    return pairs


def _walk(planned, found, sign, telling=False):
    waiting, own = collections.defaultdict(collections.deque), {node.id: node.id for node in planned}
    for node in planned:
        waiting[sign(node), node.reads(own)].append(node)
    pairs = {}  # number -> operation of the plan
    for node in found:
        open_ = waiting[sign(node), node.reads(pairs)] if all(i in pairs for i in node.inputs) else None
        if not open_:
            return f'the plan has no counterpart of {node} ({node.id})' if telling else None
        pairs[node.id] = open_.popleft().id
    left = next((nodes[0] for nodes in waiting.values() if nodes), None)
    if left is not None:
        return f'the plan has {left.id} ({left}), and this model lacks it' if telling else None
    return 'its operations are connected differently' if telling else {v: k for k, v in pairs.items()}


def _for_model(document, model):
    """Translates a plan of one of Zigzag's own networks to the operations of `model`.

    Runs the model once on two samples of zeros of the plan's size, under the current autocast, and changes nothing in
    it. Casts of autocast stay with the tensor that they cast. Raises PlanMismatch if the networks differ.
    """
    title, first = document.get('model', 'another network'), document['operations'][0]
    shape, parameter = first.get('shape') or [], next(model.parameters(), None)
    if first.get('op') != 'input' or len(shape) < 2 or parameter is None:
        raise PlanMismatch(f'the plan is of {title}, which cannot be matched with a model; capture the model and make the '
                           'plan from that file')
    if not model.training:
        raise PlanMismatch('the plan is of training, and the model is in evaluation mode: call model.train() first')
    sample = torch.zeros(TRIED_SAMPLES, *shape[1:], dtype=parameter.dtype, device=parameter.device)
    try:
        with _without_plan(model):
            drawing = _Drawing(_record(model, (sample,), {}, None, ()))
        drawing.draw()
    except CannotCapture as error:
        size = ' x '.join(str(extent) for extent in shape[1:])
        raise PlanMismatch(f'the plan is of {title} at {size} a sample, on which this model does not run ({error})'
                           ) from error
    planned, views = _planned(document['operations'])
    found, casts = _found(drawing)
    pairs = _matched(planned, found, title)
    return {**document, 'origin': document, 'steps': _translated(document, planned, found, views, casts, pairs, drawing)}


def _translated(document, planned, found, views, casts, pairs, drawing):
    """The steps of a plan, each with the model's own operation; the model must run them in the plan's order."""
    by_number = {node.id: node for node in found}
    release = {}  # operation that overwrites its input in the plan but not in the model -> that input
    for node in planned:
        theirs = by_number[pairs[node.id]]
        if theirs.inplace and not node.inplace:
            raise PlanMismatch(f'{drawing.name(theirs.id)} overwrites its input, which the plan still needs; capture '
                               'this model and make the plan from that file')
        if node.inplace and not theirs.inplace:
            release[theirs.id] = theirs.inputs[0]
    casting = sorted(cast for cast, source in casts.items() if source is not None)
    steps, names, forwarded, newest, oldest = [], collections.defaultdict(set), set(), -1, float('inf')

    def ordered(fits):
        if not fits:
            raise PlanMismatch('the plan runs operations in another order than PyTorch does; take it from Use in '
                               'PyTorch in the lab, or make it with `zigzag export MODEL --to torch-plan`')

    for kind, vertex, *rest in document['steps']:
        number = pairs.get(views.get(vertex, vertex))
        if number is None or number == SOURCE:
            continue
        if kind in ('forward', 'fetch'):
            names[number].add(vertex)
        elif kind == 'free' and not rest:
            names[number].discard(vertex)
            if names[number]:
                continue
        if vertex in views and kind != 'free':
            continue
        name = drawing.name(number)
        if kind == 'forward' and number not in forwarded:
            ordered(number > newest)
            # Autocast casts a tensor at its first read.
            steps.extend(['forward', drawing.name(cast)] for cast in casting if newest < cast < number)
            forwarded.add(number)
            newest = number
        elif kind == 'backward':
            ordered(number < oldest)
            oldest = number
        steps.append([kind, name, *rest])
        if kind == 'forward' and number in release:
            steps.append(['free', drawing.name(release[number])])
        elif kind == 'free' and not rest:
            steps.extend(['free', drawing.name(cast)] for cast in casting
                         if cast < newest and casts[cast] == number)
    return steps
