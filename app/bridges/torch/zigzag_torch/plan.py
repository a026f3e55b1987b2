"""A zigzag-plan document as steps of numbered operations."""
import bisect
import collections
import json
import os
import re

from .draw import VIEW
from .tensors import PlanMismatch

TRANSFERS = 'send', 'fetch'  # kinds of steps of a zigzag-plan/2
NOT_A_PLAN = 'this is not a zigzag-plan document; create one with `zigzag export FILE --to plan`'
PLACE = re.compile(r'^(.*?)([^.]+)@(\d+)(?:-(\d+))?$')


def _read_plan(plan):
    """The document of a plan, given directly or as a file. Raises PlanMismatch with one sentence if the file is missing
    or holds something else.
    """
    try:
        if isinstance(plan, (str, os.PathLike)):
            with open(plan, encoding='utf8') as file:
                plan = json.load(file)
    except OSError as error:
        raise PlanMismatch(f'the plan {plan} cannot be read: {error.strerror}') from error
    except ValueError as error:
        raise PlanMismatch(f'the plan {plan} is not JSON ({error}); create it again with `zigzag export FILE --to plan`'
                           ) from error
    if not isinstance(plan, dict):
        raise PlanMismatch(NOT_A_PLAN)
    return plan


def _holds_gradients(document):
    """True if the steps belong to reentrant segments, which are refused by name."""
    known = 'forward', 'backward', 'free', *TRANSFERS
    steps = document.get('steps')
    return isinstance(steps, list) and any(isinstance(s, list) and s and s[0] not in known for s in steps)


def _names_operations(document):
    """True when a plan says which operations of PyTorch it is of; the engine must plan the model itself otherwise."""
    steps = document.get('steps')
    whole = isinstance(steps, list) and steps and all(map(_is_step, steps))
    peak = document.get('peakBytes')
    return not whole or not isinstance(peak, int) or bool(document.get('operations')) or any(
        PLACE.match(s[1]) for s in steps)


def _is_step(step):
    return isinstance(step, list) and len(step) > 1 and all(isinstance(part, str) for part in step[:2])


def _require_whole(document):
    """Refuses a plan without steps, and one with a step too many or too few."""
    again = '; create it again with `zigzag export FILE --to plan`'
    steps = document.get('steps')
    if not isinstance(steps, list) or not steps:
        raise PlanMismatch(f'the plan has no steps{again}')
    forwards, backwards, last = set(), collections.Counter(), None
    for i, step in enumerate(steps):
        if not _is_step(step):
            raise PlanMismatch(f'steps[{i}] of the plan is not a step such as ["forward", "layer.relu@4"]{again}')
        if step == last:
            raise PlanMismatch(f'steps[{i}] of the plan repeats the step before it{again}')
        last = step
        if step[0] == 'forward':
            forwards.add(step[1])
        elif step[0] == 'backward':
            backwards[step[1]] += 1
    name, count = next(iter(backwards.most_common(1)), (None, 0))
    if count > 1:
        raise PlanMismatch(f'the plan has {count} backward passes of {name}{again}')
    missing = next((name for name in forwards if name not in backwards and PLACE.match(name)), None)
    if missing is not None:
        raise PlanMismatch(f'the plan is incomplete: it has no backward pass of {missing}{again}')


class _Plan:
    """A zigzag-plan (/1 or /2) as the tape reads it: the operations of each vertex, and the events in order."""

    def __init__(self, document):
        if not isinstance(document, dict) or document.get('format') != 'zigzag-plan':
            raise PlanMismatch(NOT_A_PLAN)
        version = document.get('version')
        if version not in (1, 2):
            raise PlanMismatch(f'the plan is a zigzag-plan/{version}, and this zigzag_torch.py reads /1 and /2; take '
                               'the one of the Zigzag that made the plan: `zigzag export FILE --to torch`')
        # A plan of Zigzag's own network was checked before its translation, which adds casts without a backward.
        if document.get('origin') is None and not _holds_gradients(document):
            _require_whole(document)
        for name in ('regularPeakBytes', 'peakBytes', 'recomputeFraction', 'parameters'):
            if not isinstance(document.get(name, 0), (int, float)):
                raise PlanMismatch(f'{name} of the plan is not a number; create it again with `zigzag export FILE --to plan`')
        regular, peak = document.get('regularPeakBytes'), document.get('peakBytes')
        if regular is not None and peak is not None and document.get('recomputeFraction', 0) > 0 and peak >= regular:
            raise PlanMismatch(f'the plan recomputes but saves no memory: its peak is {peak} bytes, that of plain '
                               f'training {regular}; choose another strategy or a lower budget')
        self.document, self.told, self.told_of_graph = document, set(), False
        self.labels = ()  # names of all captured operations, if known
        self.casts = set()  # operations seen to cast what autocast caches
        self.units, self.unit_at, self.wholes, seen = {}, {}, [], {}
        steps, names = [], collections.defaultdict(set)  # unit -> vertices that hold its value in the plan
        for kind, vertex, *rest in document['steps']:
            if version == 1 and kind in TRANSFERS:
                raise PlanMismatch(f'the plan is a zigzag-plan/1, which has no {kind}: create it again with `zigzag '
                                   'export FILE --to plan`')
            if kind not in ('forward', 'backward', 'free', *TRANSFERS):
                raise PlanMismatch('the plan holds gradients, as reentrant segments do, and this file follows a plan '
                                   'operation by operation; make it with --checkpointing non-reentrant')
            view = vertex.endswith(VIEW)
            name = vertex[:-len(VIEW)] if view else vertex
            if name not in seen:
                seen[name] = self.read(name)
            unit, auxiliary = seen[name], len(rest) > 0
            if unit is None:
                continue
            if kind in ('forward', 'fetch'):
                names[unit].add(vertex)
            elif kind == 'free' and not auxiliary:
                names[unit].discard(vertex)
                if names[unit]:
                    continue
            if not view or kind == 'free':
                steps.append((kind, unit, auxiliary))
        if not self.units:
            raise PlanMismatch('the plan does not say what its operations are in PyTorch: zigzag_lab.plan_model (the Python '
                               'package) captures the model and plans it again within the same peak; with this one file, '
                               'capture the model and make the plan from that file')
        self.order = sorted(self.units)
        self.paths = {unit: PLACE.match(vertex).group(1).rstrip('.') for unit, (_, _, vertex) in self.units.items()}
        self.modules = {path[:end] for path in set(self.paths.values()) if path
                        for end in (*(i for i, c in enumerate(path) if c == '.'), len(path))}
        self.last = max(last for last, _, _ in self.units.values())
        self.ends = {last: label for last, label, _ in self.units.values() if not label.endswith('()')}
        left, opening, forwarded = set(self.units), len(steps), set()
        for i, (kind, unit, _) in enumerate(steps):
            if kind == 'backward' or (kind in ('forward', 'fetch') and not left):
                opening = i
                break
            left.discard(unit if kind == 'forward' else None)
        # Ignores a free with a recompute (or fetch) within the forward pass: the program still holds the tensor.
        frees, last, sends, places = {}, None, [], {}
        for i, (kind, unit, auxiliary) in enumerate(steps[:opening]):
            if kind == 'forward':
                last = unit if unit not in forwarded else last
                forwarded.add(unit)
                frees.pop((unit, False), None)
                frees.pop((unit, True), None)
            elif kind == 'free':
                frees[unit, auxiliary] = last
                places[unit, auxiliary] = i
            elif kind == 'send':
                sends.append((i, last, unit))
            elif kind == 'fetch':
                frees.pop((unit, False), None)
        self.frees = frees
        self.steps = steps[opening:]
        # The last fetch of each copy frees it; a value that is fetched only within the forward need not be sent.
        self.last_fetch = {unit: i for i, (kind, unit, _) in enumerate(self.steps) if kind == 'fetch'}
        told = [(places[unit, auxiliary], trigger, ('free', unit, auxiliary))
                for (unit, auxiliary), trigger in frees.items()]
        told += [(i, trigger, ('send', unit, False)) for i, trigger, unit in sends if unit in self.last_fetch]
        self.opening = collections.defaultdict(list)  # unit -> events after it has run, in the plan's order
        for _, trigger, step in sorted(told, key=lambda one: one[0]):
            self.opening[trigger].append(step)
        self.transfers = any(kind in TRANSFERS for kind, _, _ in steps)
        self.backward = {unit: i for i, (kind, unit, _) in enumerate(self.steps) if kind == 'backward'}
        self.events = collections.defaultdict(lambda: ([], []))  # unit -> (positions, kinds) of the events of its value
        for i, (kind, unit, auxiliary) in enumerate(self.steps):
            if kind != 'backward' and not auxiliary:
                self.events[unit][0].append(i)
                self.events[unit][1].append(kind)

    def label_at(self, number):
        """The name of an operation; None if unknown."""
        return self.labels[number] if number < len(self.labels) else self.ends.get(number)

    def between(self, start, end):
        return self.order[bisect.bisect_right(self.order, start):bisect.bisect_left(self.order, end)]

    def first_under(self, path, after):
        """The first operation of a module after another one, or None."""
        found = self.order[bisect.bisect_right(self.order, after):]
        return next((unit for unit in found if f'{self.paths[unit]}.'.startswith(f'{path}.')), None)

    def next_single(self, unit):
        """The first operation from `unit` on whose name alone identifies its place."""
        found = self.order[bisect.bisect_left(self.order, unit):]
        return next((u for u in found if self.units[u][0] == u and not self.units[u][1].endswith('()')), found[-1])

    def outlives(self, unit, writer):
        """True if a value is still needed after `writer` has overwritten its memory in the forward."""
        freed = self.frees.get((unit, False))
        return freed > writer if freed is not None else self.frees_later(unit, -1)

    def frees_later(self, unit, position):
        """True if a value is freed or sent next: a recompute must not overwrite it."""
        positions, kinds = self.events[unit]
        at = bisect.bisect_right(positions, position)
        return at < len(kinds) and kinds[at] in ('free', 'send')

    def read(self, vertex):
        """The first number of a vertex's operations, by its id; None if it is not an operation of the model."""
        match = PLACE.match(vertex)
        if match is None or vertex.startswith('loss.'):
            return None
        path, label, first, last = match.groups()
        first = int(first)
        last = first if last is None else int(last)
        if label.endswith('()'):
            self.wholes.append(path[:-1])
        self.units[first] = (last, label, vertex)
        for number in range(first, last + 1):
            self.unit_at[number] = first
        return first

    def require(self, model):
        modules = dict(model.named_modules())
        for _, _, vertex in self.units.values():
            path = PLACE.match(vertex).group(1).rstrip('.')
            if path not in modules:
                raise PlanMismatch(f'the plan names {path!r}, which this {type(model).__name__} lacks; capture '
                                   'this model and make the plan from that file')
