"""The three NAS networks in PyTorch, written from the description in the papers, as a reference for engine/zoo/nas.ts."""

import json
import os

import torch
from torch import nn

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures")
CELLS, CHANNELS, STEM_MULTIPLIER, CLASSES = 20, 36, 3, 10
REDUCTIONS = (CELLS // 3, 2 * CELLS // 3)


def genotypes():
    with open(os.path.join(FIXTURES, "nas-genotypes.json")) as file:
        return json.load(file)["networks"]


def conv(inputs, outputs, kernel, **options):
    return nn.Conv2d(inputs, outputs, kernel, bias=False, **options)


class FactorizedReduce(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv1 = conv(inputs, outputs // 2, 1, stride=2)
        self.conv2 = conv(inputs, outputs // 2, 1, stride=2)
        self.bn = nn.BatchNorm2d(outputs)

    def forward(self, x):
        x = torch.relu(x)
        return self.bn(torch.cat([self.conv1(x), self.conv2(x[:, :, 1:, 1:])], dim=1))


def relu_conv_norm(inputs, outputs):
    return nn.Sequential(nn.ReLU(), conv(inputs, outputs, 1), nn.BatchNorm2d(outputs))


def depthwise_stage(channels, kernel, stride, padding, dilation=1):
    depthwise = conv(channels, channels, kernel, stride=stride, padding=padding, dilation=dilation, groups=channels)
    return [nn.ReLU(), depthwise, conv(channels, channels, 1), nn.BatchNorm2d(channels)]


def operation(name, channels, stride):
    if name == "avg_pool_3x3":
        return nn.AvgPool2d(3, stride, padding=1, count_include_pad=False)
    if name == "max_pool_3x3":
        return nn.MaxPool2d(3, stride, padding=1)
    if name == "skip_connect":
        return nn.Identity() if stride == 1 else FactorizedReduce(channels, channels)
    if name == "dil_conv_3x3":
        return nn.Sequential(*depthwise_stage(channels, 3, stride, 2, 2))
    if name == "conv_7x1_1x7":
        row = conv(channels, channels, (1, 7), stride=(1, stride), padding=(0, 3))
        column = conv(channels, channels, (7, 1), stride=(stride, 1), padding=(3, 0))
        return nn.Sequential(nn.ReLU(), row, column, nn.BatchNorm2d(channels))
    kernel = int(name[-1])
    first = depthwise_stage(channels, kernel, stride, kernel // 2)
    return nn.Sequential(*first, *depthwise_stage(channels, kernel, 1, kernel // 2))


class Cell(nn.Module):
    def __init__(self, genotype, older, newer, channels, reduces, after_reduction):
        super().__init__()
        entries = genotype["reduce" if reduces else "normal"]
        self.concat = genotype["reduceConcat" if reduces else "normalConcat"]
        self.preprocess0 = (FactorizedReduce if after_reduction else relu_conv_norm)(older, channels)
        self.preprocess1 = relu_conv_norm(newer, channels)
        self.states = [state for _, state in entries]
        stride = 2 if reduces else 1
        self.ops = nn.ModuleList(operation(name, channels, stride if state < 2 else 1) for name, state in entries)
        self.outputs = channels * len(self.concat)

    def forward(self, older, newer):
        states = [self.preprocess0(older), self.preprocess1(newer)]
        for i in range(0, len(self.ops), 2):
            left = self.ops[i](states[self.states[i]])
            right = self.ops[i + 1](states[self.states[i + 1]])
            states.append(left + right)
        return torch.cat([states[i] for i in self.concat], dim=1)


class NasNetwork(nn.Module):
    def __init__(self, name):
        super().__init__()
        genotype = genotypes()[name]
        width = STEM_MULTIPLIER * CHANNELS
        self.stem = nn.Sequential(conv(3, width, 3, padding=1), nn.BatchNorm2d(width))
        self.cells = nn.ModuleList()
        older = newer = width
        channels = CHANNELS
        for i in range(CELLS):
            if i in REDUCTIONS:
                channels *= 2
            cell = Cell(genotype, older, newer, channels, i in REDUCTIONS, i - 1 in REDUCTIONS)
            self.cells.append(cell)
            older, newer = newer, cell.outputs
        self.global_pooling = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(newer, CLASSES)

    def forward(self, x):
        older = newer = self.stem(x)
        for cell in self.cells:
            older, newer = newer, cell(older, newer)
        return self.classifier(torch.flatten(self.global_pooling(newer), 1))
