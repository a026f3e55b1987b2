"""Interfaces of PyTorch that are not public, with the versions each was tried with."""
import importlib

import torch

TRIED = '1.13', '2.15'
# Path of each private name, and the version that needs it. Earlier versions have another way, or need nothing.
PRIVATE = {
    'torch.utils._python_dispatch.TorchDispatchMode': (1, 13),
    'torch.multiprocessing.reductions.StorageWeakRef': (1, 13),
    'torch._C._AutoDispatchBelowAutograd': (1, 13),
    'torch._C._autograd._ProfilerResult.experimental_event_tree': (1, 13),
    'torch.Tensor._version': (1, 13),
    'torch.UntypedStorage._cdata': (2, 0),
    'torch.ops.aten.add.Tensor._schema': (1, 13),
    'torch.utils.checkpoint.CheckpointFunction': (1, 13),
    'torch.utils.checkpoint._checkpoint_without_reentrant_generator': (2, 1),
    'torch._subclasses.fake_tensor.FakeTensorMode': (2, 0),
}


def private_missing():
    """The names of PRIVATE that this PyTorch lacks."""
    version = tuple(int(part) for part in torch.__version__.split('.')[:2])
    return [name for name, since in PRIVATE.items() if version >= since and not _is_there(name)]


def _is_there(name):
    parts, found = name.split('.'), torch
    for index, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            try:
                importlib.import_module('.'.join(parts[:index]))
            except ImportError:
                return False
        found = getattr(found, part, None)
    return found is not None
