"""The networks of the file that `zigzag export --to reproduce` writes, beside torchvision's with the same weights.

Needs PyTorch 2.1: our networks have no initial weights.
"""
import importlib.util
import json
import sys

import torch
import torchvision

spec = importlib.util.spec_from_file_location('reproduce', sys.argv[1])
reproduce = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reproduce)

differences = {}
for name, graph in reproduce.NETWORKS.items():
    options = {'aux_logits': False, 'init_weights': False} if name == 'inceptionv3' else {}
    known = getattr(torchvision.models, {'inceptionv3': 'inception_v3'}.get(name, name), None)
    if known is None:
        continue
    torch.manual_seed(1)
    theirs = known(**options).train()
    with torch.device('meta'):
        ours = reproduce.Network(graph).train()
    for module in theirs.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    path = lambda key: '.'.join([key.rsplit('.', 1)[0].replace('.', '/'), key.rsplit('.', 1)[1]])
    # Strict: the same names of parameters and buffers on both sides.
    ours.load_state_dict({path(key): value for key, value in theirs.state_dict().items()}, assign=True)
    x = torch.randn(2, 3, *((96, 96) if name == 'inceptionv3' else (64, 64)))
    with torch.no_grad():
        a, b = theirs(x), ours(x)
    differences[name] = float((a - b).abs().max() / a.abs().max())
print(json.dumps(differences))
