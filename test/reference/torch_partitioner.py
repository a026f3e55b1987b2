"""Plans inside torch.compile, for test/app/bridges/torch-partitioner.test.ts.

    python3 torch_partitioner.py SITE      SITE is a folder with the unpacked wheel

Prints {'models': {NAME: figures}, 'traps': {NAME: figures}}. Graphs run without compiled kernels, so that the
peak of allocated bytes is that of the partition. FLOPs count operations that both forward and backward run.
"""
import contextlib
import importlib.util
import io
import json
import re
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import torch._functorch.config as functorch  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._dynamo.backends.debugging import boxed_nop  # noqa: E402
from torch._dynamo.testing import CompileCounter  # noqa: E402
from torch._functorch import partitioners  # noqa: E402
from torch._inductor.compile_fx import select_decomp_table  # noqa: E402
from zigzag_lab import BadInput, Partitioner, fit, followed  # noqa: E402
from zigzag_lab.joint import _cost  # noqa: E402
from zigzag_lab.zigzag_torch.selftest import Attention, Convolutions, Dense, Network  # noqa: E402
from zigzag_lab.zigzag_torch.profiled import _profiled  # noqa: E402

torch.set_num_threads(1)
# Budget of PyTorch's own solver.
SHARE = 0.3
# Under Inductor's decompositions, which leave operations in the forward that only backward reads.
DECOMPOSED = 'decomposed attention'


def again(forward, backward):
    ran = {n.name for n in forward.graph.nodes if n.op == 'call_function'}
    return [n for n in backward.graph.nodes if n.op == 'call_function' and n.name in ran]


class Watched:
    """A partitioner, and the operations that the backward of its largest graph recomputes."""

    def __init__(self, partition):
        self.partition, self.size = partition, 0

    def __call__(self, gm, inputs, **kwargs):
        forward, backward = self.partition(gm, inputs, **kwargs)
        if len(gm.graph.nodes) > self.size:
            self.size, self.again = len(gm.graph.nodes), again(forward, backward)
            self.flops = sum(map(_cost, self.again))
        return forward, backward


def run(model, inputs, partition, budget=1, decompositions=None):
    """(loss and gradients, peak of allocated bytes of a later step, the watched partitioner)"""
    torch._dynamo.reset()
    watched = partition if isinstance(partition, Watched) else Watched(partition)
    backend = aot_autograd(fw_compiler=boxed_nop, partition_fn=watched, decompositions=decompositions)
    compiled = torch.compile(model, backend=backend)

    def step():
        model.zero_grad(set_to_none=True)
        torch.manual_seed(1)
        results = compiled(**inputs)
        step.loss = results if isinstance(results, torch.Tensor) else results.loss
        del results  # what the program holds is not the graph's
        step.loss.backward()
    with functorch.patch(activation_memory_budget=budget):
        step()
    made = [step.loss.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)]
    peak = _profiled(step)[1]
    return made, peak, watched


def same(a, b):
    return len(a) == len(b) and all(torch.equal(x, y) for x, y in zip(a, b))


def models():
    yield 'convolutions', Network(Convolutions, 8, 4), {'x': torch.randn(8, 8, 16, 16)}
    yield 'attention with dropout', Network(Attention, 32, 3), {'x': torch.randn(8, 64, 32)}
    yield 'dense', Network(Dense, 32, 5), {'x': torch.randn(512, 32)}
    still = Network(Attention, 32, 2)
    for module in still.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    yield DECOMPOSED, still, {'x': torch.randn(8, 64, 32)}
    if importlib.util.find_spec('transformers') is None:
        return
    from transformers import GPT2Config, GPT2LMHeadModel
    ids = torch.randint(64, (4, 64))
    config = GPT2Config(n_layer=2, n_embd=32, n_head=2, vocab_size=64, n_positions=64, bos_token_id=0, eos_token_id=0,
                        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)
    yield 'GPT-2', GPT2LMHeadModel(config), {'input_ids': ids, 'labels': ids, 'use_cache': False}


def figures(model, inputs, decompositions=None):
    """PyTorch's own partition, a plan at 75 %, and a plan at the measured peak of PyTorch's solver."""
    plain = run(model, inputs, partitioners.default_partition, 1, decompositions)[0]
    own = run(model, inputs, partitioners.min_cut_rematerialization_partition, 1, decompositions)[1]
    plan = Partitioner('75%', fuses=False)
    made, peak, watched = run(model, inputs, plan, 1, decompositions)
    at = max(plan.figures, key=lambda f: f['ownPeakBytes'])
    # Fused attention is marked as random, and draws nothing without dropout.
    random = [n.name for n in watched.again if torch.Tag.nondeterministic_seeded in getattr(n.target, 'tags', ())
              and not ('_attention' in n.name and n.args[3:4] in ((), (0.0,)))]
    told = {'same': same(made, plain), 'own': own, 'peak': peak, 'promised': at['ownPeakBytes'] - at['peakBytes'],
            'share': at['peakBytes'] / at['ownPeakBytes'], 'random': random, 'theirs': None}
    try:
        rival, peak, theirs = run(model, inputs, partitioners.min_cut_rematerialization_partition, SHARE, decompositions)
    except RuntimeError:  # it recomputes from running statistics that the forward has replaced
        return told
    if not same(rival, plain):  # it draws a dropout's mask again
        return told
    made, ours, mine = run(model, inputs, Partitioner(peak, fuses=False), 1, decompositions)
    return {**told, 'same': told['same'] and same(made, plain), 'theirs': [peak, theirs.flops], 'ours': [ours, mine.flops]}


class Marked(nn.Module):
    """A user's own checkpoint, with dropout inside, among other layers."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = Dense(32), Attention(32), Dense(32)

    def forward(self, x):
        return self.third(checkpoint(self.second, self.first(x), use_reentrant=False)).square().mean()


class Gathered(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(32, 32), nn.Linear(32, 32)

    def forward(self, x):
        from torch.distributed._functional_collectives import all_gather_tensor_autograd
        x = all_gather_tensor_autograd(self.first(x).relu(), 0, torch.distributed.group.WORLD)
        return self.second(x.tanh().sin().exp()).relu().square().mean()


def marked():
    model, inputs = Marked(), {'x': torch.randn(8, 64, 32)}
    theirs, _, own = run(model, inputs, partitioners.min_cut_rematerialization_partition)
    plan = Partitioner('80%', fuses=False)
    ours, _, mine = run(model, inputs, plan)
    left = {n.name for n in own.again if n.meta.get('recompute')} - {n.name for n in mine.again}
    return {'same': same(ours, theirs), 'warned': plan.warned, 'left': sorted(left), 'again': len(mine.again)}


def gathered():
    with tempfile.TemporaryDirectory() as folder:
        torch.distributed.init_process_group('gloo', init_method=f'file://{folder}/store', rank=0, world_size=1)
        model, inputs = Gathered(), {'x': torch.randn(256, 32)}
        theirs, _, _ = run(model, inputs, partitioners.default_partition)
        plan = Partitioner('85%', fuses=False)
        ours, _, mine = run(model, inputs, plan)
        torch.distributed.destroy_process_group()
    return {'same': same(ours, theirs), 'warned': plan.warned, 'again': len(mine.again),
            'collectives': [n.name for n in mine.again if 'c10d' in str(n.target)]}


class Handed(nn.Module):
    """The gradient of a result comes from outside of the graph; the most memory is needed after backward has read it."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(32, 512), nn.Linear(512, 32), nn.Linear(32, 256)

    def forward(self, x):
        x = self.first(x)
        x = self.third(self.second(torch.tanh(x) * torch.sigmoid(x) * x.sin()))
        torch._dynamo.graph_break()
        return x.square().mean()


def handed():
    plan = Partitioner('100%', fuses=False)
    peak = run(Handed(), {'x': torch.randn(256, 32)}, plan)[1]
    return {'peak': peak, 'promised': max(f['peakBytes'] for f in plan.figures), 'graphs': len(plan.figures)}


def changing():
    """Sizes that change between calls become symbols in the graph."""
    model, plan = Network(Dense, 32, 4), Partitioner('80%', fuses=False)
    torch._dynamo.reset()
    compiled = torch.compile(model, dynamic=True, backend=aot_autograd(fw_compiler=boxed_nop, partition_fn=plan))
    found = []
    for rows in (64, 96):
        x, gradients = torch.randn(rows, 32), []
        for one in (compiled, model):
            model.zero_grad(set_to_none=True)
            one(x).backward()
            gradients.append([p.grad.clone() for p in model.parameters()])
        found.append(max((a - b).abs().max().item() for a, b in zip(*gradients)))
    return {'worst': max(found), 'warned': plan.warned, 'graphs': len(plan.figures)}


def hopeless():
    model, inputs = Network(Dense, 32, 4), {'x': torch.randn(64, 32)}
    plain = run(model, inputs, partitioners.default_partition)[0]
    plan = Partitioner('1%', fuses=False)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        made = run(model, inputs, plan)[0]
    told = [str(w.message) for w in said if 'zigzag' in str(w.message)]
    least = re.search(r'smallest takes (\d+) bytes', told[0]).group(1)
    enough = Partitioner(least, fuses=False)
    run(model, inputs, enough)
    refused = None
    try:
        Partitioner('much')
    except BadInput as error:
        refused = str(error)
    return {'same': same(made, plain), 'told': told, 'least': int(least), 'enough': enough.figures, 'refused': refused}


def compiled():
    """Through Inductor, as a user writes it."""
    model, x = Network(Dense, 32, 3), torch.randn(512, 32)
    found = []
    for plan in (None, Partitioner('70%')):
        torch._dynamo.reset()
        with torch._inductor.config.patch(custom_partitioner_fn=plan):
            one = torch.compile(model)
            model.zero_grad(set_to_none=True)
            loss = one(x)
            loss.backward()
            found.append([loss.detach(), *(p.grad.clone() for p in model.parameters())])
            model.zero_grad(set_to_none=True)
            peak = _profiled(lambda: one(x).backward())[0]
            found[-1].append(peak)
    (*theirs, own), (*ours, peak) = found
    worst = max(((a - b).abs().max() / b.abs().max()).item() for a, b in zip(ours, theirs))
    return {'worst': worst, 'own': own, 'peak': peak, 'warned': plan.warned, 'figures': plan.figures[-1]}


def planned():
    """A model compiled after it got a plan."""
    model, x = Network(Dense, 32, 4), torch.randn(64, 32)
    with contextlib.redirect_stdout(io.StringIO()):
        fit(model, x, budget='70%')
    torch._dynamo.reset()
    counter, gradients = CompileCounter(), []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        for one in (torch.compile(model, backend=counter), model):
            for _ in range(2):
                model.zero_grad(set_to_none=True)
                one(x).backward()
            gradients.append([p.grad.clone() for p in model.parameters()])
    return {'same': same(*gradients), 'graphs': counter.frame_count, 'told': [str(w.message) for w in said],
            'left': followed(model)['left']}


def main():
    torch.manual_seed(0)
    with contextlib.redirect_stderr(io.StringIO()):
        made = {name: figures(model.train(), inputs, select_decomp_table() if name == DECOMPOSED else None)
                for name, model, inputs in models()}
        traps = {one.__name__: one() for one in (marked, gathered, handed, changing, hopeless, compiled, planned)}
    print(json.dumps({'models': made, 'traps': traps}))


if __name__ == '__main__':
    main()
