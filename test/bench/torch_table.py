"""Answers test/bench/pytorch.ts with PyTorch, one model per call, so that a failure stays with its model.

    python3 torch_table.py names                    prints models by family and versions, as JSON
    python3 torch_table.py capture FOLDER NAME      writes NAME.json (zigzag-graph/1) and NAME.facts.json
    python3 torch_table.py peers FOLDER NAME        reads NAME.facts.json, writes NAME.peers.json
    python3 torch_table.py train FOLDER NAME        runs NAME.*.plan.json, writes NAME.trained.json
    python3 torch_table.py fitted SHARE [NAME...]   prints a row of each model, fitted to a share of its own peak, as
                                                    JSON; zigzag_lab and zigzag_torch are on PYTHONPATH
    python3 torch_table.py large SHARE              prints the processor time of a Llama of 70 billion parameters on meta

Autograd's bytes are those of every distinct storage packed in a plain forward, without parameters and buffers, inputs
once. Recompute is the FLOPs of products and convolutions (torch.utils.flop_counter) beyond a plain step, as a share of a
forward. `zigzag_torch.measure` gives all peaks.
"""
import functools
import glob
import json
import os
import resource
import sys
import time
import traceback

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'reference'))

import zigzag_torch  # noqa: E402
from torch_families import FAMILIES, build, loss_of, missing, seed_all, tensors_in  # noqa: E402

STEPS = 3
SEED = 11


def told(error):
    """An error as one line that names where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    text = ' '.join(str(error).split())[:300]
    return f'{type(error).__name__}: {text} ({os.path.basename(frame.filename)}:{frame.lineno})'


def storage_of(tensor):
    storage = tensor.untyped_storage()
    return storage.data_ptr(), storage.nbytes()


def saved_bytes(name):
    """Tensors that autograd packs in a plain forward of the model."""
    model, args, kwargs = build(name)
    state = {storage_of(t)[0] for t in (*model.parameters(), *model.buffers())}
    sizes = dict(storage_of(t) for t in tensors_in([args, kwargs]))
    alive = []  # the address of a freed storage may be used again

    def pack(tensor):
        alive.append(tensor.detach())
        address, size = storage_of(tensor)
        if address not in state and size > 0:
            sizes[address] = size
        return tensor

    seed_all(SEED)
    with saved_tensors_hooks(pack, lambda tensor: tensor):
        outputs = model(*args, **kwargs)
    del outputs
    return sum(sizes.values())


def trained(model, args, kwargs):
    """Losses, gradients of the last step, parameters and buffers after a few steps of gradient descent."""
    descent = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
    seed_all(SEED)
    losses = []
    for _ in range(STEPS):
        descent.zero_grad()
        loss = loss_of(model(*args, **kwargs))
        loss.backward()
        descent.step()
        losses.append(loss.detach())
    gradients = [p.grad if p.grad is not None else torch.zeros(()) for p in model.parameters()]
    return {'losses': losses, 'gradients': gradients, 'parameters': list(model.parameters()),
            'buffers': list(model.buffers()), 'random': [torch.get_rng_state().float()]}


def finite_peak(tensors):
    """The largest finite value of some tensors."""
    values = [t.detach().double().abs() for t in tensors if t.numel() > 0]
    return max((float(torch.nan_to_num(v, nan=0.0, posinf=0.0, neginf=0.0).max()) for v in values), default=0.0)


def differences(ours, plain):
    """By kind, the largest difference over the largest value; 0 if bit-identical.

    The largest value of each tensor counts, except for tensors of rounding only, such as the gradient of a bias before a
    batch normalisation.
    """
    result = {}
    for kind, theirs in plain.items():
        worst = 0.0 if [t.shape for t in ours[kind]] == [t.shape for t in theirs] else 1e30
        least = 1e-3 * finite_peak(theirs)
        for a, b in zip(ours[kind], theirs):
            if worst < 1e30 and not torch.equal(a, b):
                a, b = a.detach().double(), b.detach().double()
                same = (a == b) | (torch.isnan(a) & torch.isnan(b))
                gap = torch.nan_to_num(torch.where(same, torch.zeros_like(a), (a - b).abs()), nan=1e30)
                worst = max(worst, min(1e30, float(gap.max()) / max(least, finite_peak([b]), 1e-30)))
        result[kind] = worst
    return result


def step_of(model, args, kwargs):
    seed_all(SEED)
    loss_of(model(*args, **kwargs)).backward()


def flops_of(action):
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        action()
    return counter.get_total_flops()


class InGraphs:
    """The FLOPs of compiled graphs: under a separate counter, Dynamo would run the model uncompiled."""
    counts, flops = False, 0

    @classmethod
    def compiler(cls, graph, _):
        from functorch.compile import make_boxed_func
        run = make_boxed_func(graph.forward)

        def counted(args):
            if not cls.counts:
                return run(args)
            result = []
            cls.flops += flops_of(lambda: result.append(run(args)))
            return result[0]

        counted._boxed_call = True
        return counted

    @classmethod
    def backend(cls):
        """Inductor's decompositions and its choice of what to save, run operation by operation."""
        from torch._dynamo.backends.common import aot_autograd
        from torch._functorch.partitioners import min_cut_rematerialization_partition
        from torch._inductor.compile_fx import select_decomp_table
        return aot_autograd(fw_compiler=cls.compiler, bw_compiler=cls.compiler, decompositions=select_decomp_table,
                            partition_fn=functools.partial(min_cut_rematerialization_partition, compiler='inductor'))

    @classmethod
    def of(cls, action, plain):
        cls.counts, cls.flops = True, 0
        try:
            action()
        finally:
            cls.counts = False
        if cls.flops < plain['flops']:
            raise ValueError(f"only {cls.flops / plain['flops']:.0%} of its FLOPs are in compiled graphs")
        return cls.flops


def measured(model, args, kwargs, plain=None, compiled=False):
    """Peak bytes of a step and its FLOPs; with those of a plain step, what was recomputed."""
    seed_all(SEED)
    peak = zigzag_torch.measure(model, *args, loss=loss_of, steps=0, **kwargs)['peakBytes']

    def step():
        step_of(model, args, kwargs)

    flops = InGraphs.of(step, plain) if compiled else flops_of(step)
    again = {} if plain is None else {'recompute': (flops - plain['flops']) / max(1, plain['forwardFlops'])}
    return {'peakBytes': peak, 'flops': flops, **again}


# ------------------------------------------------------------------------------------------------ peers

def blocks_of(model):
    """The longest list of modules of one class: usual candidates for checkpointing."""
    best = []
    for module in model.modules():
        if isinstance(module, (nn.ModuleList, nn.Sequential)):
            children = list(module)
            if children and len({type(c) for c in children}) == 1 and len(children) > len(best):
                if any(True for _ in children[0].children()):
                    best = children
    return best


def wrap_blocks(model, **options):
    blocks = blocks_of(model)
    if getattr(getattr(model, 'config', None), 'use_cache', False):
        model.config.use_cache = False  # a cache would grow again when a block is recomputed
    if len(blocks) < 2:
        raise ValueError('it has no list of equal blocks')
    for block in {id(b): b for b in blocks}.values():
        block.forward = functools.partial(checkpoint, block.forward, use_reentrant=False, **options)
    return model


def selective(model):
    from torch.utils.checkpoint import create_selective_checkpoint_contexts
    ops = torch.ops.aten
    kept = [ops.mm.default, ops.addmm.default, ops.bmm.default, ops.convolution.default,
            ops._scaled_dot_product_flash_attention_for_cpu.default]
    return wrap_blocks(model, context_fn=functools.partial(create_selective_checkpoint_contexts, kept))


def compiled(budget):
    def wrap(model):
        import torch._functorch.config as config
        config.activation_memory_budget = budget
        return torch.compile(model, backend=InGraphs.backend())
    return wrap


PEERS = {'checkpoint': wrap_blocks, 'selective': selective, 'compile-0.5': compiled(0.5), 'compile-0.2': compiled(0.2)}


def peers_of(name, plain, keep):
    result = {}
    for peer, wrap in PEERS.items():
        try:
            if peer.startswith('compile'):
                torch._dynamo.reset()  # otherwise it uses the code compiled for another budget
            model, args, kwargs = build(name)
            model = wrap(model)
            step_of(model, args, kwargs)  # a compiler works at the first step
            result[peer] = measured(model, args, kwargs, plain, peer.startswith('compile'))
        except Exception as error:
            result[peer] = {'failed': told(error)}
        keep(result)
    return result


# ------------------------------------------------------------------------------------------------ calls

def capture(folder, name):
    facts = {'name': name, 'savedBytes': saved_bytes(name)}
    model, args, kwargs = build(name)
    plain = measured(model, args, kwargs)
    model, args, kwargs = build(name)
    seed_all(SEED)
    with torch.no_grad():
        plain['forwardFlops'] = flops_of(lambda: model(*args, **kwargs))
    facts['plain'] = plain
    facts['parameters'] = sum(p.numel() for p in model.parameters() if p.requires_grad)
    try:
        model, args, kwargs = build(name)
        seed_all(SEED)
        document = zigzag_torch.capture(model, *args, path=os.path.join(folder, f'{name}.json'), name=name, **kwargs)
        facts.update(coverage=document['coverage']['share'], opaque=document['coverage']['opaque'][:20],
                     vertices=len(document['vertices']))
    except zigzag_torch.CannotCapture as error:
        facts['refused'] = str(error)
    except Exception as error:
        facts['failed'] = told(error)
    write(folder, f'{name}.facts.json', facts)


def peers(folder, name):
    with open(os.path.join(folder, f'{name}.facts.json')) as file:
        plain = json.load(file)['plain']
    # Finished rows stay if a later one takes too long.
    rows = peers_of(name, plain, lambda rows: write(folder, f'{name}.peers.part', rows))
    write(folder, f'{name}.peers.json', rows)


def train(folder, name):
    with open(os.path.join(folder, f'{name}.facts.json')) as file:
        plain = json.load(file)['plain']
    reference = trained(*build(name))
    twice = differences(trained(*build(name)), reference)
    result = {'steady': max(twice.values()) == 0, 'plans': {}}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), f'{name}.*.plan.json'))):
        label = os.path.basename(path)[len(name) + 1:-len('.plan.json')]
        try:
            model, args, kwargs = build(name)
            row = differences(trained(zigzag_torch.apply(model, path), args, kwargs), reference)
            row['left'] = zigzag_torch.followed(model)['left']
            model, args, kwargs = build(name)
            row.update(measured(zigzag_torch.apply(model, path), args, kwargs, plain))
        except zigzag_torch.PlanMismatch as error:
            row = {'refused': str(error)}
        except Exception as error:
            row = {'failed': told(error)}
        result['plans'][label] = row
    write(folder, f'{name}.trained.json', result)


def once(model, args, kwargs):
    """Loss, gradients, buffers and random state of a step."""
    seed_all(SEED)
    loss = loss_of(model(*args, **kwargs))
    loss.backward()
    return {'losses': [loss.detach()], 'gradients': [torch.zeros(()) if p.grad is None else p.grad for p in model.parameters()],
            'buffers': list(model.buffers()), 'random': [torch.get_rng_state().float()]}


def solved_at(document, share):
    """(what the engine solved, the share that was asked for): the least known one where that does not suffice."""
    from zigzag_lab import CannotFit, solve
    try:
        return solve(document, budget=share), share
    except CannotFit as error:
        if error.least_budget is None:
            raise
        return solve(document, budget=error.least_budget), error.least_budget


def fitted(name, share):
    """Figures of a model under a plan for a share of its peak; `says` is what it was refused with."""
    row = {'captured': False, 'says': None}
    try:
        model, args, kwargs = build(name)
        seed_all(SEED)
        document = zigzag_torch.capture(model, *args, name=name, **kwargs)
        row.update(captured=True, vertices=len(document['vertices']))
        made, row['budget'] = solved_at(document, share)
        regular, promised = made.head['regularPeakBytes'], made.row['peakBytes']
        plain = once(*build(name))
        row['steady'] = max(differences(once(*build(name)), plain).values()) == 0
        planned, args, kwargs = build(name)
        ours = once(zigzag_torch.plan_model(planned, made.plan), args, kwargs)
        row.update(same=max(differences(ours, plain).values()) == 0, left=zigzag_torch.followed(planned)['left'])
        peaks = []
        for one in (build(name)[0], planned):
            seed_all(SEED)
            peaks.append(zigzag_torch.measure(one, *args, loss=loss_of, steps=0, **kwargs)['peakBytes'])
        row.update(plainBytes=peaks[0], promisedBytes=regular - promised, savedBytes=peaks[0] - peaks[1],
                   recompute=made.row['recomputeFraction'])
    except ImportError as error:
        row['missing'] = str(error)
    except Exception as error:
        row['says'] = told(error)
    return row


def processor_time():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def large(share):
    from transformers import LlamaConfig, LlamaForCausalLM
    from zigzag_lab import solve
    config = LlamaConfig(hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
                         num_key_value_heads=8, vocab_size=128256, max_position_embeddings=8192)
    with torch.device('meta'):
        model, ids = LlamaForCausalLM(config).to(torch.bfloat16), torch.zeros(1, 4096, dtype=torch.long)
    times = [processor_time()]
    document = zigzag_torch.capture(model, input_ids=ids, labels=ids, use_cache=False)
    times.append(processor_time())
    made = solve(document, budget=share)
    times.append(processor_time())
    return {'parameters': sum(p.numel() for p in model.parameters()), 'vertices': len(document['vertices']),
            'captureSeconds': times[1] - times[0], 'solveSeconds': times[2] - times[1], 'sentence': made.sentence}


def write(folder, file, value):
    with open(os.path.join(folder, file), 'w') as out:
        json.dump(value, out)


def main(action, *rest):
    torch.set_num_threads(1)
    if action == 'names':
        models = {family: list(builders) for family, builders in FAMILIES.items() if missing(family) is None}
        print(json.dumps({'torch': torch.__version__, 'models': models}))
    elif action == 'large':
        print('\n' + json.dumps(large(*rest)))
    elif action == 'fitted':
        share, *wanted = rest
        for family in (family for family in FAMILIES if missing(family) is None):
            for name in (n for n in FAMILIES[family] if not wanted or n in wanted):
                print('\n' + json.dumps({'family': family, 'name': name, **fitted(name, share)}), flush=True)
    else:
        {'capture': capture, 'peers': peers, 'train': train}[action](*rest)


if __name__ == '__main__':
    main(*sys.argv[1:])
