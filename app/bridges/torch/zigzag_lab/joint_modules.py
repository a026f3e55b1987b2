"""Builds the forward and backward that torch.compile compiles, from a joint graph and the values to save."""
import inspect

from torch._functorch import config, partitioners
from torch._functorch.compile_utils import fx_graph_cse

FAR = int(1e9)


class Unsupported(RuntimeError):
    """A graph that cannot be planned; the message says why."""


def prepared(gm, forward_outputs, static_inputs):
    """(module, its nodes by kind): without duplicate computations, and marked as PyTorch's own partitioner does."""
    gm.graph.eliminate_dead_code()
    if config.cse:
        gm.graph = _without_duplicates(gm, forward_outputs)
    if partitioners.has_recomputable_ops(gm):
        gm = partitioners.cleanup_recompute_tags(gm, is_default_partition=False)
    for mark in ('force_save_collectives', 'force_save_effectful_ops', 'force_save_bw_mutation_src'):
        getattr(partitioners, mark, lambda _: None)(gm)
    info = partitioners.classify_nodes(gm, static_inputs or [], forward_outputs)
    if not info.required_bw_nodes:
        raise Unsupported('it has no backward')
    if not hasattr(info, 'tangents_closure'):  # PyTorch 2.10
        info.tangents_closure = _tangents_closure(gm.graph)
    return gm, info


def _tangents_closure(graph):
    found = set()
    for node in graph.nodes:
        is_tangent = node.op == 'placeholder' and 'tangents' in node.target
        if is_tangent or partitioners._must_be_in_backward(node) or not found.isdisjoint(node.all_input_nodes):
            found.add(node)
    return found


def _without_duplicates(gm, forward_outputs):
    if 'extra_node_key' not in inspect.signature(fx_graph_cse).parameters:
        return fx_graph_cse(gm.graph)
    ends = partitioners._extract_fwd_bwd_outputs(gm, num_fwd_outputs=forward_outputs)[1]
    pending, seen = [n for n in ends if n is not None and n.op != 'output'], set()
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(node.all_input_nodes)
    return fx_graph_cse(gm.graph, extra_node_key=lambda node: node in seen)


def own_choice(graph, info, budget=1):
    """The values that PyTorch's own partitioner saves."""
    for node in reversed(graph.nodes):
        node.dist_from_bw = FAR
        if node.op != 'output':
            is_forward = info.is_required_fw(node)
            node.dist_from_bw = min([FAR, *(u.dist_from_bw + 1 for u in node.users)]) if is_forward else 0
    return partitioners.choose_saved_values_set(graph, info, memory_budget=budget)


def split(gm, info, joint, saved, forward_outputs):
    """(forward, backward); the backward recomputes a missing value right before it needs it."""
    _, read = joint.run_backward(saved)
    nodes = [joint.nodes[i] for i in sorted(read) if joint.forward[i]]
    values = [n for n in nodes if joint.is_tensor[joint.number[n]]]
    is_assertion = getattr(partitioners, '_is_assert_only_symbool', lambda _: False)
    symbols = [n for n in gm.graph.nodes
               if n in info.required_fw_nodes and partitioners.is_sym_node(n) and not is_assertion(n)]
    is_opaque = getattr(partitioners, 'is_opaque_node', None)
    more = {} if is_opaque is None else {'saved_opaque_nodes': [n for n in nodes if is_opaque(n)]}
    random = partitioners.has_recomputable_ops(gm) and partitioners.has_recomputable_rng_ops(gm)
    forward, backward = partitioners._extract_fwd_bwd_modules(
        gm, values, saved_sym_nodes=symbols, num_fwd_outputs=forward_outputs,
        static_lifetime_input_nodes=info.static_lifetime_input_nodes, **more)
    if random:
        forward, backward = partitioners.functionalize_rng_ops(gm, forward, backward, len(symbols))
    backward = partitioners.reordering_to_mimic_autograd_engine(backward)
    found = []
    for module, is_backward in ((forward, False), (backward, True)):
        module = partitioners.raise_getitems(module)
        thread = getattr(partitioners, 'thread_graphsafe_rng_from_hops', lambda m, **_: m)
        found.append(thread(module, is_backward=is_backward))
    return tuple(found)
