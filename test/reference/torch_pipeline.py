"""Bytes that one pipeline stage keeps of models from a config.json, for torch_each.py.

A case is {"config": {...}, "batch": 2, "length": 32, "dtype": "float32", "share": {"tensor": 1, "stage": {"index": 0, "count": 2}},
"schedule": "1f1b", "microBatches": 4}.

A schedule of torch.distributed.pipelining runs one stage, and a fake process group replaces the others. savedBytes are the
most bytes, at the start of any backward, of distinct storages that autograd keeps, of the inputs and scores that the stage
keeps for its micro-batches, of the step's tokens or labels, and of the gradients that it has sent and not yet freed.
"""
import weakref

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe
from torch.nn.functional import cross_entropy
from torch.testing._internal.distributed.fake_pg import FakeStore

from torch_llm import adapt, build, Held

SCHEDULES = {'1f1b': Schedule1F1B, 'gpipe': ScheduleGPipe}


class Stage(torch.nn.Module):
    """Neighbouring layers of a model: the first with the embedding, the last with norm and head."""

    def __init__(self, model, index, count):
        super().__init__()
        decoder, layers = model.get_decoder(), model.get_decoder().layers
        most, more = divmod(len(layers), count)
        first = index * most + min(index, more)
        decoder.layers = layers[first:first + most + (index < more)]
        isFirst, isLast = index == 0, index == count - 1
        if not isFirst:
            decoder.set_input_embeddings(None)
        if not isLast:
            name = 'norm' if hasattr(decoder, 'norm') else 'final_layer_norm'
            setattr(decoder, name, torch.nn.Identity())
        self.decoder, self.isFirst = decoder, isFirst
        self.head = model.get_output_embeddings() if isLast else torch.nn.Identity()

    def forward(self, x):
        given = {'input_ids': x} if self.isFirst else {'inputs_embeds': x}
        return self.head(self.decoder(**given, use_cache=False).last_hidden_state)


def measure(case):
    torch.manual_seed(0)
    index, count = case['share']['stage']['index'], case['share']['stage']['count']
    batch, length, dtype, microBatches = case['batch'], case['length'], getattr(torch, case['dtype']), case['microBatches']
    vocabulary = case['config']['vocab_size']
    model = build(case['config']).to(dtype).train()
    if case.get('lora'):
        adapt(model, **case['lora'])
    if case.get('checkpointing'):
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={'use_reentrant': False})
    module = Stage(model, index, count)
    ids = torch.randint(5, vocabulary, (microBatches * batch, length))
    hidden = torch.zeros(batch, length, case['config']['hidden_size'], dtype=dtype)
    given = ids[:batch] if index == 0 else hidden.clone().requires_grad_()
    result = module(given).detach()
    stage = PipelineStage(module, index, count, torch.device('cpu'), input_args=(given,), output_args=(result.requires_grad_(),))
    schedule = SCHEDULES[case['schedule']](stage, microBatches, loss_fn=lambda y, labels: cross_entropy(y.flatten(0, 1), labels.flatten()))
    own = {t.untyped_storage().data_ptr() for t in [*module.parameters(), *module.buffers()]}
    held, sent = weakref.WeakSet(), []
    most = 0
    backward, sends = stage.backward_one_chunk, stage.get_bwd_send_ops

    def kept():
        states = stage._forward_chunk_states.values()
        inputs = [tensor for state in states for tensor in state.input_values]
        scores = [tensor for state in states for tensor in state.stage_output_for_backward()] if index == count - 1 else []
        whole = [ids] if index in (0, count - 1) else []
        gradients = [tensor for tensor in (one() for one in sent) if tensor is not None]
        tensors = [*whole, *inputs, *scores, *gradients, *(one.tensor for one in held)]
        storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
        return sum(size for place, size in storages.items() if place not in own)

    def backward_counted(*args, **kwargs):
        nonlocal most
        most = max(most, kept())
        return backward(*args, **kwargs)

    def sends_counted(chunk):
        ops = sends(chunk)
        sent.extend(weakref.ref(op.tensor) for op in ops)
        return ops

    def pack(tensor):
        one = Held(tensor)
        held.add(one)
        return one

    stage.backward_one_chunk, stage.get_bwd_send_ops = backward_counted, sends_counted
    asked = {'target': ids} if index == count - 1 else {}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one.tensor):
        schedule.step(*([ids] if index == 0 else []), **asked, return_outputs=False)
    trained = sum(p.numel() for p in module.parameters() if p.requires_grad)
    return {'parameters': sum(p.numel() for p in module.parameters()), 'trained': trained, 'savedBytes': most, 'shape': list(result.shape)}


def figures(cases):
    for case in cases:
        stage = case['share']['stage']
        dist.init_process_group('fake', store=FakeStore(), rank=stage['index'], world_size=stage['count'])
        yield measure(case)
        dist.destroy_process_group()
