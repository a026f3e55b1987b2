"""Processor time of PyTorch's training step, one thread: torch_step.py NETWORK BATCH INPUT STEPS. Prints JSON.

Networks equal those of the same name in engine/zoo; the number of parameters is compared.
"""
import json
import sys
import time
import warnings

warnings.simplefilter('ignore')

import torch
import torchvision
from torch import nn
from torch.nn import functional

WARM_UP = 5
PRODUCT = 512


class Layer(nn.Module):
    """GPT-2's, attention written out as the zoo's `tiny-transformer`."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.gelu = nn.GELU(approximate='tanh')

    def forward(self, x):
        n, length, width = x.shape
        each = width // self.heads
        parts = self.qkv(self.ln_1(x)).split(width, -1)
        q, k, v = (part.view(n, length, self.heads, each).transpose(1, 2) for part in parts)
        scores = q @ k.transpose(-1, -2) / each**0.5
        seen = torch.ones(length, length, dtype=torch.bool).tril()
        z = scores.masked_fill(~seen, float('-inf')).softmax(-1) @ v
        x = x + self.out(z.transpose(1, 2).reshape(n, length, width))
        return x + self.down(self.gelu(self.up(self.ln_2(x))))


class Gpt(nn.Module):
    def __init__(self, width, heads, layers, vocabulary, positions):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
        self.ln_f = nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        return functional.linear(self.ln_f(self.layers(x)), self.wte.weight)


def network(name, batch, size):
    if name == 'resnet18':
        return torchvision.models.resnet18(), torch.randn(batch, 3, size, size), torch.randint(0, 1000, (batch,))
    tokens = torch.randint(0, 64, (batch, size))
    return Gpt(32, 4, 2, 64, 64), tokens, tokens


def step_ms(model, x, labels, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
    times = []
    for i in range(WARM_UP + steps):
        began = time.process_time()
        optimizer.zero_grad()
        functional.cross_entropy(model(x).flatten(0, -2), labels.flatten()).backward()
        optimizer.step()
        if i >= WARM_UP:
            times.append(1000 * (time.process_time() - began))
    return times


def product_rate():
    """FLOPs a second of a square product."""
    a = torch.randn(PRODUCT, PRODUCT)
    times = []
    for _ in range(20):
        began = time.process_time()
        _ = a @ a
        times.append(time.process_time() - began)
    return 2 * PRODUCT**3 / sorted(times)[len(times) // 2]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    name, batch, size, steps = sys.argv[1], *(int(text) for text in sys.argv[2:5])
    model, x, labels = network(name, batch, size)
    model.train()
    answer = {
        'torch': torch.__version__,
        'parameters': sum(p.numel() for p in model.parameters()),
        'ms': step_ms(model, x, labels, steps),
        'productRate': product_rate(),
    }
    print(json.dumps(answer))


main()
