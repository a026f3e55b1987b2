"""Prints a row of each model as JSON: torch_steps.py [NAME...], with zigzag_lab on PYTHONPATH.

A step under per-block checkpointing, as the model's own library does it, beside a step under a plan whose measured
peak is the same. Widths are those of small models that people train, so that kernels and not Python take most of a step.
Plain training and both take turns, one step at a time; times are medians of processor time in one thread.
"""
import copy
import functools
import importlib
import json
import os
import statistics
import sys
import time

import torch
from torch.utils.checkpoint import checkpoint

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'reference'))

from torch_families import loss_of, seed_all  # noqa: E402
from zigzag_lab import CannotFit, solve  # noqa: E402
from zigzag_lab.zigzag_torch import apply, capture, followed, measure  # noqa: E402

ROUNDS = 7
# A measured peak may miss the promise; then the budget is lowered by as much.
TRIES, SAME_PEAK = 3, 1.005
BATCH, LENGTH, VOCABULARY = 4, 256, 1000
WIDTH = {'hidden_size': 512, 'num_hidden_layers': 4, 'num_attention_heads': 8}
WIDE = {**WIDTH, 'intermediate_size': 2048, 'vocab_size': VOCABULARY, 'pad_token_id': 0}
GROUPED = {**WIDE, 'num_key_value_heads': 4, 'intermediate_size': 1408}


def hugging(kind, head, call=None, **config):
    """A model of transformers; its inputs are tokens where `call` is missing."""
    library = importlib.import_module('transformers')
    model = getattr(library, head)(getattr(library, kind)(**config))
    ids = torch.randint(3, VOCABULARY, (BATCH, LENGTH))
    model.config.use_cache = False
    return model, (), call() if call else {'input_ids': ids, 'labels': ids.clone()}


def vision(name, size):
    models = importlib.import_module('torchvision.models')
    return getattr(models, name)(num_classes=100), (torch.randn(BATCH, 3, size, size),), {}


def unet():
    from diffusers import UNet2DModel
    model = UNet2DModel(sample_size=32, block_out_channels=(64, 128, 128), layers_per_block=2, norm_num_groups=8,
                        down_block_types=('DownBlock2D', 'AttnDownBlock2D', 'DownBlock2D'),
                        up_block_types=('UpBlock2D', 'AttnUpBlock2D', 'UpBlock2D'))
    return model, (torch.randn(BATCH, 3, 32, 32), torch.arange(BATCH)), {}


def pixels(size):
    return {'pixel_values': torch.randn(BATCH, 3, size, size), 'labels': torch.arange(BATCH)}


def speech():
    return {'input_features': torch.randn(BATCH, 80, 200), 'labels': torch.randint(3, VOCABULARY, (BATCH, 32))}


MODELS = {
    'GPT-2': lambda: hugging('GPT2Config', 'GPT2LMHeadModel', n_embd=512, n_layer=4, n_head=8, vocab_size=VOCABULARY,
                             n_positions=LENGTH, bos_token_id=1, eos_token_id=2),
    'Llama': lambda: hugging('LlamaConfig', 'LlamaForCausalLM', **GROUPED),
    'Qwen 3': lambda: hugging('Qwen3Config', 'Qwen3ForCausalLM', head_dim=64, **GROUPED),
    'Gemma 2': lambda: hugging('Gemma2Config', 'Gemma2ForCausalLM', head_dim=64, **GROUPED),
    'BERT': lambda: hugging('BertConfig', 'BertForMaskedLM', **WIDE),
    'ModernBERT': lambda: hugging('ModernBertConfig', 'ModernBertForMaskedLM', bos_token_id=1, eos_token_id=2,
                                  cls_token_id=1, sep_token_id=2, **{**WIDE, 'intermediate_size': 768}),
    'T5': lambda: hugging('T5Config', 'T5ForConditionalGeneration', vocab_size=VOCABULARY, d_model=512, d_kv=64, d_ff=2048,
                          num_layers=2, num_heads=8, decoder_start_token_id=0, pad_token_id=0),
    'Whisper': lambda: hugging('WhisperConfig', 'WhisperForConditionalGeneration', speech, vocab_size=VOCABULARY,
                               d_model=512, encoder_layers=3, decoder_layers=3, encoder_attention_heads=8,
                               decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048,
                               max_source_positions=100, max_target_positions=64, pad_token_id=0, bos_token_id=1,
                               eos_token_id=2, decoder_start_token_id=1),
    'ViT': lambda: hugging('ViTConfig', 'ViTForImageClassification', lambda: pixels(96), image_size=96, patch_size=8,
                           num_labels=100, **{**WIDTH, 'intermediate_size': 2048}),
    'ResNet-50': lambda: vision('resnet50', 96),
    'Swin': lambda: vision('swin_t', 96),
    'U-Net of diffusers': unet,
}


def by_block(model):
    """Checkpointing of each block, as the model's library offers it."""
    if hasattr(model, 'gradient_checkpointing_enable'):  # transformers
        model.gradient_checkpointing_enable({'use_reentrant': False})
    elif hasattr(model, 'enable_gradient_checkpointing'):  # diffusers, whose checkpoints are not reentrant
        model.enable_gradient_checkpointing()
    else:
        for block in model.modules():
            if type(block).__name__ in ('Bottleneck', 'SwinTransformerBlock'):
                block.forward = functools.partial(checkpoint, block.forward, use_reentrant=False)
    return model


def step(model, args, kwargs):
    seed_all(1)
    model.zero_grad(set_to_none=True)
    start = time.process_time()
    loss = loss_of(model(*args, **kwargs))
    loss.backward()
    return time.process_time() - start


def row_of(name):
    seed_all(0)
    model, args, kwargs = MODELS[name]()
    ways = {'plain': model.train(), 'checkpoint': by_block(copy.deepcopy(model))}
    seed_all(1)
    document = capture(model, *args, name=name, **kwargs)

    def peak(way):
        seed_all(1)
        return measure(ways[way], *args, loss=loss_of, steps=0, **kwargs)['peakBytes']

    peaks = {way: peak(way) for way in ways}
    budget = solve(document, strategy='regular').head['regularPeakBytes'] - (peaks['plain'] - peaks['checkpoint'])
    for _ in range(TRIES):
        try:
            made = solve(document, budget=budget)
        except CannotFit:
            break  # the last plan stays, and its peak says how far it is
        ways['plan'] = apply(copy.deepcopy(model), made.plan)
        peaks['plan'] = peak('plan')
        if peaks['plan'] <= SAME_PEAK * peaks['checkpoint']:
            break
        budget -= peaks['plan'] - peaks['checkpoint']
    times = {way: [] for way in ways}
    for turn in range(ROUNDS + 1):
        for way, each in ways.items():
            seconds = step(each, args, kwargs)
            if turn > 0:
                times[way].append(seconds)
    same = all(torch.equal(p.grad, q.grad) for p, q in zip(model.parameters(), ways['plan'].parameters()) if p.grad is not None)
    return {'name': name, 'peaks': peaks, 'seconds': {way: statistics.median(each) for way, each in times.items()},
            'same': same, 'left': followed(ways['plan'])['left'], 'recompute': made.row['recomputeFraction'],
            'vertices': len(document['vertices'])}


if __name__ == '__main__':
    torch.set_num_threads(1)
    for wanted in sys.argv[1:] or MODELS:
        print('\n' + json.dumps(row_of(wanted)), flush=True)
