"""Activations in host memory."""
import contextlib
import functools

import torch

from .tensors import _storage


class _Host:
    """Storages that a plan has sent to host memory. On CUDA each direction has its own stream, to and from pinned
    memory. The step's stream waits for a copy only before it frees or overwrites what is sent, and before it reads what
    is fetched. On other devices a copy is finished when the call returns; on a CPU it is one more buffer in the same
    memory.
    """

    def __init__(self):
        self.copies = {}  # unit -> slot -> (bytes in host memory, how to rebuild the tensor, event of the send)
        self.leaving, self.coming = {}, {}  # unit -> events of copies that may still run
        self.bytes = self.peak = 0

    def send(self, unit, slot, base):
        if slot in self.copies.setdefault(unit, {}):
            return
        flat = torch.empty(0, dtype=torch.uint8, device=base.device).set_(_storage(base))
        like, event = (base.new_empty(0), base.storage_offset(), base.size(), base.stride()), None
        if base.is_cuda:
            with _aside(base.device, 'send') as side:
                host = torch.empty(flat.numel(), dtype=torch.uint8, pin_memory=True)
                host.copy_(flat, non_blocking=True)
                event = side.record_event()
                self.leaving.setdefault(unit, []).append((base.device, event))
        else:
            host = torch.empty(flat.numel(), dtype=torch.uint8).copy_(flat)
        self.copies[unit][slot] = host, like, event
        self.bytes += host.numel()
        self.peak = max(self.peak, self.bytes)

    def fetch(self, unit, values, last):
        """Restores missing `values` of a unit from its copies; `last` drops these. Returns true if one was restored."""
        copies, found = self.copies.get(unit, {}), False
        for slot, (host, (empty, offset, size, stride), sent) in copies.items():
            if slot in values:
                continue
            flat, found = torch.empty(host.numel(), dtype=torch.uint8, device=empty.device), True
            if flat.is_cuda:
                with _aside(flat.device, 'fetch') as side:
                    side.wait_event(sent)
                    flat.copy_(host, non_blocking=True)
                    self.coming.setdefault(unit, []).append((flat.device, side.record_event()))
                flat.record_stream(side)  # this memory must not be reused before the copy into it ends
            else:
                flat.copy_(host)
            values[slot] = empty.new_empty(0).set_(_storage(flat), offset, size, stride)
        if last:
            self.bytes -= sum(host.numel() for host, _, _ in self.copies.pop(unit, {}).values())
        return found

    def sent(self, unit):
        """Makes the step's stream wait until a unit's copies have left."""
        _wait_for(self.leaving.pop(unit, ()))

    def arrived(self, unit):
        _wait_for(self.coming.pop(unit, ()))


def _wait_for(copies):
    for device, event in copies:
        torch.cuda.current_stream(device).wait_event(event)


@contextlib.contextmanager
def _aside(device, direction):
    """The stream of a device's copies, ordered after the step's stream."""
    side = _copies_of(device, direction)
    side.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(side):
        yield side


@functools.lru_cache(maxsize=None)
def _copies_of(device, direction):
    return torch.cuda.Stream(device)
