"""The joint graph of forward and backward that torch.compile partitions, as numbers: operations, memory and costs."""
import collections
import operator

import torch
from torch._functorch import partitioners
from torch.utils.checkpoint import CheckpointPolicy
from torch.utils.flop_counter import flop_registry

# Reads from which Inductor stores a pointwise result that several operations read (its realize_reads_threshold).
MAX_READS = 4
# True if autograd lets go of the gradients that it gives to a compiled backward (PyTorch 2.15; not 2.10).
FREES_GRADIENTS = hasattr(torch.autograd.Function, 'boxed_grads_call')
TAG = torch.Tag


def _schema(node):
    return getattr(node.target, '_schema', None)


def _is_view(node):
    """True if its results share the storage of its first argument."""
    if node.target is operator.getitem:
        return _is_view(node.args[0])
    schema = _schema(node)
    if schema is None:
        return False
    return schema.name == 'aten::_unsafe_view' or any(
        r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)


def _has_tag(node, tag):
    return tag in getattr(node.target, 'tags', ())


def _cost(node):
    """FLOPs by PyTorch's own counter, and one per element for operations that it lacks."""
    value = node.meta.get('val')
    if node.op != 'call_function' or node.target is operator.getitem or _is_view(node):
        return 0
    count = flop_registry.get(getattr(node.target, 'overloadpacket', None))
    if count is not None:
        args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta.get('val'))
        return int(count(*args, **kwargs, out_val=value))
    read = [partitioners._size_of(n) // 4 for n in node.all_input_nodes if isinstance(n.meta.get('val'), torch.Tensor)]
    own = partitioners._size_of(node) // 4 if isinstance(value, (torch.Tensor, tuple, list)) else 0
    return own if _has_tag(node, TAG.pointwise) else max([own, *read])


class Joint:
    """Nodes of a joint graph, numbered in the order of the graph. Costs and bytes are of one step, without parameters,
    inputs and the gradients that backward returns. Where `fuses` is set, a pointwise result that only fusible
    operations read takes no memory, as in Inductor's kernels.
    """

    def __init__(self, graph, info, forward_outputs, backward_outputs, fuses):
        self.nodes = [n for n in graph.nodes if n.op != 'output']
        self.number = {n: i for i, n in enumerate(self.nodes)}
        numbers = range(len(self.nodes))
        self.reads = [[self.number[n] for n in node.all_input_nodes] for node in self.nodes]
        self.users = [[self.number[u] for u in node.users if u in self.number] for node in self.nodes]
        self.view = [_is_view(n) for n in self.nodes]
        self.root = []
        for i in numbers:
            self.root.append(self.root[self.reads[i][0]] if self.view[i] and self.reads[i] else i)
        self.is_tensor = [isinstance(n.meta.get('val'), torch.Tensor) for n in self.nodes]
        self.is_input = [n.op in ('placeholder', 'get_attr') for n in self.nodes]
        # Values that backward alone reads, such as a mask of dropout, may be computed and saved in the forward too.
        self.forward = [n in info.inputs if self.is_input[i] and n.op == 'placeholder' else n not in info.tangents_closure
                        for i, n in enumerate(self.nodes)]
        kept = {self.root[self.number[n]] for n in backward_outputs if n in self.number}
        self.tangents = {i for i in numbers if self.is_input[i] and not self.forward[i]}
        self.size = [partitioners._size_of(n) if self.is_tensor[i] and not self.view[i]
                     and not (self.is_input[i] if self.forward[i] else i in kept) else 0 for i, n in enumerate(self.nodes)]
        self.cost = [_cost(n) for n in self.nodes]
        self.outputs = {self.root[self.number[n]] for n in forward_outputs if n in self.number}
        self.order = [i for i in numbers if self.forward[i] and not self.is_input[i]]
        self.backward = self.backward_nodes(info, backward_outputs)
        ops = partitioners.get_default_op_list()
        self.fusible = [fuses and n.op == 'call_function' and bool(ops.is_fusible(n)) for n in self.nodes]
        self.pointwise = [self.fusible[i] and _has_tag(n, TAG.pointwise) for i, n in enumerate(self.nodes)]
        self.changed = self.changed_inputs()
        self.forced = {i for i in self.order if self.is_tensor[i] and not self.view[i] and self.must_save(i)}
        self.never = {i for i in self.order if partitioners.must_recompute(self.nodes[i])} - self.forced
        self.needed = self.needed_values()
        self.always = self.with_sources({self.number[n] for n in forward_outputs if n in self.number} | self.forced, set())

    def backward_nodes(self, info, backward_outputs):
        """Operations of backward from the first that reads a tangent on, as PyTorch orders them."""
        own = [i for i, n in enumerate(self.nodes) if n in info.tangents_closure]
        tangents = {i for i in own if self.is_input[i]}
        first = min((u for t in tangents for u in self.users[t]), default=0)
        ends = {self.number[n] for n in backward_outputs if n in self.number}
        return sorted({i for i in own if i >= first and not self.is_input[i]} | {i for i in ends if not self.is_input[i]})

    def changed_inputs(self):
        """Inputs that the forward overwrites: operations that read them must not run again."""
        def writes(node, i):
            schema = _schema(node)
            return schema is not None and schema.is_mutable and self.reads[i]
        ends = next(n for n in reversed(self.nodes[0].graph.nodes) if n.op == 'output').meta.get('desc') or ()
        replaced = [d.mutated_input for d in torch.utils._pytree.tree_leaves(ends) if hasattr(d, 'mutated_input')]
        changed = {i for i, n in enumerate(self.nodes) if self.is_input[i] and n.meta.get('desc') in replaced}
        return changed | {self.root[self.reads[i][0]] for i, n in enumerate(self.nodes) if writes(n, i)}

    def must_save(self, i):
        """True for random and collective operations, side effects, and regions that a user marked."""
        node = self.nodes[i]
        made = self.nodes[self.reads[i][0]] if node.target is operator.getitem else node
        marks = {node.meta.get('recompute'), made.meta.get('recompute')}
        if CheckpointPolicy.MUST_SAVE in marks:
            return True
        if partitioners.must_recompute(made):
            return False
        if self.is_random(made) or made.is_impure(impure_random=False) or not isinstance(made.target, torch._ops.OpOverload):
            return True
        reads = {self.root[j] for j in self.reads[self.number[made]]}
        return made.target.namespace in ('_c10d_functional', 'c10d_functional') or bool(reads & self.changed)

    def is_random(self, node):
        if not _has_tag(node, TAG.nondeterministic_seeded):
            return 'inductor_seed' in str(node.target)
        names = [a.name for a in _schema(node).arguments]
        if 'dropout_p' not in names:
            return True
        at = names.index('dropout_p')
        return (node.args[at] if at < len(node.args) else node.kwargs.get('dropout_p', 0)) != 0

    def needed_values(self):
        """Results of the forward that backward would recompute if nothing were saved."""
        seen, pending = set(), [j for i in self.backward for j in self.reads[i]]
        while pending:
            i = pending.pop()
            if i not in seen and not self.is_input[i]:
                seen.add(i)
                pending.extend(self.reads[i])
        return {i for i in seen if self.forward[i] and self.is_tensor[i] and not self.view[i]}

    def run_backward(self, saved):
        """(operations of backward in order, inputs and saved values that are read)"""
        order, done, read = [], set(), set()
        for node in self.backward:
            if node not in done and node not in saved and done.issuperset(self.reads[node]):
                order.append(node)
                done.add(node)
                continue
            pending, wanted = [node], set()
            while pending:
                i = pending.pop()
                if i in done or i in wanted:
                    continue
                if i in saved or self.is_input[i]:
                    read.add(i)
                    done.add(i)
                    continue
                wanted.add(i)
                pending.extend(self.reads[i])
            for i in sorted(wanted):
                order.append(i)
                done.add(i)
        return order, read

    def with_sources(self, values, known):
        """Operations that give some values, and those that are known to run."""
        found, pending = set(known), list(values)
        while pending:
            i = pending.pop()
            if i not in found and not self.is_input[i]:
                found.add(i)
                pending.extend(self.reads[i])
        return found

    def sources(self, order, kept):
        """Storages that each operation of a phase reads, through views and through results that fusion never stores."""
        ran, found, stored = set(order), {}, set()
        for i in order:
            read = set()
            for j in self.reads[i]:
                if j in found and (self.view[j] or j not in stored):
                    read |= found[j]
                else:
                    read.add(self.root[j])
            found[i] = read
            if not self.view[i] and not self.is_fused(i, ran, kept, len(read)):
                stored.add(i)
        return found, stored

    def is_fused(self, i, ran, kept, reads):
        if not self.pointwise[i] or i in kept:
            return False
        pending, count = list(self.users[i]), 0
        while pending:
            u = pending.pop()
            if u not in ran:
                continue
            if self.view[u]:
                pending.extend(self.users[u])
            elif not self.fusible[u]:
                return False
            else:
                count += 1
        return count == 1 or reads <= MAX_READS

    def peak_of(self, order, held, kept):
        """(most bytes while `order` runs, storages that live then): `held` exist before, `kept` remain afterwards."""
        found, stored = self.sources(order, kept)
        last = {}
        for at, i in enumerate(order):
            for r in found[i] if not self.view[i] else ():
                last[r] = at
        freed = [0] * len(order)
        for r, at in last.items():
            if r not in kept and (r in stored or r in held):
                freed[at] += self.size[r]
        live = {r for r in held if r in last or r in kept}
        now = peak = sum(self.size[r] for r in live)
        when = -1
        for at, i in enumerate(order):
            if i in stored:
                now += self.size[i]
                if now > peak:
                    peak, when = now, at
                if i not in last and i not in kept:
                    now -= self.size[i]
            now -= freed[at]
        born = {i: at for at, i in enumerate(order) if i in stored}
        end = len(order)
        return peak, {r for r in (*live, *born) if born.get(r, -1) <= when <= (end if r in kept else last.get(r, -1))}

    def tried(self, saved):
        """(peak bytes of a step, cost of recomputation, storages that live at the peak) if these are saved."""
        order, read = self.run_backward(saved)
        # A value that only backward reads runs in the forward where it is saved.
        ran = self.with_sources((i for i in read if self.forward[i]), self.always)
        again = sum(self.cost[i] for i in order if i in ran)
        held = {self.root[i] for i in read if self.forward[i] and not self.is_input[i]}
        # Between the two, what reads the results outside of the graph still holds them as their gradients come.
        turn = held | self.outputs | self.tangents
        peaks = (self.peak_of(order, held | self.tangents, set() if FREES_GRADIENTS else self.tangents),
                 self.peak_of(sorted(ran), set(), held | self.outputs), (sum(self.size[i] for i in turn), turn))
        peak, live = max(peaks, key=lambda found: found[0])
        return peak, again, live

    def document(self, name):
        """(the forward as a zigzag-graph, values of each vertex): what fusion never stores is part of what reads it."""
        found, stored = self.sources(self.order, set())
        owner = {i: self.reads[i][0] if self.nodes[i].target is operator.getitem else i for i in self.needed if i in stored}
        values = collections.defaultdict(list)
        for i in sorted(owner):
            values[owner[i]].append(i)
        later = self.keepers(owner, found, stored)
        # A source without bytes: inputs are not part of a step.
        vertices, edges = [{'id': 'inputs', 'op': 'inputs', 'bytes': 0}], []
        for unit in sorted(values):
            keeps, output = later[unit]
            reads = sorted({owner[r] for r in found[unit] if r in owner} | keeps)
            vertices.append({'id': self.nodes[unit].name, 'op': getattr(_schema(self.nodes[unit]), 'name', 'operation'),
                             'bytes': sum(self.size[i] for i in values[unit]), 'flops': max(1, self.cost[unit]),
                             'keeps': {'inputs': sorted(reads.index(u) for u in keeps), 'output': output, 'auxBytes': 0}})
            edges.extend([self.nodes[u].name, self.nodes[unit].name] for u in reads)
            if not reads:
                edges.append(['inputs', self.nodes[unit].name])
        return {'format': 'zigzag-graph', 'version': 1, 'name': name, 'order': 'given', 'vertices': vertices,
                'edges': edges}, values

    def keepers(self, owner, found, stored):
        """For each operation of the forward: the operations whose results its backward reads, and if it reads its own."""
        sequence = [n.meta.get('seq_nr') for n in self.nodes]
        units = sorted(set(owner.values()))
        in_sequence, readers = collections.defaultdict(list), collections.defaultdict(list)
        for unit in units:
            in_sequence[sequence[unit]].append(unit)
            for r in found[unit]:
                readers[owner.get(r)].append(unit)
        later = {unit: (set(), False) for unit in units}
        for i in self.backward:
            read = set()
            for j in self.reads[i]:
                read |= found[j] if j in found and j not in stored else {self.root[j]}
            for maker in {owner[r] for r in read if r in owner}:
                own = [u for u in in_sequence[sequence[i]] if u > maker]
                reader = max(own or readers[maker], default=None)
                if reader is None or sequence[i] == sequence[maker] is not None:
                    later[maker] = later[maker][0], True
                else:
                    later[reader][0].add(maker)
        return later
