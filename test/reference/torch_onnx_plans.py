"""Transformers as ONNX files, and trained under the plans from these files, for test/app/bridges/torch-onnx-plans.test.ts.

    python3 torch_onnx_plans.py export FOLDER NAME...         writes FOLDER/NAME.EXPORTER.onnx and FOLDER/NAME.json (the capture)
    python3 torch_onnx_plans.py train SITE FOLDER NAME=PLAN...   prints one line of JSON per plan

A NAME is a model and its kind of attention. The newer exporter of torch 2.15 (onnxscript 0.7.2) wrote
test/fixtures/onnx/NAME.dynamo.onnx.gz, here without weights and stack traces.
"""
import importlib.util
import json
import os
import sys
import warnings

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
VOCABULARY, LENGTH, BATCH = 100, 16, 2


class Logits(torch.nn.Module):
    """A model of transformers whose output is one tensor."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, mask=None):
        return (self.model(x) if mask is None else self.model(x, attention_mask=mask)).logits


def sizes(attention):
    return {'num_hidden_layers': 2, 'num_attention_heads': 2, 'hidden_size': 32, 'intermediate_size': 64,
            'attn_implementation': attention}


def make(name):
    kind, _, attention = name.partition('-')
    tokens = torch.randint(0, VOCABULARY, (BATCH, LENGTH), generator=torch.Generator().manual_seed(3))
    if kind == 'transformer':
        import torch_networks
        model, inputs = torch_networks.build(kind)
    else:
        import transformers as t
        # The gradient of a tied weight is a sum of two; the prediction counts one.
        words = {'vocab_size': VOCABULARY, 'max_position_embeddings': 32, 'tie_word_embeddings': False}
        inputs = (tokens,)
        if kind == 'gpt2':
            config = t.GPT2Config(n_layer=2, n_head=2, n_embd=32, n_positions=32, vocab_size=VOCABULARY, use_cache=False,
                                  tie_word_embeddings=False, bos_token_id=1, eos_token_id=2, attn_implementation=attention)
            model, inputs = t.GPT2LMHeadModel(config), (tokens, torch.ones_like(tokens))
        elif kind == 'bert':
            model = t.BertForMaskedLM(t.BertConfig(**sizes(attention), **words))
        elif kind == 'llama':
            config = t.LlamaConfig(**{**sizes(attention), 'num_attention_heads': 4}, **words, num_key_value_heads=2,
                                   use_cache=False)
            model, inputs = t.LlamaForCausalLM(config), (tokens, torch.ones_like(tokens))
        else:
            model = t.ViTForImageClassification(t.ViTConfig(**sizes(attention), image_size=32, patch_size=8))
            inputs = (torch.randn(BATCH, 3, 32, 32, generator=torch.Generator().manual_seed(3)),)
        model = Logits(model)
    torch.manual_seed(5)
    for parameter in model.parameters():  # the newer exporter joins weights that are equal
        torch.nn.init.normal_(parameter, std=0.2)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return model.train(), inputs


def with_old_exporter():
    """The exporter imports onnx only to find functions of onnxscript, which no model here has."""
    try:
        from torch.onnx._internal.torchscript_exporter import onnx_proto_utils
        onnx_proto_utils._add_onnxscript_fn = lambda model, _functions: model
        return {'dynamo': False}
    except ImportError:
        return {}


def export(folder, names):
    import zigzag_torch
    warnings.simplefilter('ignore')
    for name in names:
        model, inputs = make(name)
        zigzag_torch.capture(model, *inputs, path=os.path.join(folder, f'{name}.json'), name=name)
        given = ['x', 'mask'][:len(inputs)]
        torch.onnx.export(model, inputs, os.path.join(folder, f'{name}.torchscript.onnx'), opset_version=17,
                          training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False, input_names=given,
                          output_names=['y'], dynamic_axes={key: {0: 'batch'} for key in given}, **with_old_exporter())
        if importlib.util.find_spec('onnxscript'):
            torch.onnx.export(model, inputs, os.path.join(folder, f'{name}.dynamo.onnx'), dynamo=True, input_names=given,
                              output_names=['y'])


def step(model, inputs):
    model.zero_grad(set_to_none=True)
    value = model(*inputs).float().square().mean()
    value.backward()
    return value.item(), [p.grad.clone() for p in model.parameters() if p.grad is not None]


def train(folder, plans):
    import zigzag_lab as zigzag
    torch.set_num_threads(1)
    for given in plans:
        name, plan = given.split('=')
        model, inputs = make(name)
        loss, gradients = step(model, inputs)
        regular = zigzag.measure(model, *inputs, steps=0)['peakBytes']
        try:
            zigzag.plan_model(model, os.path.join(folder, plan))
            planned, found = step(model, inputs)
        except (zigzag.CannotFit, zigzag.PlanMismatch) as error:
            print(json.dumps({'refused': str(error)}))
            continue
        followed, made = zigzag.followed(model), zigzag.report(model)
        print(json.dumps({
            'exact': loss == planned and len(found) == len(gradients) and all(map(torch.equal, found, gradients)),
            'left': followed['left'], 'recomputed': followed['recomputed'], 'predictedPeakBytes': made.solved.row['peakBytes'],
            'regularPeakBytes': regular, 'peakBytes': zigzag.measure(model, *inputs, steps=0)['peakBytes']}), flush=True)


def main(command, *arguments):
    if command == 'export':
        sys.path.insert(0, HERE)
        export(arguments[0], arguments[1:])
    else:
        sys.path[:0] = [arguments[0], HERE]
        train(arguments[1], arguments[2:])


if __name__ == '__main__':
    main(*sys.argv[1:])
