"""Memory of PyTorch after the forward of 40 layers of 1,024 features, whole and as one checkpointed segment.

    python3 torch_layers.py BATCH      prints {"whole": bytes, "segment": bytes}: weights, input, output, saved tensors
"""
import json
import sys
import warnings

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

warnings.filterwarnings("ignore")

HIDDEN = 1024


def storages(tensors):
    return {t.storage().data_ptr(): t.storage().nbytes() for t in tensors}


def saved(output):
    """Tensors that autograd nodes before an output keep for backward."""
    found, seen, open_nodes = [], set(), [output.grad_fn]
    while open_nodes:
        node = open_nodes.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        names = [name for name in dir(node) if name.startswith("_saved") or name == "saved_tensors"]
        for name in names:
            value = getattr(node, name)
            values = value if isinstance(value, (tuple, list)) else [value]
            found += [t for t in values if isinstance(t, torch.Tensor)]
        open_nodes += [before for before, _ in node.next_functions]
    return found


def linear(features):
    return nn.utils.skip_init(nn.Linear, features, HIDDEN)


def held(in_segment):
    first = nn.Sequential(linear(64), nn.Sigmoid())
    layers = nn.Sequential(*[nn.Sequential(linear(HIDDEN), nn.Tanh()) for _ in range(40)])
    x = torch.zeros(int(sys.argv[1]), 64)
    h = first(x)
    h = checkpoint(layers, h, use_reentrant=True) if in_segment else layers(h)
    y = torch.softmax(h, -1)
    del h
    weights = [*first.parameters(), *layers.parameters()]
    return sum(storages([x, y, *weights, *saved(y)]).values())


print(json.dumps({"whole": held(False), "segment": held(True)}))
