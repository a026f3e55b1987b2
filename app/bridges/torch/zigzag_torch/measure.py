"""Measures a training step."""
import json
import time
import typing

import torch

from .follow import followed
from .profiled import _profiled
from .tensors import _samples, _tensors
from .verify import _value


def measure(model: torch.nn.Module, *inputs: typing.Any, loss: 'typing.Callable | None' = None, steps: int = 3,
            path: 'str | None' = None, **kwargs: typing.Any) -> dict:
    """Peak bytes and seconds of a training step of `model` (regular or planned) on `inputs`.

    `peakBytes` counts the inputs and what a step allocates and frees: activations and their gradients, but no
    parameters and other lasting memory. On CUDA it comes from the allocator and includes the workspace of kernels. On a
    CPU it comes from the profiler and excludes buffers inside one kernel (the im2col buffer of a convolution; a second
    buffer of a batch norm's backward); `rawPeakBytes` includes them. `hostBytes` is the most that a plan has in host
    memory; on a CPU, which shares that memory, the peaks count it too. `loss` maps the outputs to a scalar; by default
    it is their own `loss`, else their sum. `path` writes the result as JSON, which `zigzag explain` and the lab compare
    with the prediction; `parameters` and `batch` say what was measured. Under torch.autocast only the forward of a step
    runs inside it, as PyTorch recommends.
    """
    def step():
        outputs = model(*inputs, **kwargs)
        value = _value(outputs, loss)
        del outputs
        # As leaving autocast does: a copy of a weight from the last step would keep its gradient to the end.
        torch.clear_autocast_cache()
        value.backward()

    def written(result):
        if path is not None:
            with open(path, 'w') as file:
                json.dump(result, file)
        return result

    given = _tensors((inputs, kwargs))
    cuda = any(t.is_cuda for t in given)
    size = sum(t.numel() * t.element_size() for t in given)
    step()
    seconds = []
    for _ in range(steps):
        if cuda:
            torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        if cuda:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    result = {'device': 'cuda' if cuda else 'cpu', 'seconds': sorted(seconds)[len(seconds) // 2] if seconds else None,
              'parameters': sum(p.numel() for p in model.parameters()), 'batch': _samples((inputs, kwargs))}
    if cuda:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        step()
        torch.cuda.synchronize()
        return written({**result, 'peakBytes': torch.cuda.max_memory_allocated() - before + size, **_host_bytes(model)})
    model.zero_grad(set_to_none=True)
    raw, peak = _profiled(step)
    return written({**result, 'peakBytes': peak + size, 'rawPeakBytes': raw + size, **_host_bytes(model)})


def _host_bytes(model):
    host = followed(model)['hostBytes']
    return {'hostBytes': host} if host > 0 else {}
