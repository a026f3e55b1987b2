"""Usual training loops, for test/app/bridges/torch-loops.test.ts.

    python3 torch_loops.py SITE      SITE is a folder with the unpacked wheel

Prints {ROW: {'shares': peak of each step as a share of plain training's, 'plain': the latter in bytes, 'same': true if each
step gave bit-identical loss and gradients, 'left': why the last step left its plan}}, or {ROW: {'refused': why no plan keeps
to the budget}}. A row fits a model in one situation and trains it in another one. Peaks count allocated bytes, without
buffers inside one kernel. ZIGZAG_BUDGET names a budget.
"""
import contextlib
import copy
import functools
import importlib.util
import io
import json
import os
import re
import sys
import tempfile
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))

import zigzag_lab as zigzag  # noqa: E402
from zigzag_lab.zigzag_torch.capture import _captured  # noqa: E402
from zigzag_lab.zigzag_torch.profiled import _profiled  # noqa: E402

BUDGET = os.environ.get('ZIGZAG_BUDGET', '55%')
# Many rows ask the same, which is answered alike.
zigzag.engine.run = functools.cache(zigzag.engine.run)
STEPS = 3
VOCABULARY, WIDTH, ROWS, LENGTH = 64, 32, 8, 64


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.own = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.body = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(),
                                  nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, mask):
        q, k, v = self.own(self.norm(x)).chunk(3, -1)
        weights = q @ k.transpose(1, 2) / WIDTH ** 0.5
        if mask is not None:
            weights = weights.masked_fill(mask, -1e9)
        x = x + self.out(weights.softmax(-1) @ v)
        return x + self.body(x)


class Language(nn.Module):
    """A language model that makes a mask only for padded batches, as models of transformers do."""

    def __init__(self, depth=4, checkpoints=None):
        super().__init__()
        self.checkpoints = checkpoints
        self.words, self.blocks = nn.Embedding(VOCABULARY, WIDTH), nn.ModuleList(Block() for _ in range(depth))
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, input_ids, attention_mask=None, labels=None):
        mask = None
        if attention_mask is not None and not bool(attention_mask.all()):
            mask = (attention_mask == 0)[:, None, :].expand(-1, input_ids.shape[1], -1).clone()
        return F.cross_entropy(self.scores(input_ids, mask).flatten(0, 1).float(), labels.flatten())

    def scores(self, input_ids, mask=None):
        x = self.words(input_ids)
        for block in self.blocks:
            x = block(x, mask) if self.checkpoints is None else checkpoint(block, x, mask, **self.checkpoints)
        return self.head(x)


class Detector(Language):
    """A forward that calls itself for the loss, which makes its weights in the first step, as those of ultralytics do."""
    weights = None

    def forward(self, input_ids, attention_mask=None, labels=None):
        if labels is None:
            return self.scores(input_ids)
        if self.weights is None:
            self.weights = torch.arange(VOCABULARY).add(1).float()
        return F.cross_entropy(self(input_ids).flatten(0, 1), labels.flatten(), self.weights)


class Tasks(Language):
    """Several losses of the same scores."""

    def forward(self, input_ids, attention_mask=None, labels=None):
        scores = self.scores(input_ids)
        return F.cross_entropy(scores.flatten(0, 1), labels.flatten()), scores.square().mean(), scores.logsumexp(-1).mean()


class Written(nn.Module):
    """GELU in elementary operations, as GPT-2 has it: the backward of its power holds three tensors at once."""

    def __init__(self, depth=4):
        super().__init__()
        self.scales = nn.ParameterList(torch.ones(WIDTH) for _ in range(depth))

    def forward(self, x):
        for scale in self.scales:
            y = x * scale
            x = x + 0.5 * y * (1 + torch.tanh(0.8 * (y + 0.04 * y.pow(3))))
        return x.mean()


class Listing(nn.Module):
    """Lists what its layers made, as models do that return hidden states, and has a copy that no loss reads."""

    def __init__(self, depth=6):
        super().__init__()
        self.first = nn.Linear(1, WIDTH)
        self.up = nn.ModuleList(nn.Linear(WIDTH, 4 * WIDTH) for _ in range(depth))
        self.down = nn.ModuleList(nn.Linear(4 * WIDTH, WIDTH) for _ in range(depth))

    def forward(self, x):
        x, listed = self.first(x), []
        for up, down in zip(self.up, self.down):
            listed.append(up(x))
            copied = x.clone()
            x = x + down(F.gelu(listed[-1]))
        return x.square().mean()


class Overwriting(nn.Module):
    """Overwrites views, as an activation in place does after an instance norm: its backward copies the gradient."""

    def __init__(self, depth=6):
        super().__init__()
        self.layers = nn.Sequential(*(part for _ in range(depth) for part in (
            nn.Conv2d(8, 8, 3, padding=1), nn.InstanceNorm2d(8, affine=True), nn.LeakyReLU(0.1, inplace=True))))

    def forward(self, x):
        return self.layers(x.expand(-1, 8, -1, -1)).square().mean()


class Scan(nn.Module):
    """Reads its results step by step, as state-space models do: the backward of each step makes a gradient of all steps."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(1, WIDTH), nn.Linear(WIDTH, WIDTH)])

    def forward(self, x):
        for layer in self.layers:
            steps, states = F.gelu(layer(x)), [0]
            for step in range(steps.size(1)):
                states.append(torch.tanh(steps[:, step] + 0.9 * states[-1]))
            x = torch.stack(states[1:], 1)
        return x.square().mean()


class Messages(nn.Module):
    """Adds up messages of a graph's edges in zeros, as graph networks and mixtures of experts do."""

    def __init__(self, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(depth))

    def forward(self, x, edges):
        x = x.expand(-1, WIDTH)
        for layer in self.layers:
            heard = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
            x = x + F.gelu(layer(heard))
        return x.square().mean()


class Gated(nn.Module):
    """A recurrent cell, whose kernel writes the gates part by part into one result."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(1, WIDTH)

    def forward(self, x):
        h = x.new_zeros(x.size(0), WIDTH)
        for step in x.unbind(1):
            h = self.cell(step, h)
        return h.square().mean()


class Packed(nn.Module):
    """Its kernel splits slices of one result, a slice for each step, and writes each gate into a part of another."""

    def __init__(self):
        super().__init__()
        self.cells = nn.GRU(1, WIDTH, num_layers=2)

    def forward(self, x):
        return self.cells(nn.utils.rnn.pack_padded_sequence(x, [8, 7, 6, 5] * 64, enforce_sorted=False))[1].square().mean()


class Selecting(nn.Module):
    """Its operations may depend on values, so a plan takes it as a whole. What it drops on the way, its gradients and what it saves
    are not there at once."""

    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        x = self.layers(x[x.isfinite().all(-1).nonzero().flatten()])
        for _ in range(6):
            x = (x + 1) * 0.9
        return torch.tanh(x)


class Frozen(nn.Module):
    """Frozen layers need more memory than all that is trained after them."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(1, 32 * WIDTH), nn.GELU(), nn.Linear(32 * WIDTH, WIDTH)).requires_grad_(False)
        self.rest = nn.Sequential(*(part for _ in range(4) for part in (nn.Linear(WIDTH, WIDTH), nn.GELU())))

    def forward(self, x):
        x = self.first(x)
        return (x + self.rest(x)).square().mean()


class Scored(nn.Module):
    """Reads the places of the highest scores, so that none of the scores gets a gradient."""

    def __init__(self, depth=4):
        super().__init__()
        self.scores = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(depth))
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(WIDTH, 8 * WIDTH), nn.GELU(), nn.Linear(8 * WIDTH, WIDTH))
                                    for _ in range(depth))

    def forward(self, x):
        for score, layer in zip(self.scores, self.layers):
            chosen = (score(x) @ x.T).softmax(-1).topk(4)[1]
            x = x + layer(x[chosen].mean(1))
        return x.square().mean()


class Squared(nn.Module):
    def forward(self, x):
        return x.square().mean()


def batch(padded=False, rows=ROWS, length=LENGTH):
    ids, mask = torch.randint(VOCABULARY, (rows, length)), torch.ones(rows, length, dtype=torch.long)
    if padded:
        mask[0, -length // 4:] = 0
    return {'input_ids': ids, 'attention_mask': mask, 'labels': ids.clone()}


def loss_of(results):
    """The loss of a forward; the backwards of all but the last of several run at once, one by one."""
    if isinstance(results, tuple):
        *others, results = results
        for other in others:
            other.backward(retain_graph=True)
    return results if isinstance(results, torch.Tensor) else results['loss']


def quiet():
    stack = contextlib.ExitStack()
    stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter('ignore')
    return stack


def step_of(model, batches, autocast=False):
    """One step: a forward pass of each batch within one autocast, then one backward pass."""
    def step():
        with torch.autocast('cpu', torch.bfloat16, enabled=autocast):
            loss = sum(loss_of(model(**given)) for given in batches)
        loss.backward()
        step.loss = loss.detach()
    return step


def trained(model, batches, autocast=False):
    """(peaks, losses, gradients) of steps of a loop."""
    peaks, seen = [], []
    for given in batches:
        model.zero_grad(set_to_none=True)
        step = step_of(model, given if isinstance(given, list) else [given], autocast)
        peaks.append(_profiled(step)[1])
        seen.append([step.loss, *(p.grad.clone() for p in model.parameters() if p.grad is not None)])
    return peaks, seen


def row(model, fitted_on, batches, autocast=False, fit_autocast=False):
    plain = copy.deepcopy(model.train())
    with quiet():
        with torch.autocast('cpu', torch.bfloat16, enabled=fit_autocast):
            zigzag.fit(model, fitted_on, budget=BUDGET)
        found = [trained(one, batches, autocast) for one in (model, plain)]
    return {**compared(model, *found), 'forwards': zigzag.report(model).solved.forwards}


def at_once(batches):
    """One backward of the losses of several forwards, under a budget in bytes."""
    model = Language().train()
    plain = trained(copy.deepcopy(model), [batches] * STEPS)
    with quiet():
        beside = sum(zigzag.stationary_bytes(model)[0].values())
        zigzag.fit(model, budget=beside + int(plain[0][0] * float(BUDGET.rstrip('%')) / 100))
        planned = trained(model, [batches] * STEPS)
    return promised(model, planned, plain)


def promised(model, planned, plain):
    return {**compared(model, planned, plain), 'promised': zigzag.report(model).solved.row['peakBytes'] / planned[0][-1]}


def alone(model, inputs):
    model, batches = model.train(), [inputs] * STEPS
    plain = trained(copy.deepcopy(model), batches)
    with quiet():
        zigzag.fit(model, **batches[0], budget=BUDGET)
    return promised(model, trained(model, batches), plain)


def own_checkpointing(**options):
    """A plan in the memory of the model's own checkpointing, compared with training under that."""
    model = Language(checkpoints=options).train()
    plain, batches = copy.deepcopy(model), [batch() for _ in range(STEPS)]
    with quiet():
        said = zigzag.report(zigzag.fit(copy.deepcopy(model), batch(), budget='90%')).sentence
        zigzag.fit(model, batch(), budget='checkpointing')
        found = [trained(one, batches) for one in (model, plain)]
        result = compared(model, *found)
        otherwise = [copy.deepcopy(plain).eval() for _ in range(2)]
        zigzag.fit(otherwise[0].train(), batch(), budget='checkpointing')
        for one in otherwise:
            one.eval().checkpoints = None
        off = [trained(one, batches[:1])[1][0] for one in otherwise]
    made, captured = zigzag.report(model).solved.row, _captured(plain, (), batches[0])
    own = zigzag.solve(captured.document, 'manual', checkpoints=captured.checkpoints).row
    return {**result, 'said': said, 'without': all(map(torch.equal, *off)), 'promised': own['peakBytes'] / found[1][0][-1],
            'recompute': [made['recomputeFraction'], own['recomputeFraction']]}


def compared(model, planned, plain):
    (ours, mine), (theirs, reference) = planned, plain
    same = [len(a) == len(b) and all(torch.equal(x, y) for x, y in zip(a, b)) for a, b in zip(mine, reference)]
    return {'shares': [round(a / b, 3) for a, b in zip(ours, theirs)], 'plain': theirs, 'same': all(same),
            'left': zigzag.followed(model)['left']}


def rows():
    def steps(*args, **kwargs):
        return [batch(*args, **kwargs) for _ in range(STEPS)]

    yield 'padded after unpadded', lambda: row(Language(), batch(), steps(True))
    yield 'unpadded after padded', lambda: row(Language(), batch(True), steps())
    mixed = [batch(i % 2 == 0) for i in range(5)]
    yield 'padded and unpadded in turn', lambda: row(Language(), batch(), mixed)
    sizes = [batch(length=2 * LENGTH), batch(length=LENGTH // 2), batch(rows=ROWS // 2), batch()]
    yield 'longer, shorter, smaller last batch', lambda: row(Language(), batch(), sizes)
    yield 'autocast after a fit outside', lambda: row(Language(), batch(), steps(), True)
    yield 'casts of weights a quarter of the peak', lambda: row(Language(), batch(rows=1), steps(rows=1), True, True)
    yield 'two forwards in one autocast', lambda: row(Language(), batch(), [[batch(), batch()] for _ in range(STEPS)],
                                                      True, True)
    yield 'three forwards, then one backward', lambda: at_once([batch() for _ in range(3)])
    yield 'a formula of several tensors', lambda: alone(Written(), {'x': torch.randn(ROWS, LENGTH, 1)})
    yield 'views that are overwritten', lambda: alone(Overwriting(), {'x': torch.randn(4, 1, 32, 32)})
    yield 'a program that lists its results', lambda: alone(Listing(), {'x': torch.randn(ROWS, LENGTH, 1)})
    yield 'results that are read step by step', lambda: alone(Scan(), {'x': torch.randn(256, 8, 1)})
    edges = torch.randint(0, 512, (2, 512))
    yield 'sums in zeros', lambda: alone(Messages(), {'x': torch.randn(512, 1), 'edges': edges})
    yield 'gates that are written part by part', lambda: alone(Gated(), {'x': torch.randn(512, 8, 1)})
    yield 'packed sequences', lambda: alone(Packed(), {'x': torch.randn(8, 256, 1)})
    yield 'places of scores without a gradient', lambda: alone(Scored(), {'x': torch.randn(ROWS * LENGTH // 2, WIDTH)})
    yield 'frozen layers that need the most', lambda: alone(Frozen(), {'x': torch.randn(ROWS, LENGTH, 1)})

    layers, given = [part for _ in range(6) for part in (nn.Linear(WIDTH, WIDTH), nn.GELU())], torch.randn(ROWS * LENGTH, 1)
    whole = nn.Sequential(nn.Linear(1, WIDTH), Selecting(), *layers, Squared())
    yield 'a part that runs as a whole', lambda: alone(whole, {'input': given})
    head = Selecting(nn.Linear(WIDTH, 6 * WIDTH), nn.Tanh(), nn.Linear(6 * WIDTH, WIDTH))
    headed = nn.Sequential(nn.Linear(1, WIDTH), *layers, *copy.deepcopy(layers), head, Squared())
    yield 'a wide head that runs as a whole', lambda: alone(headed, {'input': given})
    yield 'a forward that calls itself', lambda: row(Detector(), batch(), steps())
    yield 'backwards of several losses, one by one', lambda: row(Tasks(), batch(), steps())
    yield 'own checkpointing', lambda: own_checkpointing(use_reentrant=False)
    yield 'own checkpointing, reentrant', lambda: own_checkpointing(use_reentrant=True)
    yield 'short and long forwards, then one backward', lambda: at_once([batch(length=LENGTH // 2), batch(), batch()])


def have(*names):
    return all(importlib.util.find_spec(name) is not None for name in names)


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return GPT2LMHeadModel(GPT2Config(n_layer=3, n_embd=WIDTH, n_head=2, vocab_size=VOCABULARY, n_positions=2 * LENGTH,
                                      bos_token_id=0, eos_token_id=0, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0))


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return LlamaForCausalLM(LlamaConfig(num_hidden_layers=3, hidden_size=WIDTH, intermediate_size=3 * WIDTH,
                                        num_attention_heads=2, num_key_value_heads=1, vocab_size=VOCABULARY,
                                        max_position_embeddings=2 * LENGTH))


def with_result_held():
    """A variable of the loop holds the result through backward, after a warning that it would hold keys and values."""
    model = gpt2()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter('always')
        zigzag.capture(model.train(), **batch())
    model.config.use_cache = False
    model.register_forward_hook(lambda module, _, result: vars(module).update(held=result))
    return {**row(model, batch(), [batch() for _ in range(STEPS)]),
            'warned': [str(w.message) for w in warned if 'zigzag' in str(w.message)]}


def with_trainer(prepare, train=None, **options):
    """Steps of transformers' Trainer, with a model that `prepare` changed and with a plain one."""
    from transformers import Trainer, TrainingArguments
    model, found = gpt2(), []
    plain = copy.deepcopy(model)
    data = [{key: value[0] for key, value in batch(rows=1).items()} for _ in range(STEPS * ROWS)]

    class Measured(Trainer):
        def training_step(self, *args, **kwargs):
            model = args[0]
            model.zero_grad(set_to_none=True)
            peaks.append(_profiled(lambda: self.losses(super(Measured, self).training_step(*args, **kwargs)))[1])
            seen.append([self.loss, *(p.grad.clone() for p in model.parameters() if p.grad is not None)])
            return self.loss

        def losses(self, loss):
            self.loss = loss

    with quiet(), tempfile.TemporaryDirectory() as folder:
        prepare(model)
        for one in (model, plain):
            torch.manual_seed(1)
            peaks, seen = [], []
            args = TrainingArguments(folder, per_device_train_batch_size=ROWS, num_train_epochs=1, report_to=[],
                                     save_strategy='no', use_cpu=True, disable_tqdm=True, **options)
            if train is not None and one is model:
                train(Measured, model, args, data)
            else:
                Measured(model=one, args=args, train_dataset=data).train()
            found.append((peaks, seen))
    return compared(model, *found)


def with_the_guide(guide):
    """The Trainer of the PyTorch guide: its block of code runs as printed, except for the budget."""
    import transformers
    with open(guide, encoding='utf8') as file:
        blocks = re.findall('```python\n(.*?)```', file.read(), re.S)
    block, = [text for text in blocks if 'ZigzagCallback' in text]
    assert "budget='60%'" in block
    original = transformers.Trainer

    def train(Measured, model, args, data):
        transformers.Trainer = Measured
        try:
            exec(block.replace("budget='60%'", f"budget='{BUDGET}'"), {'model': model, 'args': args, 'data': data})
        finally:
            transformers.Trainer = original

    return with_trainer(lambda model: None, train)


def with_lightning(before=False, listed=0, called=lambda module: [module.net]):
    """A step calls what `called` gives of a module with one network, or with several in a list."""
    from lightning.pytorch import LightningModule, Trainer
    model, found = nn.ModuleList(Language() for _ in range(listed)) if listed else Language(), []
    plain = copy.deepcopy(model)
    batches = [batch() for _ in range(STEPS)]

    class Module(LightningModule):
        def __init__(self, net):
            super().__init__()
            self.net, self.automatic_optimization = net, False

        def forward(self, **given):
            return self.net[0](**given)

        def training_step(self, given, index):
            self.zero_grad(set_to_none=True)

            def step():
                self.loss = sum(part(**given) for part in called(self))
                self.manual_backward(self.loss)
            peaks.append(_profiled(step)[1])
            seen.append([self.loss.detach(), *(p.grad.clone() for p in self.parameters())])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.0)

    with quiet():
        if before:
            zigzag.fit(model, batch(), budget=BUDGET)
        for one, callbacks in ((plain, []), (model, [] if before else [zigzag.LightningCallback(budget=BUDGET)])):
            peaks, seen = [], []
            trainer = Trainer(accelerator='cpu', precision='bf16-mixed', max_epochs=1, logger=False, callbacks=callbacks,
                              enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
            ran = Module(one)
            trainer.fit(ran, torch.utils.data.DataLoader(batches, batch_size=None))
            found.append((peaks, seen))
    return compared(called(ran)[-1], *reversed(found))


def with_accelerate(after):
    from accelerate import Accelerator
    model, found = gpt2(), []
    plain = copy.deepcopy(model)
    with quiet():
        if not after:
            zigzag.fit(model, batch(), budget=BUDGET)
        for one in (model, plain):
            torch.manual_seed(1)
            prepared = Accelerator(mixed_precision='bf16', cpu=True).prepare(one)
            if after and one is model:
                zigzag.fit(prepared, budget=BUDGET)
            found.append(trained(prepared, [batch() for _ in range(STEPS)]))
    return compared(model, *found)


def with_deepspeed(stage):
    """DeepSpeed's engine, which fits after it has wrapped the model; its weights are compared instead of gradients."""
    os.environ.update(RANK='0', LOCAL_RANK='0', WORLD_SIZE='1', MASTER_ADDR='127.0.0.1', MASTER_PORT='29571', DS_ACCELERATOR='cpu')
    with quiet():
        import deepspeed
    model, found, batches = gpt2(), [], [batch() for _ in range(STEPS)]
    plain = copy.deepcopy(model)
    config = {'train_micro_batch_size_per_gpu': ROWS, 'train_batch_size': ROWS, 'zero_allow_untested_optimizer': True,
              'zero_optimization': {'stage': stage, 'reduce_bucket_size': 10000, 'allgather_bucket_size': 10000}}
    with quiet():
        for one in (model, plain):
            engine, *_ = deepspeed.initialize(model=one, config=config, optimizer=torch.optim.AdamW(one.parameters()))
            if one is model:
                zigzag.fit(engine, batch(), budget=BUDGET)
            peaks, seen = [], []
            for given in batches:
                def step():
                    step.loss = engine(**given).loss
                    engine.backward(step.loss)
                peaks.append(_profiled(step)[1])
                engine.step()
                seen.append([step.loss.detach(), *(p.detach().clone() for p in one.parameters())])
            found.append((peaks, seen))
    return compared(model, *found)


def rows_of_libraries():
    def steps(*args, **kwargs):
        return [batch(*args, **kwargs) for _ in range(STEPS)]

    def fitted(model):
        zigzag.fit(model, batch(), budget=BUDGET)

    yield 'GPT-2, padded after unpadded', lambda: row(gpt2(), batch(), steps(True))
    yield 'GPT-2, unpadded after padded', lambda: row(gpt2(), batch(True), steps())
    yield 'Llama, padded after unpadded', lambda: row(llama(), batch(), steps(True))
    yield 'Llama, unpadded after padded', lambda: row(llama(), batch(True), steps())
    yield 'GPT-2, its result held', with_result_held
    if have('accelerate'):
        yield 'Trainer', lambda: with_trainer(fitted)
        yield 'Trainer in bfloat16', lambda: with_trainer(fitted, bf16=True)
        yield 'accelerate in bfloat16', lambda: with_accelerate(False)
        yield 'accelerate, after prepare', lambda: with_accelerate(True)
        yield 'Trainer, by the guide', lambda: with_the_guide(os.path.join(HERE, '../../docs/guides/pytorch.md'))
    if have('deepspeed'):
        yield 'DeepSpeed, ZeRO-1', lambda: with_deepspeed(1)
        yield 'DeepSpeed, ZeRO-2', lambda: with_deepspeed(2)
    if have('lightning'):
        yield 'Lightning in bfloat16', with_lightning
        yield 'Lightning in bfloat16, after a fit outside', lambda: with_lightning(True)
        yield 'Lightning in bfloat16, its network in a list', lambda: with_lightning(listed=1, called=lambda module: [module])
        two = functools.partial(with_lightning, listed=2, called=lambda module: module.net)
        yield 'Lightning in bfloat16, a step that calls two networks', two


def told(make):
    try:
        return make()
    except zigzag.CannotFit as error:
        return {'refused': str(error)}


if __name__ == '__main__':
    torch.set_num_threads(1)
    torch.manual_seed(0)
    wanted = sys.argv[2:]
    found = [*rows(), *(rows_of_libraries() if have('transformers') else ())]
    print('\n' + json.dumps({name: told(make) for name, make in found if not wanted or any(w in name for w in wanted)}))
