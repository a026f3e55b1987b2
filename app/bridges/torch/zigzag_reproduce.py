"""Table 2 of "Optimal Gradient Checkpoint Search for Arbitrary Computation Graphs" (CVPR 2021), measured on this
device.

    python zigzag_reproduce.py                          # all networks and strategies on the CUDA device: hours
    python zigzag_reproduce.py --networks resnet18      # a part; run the rest later, results are kept in --out
    python zigzag_reproduce.py --device cpu --batch 4 --input 64 --iterations 3 --warm-up 1
    python zigzag_reproduce.py --shard 3/64             # every 64th, as a job of an array does; each has its own --out
    python zigzag_reproduce.py --merge zigzag-measurements-*-of-64.json

Nothing but torch (1.5 or later; on a CPU 1.13 or later). `zigzag export --to reproduce` wrote this file: the networks
and the checkpoints of every strategy stand at its end, and `zigzag tables cvpr --measured FILE` shows what it measures
beside the paper's numbers and the predicted ones.

As the authors measured: seed 2020, train mode, dropout disabled, a random input that requires its gradient, the sum of
the output as loss, no optimizer. One forward and backward comes first; weight gradients then exist and are never
cleared, so each iteration adds a new one to the old. Memory is the peak over all iterations, beside what was allocated
before them. Time is taken after the warm-up, and the device is waited for. float32 without TF32.
"""
import argparse
import contextlib
import inspect
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import time
import warnings

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

SEED = 2020
FORMAT, VERSION = 'zigzag-measurements', 1
STRATEGIES = ('regular', 'random', 'chen', 'optimal')


class Refusal(Exception):
    """A request that cannot be fulfilled. The message is one sentence that says what to do."""


# --------------------------------------------------------------------------------------------------- the networks

def _conv2d(op):
    top, _, left, _ = op['padding']
    return nn.Conv2d(op['in'], op['outChannels'], op['kernel'], op['stride'], (top, left), op['dilation'],
                     op['groups'], op['bias'])


def _max_pool(op):
    top, _, left, _ = op['padding']
    return lambda x: functional.max_pool2d(x, op['kernel'], op['stride'], (top, left), ceil_mode=op['ceilMode'])


def _avg_pool(op):
    top, _, left, _ = op['padding']
    return lambda x: functional.avg_pool2d(x, op['kernel'], op['stride'], (top, left), op['ceilMode'],
                                           op['countIncludePad'])


def _add(op):
    return (lambda x, y: x.add_(y)) if op['inplace'] else (lambda x, y: x + y)


# Function that computes an operation of the graphs below; a module if it has parameters.
CALLS = {
    'conv2d': _conv2d,
    'linear': lambda op: nn.Linear(op['in'], op['outFeatures'], op['bias']),
    'batch-norm': lambda op: nn.BatchNorm2d(op['in'], op['epsilon'], op['momentum']),
    'max-pool': _max_pool,
    'avg-pool': _avg_pool,
    'adaptive-avg-pool': lambda op: lambda x: functional.adaptive_avg_pool2d(x, op['output']),
    'relu': lambda op: lambda x: functional.relu(x, inplace=op['inplace']),
    'add': _add,
    'concat': lambda op: lambda *xs: torch.cat(xs, 1),
    'flatten': lambda op: lambda x: torch.flatten(x, 1),
    'dropout': lambda op: lambda x: x if op['rate'] == 0 else functional.dropout(x, op['rate']),
    'identity': lambda op: lambda x: x,
    'shift': lambda op: lambda x: x[:, :, 1:, 1:],
}


class Segment:
    """Vertices that run one after the other: `reads` come from before, `gives` are read later."""

    def __init__(self, vertices, calls, inputs, gives):
        inside = set(vertices)
        self.gives = [v for v in vertices if v in gives]
        self.reads = sorted({u for v in vertices for u in inputs[v] if u not in inside})
        last = {}
        for v in vertices:
            last[v] = v
            for u in inputs[v]:
                last[u] = v
        # A value is freed right after its last use, as in a module's own forward.
        drops = {}
        for u, v in last.items():
            if u not in gives or u not in inside:
                drops.setdefault(v, []).append(u)
        self.steps = [(v, calls[v], inputs[v], drops.get(v, ())) for v in vertices]

    def __call__(self, *given):
        values = dict(zip(self.reads, given))
        for v, call, inputs, drops in self.steps:
            values[v] = call(*[values[u] for u in inputs])
            for u in drops:
                del values[u]
        results = tuple(values[v] for v in self.gives)
        return results[0] if len(results) == 1 else results


class Network(nn.Module):
    """A network from its graph, vertex 0 being the input; segments between checkpoints run again in backward."""

    def __init__(self, graph):
        super().__init__()
        self.calls, self.inputs = [None], [[]]
        for name, operation, inputs in graph['vertices']:
            operation = graph['operations'][operation]
            call = CALLS[operation['kind']](operation)
            if isinstance(call, nn.Module):
                self.add_module(name.replace('.', '/'), call)
            self.calls.append(call)
            self.inputs.append(inputs)
        self.follow(None)

    def follow(self, plan, reentrant=True):
        """`plan` has segments, each a list: 1 where it is checkpointed, then its vertices. None: regular training."""
        lists = [[0] + list(range(1, len(self.calls)))] if plan is None else plan['segments']
        home = {v: s for s, (_, *vertices) in enumerate(lists) for v in vertices}
        reader = {len(self.calls) - 1: len(lists)}
        for v, s in home.items():
            for u in self.inputs[v]:
                reader[u] = max(reader.get(u, -1), s)
        gives = {u for u, s in reader.items() if s != home.get(u)}
        self.how = _mode(reentrant)
        self.parts = []
        for s, (again, *vertices) in enumerate(lists):
            segment = Segment(vertices, self.calls, self.inputs, gives)
            self.parts.append((segment, again, [u for u in segment.reads if reader[u] == s]))
        return self

    def forward(self, x):
        values = {0: x}
        del x
        for segment, again, last in self.parts:
            given = [values[u] for u in segment.reads]
            for u in last:
                del values[u]
            results = checkpoint(segment, *given, **self.how) if again else segment(*given)
            values.update(zip(segment.gives, results if isinstance(results, tuple) else (results,)))
            del given, results
        return values[len(self.calls) - 1]


def _mode(reentrant):
    if 'use_reentrant' in inspect.signature(checkpoint).parameters:
        return {'use_reentrant': reentrant}
    if reentrant:
        return {}
    raise Refusal(f'PyTorch {torch.__version__} has reentrant checkpointing only; leave --checkpointing out')


# --------------------------------------------------------------------------------------------------- one measurement

def measure(job):
    """One row: the network of `job` under its strategy, in this process."""
    device = torch.device(job['device'])
    cuda = device.type == 'cuda'
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(SEED)
    graph = NETWORKS[job['network']]
    model = Network(graph).to(device).train()
    parameters = sum(p.numel() for p in model.parameters())
    if parameters != graph['parameters']:
        raise RuntimeError(f'{job["network"]} was built with {parameters} parameters, not {graph["parameters"]}')
    model.follow(_plan(job), job['checkpointing'] != 'non-reentrant')
    x = torch.rand(job['batch'], 3, job['input'], job['input'], device=device, requires_grad=True)

    def step():
        model(x).sum().backward()

    def wait():
        if cuda:
            torch.cuda.synchronize()

    step()
    wait()
    if cuda:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
    times = []
    for _ in range(job['warmUp'] + job['iterations']):
        start = time.perf_counter()
        step()
        wait()
        times.append((time.perf_counter() - start) * 1000)
    if cuda:
        peak, start = torch.cuda.max_memory_allocated(), max(before, torch.cuda.memory_allocated())
    else:
        start = _bytes([*model.parameters(), *(p.grad for p in model.parameters()), *model.buffers(), x, x.grad])
        peak = start + _profiled(step)[1]
    low, median, high = _quartiles(times[job['warmUp']:])
    row = {'outcome': 'ok', 'peakBytes': peak, 'startBytes': start,
           'stepMs': {'median': median, 'lower': low, 'upper': high}}
    x.grad = None
    model.zero_grad(set_to_none=True)
    row.update(_gradients(model, x.detach(), job))
    return row


def _plan(job):
    if job['strategy'] == 'regular':
        return None
    plans = NETWORKS[job['network']]['plans'][job['strategy']]
    return next(plan for plan in plans if plan.get('seed') == job['seed'])


def _bytes(tensors):
    return sum(t.numel() * t.element_size() for t in tensors)


def _quartiles(times):
    if len(times) == 1:
        return times * 3
    low, median, high = statistics.quantiles(times, n=4, method='inclusive')
    return low, median, high


def _gradients(model, x, job):
    """The largest difference of a parameter's gradient from regular training's, relative to its largest entry.

    Not under the sum as loss, which is blind to all in front of a last batch norm: weights drawn once take its
    place. For `regular` itself two of its steps are compared, which says how far rounding alone may go. Where the
    batch does not fit in regular training, a smaller one is compared.
    """
    def difference(batch):
        part = x[:batch].clone().requires_grad_(True)
        generator = torch.Generator().manual_seed(SEED)
        weights = None
        found = []
        for plan in (None, _plan(job)):
            model.follow(plan, job['checkpointing'] != 'non-reentrant')
            output = model(part)
            if weights is None:
                weights = torch.randn(output.shape, generator=generator).to(output.device)
            (output * weights).sum().backward()
            del output
            found.append([p.grad.detach().cpu() for p in model.parameters()])
            model.zero_grad(set_to_none=True)
            part.grad = None
        return max(float((a - b).abs().max() / a.abs().max().clamp_min(1e-30)) for a, b in zip(*found))

    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True
    for batch in sorted({job['batch'], min(job['batch'], 8), min(job['batch'], 2)}, reverse=True):
        try:
            return {'gradientDifference': difference(batch), 'gradientBatch': batch}
        except RuntimeError as error:
            if not _is_out_of_memory(error):
                raise
            model.zero_grad(set_to_none=True)
        if x.is_cuda:
            torch.cuda.empty_cache()
    return {'gradientDifference': None, 'gradientBatch': None}


def _is_out_of_memory(error):
    text = str(error)
    return isinstance(error, MemoryError) or 'out of memory' in text or "can't allocate memory" in text


# <profiled>


def _one(job):
    """Measures one row in a process of its own and prints it."""
    warnings.simplefilter('ignore')
    try:
        row = measure(job)
    except (RuntimeError, MemoryError) as error:
        sentence = str(error).strip().split('\n')[0] or type(error).__name__
        row = {'outcome': 'out-of-memory' if _is_out_of_memory(error) else 'failed', 'message': sentence[:500]}
    print(json.dumps(row), flush=True)


# --------------------------------------------------------------------------------------------------- all of them

KEY = ('network', 'strategy', 'seed', 'batch', 'input', 'checkpointing')


def jobs_of(options):
    """Requested rows, network by network, regular training first."""
    jobs = []
    for network in options.networks:
        graph = NETWORKS[network]
        for strategy in options.strategies:
            plans = [{}] if strategy == 'regular' else graph['plans'].get(strategy, [])
            for plan in plans:
                jobs.append({
                    'network': network, 'strategy': strategy, 'seed': plan.get('seed'),
                    'checkpoints': plan.get('checkpoints', []),
                    'checkpointing': None if strategy == 'regular' else options.checkpointing,
                    'batch': options.batch or graph['batch'], 'input': options.input or graph['input'],
                    'iterations': options.iterations, 'warmUp': options.warm_up, 'device': options.device})
    return jobs


def spawn(job):
    """The row of a job, even if its process fails."""
    command = [sys.executable, os.path.abspath(__file__), '--one', json.dumps(job)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    try:
        output, errors = child.communicate()
    except BaseException:
        child.kill()
        child.wait()
        raise
    row = {key: value for key, value in job.items() if key != 'device'}
    try:
        row.update(json.loads(output.strip().split('\n')[-1]))
    except ValueError:
        last = (errors.strip() or 'it said nothing').split('\n')[-1]
        how = f'was ended by signal {-child.returncode}' if child.returncode < 0 else f'ended with {child.returncode}'
        row.update(outcome='failed', message=f'the process {how}: {last}'[:500])
    for key in ('message', 'peakBytes', 'startBytes', 'stepMs', 'gradientDifference', 'gradientBatch'):
        row.setdefault(key, None)
    return row


def about(options):
    cuda = options.device == 'cuda'
    return {
        'format': FORMAT, 'version': VERSION,
        'device': _cuda_name() if cuda else f'cpu {_processor()}, {torch.get_num_threads()} threads',
        'torch': torch.__version__, 'cuda': torch.version.cuda if cuda else None,
        'protocol': {
            'seed': SEED, 'loss': 'sum', 'dtype': 'float32',
            'memory': 'torch.cuda.max_memory_allocated' if cuda else
                      'bytes of all tensors alive, without scratch inside one convolution',
        },
        'rows': [],
    }


def _cuda_name():
    # Asked in a process of its own, so that this one holds no memory of the device.
    ask = 'import torch; print(torch.cuda.get_device_name())'
    return subprocess.check_output([sys.executable, '-c', ask], universal_newlines=True).strip()


def _processor():
    try:
        with open('/proc/cpuinfo', encoding='utf8') as file:
            return next(line.split(':', 1)[1].strip() for line in file if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine() or 'unknown'


def read(path, fresh):
    """The results so far, or `fresh` without any."""
    if not os.path.exists(path):
        return fresh
    elsewhere = 'name another file with --out'
    try:
        with open(path, encoding='utf8') as file:
            found = json.load(file)
        if found['format'] != FORMAT or found['version'] != VERSION:
            raise KeyError
        found['rows']
    except (ValueError, KeyError, TypeError):
        raise Refusal(f'{path} is not a {FORMAT}/{VERSION} file; {elsewhere}') from None
    for name in ('device', 'torch') if fresh else ():
        if found[name] != fresh[name]:
            raise Refusal(f'{path} was measured with {name} {found[name]}, and this is {fresh[name]}; {elsewhere}')
    return found


def write(path, results):
    """Writes atomically, so that a crash keeps all earlier rows."""
    draft = f'{path}.tmp'
    with open(draft, 'w', encoding='utf8') as file:
        head = {key: value for key, value in results.items() if key != 'rows'}
        rows = ',\n'.join(json.dumps(row) for row in results['rows'])
        file.write(f'{json.dumps(head)[:-1]}, "rows": [\n{rows}\n]}}\n')
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


@contextlib.contextmanager
def held_back():
    """Delays Ctrl+C until the end of the block."""
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def say(row):
    name = f'{row["network"]} {row["strategy"]}' + (f' seed {row["seed"]}' if row['seed'] is not None else '')
    if row['outcome'] != 'ok':
        return f'{name}: {row["outcome"]}, {row["message"]}'
    step = (row['peakBytes'] - row['startBytes']) / 2 ** 20
    grads = row['gradientDifference']
    equal = 'gradients not compared' if grads is None else f'gradients within {grads:.1e}'
    return f'{name}: {step:.1f} MiB, {row["stepMs"]["median"]:.1f} ms, {equal}'


def key_of(row):
    return tuple(row[name] for name in KEY)


def merge(options):
    """Merges files that were measured in the same way; of a repeated measurement the later one counts."""
    for path in options.merge:
        if not os.path.exists(path):
            raise Refusal(f'{path} does not exist; name the files that --shard wrote')
    results = read(options.merge[0], None)
    rows = {}
    for path in options.merge:
        rows.update((key_of(row), row) for row in read(path, results)['rows'])
    results['rows'] = list(rows.values())
    write(options.out, results)
    print(f'{len(rows)} measurements are in {options.out}: zigzag tables cvpr --measured {options.out}')
    return 0


def main(options):
    if options.merge:
        return merge(options)
    results = read(options.out, about(options))
    number, of = options.shard
    jobs = jobs_of(options)
    if not jobs:
        raise Refusal('there is nothing to measure: none of these strategies applies to these networks')
    jobs = jobs[number - 1::of]
    known = set() if options.again else {key_of(row) for row in results['rows']}
    left = [job for job in jobs if key_of(job) not in known]
    print(f'{results["device"]}, PyTorch {results["torch"]}: {len(left)} of {len(jobs)} measurements to do', flush=True)
    done = 0
    try:
        for job in left:
            row = spawn(job)
            with held_back():
                results['rows'] = [other for other in results['rows'] if key_of(other) != key_of(job)] + [row]
                write(options.out, results)
                done += 1
                print(f'{done}/{len(left)} {say(row)}', flush=True)
    except KeyboardInterrupt:
        print(f'\nstopped after {done} of {len(left)}; the same command goes on from here', file=sys.stderr)
        return 130
    print(f'all is in {options.out}: zigzag tables cvpr --measured {options.out}')
    return 0


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda known: lambda text: _names(text, known)  # noqa: E731
    whole = lambda least: lambda text: _whole(text, least)  # noqa: E731
    parser.add_argument('--device', choices=('cuda', 'cpu'), default='cuda')
    parser.add_argument('--networks', type=names(NETWORKS), default=list(NETWORKS), metavar='NAME,...')
    parser.add_argument('--strategies', type=names(STRATEGIES), default=list(STRATEGIES), metavar='NAME,...')
    parser.add_argument('--checkpointing', choices=('reentrant', 'non-reentrant'), default='reentrant',
                        help="how a segment runs again; the authors' is reentrant")
    parser.add_argument('--batch', type=whole(1), help="the paper's of each network by default")
    parser.add_argument('--input', type=whole(1), help="pixels a side; the paper's by default")
    parser.add_argument('--iterations', type=whole(1), default=70, help='timed iterations (70)')
    parser.add_argument('--warm-up', type=whole(0), default=30, help='iterations before the timed ones (30)')
    parser.add_argument('--out', help='file of results, also to continue from (zigzag-measurements.json)')
    parser.add_argument('--shard', type=_shard, default=(1, 1), metavar='K/N', help='that part of the measurements')
    parser.add_argument('--merge', nargs='+', metavar='FILE', help='measure nothing; one file of several, in --out')
    parser.add_argument('--again', action='store_true', help='measure again what is in --out already')
    options = parser.parse_args(arguments)
    number, of = options.shard
    part = f'-{number}-of-{of}' if of > 1 else ''
    options.out = options.out or f'zigzag-measurements{part}.json'
    if options.merge:
        return options
    if options.device == 'cuda' and not torch.cuda.is_available():
        raise Refusal('PyTorch finds no CUDA device; add --device cpu with a small --batch and --input')
    return options


def _names(text, known):
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f'"{name}" does not exist; choose from {", ".join(known)}')
    return names


def _shard(text):
    number, _, of = text.partition('/')
    if not number.isdigit() or not of.isdigit() or not 1 <= int(number) <= int(of):
        raise argparse.ArgumentTypeError(f'expected a shard such as 3/64, got "{text}"')
    return int(number), int(of)


def _whole(text, least):
    if not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f'expected a whole number from {least}, got "{text}"')
    return int(text)


# ---------------------------------------------------------------------------------------------------------- the data

# A network a line: its vertices after the input as [name, operation, inputs], and the plans of each strategy.
NETWORKS = {}

if __name__ == '__main__':
    try:
        if sys.argv[1:2] == ['--one']:
            _one(json.loads(sys.argv[2]))
        else:
            # Python keeps the signal ignored if a shell started this in the background.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.exit(main(parse(sys.argv[1:])))
    except Refusal as refusal:
        print(f'zigzag_reproduce: {refusal}', file=sys.stderr)
        sys.exit(2)
