"""Bytes that PyTorch keeps for backward of one rank of transformers' expert parallel, for torch_each.py.

A case is {"config": {...}, "batch": 2, "length": 32, "dtype": "float32", "share": {"experts": 2}}.

A fake process group replaces the other ranks, which send as many rows as they are sent: so it is where every expert is chosen
for each token.
"""
import torch
import torch.distributed as dist
import transformers
from torch.testing._internal.distributed.fake_pg import FakeStore
from transformers.distributed import expert_parallel

from torch_llm import build, measure

expert_parallel.all_to_all_single = lambda received, sent, group: received.copy_(sent)


def divided(config, mesh):
    model = build(config)
    plan = {}
    for name, module in model.named_modules():
        if name.endswith('.experts'):
            plan |= {name: 'ep_dispatch_experts', **{f'{name}.{own}': 'grouped_gemm' for own, _ in module.named_parameters()}}
    return expert_parallel.apply_expert_parallelism(model, mesh['ep'], mesh['tp'], plan, 'all_to_all')


def figures(cases):
    found = {}
    for count in sorted({case['share']['experts'] for case in cases}):
        dist.init_process_group('fake', store=FakeStore(), rank=0, world_size=count)
        mesh = dist.init_device_mesh('cpu', (count, 1), mesh_dim_names=('ep', 'tp'))
        found |= {
            i: measure(case, lambda config: divided(config, mesh))
            for i, case in enumerate(cases)
            if case['share']['experts'] == count
        }
        dist.destroy_process_group()
    return [found[i] for i in range(len(cases))]
