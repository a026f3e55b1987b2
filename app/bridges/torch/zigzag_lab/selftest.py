"""Checks on this machine that plans keep their promises.

    python -m zigzag_lab.selftest [--device cpu|cuda] [--out FILE] [--size N] [--cases NAME,NAME]

Three networks train under a plan of 60 % of their peak: the same loss and gradients to the bit, and measured beside
promised peak. Other ways stand beside it, each with its peak and the time of a step: torch.utils.checkpoint around each
block, a plan in the memory of that, and Selective Checkpointing. Three more are compiled: the plain model,
activation_memory_budget, and Partitioner in the memory of that. Peaks are `max_memory_allocated` on CUDA, and bytes that
the profiler saw on a CPU. Writes zigzag-selftest.json, which `zigzag tables measured FILE` shows, and which
`node app/start/where-ran.mjs FILE` adds to what has run where. Exits with 1 where a check fails.
"""
import sys

from .engine import solve
from .version import __version__
from .zigzag_torch.selftest import WithoutEngine, _run_selftest


class WithEngine(WithoutEngine):
    version, budget = __version__, '60%'

    def plan(self, document):
        solved = solve(document, budget=self.budget)
        return solved.plan, solved.head['regularPeakBytes'] - solved.row['peakBytes']

    def plan_saving(self, document, saved):
        regular = solve(document, strategy='regular').head['regularPeakBytes']
        return solve(document, budget=regular - saved).plan

    def partitioner(self, share):
        from .partitioner import Partitioner
        return Partitioner(f'{share:.2f}%')


if __name__ == '__main__':
    sys.exit(_run_selftest(sys.argv[1:], WithEngine()))
