"""Bytes that PyTorch keeps for backward of models that transformers builds from a config.json, for torch_each.py.

A case is {"config": {...}, "batch": 2, "length": 32, "dtype": "float32"}.

Weights are random, never loaded. savedBytes are the bytes of every distinct storage that autograd keeps after one forward
in training mode, with the input, without parameters and buffers. The model's own forward runs without labels. A case
with "lora": {"rank": 4, "targets": null, "all-linear" or a list} trains peft's adapters only. A case with "checkpointing": true
runs under transformers' gradient_checkpointing_enable.
"""
import importlib
import weakref
from unittest.mock import patch

import torch
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForImageClassification, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoModelForSequenceClassification, AutoModelForSpeechSeq2Seq

MASKED = ('bert', 'roberta', 'xlm-roberta', 'distilbert', 'modernbert')
IMAGES = ('vit', 'clip_vision_model', 'siglip_vision_model')
POOLED = ('clip_vision_model', 'siglip_vision_model', 'clip_text_model')
PAIRS = ('clip', 'siglip')


def head_of(kind, architectures=()):
    if any(name.endswith('ForSequenceClassification') for name in architectures):
        return AutoModelForSequenceClassification
    if kind in MASKED:
        return AutoModelForMaskedLM
    if kind in POOLED or kind in PAIRS:
        return AutoModel
    if kind == 't5':
        return AutoModelForSeq2SeqLM
    if kind == 'whisper':
        return AutoModelForSpeechSeq2Seq
    return AutoModelForImageClassification if kind == 'vit' else AutoModelForCausalLM


class FusedConvolution(torch.autograd.Function):
    """Saves what causal_conv1d 1.6 does, which runs on CUDA alone (causal_conv1d_interface.py)."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.zeros_like(x)

    @staticmethod
    def backward(ctx, given):
        return tuple(torch.zeros_like(one) for one in ctx.saved_tensors)


class FusedRule(torch.autograd.Function):
    """Saves what flash-linear-attention 0.6 does, which runs on CUDA alone (fla/ops/gated_delta_rule/chunk.py)."""

    @staticmethod
    def forward(ctx, q, k, v, g, beta):
        batch, length, heads = beta.shape
        roots = [torch.zeros(one.shape[:-1]) for one in (q, k)]
        inverse = torch.zeros(batch, length, heads, 64, dtype=k.dtype)
        normed = [one.clone(memory_format=torch.contiguous_format) for one in (q, k, v)]
        ctx.save_for_backward(*normed, *roots, g.clone(), beta, inverse)
        ctx.of = [(one.shape, one.dtype) for one in (q, k, v, g, beta)]
        return torch.zeros(v.shape, dtype=q.dtype)

    @staticmethod
    def backward(ctx, given):
        return tuple(torch.zeros(shape, dtype=dtype) for shape, dtype in ctx.of)


REFERENCES = {}


def fuse_rule(kind, is_fused):
    """Runs the gated delta rule of a model in stand-ins for its CUDA kernels, or written out."""
    name = kind.removesuffix('_text')
    module = importlib.import_module(f'transformers.models.{name}.modeling_{name}')
    rule, convolution = REFERENCES.setdefault(name, (module.torch_chunk_gated_delta_rule, module.causal_conv1d_fn))
    if is_fused:
        rule = lambda q, k, v, g, beta, **_: (FusedRule.apply(q, k, v, g, beta), None)
        convolution = lambda x, weight, *_, **__: FusedConvolution.apply(x, weight)
    module.torch_chunk_gated_delta_rule, module.causal_conv1d_fn = rule, convolution


def build(config):
    if config['model_type'].startswith(('qwen3_5', 'qwen3_next')):
        fuse_rule(config['model_type'], config.get('attn_implementation', 'sdpa') != 'eager')
    fields = {name: value for name, value in config.items() if name not in ('model_type', 'attn_implementation')}
    settings = AutoConfig.for_model(config['model_type'], **fields)
    attention = config.get('attn_implementation', 'sdpa')
    return head_of(config['model_type'], config.get('architectures', ())).from_config(settings, attn_implementation=attention)


def inputs(case):
    config, batch, length = case['config'], case['batch'], case['length']
    kind, dtype = config['model_type'], getattr(torch, case.get('dtype', 'float32'))
    if kind in IMAGES:
        return {'pixel_values': torch.randn(batch, 3, length, length, dtype=dtype)}
    if kind in PAIRS:
        side = config['vision_config']['image_size']
        ids = torch.randint(5, config['text_config']['vocab_size'], (batch, length))
        return {'input_ids': ids, 'pixel_values': torch.randn(batch, 3, side, side, dtype=dtype)}
    ids = torch.randint(5, config['vocab_size'], (batch, length))
    if kind == 'whisper':
        frames = torch.randn(batch, config['num_mel_bins'], 2 * config['max_source_positions'], dtype=dtype)
        return {'input_features': frames, 'decoder_input_ids': ids, 'use_cache': False}
    if kind == 't5':
        return {'input_ids': ids, 'decoder_input_ids': ids, 'use_cache': False}
    return {'input_ids': ids, **({} if kind in MASKED or kind in POOLED else {'use_cache': False})}


def adapt(model, rank, targets, dropout=0.0):
    from peft import LoraConfig, get_peft_model
    return get_peft_model(model, LoraConfig(r=rank, target_modules=targets, lora_dropout=dropout)).train()


def fused_dropout(x, p=0.5, training=True, inplace=False):
    """The kernel of CUDA, which keeps one byte per element; the CPU's keeps numbers."""
    return torch.native_dropout(x, p, True)[0] if training and p > 0 else x


def own_part(tensor):
    return tensor.to_local() if hasattr(tensor, 'to_local') else tensor


class Held:
    """A tensor that a node of autograd keeps; dropped with the node."""

    def __init__(self, tensor):
        self.tensor = own_part(tensor.detach())


def measure(case, build=build):
    torch.manual_seed(0)
    lora = case.get('lora')
    model = build(case['config']).to(getattr(torch, case.get('dtype', 'float32'))).train()
    if lora is not None:
        model = adapt(model, **lora)
    if case.get('checkpointing'):
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={'use_reentrant': False})
    parameters = [own_part(p) for p in model.parameters()]
    own = {t.untyped_storage().data_ptr() for t in [*parameters, *model.buffers()]}
    given = inputs(case)
    if case.get('padded'):
        given['attention_mask'] = torch.ones(given['input_ids'].shape, dtype=torch.int64)
        given['attention_mask'][0, -3:] = 0
    kind = case['config']['model_type']
    held = weakref.WeakSet()

    def pack(tensor):
        one = Held(tensor)
        held.add(one)
        return one

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one.tensor):
        answer = model(**given)
        output = answer.pooler_output if kind in POOLED else answer.logits_per_image if kind in PAIRS else answer.logits
    storages = {}
    for tensor in [*(x for x in given.values() if torch.is_tensor(x)), *(one.tensor for one in held)]:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            storages[storage.data_ptr()] = storage.nbytes()
    trained = sum(p.numel() for p in parameters if p.requires_grad)
    return {'parameters': sum(p.numel() for p in parameters), 'trained': trained, 'savedBytes': sum(storages.values()),
            'shape': list(output.shape)}


def figures(cases):
    with patch('torch.nn.functional.dropout', fused_dropout):
        return [measure(case) for case in cases]
