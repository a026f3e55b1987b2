#!/usr/bin/env python3
"""Prints the peaks of a training step of models of a config.json under PyTorch's MemTracker, as JSON: forward, loss, backward, optimizer.

    echo '[{"config": {...}, "batch": 1, "length": 2048, "dtype": "bfloat16"}, ...]' | python3 torch_peaks.py

AdamW, the second of two steps, in real sizes. Tensors are fake: nothing is computed, no memory is needed. A case with
"lora": {"rank": 16, "targets": null, "all-linear" or a list} trains peft's adapters only, one with "checkpointing": true runs under
transformers' gradient_checkpointing_enable.
"""
import json
import sys
import warnings
from collections import OrderedDict
from unittest.mock import patch

import torch
import torch.nn.functional as F
import transformers
import transformers.initialization
import transformers.masking_utils
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker
from torch.utils.hooks import RemovableHandle
from torch_llm import PAIRS, adapt, build, inputs

# The positions of a fake tensor cannot be read, so transformers would build a mask for packed samples that training without them lacks.
transformers.masking_utils.find_packed_sequence_indices = lambda positions: None
# Values that are fake have no tails to cut.
transformers.initialization.TORCH_INIT_FUNCTIONS['trunc_normal_'] = lambda tensor, **_: tensor

# transformers has no other attention for these, or the flash kernels do not take it.
EAGER = ('gemma2', 'gpt_oss', 't5')


class StepTracker(MemTracker):
    """Compares the most of the whole step only: the modules' own peaks cost time that grows with operations times modules."""

    def _update_peak_stats(self, peak_state):
        for device, snapshot in self._curr_mem_snap.items():
            self._peak_mem[device] = max(self._peak_mem.get(device, 0), snapshot['Total'])


def peaks(case):
    torch.set_default_dtype(getattr(torch, case['dtype']))
    with FakeTensorMode(allow_non_fake_inputs=True):
        config = case['config']
        kernel = 'eager' if config['model_type'] in EAGER else 'sdpa'
        model = build({'attn_implementation': kernel, **config}).train()
        torch.set_default_dtype(torch.float32)
        if 'lora' in case:
            # Fake parameters cannot be moved: adapters are made where their layers are, in float32 as peft leaves them.
            with patch.object(torch.nn.Module, 'to', lambda module, *_, **__: module):
                model = adapt(model, **case['lora'])
        if case.get('checkpointing'):
            model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={'use_reentrant': False})
        given = inputs({**case, 'config': model.config.to_dict()})
        pair = config['model_type'] in PAIRS
        ids = torch.arange(case['batch']) if pair else given.get('decoder_input_ids', given.get('input_ids'))
        optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
        tracker = StepTracker()
        # It wants to see the gradient of every parameter, also of those that have none.
        for parameter in model.parameters():
            if not parameter.requires_grad:
                tracker._param_to_grad_hook_handles[parameter] = (RemovableHandle(OrderedDict()),) * 2
        tracker.track_external(model, optimizer, *(x for x in given.values() if torch.is_tensor(x)))
        found = {}

        def end(instant):
            """The most since the instant before ended."""
            found[instant] = sum(tracker._peak_mem.values())
            tracker._peak_mem.clear()

        with tracker:
            for step in range(2):
                tracker._peak_mem.clear()
                answer = model(**given)
                logits = answer.logits_per_text if pair else answer.logits
                del answer
                end('forward')
                logits.register_hook(lambda gradient: end('loss'))
                loss = F.cross_entropy(logits.flatten(0, -2), ids.flatten())
                loss.backward()
                end('backward')
                optimizer.step()
                end('optimizer')
                optimizer.zero_grad()
                del logits, loss
                if step == 0:
                    tracker.reset_mod_stats()
    return found


if __name__ == '__main__':
    warnings.filterwarnings('ignore')
    transformers.logging.set_verbosity_error()
    print(json.dumps([peaks(case) for case in json.load(sys.stdin)]))
