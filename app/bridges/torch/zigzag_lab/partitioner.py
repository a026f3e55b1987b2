"""A plan inside torch.compile: the results of the forward that are saved for the compiled backward."""
import contextlib
import hashlib
import logging
import math
import os
import typing
import warnings

from torch._functorch import partitioners

try:
    from torch._inductor.custom_graph_pass import CustomPartitionerFn
except ImportError as error:
    raise ImportError('zigzag.Partitioner needs PyTorch 2.10 or later') from error

from .engine import CannotFit, EngineFailed, EngineMissing, budget_bytes, solve
from .joint import Joint
from .joint_search import Search
from .joint_modules import Unsupported, own_choice, prepared, split

LOG = logging.getLogger('zigzag.fit')
FOR = 'a compiled graph'
# Shares of PyTorch's own memory budget. The values that its solver saves at the first that fits also start the search.
# They are parts of the saved values, of which a peak has more.
SHARES = 0.7, 0.5, 0.3, 0.1


class Partitioner(CustomPartitionerFn):
    """Partitions the graphs that torch.compile compiles so that a step stays within `budget`.

        torch._inductor.config.custom_partitioner_fn = zigzag.Partitioner(budget='60%')
        model = torch.compile(model)

    `budget` applies to each compiled graph: a share of the peak of the compiler's own partition, or bytes such as
    '4GiB'. Parameters, inputs, the gradients of parameters, and results that the program holds during backward, are not
    part of it. Random and collective operations never run again. A user's checkpoint decides for its region: what it
    saves is saved, what it recomputes is recomputed. `figures` lists the promised peak and the recomputed FLOPs of each
    graph. A graph without a plan gets PyTorch's own partition, and one warning says why. With another backend, give it
    as `partition_fn` of `aot_autograd`.
    """

    def __init__(self, budget: 'int | str', fuses: bool = True) -> None:
        self.budget, self.fuses = budget, fuses
        self.figures: 'list[dict]' = []
        self.warned = False
        budget_bytes(budget, 1, FOR)

    def __call__(self, gm: typing.Any, joint_inputs: typing.Any, **kwargs: typing.Any) -> tuple:
        try:
            return self.partition(gm, **kwargs)
        except Exception as error:  # PyTorch's own partition always works
            if not self.warned:
                self.warned = True
                kind = '' if isinstance(error, (CannotFit, EngineFailed, EngineMissing, Unsupported)) else type(error).__name__
                warnings.warn(f"zigzag: a graph gets PyTorch's own partition: {kind and kind + ': '}{error}", stacklevel=2)
        return partitioners.min_cut_rematerialization_partition(gm, joint_inputs, **kwargs)

    def partition(self, gm: typing.Any, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        gm, info = prepared(gm, num_fwd_outputs, static_lifetime_input_indices)
        joint = Joint(gm.graph, info, *partitioners._extract_fwd_bwd_outputs(gm, num_fwd_outputs=num_fwd_outputs)[:2],
                      self.fuses)
        saved, figures = self.chosen(gm.graph, info, joint)
        self.figures.append(figures)
        LOG.info('a compiled graph: %s', figures)
        return split(gm, info, joint, saved, num_fwd_outputs)

    def chosen(self, graph, info, joint):
        """(values to save, figures): the least known recompute within the budget."""
        def own(budget):
            found = {joint.root[joint.number[n]] for n in own_choice(graph, info, budget) if n in joint.number}
            return {i for i in found if joint.forward[i]} | joint.forced
        saved = own(1)
        whole, plain, _ = joint.tried(saved)
        budget = budget_bytes(self.budget, whole, FOR)
        figures = {'ownPeakBytes': whole, 'ownRecompute': plain, 'budgetBytes': budget}
        if whole <= budget:
            return saved, {**figures, 'peakBytes': whole, 'recompute': plain}
        search = Search(joint, budget)
        search.begin(saved)
        with contextlib.suppress(CannotFit):  # the other starts may fit
            search.begin(_planned(joint, budget))
        search.begin_first(own(share) for share in SHARES if share * whole <= budget or share == SHARES[-1])
        if search.best is None:
            share = math.ceil(100 * search.least / whole)
            raise CannotFit(f"no plan found fits {budget} bytes; the smallest takes {search.least} bytes, {share} % of the "
                            "compiler's own: give a budget of at least that", search.least)
        again, peak, saved = search.improved()
        return saved, {**figures, 'peakBytes': peak, 'recompute': again}

    def uuid(self) -> str:
        here = os.path.dirname(os.path.abspath(__file__))
        made = hashlib.sha256(f'{self.budget} {self.fuses}'.encode())
        for name in ('partitioner.py', 'joint.py', 'joint_search.py', 'joint_modules.py', 'engine.js'):
            with open(os.path.join(here, name), 'rb') as file:
                made.update(file.read())
        return made.hexdigest()


def _planned(joint, budget):
    """Values that the engine's plan saves, solved as if the forward were a network of its own. A quick strategy will do,
    because the search goes on from there. Raises CannotFit.
    """
    document, values = joint.document('compiled graph')
    made = solve(document, strategy='dtr', budget=budget)
    return joint.forced | {i for unit in _kept(made.plan, joint) for i in values[unit]} - joint.never


def _kept(plan, joint):
    """Vertices whose results a plan holds at the end of the forward."""
    names, held, ran = {joint.nodes[i].name: i for i in joint.order}, set(), set()
    for kind, vertex, *rest in plan['steps']:
        if kind == 'backward' or (kind == 'forward' and vertex in ran):
            break
        if kind == 'forward':
            ran.add(vertex)
            held.add(vertex)
        elif kind == 'free' and not rest:
            held.discard(vertex)
    return [names[v] for v in held if v in names]
