"""Random states for masks that are drawn again."""
import contextlib
import functools

import torch

from .tensors import _flat
from .undo import _generators

# Most mask elements that are drawn again to reach the random state of another mask.
LONGEST_RUN = 1 << 15


class _Run:
    """Masks drawn one after another. Only the state before the first is kept; drawing the masks between again gives the
    others. A state of the CPU's generator takes 5 KB, more than many masks.
    """
    __slots__ = ('start', 'draws', 'size', 'end')

    def __init__(self, start):
        self.start, self.draws, self.size, self.end = start, [], 0, None

    def before(self, mask, chance):
        """Returns a function that gives the random state of this mask."""
        self.draws.append((mask.size(), chance))
        self.size += mask.numel()
        return functools.partial(self.state, len(self.draws) - 1)

    def state(self, count):
        generator = torch.Generator().set_state(self.start)
        for size, chance in self.draws[:count]:
            torch.empty(size, dtype=torch.uint8).bernoulli_(chance, generator=generator)
        return generator.get_state()


def _random_states(args, kwargs):
    own = _generators(args, kwargs)
    if own:
        return None, [(generator, generator.get_state()) for generator in own]
    devices = sorted({t.get_device() for t in (*_flat(args), *_flat(list(kwargs.values()))) if t.is_cuda})
    device = kwargs.get('device')
    if device is not None and torch.device(device).type == 'cuda' and not devices:
        devices = [torch.cuda.current_device()]
    return torch.get_rng_state(), [(d, torch.cuda.get_rng_state(d)) for d in devices]


@contextlib.contextmanager
def _random(states):
    """Draws the same numbers again without changing the random state."""
    now = (None if states[0] is None else torch.get_rng_state(),
           [(d, d.get_state() if isinstance(d, torch.Generator) else torch.cuda.get_rng_state(d))
            for d, _ in states[1]])
    try:
        _set_random(states)
        yield
    finally:
        _set_random(now)


def _set_random(states):
    if states[0] is not None:
        torch.set_rng_state(states[0]() if callable(states[0]) else states[0])
    for device, state in states[1]:
        if isinstance(device, torch.Generator):
            device.set_state(state)
        else:
            torch.cuda.set_rng_state(state, device)
