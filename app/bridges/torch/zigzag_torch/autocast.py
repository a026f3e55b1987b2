"""Autocast and autograd, turned off where operations run again."""
import contextlib

import torch

# The name of a cast, which saves nothing for its backward pass.
CAST = '_to_copy'
DEVICES = 'cpu', 'cuda'


def _autocast_enabled(device):
    if hasattr(torch, 'get_autocast_dtype'):  # PyTorch 2.4 or later
        return torch.is_autocast_enabled(device)
    return torch.is_autocast_cpu_enabled() if device == 'cpu' else torch.is_autocast_enabled()


def _autocast_state():
    return tuple(_autocast_dtype(device) if _autocast_enabled(device) else None for device in DEVICES)


def _autocast_dtype(device):
    if hasattr(torch, 'get_autocast_dtype'):
        return torch.get_autocast_dtype(device)
    return torch.get_autocast_cpu_dtype() if device == 'cpu' else torch.get_autocast_gpu_dtype()


def _is_kept_by_autocast(parameter):
    """True while autocast casts a trained parameter: it keeps the result until its outermost region ends. It turns itself
    off for a cast of its own, and stays on for one that the program asks for."""
    is_inside = torch.autocast_increment_nesting() > 1
    torch.autocast_decrement_nesting()
    return (is_inside and parameter.is_leaf and parameter.requires_grad and parameter.dtype is torch.float32
            and not _autocast_enabled(parameter.device.type))


@contextlib.contextmanager
def _as_recorded():
    """Runs below autograd, as during recording: kernels see that gradients are wanted, but no graph is built. Autocast,
    which has decided the types already, is off."""
    guard = torch._C._AutoDispatchBelowAutograd()
    with guard if hasattr(guard, '__enter__') else contextlib.nullcontext(), torch.enable_grad():
        # In 1.13 the guard has no context protocol: it is active while the object lives.
        if not any(map(_autocast_enabled, DEVICES)):
            yield
            return
        with torch.autocast('cpu', enabled=False), torch.autocast('cuda', enabled=False):
            yield
