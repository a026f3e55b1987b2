"""Bytes that PyTorch keeps for backward of one rank of context parallel as transformers' Trainer runs it, for torch_each.py.

A case is {"config": {...}, "batch": 2, "length": 32, "dtype": "float32", "share": {"context": 2}}.

A fake process group replaces the other ranks. PyTorch splits the fused kernels of CUDA alone: the CPU's is split by the same code.
ringBytes are the most that backward of one attention holds beside the gradients of queries, keys and values.
"""
import torch
import torch.distributed as dist
from accelerate.big_modeling import _attach_context_parallel_hooks
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.experimental._context_parallel import _attention
from torch.testing._internal.distributed.fake_pg import FakeStore

from torch_llm import build, measure
from torch_parallel import Peak

KERNEL = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


def ring(_, args, kwargs):
    """The CPU's kernel in the ring of CUDA's: what it answers is a part of the sequence too."""
    query, key, value, rate, is_causal = (*args, 0.0, False)[:5]
    mesh, placements = query.device_mesh, query.placements
    found = _attention._templated_ring_attention(
        mesh.get_group(), 2, KERNEL, query.to_local(), key.to_local(), value.to_local(),
        is_causal=is_causal, dropout_p=rate, scale=kwargs.get('scale'),
    )
    return tuple(DTensor.from_local(part, mesh, placements, run_check=False) for part in found)


def divided(config, mesh):
    model = build(config)
    _attach_context_parallel_hooks(model)
    forward = model.forward

    def own_part(input_ids, **given):
        """The ids of this rank and their positions, as Trainer divides them."""
        buffers = [input_ids, torch.arange(input_ids.shape[1]).expand(input_ids.shape).contiguous()]
        with context_parallel(mesh, buffers=buffers, buffer_seq_dims=[1, 1], no_restore_buffers=set(buffers)):
            DTensor._op_dispatcher._custom_op_handlers[KERNEL.default] = ring
            return forward(input_ids=buffers[0], position_ids=buffers[1], **given)

    model.forward = own_part
    return model


def backward(query, key, value, out, logsumexp, is_causal, grad_out, dropout_p):
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward(
        grad_out, query, key, value, out, logsumexp, dropout_p, is_causal,
    )


def ring_bytes(config, batch, length, dtype):
    heads = config['num_attention_heads']
    each = config.get('v_head_dim', config.get('head_dim', config['hidden_size'] // heads))
    sizes = [(batch, length, count, each) for count in (heads, *2 * (config.get('num_key_value_heads', heads),))]
    three = [torch.randn(size, dtype=dtype).transpose(1, 2) for size in sizes]
    group, more = dist.group.WORLD, {'is_causal': True, 'dropout_p': 0.0}
    out, sums = _attention._templated_ring_attention(group, 2, KERNEL, *three, **more)
    gradient = torch.ones_like(out)
    peak = Peak(*three, out, sums, gradient)
    with peak:
        _attention._templated_ring_attention_backward(
            group, 2, backward, gradient, 'grad_out', *three, out, sums, **more,
        )
    return peak.peak - sum(x.numel() * x.element_size() for x in three)


def figures(cases):
    for case in cases:
        count = case['share']['context']
        dist.init_process_group('fake', store=FakeStore(), rank=0, world_size=count)
        mesh = dist.init_device_mesh('cpu', (count,))
        yield {
            **measure(case, lambda config: divided(config, mesh)),
            'ringBytes': ring_bytes(
                case['config'], case['batch'], case['length'] // count, getattr(torch, case['dtype'])
            ),
        }
        dist.destroy_process_group()
