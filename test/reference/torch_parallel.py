"""Bytes that one rank of tensor parallel keeps for backward of models from a config.json, for torch_each.py.

A case is {"config": {...}, "batch": 2, "length": 32, "dtype": "float32", "share": {"tensor": 2, "isSequence": true}}.

`parallelize_module` splits what Megatron splits: products of queries, keys, values, gate and up by columns, those after
attention and down by rows, the embedding and the head by the vocabulary. With "isSequence" norms and residuals are split
along the sequence. Of an adapter beside a split product that factor is split alike which reads or writes what is split
(peft, tuners/lora/tp_layer.py). A fake process group replaces the other ranks. savedBytes count distinct storages of local tensors, as
in torch_llm.py. lossBytes are the most that `loss_parallel` holds beside each score.
"""
import copy
import weakref

import torch
import torch.distributed as dist
from torch.distributed._functional_collectives import AsyncCollectiveTensor
from torch.distributed.tensor import distribute_module, DTensor, Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    loss_parallel,
    parallelize_module,
    PrepareModuleInput,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
)
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from torch_llm import adapt, build, Held

COLUMNS = ('q_proj', 'k_proj', 'v_proj', 'qkv_proj', 'query_key_value', 'c_attn', 'gate_proj', 'up_proj', 'gate_up_proj', 'fc1', 'c_fc', 'dense_h_to_4h')
ROWS = ('o_proj', 'out_proj', 'dense', 'c_proj', 'down_proj', 'fc2', 'dense_4h_to_h')


def local(tensor):
    tensor = tensor._local_tensor if isinstance(tensor, DTensor) else tensor
    return tensor.elem if isinstance(tensor, AsyncCollectiveTensor) else tensor


def as_linear(layer):
    """GPT-2's Conv1D is a Linear with its weight transposed, which ColwiseParallel does not know."""
    for name, module in list(layer.named_modules()):
        if type(module).__name__ == 'Conv1D':
            parent, _, last = name.rpartition('.')
            setattr(layer.get_submodule(parent), last, torch.nn.Linear(module.nx, module.nf).to(module.weight.dtype))


def with_own_heads(module, ranks):
    """One product of queries, keys and values holds those of the rank's heads, one after the other."""
    if hasattr(module, 'split_size'):
        module.split_size //= ranks
    if hasattr(module, 'qkv_proj'):
        module.config = copy.copy(module.config)
        module.config.num_attention_heads //= ranks
        module.num_key_value_heads //= ranks
    elif hasattr(module, 'num_heads'):
        module.num_heads //= ranks


def parallelize(model, mesh, isSequence):
    ranks = mesh.size()
    decoder = model.get_decoder()
    between = Shard(1) if isSequence else Replicate()
    row = lambda **more: RowwiseParallel(output_layouts=between, use_local_output=not isSequence, **more)
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    isTied = embedding.weight is head.weight
    names = {module: name for name, module in model.named_modules()}
    hasPositions = hasattr(decoder, 'wpe')
    top = {
        names[embedding]: RowwiseParallel(input_layouts=Replicate()) if hasPositions else row(input_layouts=Replicate()),
        names[head]: ColwiseParallel(input_layouts=between, output_layouts=Shard(-1), use_local_output=False),
    }
    layers = getattr(decoder, 'layers', None) or decoder.h
    if isSequence:
        if hasPositions:
            top[names[decoder.drop]] = PrepareModuleOutput(output_layouts=Replicate(), desired_output_layouts=Shard(1), use_local_output=False)
        for name, module in decoder.named_children():
            if 'norm' in name or 'ln_' in name:
                top[names[module]] = SequenceParallel()
    parallelize_module(model, mesh, top)
    if isTied:
        head.weight = embedding.weight
    for layer in layers:
        as_linear(layer)
        plan = {}
        for name, module in layer.named_modules():
            last = name.rpartition('.')[2]
            if last in COLUMNS or last in ROWS:
                split = ColwiseParallel() if last in COLUMNS else row()
                if not hasattr(module, 'base_layer'):
                    plan[name] = split
                    continue
                parts, whole = ('base_layer', 'lora_B.default'), 'lora_A.default'
                if last in ROWS:
                    parts, whole = ('base_layer', 'lora_A.default'), 'lora_B.default'
                for part in parts:
                    plan[f'{name}.{part}'] = split
                if isSequence:
                    distribute_module(module.get_submodule(whole), mesh)
            elif 'attn' in last or 'attention' == last or 'mlp' == last:
                if 'mlp' != last:
                    with_own_heads(module, ranks)
                if isSequence:
                    plan[name] = (
                        PrepareModuleInput(input_kwarg_layouts={'hidden_states': Shard(1)}, desired_input_kwarg_layouts={'hidden_states': Replicate()})
                        if last == 'self_attn'
                        else PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),))
                    )
            elif isSequence and '.' not in name and ('norm' in last or 'ln_' in last):
                plan[name] = SequenceParallel()
        parallelize_module(layer, mesh, plan)


class Peak(TorchDispatchMode):
    """Most bytes of storages that operations on local tensors make."""

    def __init__(self, *known):
        super().__init__()
        self.live = {tensor.untyped_storage()._cdata: 0 for tensor in known}
        self.held = self.peak = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if any(issubclass(one, DTensor) for one in types):
            return NotImplemented
        result = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if type(tensor) is torch.Tensor and tensor.untyped_storage()._cdata not in self.live:
                storage = tensor.untyped_storage()
                self.live[storage._cdata] = storage.nbytes()
                self.held += storage.nbytes()
                self.peak = max(self.peak, self.held)
                weakref.finalize(storage, self.forget, storage._cdata)
        return result

    def forget(self, key):
        self.held -= self.live.pop(key, 0)


def loss_peak(dtype, mesh, rows=16, classes=4096):
    """Most bytes beside each score while loss_parallel computes their cross entropy and its gradient."""
    own = torch.zeros(rows, classes, dtype=dtype, requires_grad=True)
    scores = DTensor.from_local(own, mesh, [Shard(1)])
    labels = torch.zeros(rows, dtype=torch.int64)
    peak = Peak(own)
    with loss_parallel(), peak:
        torch.nn.functional.cross_entropy(scores, labels).backward()
    return peak.peak / own.numel()


def measure(case):
    torch.manual_seed(0)
    mesh = dist.init_device_mesh('cpu', (case['share']['tensor'],))
    model = build(case['config']).to(getattr(torch, case['dtype'])).train()
    if case.get('lora'):
        adapt(model, **case['lora'])
    parallelize(model, mesh, case['share']['isSequence'])
    if case.get('lora'):
        # SequenceParallel makes parameters that are trained.
        for name, parameter in model.named_parameters():
            parameter.requires_grad_('.lora_' in name)
    own = {local(t).untyped_storage().data_ptr() for t in [*model.parameters(), *model.buffers()]}
    ids = torch.randint(5, case['config']['vocab_size'], (case['batch'], case['length']))
    held = weakref.WeakSet()

    def pack(tensor):
        one = Held(local(tensor))
        held.add(one)
        return one, tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one[1]):
        output = model(input_ids=ids, use_cache=False).logits
    storages = {}
    for tensor in [ids, *(one.tensor for one in held)]:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            storages[storage.data_ptr()] = storage.nbytes()
    return {
        'parameters': sum(local(p).numel() for p in model.parameters()),
        'trained': sum(local(p).numel() for p in model.parameters() if p.requires_grad),
        'savedBytes': sum(storages.values()),
        'shape': list(local(output).shape),
        'lossBytes': loss_peak(output.dtype, mesh),
    }


def figures(cases):
    for case in cases:
        dist.init_process_group('fake', store=FakeStore(), rank=0, world_size=case['share']['tensor'])
        yield measure(case)
        dist.destroy_process_group()
