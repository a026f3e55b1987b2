#!/usr/bin/env python3
"""Runs training scripts on the CPU with a small model, and prints what they hold, as JSON.

    echo '[{"script": "...", "config": {...}, "batch": 2, "length": 8, "steps": 2}, ...]' | python3 torch_script.py

'cuda' in a script becomes 'cpu', the folder of the config.json a folder with random weights. A script that shards runs as
the only process of its group. Bytes are of the storages that parameters and the optimizer's state have after the last step.
"""
import json
import os
import pathlib
import sys
import tempfile

import torch
import transformers
from torch.optim.optimizer import register_optimizer_step_post_hook
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText, AutoModelForMaskedLM, AutoModelForSpeechSeq2Seq

from torch_llm import MASKED

FOLDER = 'folder of your config.json'


def write_model(config, folder, dtype):
    settings = AutoConfig.for_model(**config)
    kind = AutoModelForMaskedLM if config['model_type'] in MASKED else AutoModelForCausalLM
    if config['model_type'] == 'whisper':
        kind = AutoModelForSpeechSeq2Seq
    elif 'text_config' in config:
        kind = AutoModelForImageTextToText
    kind.from_config(settings).to(dtype).save_pretrained(folder)


def on_cpu(script, folder):
    script = script.replace("'cuda'", "'cpu'").replace('device_ids=[device]', 'device_ids=None').replace(FOLDER, folder)
    script = script.replace('torch.cuda.set_device(device)\n', '')
    return script.replace("output_dir='trained',", "output_dir='trained', use_cpu=True, report_to=[], max_steps=2, "
                          "logging_strategy='no', save_strategy='no', disable_tqdm=True, dataloader_pin_memory=False,")


def storage_bytes(tensors):
    held = {}
    for tensor in tensors:
        tensor = getattr(tensor, '_local_tensor', tensor)
        held[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
    return sum(held.values())


def quantised_beside(model):
    for parameter in model.parameters():
        state = getattr(parameter, 'quant_state', None)
        if state is not None:
            nested = state.state2
            yield from (state.absmax, state.code, state.offset, nested.absmax)


def frames_of(case):
    config = case['config']
    if config['model_type'] != 'whisper':
        return None
    dtype = torch.bfloat16 if 'input_features in bfloat16' in case['script'] else torch.float32
    return torch.randn(case['batch'], config['num_mel_bins'], 2 * config['max_source_positions'], dtype=dtype)


def run(case, folder):
    torch.manual_seed(0)
    batch, length, steps = case['batch'], case['length'], case['steps']
    write_model(case['config'], folder, torch.float32)
    ids = torch.randint(5, case['config'].get('text_config', case['config'])['vocab_size'], (batch, length))
    updates = []
    rows = [{'input_ids': row, 'labels': row} for row in ids.repeat(8 * steps, 1)]
    frames = frames_of(case)
    if frames is not None:
        rows = [{'input_features': frames[0], 'decoder_input_ids': row['labels'], 'labels': row['labels']} for row in rows]
    mask = torch.ones_like(ids)
    mask[0, -3:] = 0
    if case['padded']:
        rows = [{**row, 'attention_mask': mask[index % batch]} for index, row in enumerate(rows)]
    given = (ids, mask, ids) if case['padded'] else (ids, ids) if frames is None else (frames, ids, ids)
    names = {
        'batches': [given] * steps,
        'dataset': rows,
        '__name__': 'script',
    }
    hook = register_optimizer_step_post_hook(lambda optimizer, *_: updates.append(optimizer))
    exec(compile(on_cpu(case['script'], folder), 'script.py', 'exec'), names)
    hook.remove()
    model = names['model']
    optimizer = updates[-1]
    optimizer = getattr(optimizer, 'optimizer', optimizer)
    states = [t for state in optimizer.state.values() for t in state.values() if torch.is_tensor(t) and t.dim() > 0]
    parameters = list(model.parameters())
    return {
        'trained': sum(p.numel() for p in parameters if p.requires_grad),
        'weights': storage_bytes([*parameters, *quantised_beside(model)]),
        'optimizer': storage_bytes(states),
        'updates': len(updates),
    }


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    os.environ.update(RANK='0', LOCAL_RANK='0', WORLD_SIZE='1', MASTER_ADDR='127.0.0.1', MASTER_PORT='0')
    answers = []
    for case in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            answers.append(run(case, str(pathlib.Path(folder) / 'model')))
            os.chdir('/')
        if torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()
    print(json.dumps(answers))


if __name__ == '__main__':
    main()
