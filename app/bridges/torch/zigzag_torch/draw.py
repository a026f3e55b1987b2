"""A recorded forward as vertices and edges."""
import bisect
import collections

import torch

from .backward import _most_within
from .beside import _beside
from .kinds import _expected, _takes
from .record import SOURCE, TARGET
from .tensors import NothingSaved, _product

VIEW = '.flatten'  # of a vertex: its result as another shape
UNSEEN = 'written_unseen'


class _Drawing:
    """A recorded forward as vertices and edges."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.units = {n: u for n, u in sorted(recorder.units.items()) if u.label}
        self.group = {}  # number -> number of the vertex it is part of
        self.members = {}  # vertex -> its numbers, ascending
        self.readers = collections.defaultdict(set)
        for number, unit in self.units.items():
            for at in unit.reads:
                self.readers[at[0]].add(number)
        for number, unit in recorder.units.items():
            for at in unit.saved:
                if at[0] != 'held':
                    self.readers[at[0]].add(number)
        for number, _ in recorder.ends:
            self.readers[number].add(TARGET)

    def draw(self):
        self.live = self.reached()
        # Autograd drops within the forward what it saves for them.
        self.unused = {n for n, unit in self.units.items()
                       if unit.needs_grad and n not in self.live and n not in self.recorder.lasting}
        self.dependent = set()
        self.spread()
        while self.grow():
            self.spread()
        self.joined = self.parts()
        for number in (n for n in self.live if n not in self.joined):
            self.group[number] = number
            self.members[number] = self.absorb(number)
        if not self.members:
            raise NothingSaved('no result of the model has a gradient')
        self.order = list(self.members)
        self.overwrites = self.overwritten()
        self.find_values()
        self.last_read, seen = collections.defaultdict(list), set()
        for number in sorted(self.group, reverse=True):
            for parameter in self.units[number].parameters:
                if parameter.requires_grad and id(parameter) not in seen:
                    seen.add(id(parameter))
                    self.last_read[number].append(parameter)
        self.held = {}
        self.counted, self.region_of, self.backwards = set(), {}, {}
        vertices, edges, known = [], [], {}
        for number in self.members:
            vertex, sources, extra = self.vertex(number, known)
            vertices.extend((*extra, vertex))
            self.region_of.update((v['id'], self.region(number)) for v in (*extra, vertex))
            for view in extra:
                edges.append([sources[0], view['id']])
                sources = [view['id'], *sources[1:]]
            edges.extend([source, vertex['id']] for source in sources)
        beside = _beside(self)
        for vertex in vertices:
            if vertex['id'] in beside:
                vertex['besideBytes'] = beside[vertex['id']]
        self.join(vertices, edges)
        self.begin(vertices, edges)
        return vertices, edges, self.coverage(vertices)

    def region(self, number):
        """The model's own checkpoint that an operation is in, the outermost one; None outside."""
        return max((r for r in self.recorder.regions if number in r), key=len, default=None)

    def checkpoints(self, vertices, edges):
        """Vertices that the model's own checkpointing keeps: those outside, and results of its regions; none without
        regions."""
        if not self.recorder.regions:
            return []
        region = self.region_of.get
        results = {a for a, b in edges if region(a) != region(b)}
        return [v['id'] for v in vertices[1:] if region(v['id']) is None or v['id'] in results]

    def spread(self):
        """Marks every operation that depends on the inputs, directly or through others."""
        for number, unit in self.units.items():
            if unit.reads_inputs or any(n in self.dependent for n, _ in unit.reads):
                self.dependent.add(number)

    def grow(self):
        """Marks operations that grow with the batch without reading the inputs. Tensors that grow overwrite them, or are
        combined elementwise with them. Returns true if any was found. With one sample only overwriting shows."""
        before = len(self.dependent)
        for number in sorted(self.dependent, reverse=True):
            unit = self.units[number]
            if unit.overwrites is not None and unit.overwrites[0] in self.units:
                self.dependent.add(unit.overwrites[0])
            if unit.shape and unit.shape[0] == self.recorder.samples > 1:
                self.dependent.update(at[0] for at in unit.reads if at[0] in self.units
                                      and unit.views[at] == unit.shape)
        return len(self.dependent) > before

    def is_fixed(self, number):
        """True if a vertex depends on parameters only: it does not grow with the batch."""
        return not any(member in self.dependent for member in self.members[number])

    def reached(self):
        """Operations that need a gradient and get one: from the ends backward. Those that get none count as well if what
        they save stays to the forward's end: a plan can drop it."""
        lasting, units = self.recorder.lasting, self.units
        pending, seen = [number for number, _ in self.recorder.ends], set()
        while pending:
            number = pending.pop()
            if number not in seen and number in self.units:
                seen.add(number)
                unit = self.units[number]
                # Gradients skip tensors that need none, except inside a Function.
                if unit.needs_grad or not unit.grad:
                    pending.extend(n for (n, slot), needs in unit.reads.items()
                                   if needs or not unit.grad or (n in lasting and n in units and slot in units[n].needs_grad))
        return dict.fromkeys(n for n, unit in self.units.items() if n in seen and unit.needs_grad)

    def parts(self):
        """Operations that write one part of a result right before another writes the next part, and that nothing else reads:
        the gates of a recurrent cell. Each would be a version of the whole result; together they make one."""
        found = set()
        for number in self.live:
            unit, before = self.units[number], self.units[number].overwrites
            if not unit.is_partial or before[0] not in self.live or not self.units[before[0]].is_partial:
                continue
            last, between = before[0], range(before[0] + 1, number)
            if self.readers[last] <= {last, *between, number} and all(
                    self.is_inner(n, set(range(n + 1, number + 1))) and not self.units[n].overwrites for n in between):
                found.add(last)
        return found

    def is_inner(self, number, members):
        """True for an operation without a gradient that only `members` read or save."""
        unit, readers = self.units.get(number), self.readers[number] - {number}
        return bool(unit and readers) and number not in self.live and not unit.writes_elsewhere and readers <= members

    def overwritten(self):
        """{vertex: the other vertex whose result it overwrites}."""
        found = {}
        for number in self.members:
            target = self.units[number].overwrites
            while target is not None and self.group.get(target[0]) == number:
                target = self.units[target[0]].overwrites
            if target is not None and self.group.get(target[0]) is not None:
                found[number] = self.group[target[0]]
        return found

    def absorb(self, number):
        """Inputs that only this operation reads or saves and that get no gradient are part of it. A dropout's mask,
        the inside of a Function and a copy of an overwritten tensor are such, as far as they ran right before."""
        members, at = {number}, number - 1
        while at in self.joined or self.is_inner(at, members):
            target = self.units[at].overwrites
            if at not in self.joined and target is not None and self.group.get(target[0]) is not None:
                break
            members.add(at)
            at -= 1
        # A constant that an absorbed operation overwrites must be absorbed too, or it could not be recomputed.
        for member in sorted(members):
            target = self.units[member].overwrites
            if member != number and member not in self.joined and target is not None and target[0] not in members:
                members = {m for m in members if m > member}
        for member in members:
            self.group[member] = number
        return sorted(members)

    def find_values(self):
        """Results of a vertex that others read or save: its value. It saves the rest for itself, or drops it."""
        self.values = collections.defaultdict(set)
        for number, unit in self.units.items():
            owner = self.group.get(number)
            for n, slot in unit.reads:
                if self.group.get(n) is not None and self.group[n] != owner:
                    self.values[self.group[n]].add((n, slot))
        for number, unit in self.recorder.units.items():
            owner = self.group.get(number, number)
            for at in unit.saved:
                if at[0] != 'held' and self.group.get(at[0]) is not None and self.group[at[0]] != owner:
                    self.values[self.group[at[0]]].add(at)
        for at in self.recorder.ends:
            if self.group.get(at[0]) is not None:
                self.values[self.group[at[0]]].add(at)
        for number in self.members:
            if not self.values[number]:
                self.values[number].add((number, min(self.units[number].needs_grad)))

    def sources(self, number):
        """The vertices that a vertex reads, an overwritten one first, and true if it reads the inputs."""
        found, inputs = {}, False
        if number in self.overwrites:
            found[self.overwrites[number]] = None
        pending, seen = list(self.members[number]), set()
        while pending:
            unit = self.units[pending.pop(0)]
            inputs = inputs or unit.reads_inputs
            for n, _ in unit.reads:
                if self.group.get(n) is not None:
                    if self.group[n] != number:
                        found[self.group[n]] = None
                elif not unit.grad and n not in seen:  # through what a Function computed on the way
                    seen.add(n)
                    pending.append(n)
        return list(found), inputs

    def name(self, number):
        unit, members = self.units[number], self.members[number]
        span = f'{members[0]}' if len(members) == 1 else f'{members[0]}-{members[-1]}'
        return f'{unit.path}.{unit.label}@{span}' if unit.path else f'{unit.label}@{span}'

    def vertex(self, number, known):
        unit, members = self.units[number], self.members[number]
        found, inputs = self.sources(number)
        size = {(m, slot): (self.units[m].keys[slot], self.units[m].results[slot])
                for m in members for slot in range(len(self.units[m].keys))}
        own = dict(size[at] for at in self.values[number])
        keeps, kept = {'inputs': [], 'output': False, 'auxBytes': 0, 'fixedAuxBytes': 0}, {}
        held = False
        for member in members:
            for at in () if member in self.unused else self.recorder.units[member].saved:
                if at[0] == 'held':
                    held = held or at[1] in self.recorder.inputs
                    kept[at[1]] = at[2]
                elif self.group.get(at[0]) == number:
                    if size[at][0] in own:
                        keeps['output'] = True
                    else:
                        kept.update([size[at]])
                elif self.group.get(at[0]) is not None:
                    source = self.group[at[0]]
                    if source not in found:
                        found.append(source)
                    keeps['inputs'].append(found.index(source))
                else:  # needs no gradient: held like the inputs
                    constant = self.units[at[0]]
                    self.held[constant.keys[at[1]]] = constant.results[at[1]]
        keeps['inputs'] = sorted(set(keeps['inputs']))
        norm = 'norm' in unit.label and 'batch' in unit.label
        keeps['fixedAuxBytes' if norm else 'auxBytes'] = sum(kept.values())
        sources = [self.name(n) for n in found]
        if inputs or not sources:
            sources.append(SOURCE)
            if held:
                keeps['inputs'].append(len(sources) - 1)
        is_unseen = any(self.units[m].is_unseen for m in members)
        op = UNSEEN if is_unseen else 'cached_cast' if unit.is_cached_cast else unit.label
        vertex = {'id': self.name(number), 'op': op, 'bytes': sum(own.values())}
        if len(own) == 1 and unit.shape and all(unit.shape):
            vertex['shape'] = unit.shape
            if unit.dtype != torch.float32:
                vertex['dtype'] = str(unit.dtype).replace('torch.', '')
        extra = self.classify(number, vertex, keeps, found, sources, known)
        if found and self.overwrites.get(number) == found[0]:
            vertex['alias'] = 'inplace'
        most = 0
        if unit.outside:
            most = _most_within(unit, vertex['bytes'], self.backwards)
        elif unit.calls:
            ends = [unit.places[slot] for at, slot in sorted(self.values[number]) if at == number and slot in unit.needs_grad]
            backward = unit.calls[0][0].backward(ends, self.backwards)
            sliced = max(self.units[m].sliced_bytes for m in members)
            most = max(backward.most_bytes, sliced and backward.left_bytes + sliced)
            if backward.shares:
                vertex['sharesGradient'] = True
        if most:
            vertex['backwardBytes'] = most
        last = self.held_until(number, own)
        if last is not None:
            vertex['heldUntil'] = self.name(last)
        made = sum(p.numel() * p.element_size() for m in members for p in self.last_read.get(m, ()))
        if made:
            vertex['gradBytes'] = made  # gradients of parameters that this backward computes first
        fresh = [p for m in members for p in self.units[m].parameters if p.requires_grad and id(p) not in self.counted]
        self.counted |= {id(p) for p in fresh}
        if self.is_fixed(number):
            vertex['fixed'] = True
        if fresh:
            vertex['params'] = sum(p.numel() for p in {id(p): p for p in fresh}.values())
        return vertex, sources, extra

    def held_until(self, number, keys):
        """The last vertex that runs while the program itself holds the storages `keys` of a vertex; None if none runs
        after all that read them, or if another vertex overwrites them."""
        if number in self.overwrites.values():
            return None
        until = max([number, *(self.recorder.held_until.get(key, (number,))[0] for key in keys)])
        last = self.group.get(until)
        if last is None:  # not an operation of a vertex
            last = self.order[bisect.bisect_right(self.order, until) - 1]
        readers = {self.group.get(r, number) for n, _ in self.values[number] for r in self.readers[n]}
        return last if last > max(number, *readers) else None

    def classify(self, number, vertex, keeps, found, sources, known):
        """Gives a known operation its attributes, and a view that such an operation needs its own vertex."""
        unit = self.units[number]
        masks = [self.units[m].kind for m in self.members[number][:-1] if self.units[m].label == 'bernoulli_']
        kind = masks[0] if masks and unit.label in ('mul', 'div') else unit.kind
        if vertex['op'] == UNSEEN:
            kind = None  # no plan computes it again
        single = len(self.members[number]) == 1 or (masks and kind)
        # Fixed and growing sources look alike at this batch, but differ at another.
        grows = {n is None or not self.is_fixed(n) for n in (*found, *([None] if SOURCE in sources else []))}
        single = single and len(grows) < 2
        extra = []
        if kind and single and 'shape' in vertex and 'dtype' not in vertex:
            shapes = [known.get(source, self.recorder.input[0] if source == SOURCE and self.recorder.input else None)
                      for source in sources]
            read = list(unit.views.values())
            x = shapes[0]
            if kind[0] == 'linear' and x and len(x) > 2 and read[:1] == [[x[0], _product(x[1:])]] and len(sources) == 1:
                extra = [{'id': self.name(found[0]) + VIEW if found else VIEW[1:], 'op': 'flatten', 'attrs': {},
                          'bytes': 4 * _product(x), 'shape': read[0], 'alias': 'view',
                          'keeps': {'inputs': [], 'output': False, 'auxBytes': 0}}]
                x = read[0]
            whole = x and (not read or all(r == s for r, s in zip(read, [x, *shapes[1:]])))
            parts = [shape[1] for shape in shapes if shape and len(shape) > 1]
            if kind[0] == 'concat' and sum(parts) != unit.shape[1]:
                whole = False  # a parameter is among them, or a tensor without a gradient
            if whole and keeps == _expected(kind[0], unit.shape) and _takes(kind[0], len(sources)):
                vertex['op'], vertex['attrs'], vertex['keeps'] = kind[0], kind[1], keeps
                known[vertex['id']] = unit.shape
                return extra
            extra = []
        vertex['op'] = kind[0] if kind and kind[0] == 'dropout' else vertex['op']
        vertex['keeps'] = keeps
        vertex['flops'] = sum(self.units[m].flops for m in self.members[number])
        if 'shape' in vertex:
            known[vertex['id']] = unit.shape
        return extra

    def join(self, vertices, edges):
        """One target: the last operation, or a vertex that reads all ends."""
        found = (self.group.get(number) for number, _ in self.recorder.ends)
        ends = list(dict.fromkeys(self.name(group) for group in found if group is not None))
        if len(ends) > 1 or ends[0] in {source for source, _ in edges}:
            vertices.append({'id': TARGET, 'op': 'outputs', 'bytes': 0, 'keeps': {'inputs': []}})
            edges.extend([end, TARGET] for end in ends)

    def begin(self, vertices, edges):
        """One source: the input, or all inputs together with saved tensors without a gradient."""
        size = sum(self.recorder.inputs.values()) + sum(self.held.values())
        source = {'id': SOURCE, 'op': 'inputs', 'bytes': size}
        if self.recorder.input and not self.held and self.recorder.input[0] and all(self.recorder.input[0]):
            shape, dtype = self.recorder.input
            source = {'id': SOURCE, 'op': 'input', 'bytes': size, 'shape': shape, 'attrs': {}}
            if dtype != torch.float32:
                source['dtype'] = str(dtype).replace('torch.', '')
        vertices.insert(0, source)

    def coverage(self, vertices):
        """Unsupported operations (size only), and the share of all bytes that the others hold."""
        def size(vertex):
            keeps = vertex.get('keeps', {})
            return vertex['bytes'] + keeps.get('auxBytes', 0) + keeps.get('fixedAuxBytes', 0)
        names = {self.name(n): self.units[n] for n in self.members}
        opaque = [v for v in vertices if v['id'] in names and (
            names[v['id']].outside or not names[v['id']].grad)]
        total = sum(size(v) for v in vertices if v['id'] in names) or 1
        return {'share': round(1 - sum(size(v) for v in opaque) / total, 4),
                'opaque': [{'id': v['id'], 'bytes': size(v)} for v in opaque]}
