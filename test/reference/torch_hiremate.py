#!/usr/bin/env python3
"""Prints networks that HiRemate (ICML 2025) plans and the zoo lacks, captured on the device meta, as a JSON list of zigzag-graph/1.

    PYTHONPATH=FOLDER python3 torch_hiremate.py     FOLDER has zigzag_torch.py

Random weights in real sizes; two samples each, so that a batch can be told from a size. The Transformer has as many layers
as it takes for 2,500 operations, the largest graph of that paper.
"""
import json

import timm
import torch
import torchvision
import zigzag_torch
from torch import nn

LAYERS = 41


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Transformer(512, 8, LAYERS, LAYERS, 2048, batch_first=True)

    def forward(self, source, target):
        return self.body(source, target)


def networks():
    image = torch.empty(2, 3, 224, 224)
    yield 'MLP-Mixer B/16', timm.create_model('mixer_b16_224'), [image]
    yield 'RegNetX-32GF', torchvision.models.regnet_x_32gf(), [image]
    yield f'Transformer, {LAYERS} + {LAYERS} layers', Translator(), [torch.empty(2, 256, 512), torch.empty(2, 256, 512)]


print(json.dumps([zigzag_torch.capture(model.to('meta').train(), *(x.to('meta') for x in args), name=name)
                  for name, model, args in networks()]))
