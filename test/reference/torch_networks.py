"""The networks on which the PyTorch bridge is tested, small enough for a CPU."""
import math

import torch
import torchvision
from torch import nn


class Block(nn.Module):
    """A transformer block written out: layer norm, attention with a causal mask, GELU, dropout."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        split = (n, length, self.heads, width // self.heads)
        q, k, v = (t.view(split).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        mask = torch.ones(length, length, device=x.device).tril()
        scores = scores.masked_fill(mask == 0, float('-inf')).softmax(-1)
        y = (self.drop(scores) @ v).transpose(1, 2).reshape(n, length, width)
        x = x + self.drop(self.out(y))
        return x + self.drop(self.down(torch.nn.functional.gelu(self.up(self.norm2(x)))))


class Transformer(nn.Module):
    """Token and position embeddings, blocks, and a head that shares the weight of the embedding."""

    def __init__(self, vocabulary=128, length=64, width=64, heads=4, depth=4):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.randn(1, length, width) * 0.02)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids):
        x = self.tokens(ids) + self.positions[:, :ids.size(1)]
        return self.head(self.norm(self.blocks(x)))


class Several(nn.Module):
    """Two inputs, one used twice; outputs in a dictionary and a tuple, and a number; a split and a sum of three."""

    def __init__(self):
        super().__init__()
        self.left, self.right, self.both = nn.Linear(16, 32), nn.Linear(8, 32), nn.Linear(32, 32)
        self.scale = nn.Parameter(torch.ones(32))

    def forward(self, x, y, unused=None):
        a, b = self.left(x).sigmoid(), self.right(y).tanh()
        first, second = (a * b * (2 * self.scale)).chunk(2, dim=1)
        c = self.both(torch.cat([second, first], 1)) + a + b
        return {'sum': c + a, 'pair': (first, x.size(0)), 'norm': (c * c).mean(1)}


class InPlace(nn.Module):
    """In-place operations with and without a later reader of the old value, by name and without one."""

    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(5))
        self.norms = nn.ModuleList(nn.BatchNorm2d(4) for _ in range(5))

    def forward(self, x):
        x = self.norms[0](self.convs[0](x))
        torch.relu_(x)
        skip = x.mean((2, 3), keepdim=True)
        for conv, norm in zip(self.convs[1:], self.norms[1:]):
            y = norm(conv(x))
            y = nn.functional.relu(y, inplace=True)
            z = y.mul(0.5)
            z += x
            z.add_(skip).clamp_(min=-1.0)
            x = nn.functional.elu(z, inplace=True)
        return x.flatten(1)


class Recurrent(nn.Module):
    """Modules that stay one operation: an LSTM, torch's own attention, and an untraceable branch."""

    class Branch(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear, self.drop = nn.Linear(16, 16), nn.Dropout(0.5)

        def forward(self, x):
            return self.drop(self.linear(x)) if float(x.detach().sum()) < 1e9 else x

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(16, 16, batch_first=True)
        self.attention = nn.MultiheadAttention(16, 2, dropout=0.2, batch_first=True)
        self.branch, self.head = self.Branch(), nn.Linear(16, 3)
        for parameter in self.lstm.parameters():
            parameter.requires_grad_(False)

    def forward(self, x):
        y, (h, _) = self.lstm(x)
        z, _ = self.attention(y, y, y, need_weights=False)
        return self.head(self.branch(z + y)) + self.head(h.transpose(0, 1))


ODD = {'several': (Several, lambda: (torch.randn(4, 16), torch.randn(4, 8))),
       'in_place': (InPlace, lambda: (torch.randn(2, 4, 8, 8),)),
       'recurrent': (Recurrent, lambda: (torch.randn(3, 5, 16),))}


def build(name):
    """(model, inputs) with fixed weights; dropout is 0 except in the transformer and in `dropout`."""
    torch.manual_seed(7)
    options = {'inception_v3': {'aux_logits': False, 'init_weights': False}}.get(name, {})
    if name in ODD:
        model, inputs = ODD[name]
        return model(), inputs()
    if name == 'transformer':
        return Transformer(), (torch.randint(0, 128, (8, 64)),)
    if name == 'vgg16_dropout':
        model = torchvision.models.vgg16(num_classes=10)
        model.classifier = nn.Sequential(nn.Linear(25088, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 64),
                                         nn.ReLU(True), nn.Dropout(), nn.Linear(64, 10))
        return model, (torch.randn(2, 3, 64, 64),)
    model = getattr(torchvision.models, name)(**options)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model, (torch.randn(2, 3, *((96, 96) if name == 'inception_v3' else (64, 64))),)
