#!/usr/bin/env python3
"""Prints PyTorch's live bytes while segments run under checkpoint(use_reentrant=True), for torch-reentrant.test.ts.

    python3 torch_reentrant.py NETWORKS.json

NETWORKS.json is a list of {"input": shape, "layers": [[id, kind, inputs, number]], "segments": [{"ids", "plain"}]};
plain segments run without checkpointing. The output has the live bytes after every operation of a step, in the order of
execution, as ["forward" or "backward", id, bytes]. They count every tensor of the step, the batch and its gradient, but
no parameters and their gradients.
"""

import collections
import json
import sys

import torch
from torch import nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

BACKWARD = {'convolution_backward', 'threshold_backward', 'max_pool2d_with_indices_backward',
            'native_batch_norm_backward'}
FORWARD = {'conv': 'convolution', 'relu': 'relu', 'relu_': 'relu_', 'pool': 'max_pool2d_with_indices',
           'bn': ('native_batch_norm', '_native_batch_norm_legit'), 'add': 'add', 'linear': 'addmm'}


def storage_of(tensor):
    return tensor.untyped_storage() if hasattr(tensor, 'untyped_storage') else tensor.storage().untyped()


class Watch(TorchDispatchMode):
    """Samples live bytes after every operation of a layer, before anything is freed."""

    def __init__(self, network):
        super().__init__()
        self.network, self.live, self.samples = network, {}, []

    def add(self, tensor):
        storage = storage_of(tensor)
        self.live.setdefault(storage._cdata, (StorageWeakRef(storage), storage.nbytes()))

    def bytes(self):
        self.live = {key: kept for key, kept in self.live.items() if not kept[0].expired()}
        return sum(size for _, size in self.live.values())

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = function._schema.name.split('::')[1]
        results = [t for t in (result if isinstance(result, (tuple, list)) else [result]) if torch.is_tensor(t)]
        backward = name in BACKWARD or (name == 'mm' and self.network.in_backward)
        self.bytes()
        for tensor in results:
            # A single number is the loss or its gradient.
            if tensor.numel() > 1 and storage_of(tensor).data_ptr() not in self.network.pointers:
                # Backward also returns gradients of parameters.
                if not (self.network.in_backward and tuple(tensor.shape) in self.network.shapes):
                    self.add(tensor)
        network = self.network
        if backward:
            # The weight's gradient is a second product.
            if name != 'mm' or tuple(result.shape) not in network.shapes:
                self.samples.append(['backward', None, self.bytes()])
        elif network.running is not None and name in network.expected:
            self.samples.append(['forward', network.running, self.bytes()])
        return result


class Loss(torch.autograd.Function):
    """The gradient of its input is computed when backward starts; only the producer of the input gets it."""

    @staticmethod
    def forward(ctx, x):
        ctx.size = x.shape
        return x.sum()

    @staticmethod
    def backward(ctx, gradient):
        return torch.ones(ctx.size)


class Network:
    def __init__(self, document):
        self.document, self.layers, self.modules = document, {}, {}
        shapes = {'x': document['input']}
        for name, kind, inputs, number in document['layers']:
            self.layers[name] = (kind, inputs)
            batch, channels, *rest = shapes[inputs[0]]
            if kind == 'conv':
                self.modules[name] = nn.Conv2d(channels, number, 3, padding=1)
                shapes[name] = [batch, number, *rest]
            elif kind == 'bn':
                self.modules[name] = nn.BatchNorm2d(channels)
                shapes[name] = shapes[inputs[0]]
            elif kind == 'pool':
                shapes[name] = [batch, channels, *(side // 2 for side in rest)]
            elif kind == 'flatten':
                shapes[name] = [batch, channels * rest[0] * rest[1]]
            elif kind == 'linear':
                self.modules[name] = nn.Linear(channels, number)
                shapes[name] = [batch, number]
            else:
                shapes[name] = shapes[inputs[0]]
        tensors = [t for m in self.modules.values() for t in (*m.parameters(), *m.buffers())]
        self.pointers = {storage_of(t).data_ptr() for t in tensors}
        self.shapes = {tuple(t.shape) for t in tensors} | {tuple(reversed(t.shape)) for t in tensors}
        self.shapes |= {(1, *shape) for shape in list(self.shapes) if len(shape) == 1}
        self.running, self.expected, self.in_backward = None, (), False
        self.readers = collections.Counter(i for _, inputs in self.layers.values() for i in inputs)

    def run(self, ids, values, left):
        """Runs layers; frees a value after its last reader unless `left` names it."""
        for name in ids:
            kind, inputs = self.layers[name]
            args = [values[i] for i in inputs]
            for i in inputs:
                left[i] -= 1
                if left[i] == 0:
                    values.pop(i)
            expected = FORWARD.get(kind, ())
            # A recompute inside backward is a forward.
            before = self.in_backward
            self.running, self.in_backward = name, False
            self.expected = (expected,) if isinstance(expected, str) else expected
            values[name] = self.layer(kind, name, args)
            self.running, self.in_backward = None, before
            del args

    def layer(self, kind, name, args):
        if name in self.modules:
            return self.modules[name](args[0])
        if kind == 'relu_':
            return torch.relu_(args.pop())
        if kind == 'relu':
            return torch.relu(args[0])
        if kind == 'pool':
            return nn.functional.max_pool2d(args[0], 2)
        if kind == 'flatten':
            return args[0].flatten(1)
        return args[0] + args[1]

    def segment(self, ids, outputs):
        inside = set(ids)
        inputs = list(dict.fromkeys(i for name in ids for i in self.layers[name][1] if i not in inside))

        def function(*args):
            values = dict(zip(inputs, args))
            del args
            left = collections.Counter(i for name in ids for i in self.layers[name][1])
            for name in outputs:
                left[name] += 1
            self.run(ids, values, left)
            return values[outputs[0]] if len(outputs) == 1 else tuple(values[o] for o in outputs)

        return function, inputs

    def step(self):
        watch = Watch(self)
        with watch:
            values = {'x': torch.randn(self.document['input']).requires_grad_(True)}
            x = values['x']
            left = collections.Counter(self.readers)
            last = self.document['layers'][-1][0]
            for part in self.document['segments']:
                ids = part['ids']
                if part['plain']:
                    self.run(ids, values, left)
                    continue
                inside = set(ids)
                outputs = [n for n in ids if n == last or any(
                    n in inputs and name not in inside for name, (_, inputs) in self.layers.items())]
                function, inputs = self.segment(ids, outputs)
                args = [values[i] for i in inputs]
                for name in ids:
                    for i in self.layers[name][1]:
                        if i not in inside:
                            left[i] -= 1
                            if left[i] == 0:
                                values.pop(i)
                        else:
                            left[i] -= 1
                made = checkpoint(function, *args, use_reentrant=True)
                del args
                values.update(zip(outputs, (made,) if len(outputs) == 1 else made))
                del made
            loss = Loss.apply(values.pop(last))
            self.in_backward = True
            loss.backward()
            self.in_backward = False
            left_over = watch.bytes()
        size = x.numel() * x.element_size()
        assert x.grad is not None
        return watch.samples, left_over - size


def main():
    torch.manual_seed(0)
    with open(sys.argv[1]) as file:
        documents = json.load(file)
    results = []
    for document in documents:
        network = Network(document)
        # The first step allocates the gradients of the parameters.
        network.step()
        samples, _ = network.step()
        results.append(samples)
    print(json.dumps(results))


main()
