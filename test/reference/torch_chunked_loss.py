#!/usr/bin/env python3
"""Prints what a training step of PyTorch holds with its loss in chunks, as JSON.

    echo '[{"config": {...}, "batch": 2, "length": 32, "dtype": "float32", "chunk": 16}, ...]' | python3 torch_chunked_loss.py

The loss is torch.nn.functional.linear_cross_entropy, or, with a chunk of null, cross entropy of all scores. Bytes come from the
profiler, which sees every allocation: keptBytes are there when the loss was computed, peakBytes at most in forward and
backward. Both are without parameters, with tokens and labels. 'lora' is as in torch_llm.py.
"""
import json
import sys

import torch
import torch.nn.functional as F
import transformers
from torch.profiler import ProfilerActivity, profile, record_function

from torch_llm import adapt, build

LOSS = 'loss computed'


def measure(case):
    torch.manual_seed(0)
    dtype = getattr(torch, case['dtype'])
    model = build(case['config']).to(dtype).train()
    lora = case.get('lora')
    if lora is not None:
        model = adapt(model, **lora)
    whole = model.get_base_model() if hasattr(model, 'get_base_model') else model
    ids = torch.randint(5, case['config']['vocab_size'], (case['batch'], case['length']))
    labels = torch.randint(5, case['config']['vocab_size'], (case['batch'], case['length']))
    chunk = case['chunk']
    # The policy of CUDA. There half inputs have float32 scores, which a CPU keeps longer.
    options = chunk and torch.nn.LinearCrossEntropyOptions(batch_chunk_size=chunk, acc_policy='compact', acc_dtype=dtype)

    def step():
        if chunk is None:
            logits = model(input_ids=ids, use_cache=False).logits
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        else:
            loss = F.linear_cross_entropy(
                whole.get_decoder()(input_ids=ids, use_cache=False).last_hidden_state.flatten(0, 1),
                whole.lm_head.weight, labels.flatten(), options=options)
        with record_function(LOSS):
            pass
        loss.backward()

    # The first step allocates what later ones share.
    step()
    model.zero_grad()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        step()
    held = peak = kept = 0
    for event in sorted(run.profiler.kineto_results.events(), key=lambda one: one.start_ns()):
        if event.name() == '[memory]':
            held += event.nbytes()
            peak = max(peak, held)
        elif event.name() == LOSS:
            kept = held
    given = ids.nbytes + labels.nbytes
    return {'keptBytes': kept + given, 'peakBytes': peak + given}


if __name__ == '__main__':
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    print(json.dumps([measure(case) for case in json.load(sys.stdin)]))
