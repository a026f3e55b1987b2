#!/usr/bin/env python3
"""Prints the peak memory of one rank of fully_shard in forward and backward, as JSON.

    echo '[{"config": {...}, "gpus": 4, "batch": 2, "length": 32, "dtype": "float32", "checkpointing": false}, ...]' | python3 torch_sharding.py

Each decoder layer is a unit, and so is the rest of the model. A fake process group replaces the other ranks, and
FSDPMemTracker counts. The second of two steps counts, when AdamW's state exists. The loss is a sum.
"""
import json
import sys

import torch
import torch.distributed as dist
import transformers
from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker, _FSDPModState
from torch.distributed.fsdp import fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore

from torch_llm import adapt, build


def measure(case, mesh):
    model = build(case['config']).to(getattr(torch, case['dtype'])).train()
    if case.get('lora'):
        adapt(model, **case['lora'])
    if case['checkpointing']:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={'use_reentrant': False})
    decoder = model.get_decoder()
    for layer in getattr(decoder, 'layers', None) or decoder.h:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
    tracker = FSDPMemTracker(model, optimizer)
    ids = torch.randint(5, case['config']['vocab_size'], (case['batch'], case['length']))
    tracker.track_inputs((ids,))
    with tracker:
        for step in range(2):
            optimizer.zero_grad()
            model(input_ids=ids, use_cache=False).logits.sum().backward()
            if step == 0:
                optimizer.step()
                tracker.reset_mod_stats()
    states = tracker.memory_tracking[model].snapshots
    return max(
        kinds['Total']
        for state in (_FSDPModState.PEAK_FW, _FSDPModState.PEAK_BW)
        for snapshot in states[state]
        for kinds in snapshot.values()
    )


if __name__ == '__main__':
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    cases = json.load(sys.stdin)
    found = {}
    for gpus in sorted({case['gpus'] for case in cases}):
        dist.init_process_group('fake', store=FakeStore(), rank=0, world_size=gpus)
        mesh = dist.init_device_mesh('cpu', (gpus,))
        found |= {i: measure(case, mesh) for i, case in enumerate(cases) if case['gpus'] == gpus}
        dist.destroy_process_group()
    print(json.dumps([found[i] for i in range(len(cases))]))
