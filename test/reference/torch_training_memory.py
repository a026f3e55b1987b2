"""Memory of PyTorch while it trains networks of the zoo, by category, for test/app/bridges/torch-training-memory.test.ts.

    python3 torch_training_memory.py NAME:BATCH:INPUT...

Prints {"torch": version, "rows": [...]}, one row per network and precision, in bytes:

    weights       parameters and buffers without masks
    copies        half copies of parameters that the forward saves for backward
    saved         every other distinct storage that the network's forward saves, inputs included
    output        output of the network
    lossSaved     bytes that the loss saves in addition
    gradients     of all parameters, after a backward                       (on the CPU)
    optimizers    {name: bytes of state after a step}                       (`fp32` on the CPU)
    peaks         {name: MemTracker's peak of a step with the optimizer's state, inputs included}
                  (`fp32` and `amp-bf16` on the CPU)

`device` is `cpu`, or `cuda` for fake tensors without a device: PyTorch's own dispatch, with autocast, decides
every type and shape, and nothing is computed. The tracker's steps use fake tensors too, so that batches need no memory.
The optimizers' states are real.
"""
import contextlib
import gc
import json
import os
import sys
import warnings

import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
warnings.filterwarnings('ignore')

import torch_beyond  # noqa: E402

BEYOND = ('gpt2', 'bert-base', 'vit-b-16', 'unet', 'unet-group-norm', 'mobilenet-v2')
TYPES = {'fp32': torch.float32, 'bf16': torch.bfloat16, 'amp-fp16': torch.float16, 'amp-bf16': torch.bfloat16}
CASES = [('cpu', 'fp32'), ('cpu', 'amp-bf16'), ('cpu', 'bf16'), ('cuda', 'amp-fp16'), ('cuda', 'bf16')]
OPTIMIZERS = {
    'sgd': lambda p: torch.optim.SGD(p, 0.1), 'momentum': lambda p: torch.optim.SGD(p, 0.1, momentum=0.9),
    'adam': torch.optim.Adam, 'adamw': torch.optim.AdamW, 'adafactor': torch.optim.Adafactor}
# The tracker is slow.
TRACKED = {('cpu', 'fp32'): 'adamw', ('cpu', 'amp-bf16'): 'momentum'}


def build(name, size):
    if name in BEYOND:
        model = torch_beyond.build(name, size)
    elif name == 'inceptionv3':
        model = torchvision.models.inception_v3(aux_logits=False, init_weights=False)
    else:
        model = getattr(torchvision.models, name)()
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model.train()


def inputs_of(name, batch, size, kind):
    if name in ('gpt2', 'bert-base'):
        return torch.zeros(batch, size, dtype=torch.long)
    return torch.zeros(batch, 3, size, size, dtype=kind)


def loss_of(output):
    """Cross entropy of scores; the sum of a pooled vector."""
    if output.dim() == 2 and output.size(1) == torch_beyond.WIDTH:
        return output.sum()
    if output.dim() == 3:
        output = output.view(-1, output.size(-1))
    shape = output.shape[:1] + output.shape[2:]
    return F.cross_entropy(output, torch.zeros(shape, dtype=torch.long, device=output.device))


@contextlib.contextmanager
def autocast(device, kind):
    """`torch.autocast` turns itself off without CUDA; the dispatcher does not need CUDA."""
    before = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    torch.set_autocast_enabled(device, True)
    torch.set_autocast_dtype(device, kind)
    torch.autocast_increment_nesting()
    try:
        yield
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled(device, before[0])
        torch.set_autocast_dtype(device, before[1])


def storage(tensor):
    return tensor.untyped_storage()._cdata, tensor.untyped_storage().nbytes()


def total(tensors):
    return sum(dict(storage(t) for t in tensors).values())


def saving(run, known):
    """(what `run` returns, {storage: bytes} that it saves beyond `known`, and the half copies of parameters in it)."""
    saved, alive = {}, []

    def pack(tensor):
        alive.append(tensor)
        key, size = storage(tensor)
        if key not in known:
            saved[key] = size
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = run()
    return result, saved, alive


def measure(name, batch, size, device, precision):
    kind = torch.float32 if precision.startswith('amp') else TYPES[precision]
    mixed = autocast(device, TYPES[precision]) if precision.startswith('amp') else contextlib.nullcontext()
    torch.set_default_dtype(kind)
    with FakeTensorMode(allow_non_fake_inputs=True), torch.device(device):
        model, x = build(name, size), inputs_of(name, batch, size, kind)
        state = [*model.parameters(), *model.buffers()]
        known = dict(storage(t) for t in state)
        # Without masks, which a model may recompute.
        state = [t for t in state if t.dtype != torch.bool]
        shapes = {tuple(p.shape) for p in model.parameters() if p.dim() > 1}
        shapes |= {s[::-1] for s in shapes if len(s) == 2}
        with mixed:
            output, saved, alive = saving(lambda: model(x), known)
            # A copy of a parameter has a parameter's shape, half its type, and no batch in front.
            copies = {}
            if precision.startswith('amp'):
                copies = dict(storage(t) for t in alive
                              if tuple(t.shape) in shapes and t.dtype == TYPES[precision] and t.size(0) != batch)
            loss, of_loss, _ = saving(lambda: loss_of(output), {**known, **saved, **dict([storage(output)])})
        saved[storage(x)[0]] = storage(x)[1]
        row = {'name': name, 'batch': batch, 'input': size, 'device': device, 'precision': precision,
               'weights': total(state), 'copies': sum(s for k, s in saved.items() if k in copies),
               'saved': sum(s for k, s in saved.items() if k not in copies), 'output': storage(output)[1],
               'lossSaved': sum(of_loss.values())}
        if device == 'cpu':
            loss.backward()
            row['gradients'] = total(p.grad for p in model.parameters() if p.grad is not None)
    torch.set_default_dtype(torch.float32)
    return row


def states(name, size, kind):
    """Real tensors: some optimizers read their values."""
    found = {}
    torch.set_default_dtype(kind)
    model = build(name, size)
    torch.set_default_dtype(torch.float32)
    for p in model.parameters():
        p.grad = torch.zeros_like(p)
    for label, make in OPTIMIZERS.items():
        optimizer = make(model.parameters())
        optimizer.step()
        # The step counter is a scalar on the CPU.
        found[label] = sum(total([t]) for s in optimizer.state.values() for t in s.values()
                           if isinstance(t, torch.Tensor) and t.dim() > 0)
        del optimizer
        gc.collect()
    return found


def peak(name, batch, size, precision, label):
    torch.set_default_dtype(torch.float32 if precision.startswith('amp') else TYPES[precision])
    with FakeTensorMode(allow_non_fake_inputs=True):
        model, x = build(name, size), inputs_of(name, batch, size, torch.get_default_dtype())
        make = {'momentum': lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, foreach=True),
                'adamw': lambda p: torch.optim.AdamW(p, foreach=True)}[label]
        optimizer = make(model.parameters())
        tracker = MemTracker()
        tracker.track_external(model, optimizer, x)
        with tracker:
            for step in range(2):
                with torch.autocast('cpu', TYPES[precision], enabled=precision.startswith('amp')):
                    output = model(x)
                    loss = loss_of(output)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                if step == 0:
                    del output, loss
                    tracker.reset_mod_stats()
        masks = total(b for b in model.buffers() if b.dtype == torch.bool)
    torch.set_default_dtype(torch.float32)
    return max(sizes['Total'] for sizes in tracker.get_tracker_snapshot('peak').values()) - masks


def main(cases):
    rows = []
    for case in cases:
        name, batch, size = case.split(':')
        batch, size = int(batch), int(size)
        for device, precision in CASES:
            row = measure(name, batch, size, device, precision)
            if (device, precision) in TRACKED:
                label = TRACKED[device, precision]
                row['peaks'] = {label: peak(name, batch, size, precision, label)}
            if (device, precision) == ('cpu', 'fp32'):
                row['optimizers'] = states(name, size, TYPES[precision])
            rows.append(row)
            gc.collect()
            print(json.dumps(row), file=sys.stderr, flush=True)
    versions = {'torch': torch.__version__, 'torchvision': torchvision.__version__}
    print('\n' + json.dumps({**versions, 'rows': rows}))


if __name__ == '__main__':
    torch.set_num_threads(1)
    main(sys.argv[1:])
