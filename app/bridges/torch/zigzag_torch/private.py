"""Private interfaces of PyTorch, with the versions that each was tested with."""
import importlib

import torch

TRIED = '1.13', '2.8', '2.9', '2.10', '2.15'
# Path of each private name, and the first version that needs it. Earlier versions use a public one, or need nothing.
PRIVATE = {
    'torch.utils._python_dispatch.TorchDispatchMode': (1, 13),
    'torch.multiprocessing.reductions.StorageWeakRef': (1, 13),
    'torch._C._AutoDispatchBelowAutograd': (1, 13),
    'torch._C._autograd._ProfilerResult.experimental_event_tree': (1, 13),
    'torch.autograd.profiler.profile._parse_kineto_results': (1, 13),
    'torch.Tensor._version': (1, 13),
    'torch.nn.Module._replicate_for_data_parallel': (1, 13),
    'torch.UntypedStorage._cdata': (2, 0),
    'torch.ops.aten.add.Tensor._schema': (1, 13),
    'torch.utils.checkpoint.CheckpointFunction': (1, 13),
    'torch.utils.checkpoint._checkpoint_without_reentrant_generator': (2, 1),
    'torch._subclasses.fake_tensor.FakeTensorMode': (2, 0),
    'torch._C._current_graph_task_id': (2, 0),
    'torch._C._functorch.peek_interpreter_stack': (2, 0),
    'torch._dynamo.eval_frame._set_stance': (2, 6),
    'torch.compiler._is_exporting_flag': (2, 7),
    # For Partitioner, tested with 2.10 and 2.15: if one of these differs, PyTorch's own partition is used.
    'torch._inductor.custom_graph_pass.CustomPartitionerFn': (2, 10),
    'torch._functorch.compile_utils.fx_graph_cse': (2, 10),
    **{f'torch._functorch.partitioners.{name}': (2, 10) for name in (
        '_extract_fwd_bwd_modules', '_extract_fwd_bwd_outputs', '_must_be_in_backward', '_size_of',
        'choose_saved_values_set', 'classify_nodes',
        'cleanup_recompute_tags', 'force_save_collectives', 'functionalize_rng_ops', 'get_default_op_list',
        'has_recomputable_ops', 'has_recomputable_rng_ops', 'is_sym_node', 'must_recompute', 'raise_getitems',
        'reordering_to_mimic_autograd_engine')},
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
