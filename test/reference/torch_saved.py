#!/usr/bin/env python3
"""Prints the bytes that PyTorch saves for backward, as JSON, for the networks of the zoo.

    python3 torch_saved.py                          every network at batch 2, and at another input at batch 3
    python3 torch_saved.py resnet18:2:224 nasnet:4:16    only these, as NAME:BATCH:INPUT

savedBytes are the bytes of every distinct storage that autograd saves during one forward in training
mode, with the input batch, without parameters and buffers; dropout has rate 0. multiplyAdds count
convolutions and linear layers. Without arguments the output is test/fixtures/torch-saved.json.
"""

import json
import sys

import torch
import torchvision
from torch import nn

sys.dont_write_bytecode = True
from nas_torch import NasNetwork, genotypes

TORCHVISION = {
    "alexnet": (224, 127),
    "vgg11": (224, 96),
    "vgg13": (224, 96),
    "vgg16": (224, 96),
    "vgg19": (224, 96),
    "resnet18": (224, 97),
    "resnet34": (224, 97),
    "resnet50": (224, 97),
    "resnet101": (224, 97),
    "resnet152": (224, 97),
    "densenet121": (224, 101),
    "densenet161": (224, 101),
    "densenet169": (224, 101),
    "densenet201": (224, 101),
    "inceptionv3": (300, 139),
}
NAS = {"nasnet": (32, 16), "amoebanet": (32, 16), "darts": (32, 16)}


def build(name):
    if name in NAS:
        return NasNetwork(name)
    if name == "inceptionv3":
        return torchvision.models.inception_v3(aux_logits=False, init_weights=False)
    return getattr(torchvision.models, name)()


def count_multiply_adds(network, total):
    def hook(module, _inputs, output):
        total.append(output.numel() * (module.weight.numel() // module.weight.shape[0]))

    for module in network.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            module.register_forward_hook(hook)


def measure(name, batch, size):
    network = build(name).train()
    for module in network.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    image = torch.zeros(batch, 3, size, size)
    state = {t.storage().data_ptr() for t in [*network.parameters(), *network.buffers()]}
    storages = {image.storage().data_ptr(): image.storage().nbytes()}
    alive = []  # The address of a freed storage may be used again.

    def pack(tensor):
        storage = tensor.storage()
        alive.append(tensor.detach())
        if storage.data_ptr() not in state and storage.nbytes() > 0:
            storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    multiply_adds = []
    count_multiply_adds(network, multiply_adds)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = network(image)
    return {
        "name": name,
        "batch": batch,
        "input": size,
        "parameters": sum(p.numel() for p in network.parameters()),
        "savedBytes": sum(storages.values()),
        "multiplyAdds": sum(multiply_adds),
        "outputShape": list(output.shape),
    }


def main():
    if sys.argv[1:]:
        cases = [(n, int(b), int(s)) for n, b, s in (case.split(":") for case in sys.argv[1:])]
    else:
        sizes = {**TORCHVISION, **NAS}
        assert set(NAS) == set(genotypes())
        cases = [case for name, (usual, other) in sizes.items() for case in ((name, 2, usual), (name, 3, other))]
    rows = [measure(*case) for case in cases]
    versions = {"torch": torch.__version__, "torchvision": torchvision.__version__}
    print(json.dumps({**versions, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
