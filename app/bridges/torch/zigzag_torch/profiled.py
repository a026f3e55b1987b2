"""Bytes that a step allocates and frees on a CPU."""
import torch

# Operations whose CPU kernels use buffers as large as a tensor, by a part of their names. That of a batch norm's
# backward was measured on 1.13 and 2.15 as exactly what ResNet-18 under `live` lacked of its promise: 1.05 of 4.00 MB.
_BUFFERED = 'conv', 'native_batch_norm_backward'
# A product in bfloat16 allocates and frees a buffer within its kernel: 50,176 bytes beside a result of 32,768 on an AMD EPYC.
_PRODUCTS = 'aten::addmm', 'aten::mm', 'aten::bmm', 'aten::baddbmm'


def _is_buffered(event):
    if event.name in _PRODUCTS:  # within a mode of dispatch, more than the kernel runs in it
        return all(child.name != 'PythonDispatchMode' for child in event.children)
    return event.name.startswith('aten::') and any(part in event.name for part in _BUFFERED)


class _Events(torch.autograd.profiler.profile):
    """A profile whose events are read as a tree. PyTorch 1.13 also lists them, which takes longer than many a step."""

    def _parse_kineto_results(self, *args, **kwargs):
        return []


def _profiled(step):
    """(peak of all, peak outside kernels with buffers) of the bytes that a step allocates and frees."""
    with _Events(use_kineto=True, profile_memory=True) as profile:
        step()
    changes, kernels = [], []

    def walk(events):
        for event in events:
            fields = event.extra_fields
            if hasattr(fields, 'alloc_size'):
                changes.append((event.start_time_ns, fields.ptr, fields.alloc_size))
            elif _is_buffered(event):
                kernels.append((event.start_time_ns, event.end_time_ns))
            walk(event.children)

    walk(profile.kineto_results.experimental_event_tree())
    changes.sort(key=lambda change: change[0])
    held, size_of = {}, [0] * len(changes)
    for index, (_, pointer, size) in enumerate(changes):
        if size > 0:
            held[pointer] = (index, size)
        elif pointer in held:  # freed: count it from its allocation to here
            at, allocated = held.pop(pointer)
            size_of[at], size_of[index] = allocated, -allocated
    kernels.sort()
    live = raw = peak = kernel = 0
    for (when, _, _), size in zip(changes, size_of):
        while kernel < len(kernels) and kernels[kernel][1] < when:
            peak = max(peak, live)
            kernel += 1
        inside = kernel < len(kernels) and kernels[kernel][0] <= when
        live += size
        raw = max(raw, live)
        if not inside:
            peak = max(peak, live)
    return raw, max(peak, live)
