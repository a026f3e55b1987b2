#!/usr/bin/env python3
"""Prints what PyTorch keeps for backward of models that transformers builds from a config.json, as JSON.

    echo '[{"config": {...}, "batch": 2, "length": 32, "dtype": "float32"}, ...]' | python3 torch_llm.py

Weights are drawn, never loaded. savedBytes are the bytes of every distinct storage that autograd keeps after one forward
in training mode, the tokens included, parameters and buffers not. The forward is the model's own without labels.
"""
import json
import sys
import weakref

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM

MASKED = ('bert', 'roberta', 'modernbert')


def build(config):
    fields = {name: value for name, value in config.items() if name not in ('model_type', 'attn_implementation')}
    settings = AutoConfig.for_model(config['model_type'], **fields)
    attention = config.get('attn_implementation', 'sdpa')
    head = AutoModelForMaskedLM if config['model_type'] in MASKED else AutoModelForCausalLM
    return head.from_config(settings, attn_implementation=attention)


class Held:
    """A tensor that a node of autograd keeps; dropped with the node."""

    def __init__(self, tensor):
        self.tensor = tensor.detach()


def measure(case):
    torch.manual_seed(0)
    model = build(case['config']).to(getattr(torch, case.get('dtype', 'float32'))).train()
    own = {t.untyped_storage().data_ptr() for t in [*model.parameters(), *model.buffers()]}
    ids = torch.randint(5, case['config']['vocab_size'], (case['batch'], case['length']))
    held = weakref.WeakSet()

    def pack(tensor):
        one = Held(tensor)
        held.add(one)
        return one

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one.tensor):
        cache = {} if case['config']['model_type'] in MASKED else {'use_cache': False}
        output = model(input_ids=ids, **cache).logits
    storages = {}
    for tensor in [ids, *(one.tensor for one in held)]:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            storages[storage.data_ptr()] = storage.nbytes()
    return {'parameters': sum(p.numel() for p in model.parameters()), 'savedBytes': sum(storages.values()),
            'shape': list(output.shape)}


if __name__ == '__main__':
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    print(json.dumps([measure(case) for case in json.load(sys.stdin)]))
