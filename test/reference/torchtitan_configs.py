#!/usr/bin/env python3
"""Reads configurations of torchtitan, and prints them and the parameters of its models, as JSON.

    python3 torchtitan_configs.py '{"models": {"llama3": ["8B"]}, "texts": ["..."]}'

Models are built on meta. Nothing trains, reads data or writes a log: stand-ins are enough for what does.
"""
import importlib
import json
import math
import sys
import types
from unittest import mock

import torch

for name in ('datasets', 'datasets.distributed', 'torch.utils.tensorboard'):
    sys.modules[name] = mock.MagicMock()
from torchtitan.distributed import pipeline_parallel


def sizes(model):
    """Parameters of a model, and whether its embedding is its head."""
    return [sum(p.numel() for p in model.parameters()), model.enable_weight_tying]


def figures(config):
    p, t = config.parallelism, config.training
    degrees = [
        p.data_parallel_replicate_degree,
        p.data_parallel_shard_degree,
        p.tensor_parallel_degree,
        p.context_parallel_degree,
        p.pipeline_parallel_degree,
    ]
    parts = pipeline_parallel._generate_llm_fqn_per_model_part(
        p.pipeline_parallel_degree,
        len(config.model_spec.model.layers),
        p.pipeline_parallel_first_stage_less_layers,
        p.pipeline_parallel_last_stage_less_layers,
    )
    return {
        'degrees': degrees,
        'world': math.prod(degrees),
        'experts': p.expert_parallel_degree,
        'batch': t.local_batch_size,
        'global': t.global_batch_size,
        'sequence': t.seq_len,
        'types': [t.dtype, t.mixed_precision_param],
        'isSequence': p.enable_sequence_parallel,
        'schedule': [p.pipeline_parallel_schedule, p.pipeline_parallel_microbatch_size],
        'layers': [sum(name.startswith('layers.') for name in part) for part in parts],
        'checkpointing': type(config.activation_checkpoint).__qualname__,
        'optimizer': config.optimizer.param_groups[0].optimizer_name,
    }


def main():
    asked = json.loads(sys.argv[1])
    models = {}
    for name, flavors in asked['models'].items():
        registry = importlib.import_module(f'torchtitan.models.{name}').model_registry
        for flavor in flavors:
            with torch.device('meta'):
                models[f'{name} {flavor}'] = sizes(registry(flavor).model.build())
    settings = []
    for text in asked['texts']:
        module = types.ModuleType('counted')
        exec(text, module.__dict__)
        settings.append(figures(module.counted()))
    print(json.dumps({'models': models, 'settings': settings}))


main()
