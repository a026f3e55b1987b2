"""Networks beyond the papers', written out in PyTorch, to check engine/zoo against what autograd keeps.

    python3 torch_beyond.py FOLDER NAME:BATCH:INPUT...      writes FOLDER/NAME.json (zigzag-graph/1)
"""
import os
import sys

import torch
import torch.nn.functional as F
import torchvision
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))

import zigzag_torch  # noqa: E402

WIDTH, HEADS, LAYERS = 768, 12, 12


def attend(q, k, v, mask=None):
    n, length, width = q.shape
    q, k, v = (t.view(n, length, HEADS, width // HEADS).transpose(1, 2) for t in (q, k, v))
    scores = q @ k.transpose(-2, -1) / 8.0
    if mask is not None:
        scores = scores.masked_fill(mask, float('-inf'))
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(n, length, width)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class PreNorm(nn.Module):
    def __init__(self, masked):
        super().__init__()
        self.ln1, self.ln2, self.masked = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), masked
        # As in GPT-2: computed once, outside the step.
        self.register_buffer('mask', torch.ones(1024, 1024, dtype=torch.bool).triu(1), persistent=False)
        self.qkv, self.out, self.mlp = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH), Mlp()

    def forward(self, x):
        q, k, v = self.qkv(self.ln1(x)).chunk(3, dim=-1)
        mask = self.mask[:x.size(1), :x.size(1)] if self.masked else None
        x = x + self.out(attend(q, k, v, mask))
        return x + self.mlp(self.ln2(x))


class Gpt2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50257, WIDTH), nn.Parameter(torch.zeros(1024, WIDTH))
        self.h = nn.Sequential(*(PreNorm(True) for _ in range(LAYERS)))
        self.ln_f, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 50257, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, ids):
        return self.head(self.ln_f(self.h(self.wte(ids) + self.wpe[:ids.size(1)])))


class PostNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.ln1, self.ln2, self.mlp = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), Mlp()

    def forward(self, x):
        x = self.ln1(x + self.out(attend(self.q(x), self.k(x), self.v(x))))
        return self.ln2(x + self.mlp(x))


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.word, self.position = nn.Embedding(30522, WIDTH), nn.Parameter(torch.zeros(512, WIDTH))
        self.kind = nn.Parameter(torch.zeros(2, WIDTH))
        self.ln, self.layers = nn.LayerNorm(WIDTH), nn.Sequential(*(PostNorm() for _ in range(LAYERS)))
        self.pooler = nn.Linear(WIDTH, WIDTH)

    def forward(self, ids):
        x = self.word(ids) + self.kind[0] + self.position[:ids.size(1)]
        return torch.tanh(self.pooler(self.layers(self.ln(x))[:, 0]))


class Vit(nn.Module):
    def __init__(self, size):
        super().__init__()
        patches = (size // 16) ** 2
        self.proj, self.token = nn.Conv2d(3, WIDTH, 16, 16), nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.positions = nn.Parameter(torch.zeros(1, patches + 1, WIDTH))
        self.layers = nn.Sequential(*(PreNorm(False) for _ in range(LAYERS)))
        self.ln, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 1000)

    def forward(self, x):
        x = self.proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.size(0), -1, -1), x], 1) + self.positions
        return self.head(self.ln(self.layers(x))[:, 0])


def double(a, b, norm):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), norm(b), nn.ReLU(True),
                         nn.Conv2d(b, b, 3, padding=1, bias=False), norm(b), nn.ReLU(True))


class Unet(nn.Module):
    def __init__(self, norm=nn.BatchNorm2d):
        super().__init__()
        widths = [64, 128, 256, 512, 1024]
        self.down = nn.ModuleList(double(a, b, norm) for a, b in zip([3, *widths], widths))
        self.lift = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, 2) for w in widths[3::-1])
        self.up = nn.ModuleList(double(2 * w, w, norm) for w in widths[3::-1])
        self.out = nn.Conv2d(64, 2, 1)

    def forward(self, x):
        skips = []
        for i, down in enumerate(self.down):
            x = down(F.max_pool2d(x, 2) if i else x)
            skips.append(x)
        for lift, up, skip in zip(self.lift, self.up, skips[3::-1]):
            x = up(torch.cat([skip, lift(x)], 1))
        return self.out(x)


def build(name, size):
    if name == 'unet-group-norm':
        return Unet(lambda channels: nn.GroupNorm(32, channels))
    if name == 'mobilenet-v2':
        return torchvision.models.mobilenet_v2(dropout=0.0)
    return {'gpt2': Gpt2, 'bert-base': Bert, 'unet': Unet}[name]() if name != 'vit-b-16' else Vit(size)


def main(folder, cases):
    for case in cases:
        name, batch, size = case.split(':')
        batch, size = int(batch), int(size)
        images = name in ('mobilenet-v2', 'unet', 'unet-group-norm', 'vit-b-16')
        inputs = torch.randn(batch, 3, size, size) if images else torch.randint(0, 30000, (batch, size))
        zigzag_torch.capture(build(name, size), inputs, path=os.path.join(folder, f'{name}.json'), name=name)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
