import type { TransformersModel } from '../../../engine/graph/graph.ts';
import { optimizerOf, type OptimizerName } from '../../../engine/training-memory/optimizers.ts';
import {
  isMixed,
  type Precision,
  ranksOf,
  type TrainingSetup,
} from '../../../engine/training-memory/setup.ts';
import { targetsOf } from '../../../engine/zoo/language/adapters.ts';
import type { FineTuning } from '../../../engine/zoo/language/fine-tuning.ts';

/** A loop in plain PyTorch, or the Trainer of transformers. */
export type ScriptForm = 'script' | 'trainer-script';

/** Training as it was counted. */
interface TrainingSource {
  readonly setup: TrainingSetup;
  readonly tuning: FineTuning | undefined;
  /** Absent of a network that transformers does not build; its model is then the reader's own. */
  readonly transformers: TransformersModel | undefined;
  /** Shape of the input of a step, the batch first. */
  readonly shape: readonly number[];
  /** Null where training needs no plan. */
  readonly plan: ScriptPlan | null;
  /** Tokens of a chunk of the loss; absent where it is that of all scores. */
  readonly lossTokens?: number | undefined;
  /** True if the batches are padded or packed, and say where. */
  readonly isMasked?: boolean | undefined;
}

interface ScriptPlan {
  readonly fileName: string;
  /** Its peak as a share of that of regular training. */
  readonly share: number;
  readonly library: 'zigzag_lab' | 'zigzag_torch';
}

/** A program that trains as counted: adapters, number types, optimizer, accumulation, sharding and plan. */
export function trainingScript(form: ScriptForm, given: TrainingSource): string {
  const { setup, transformers } = given;
  const source = isZero3(setup) ? { ...given, plan: null } : given;
  const isTrainer = form === 'trainer-script' && transformers !== undefined;
  const body = [
    ...(setup.precision === 'tf32' ? ["torch.set_float32_matmul_precision('high')"] : []),
    ...(isTrainer ? [] : deviceLines(setup)),
    ...modelLines(source, isTrainer),
    ...adapterLines(source),
    ...planLines(source),
    ...(isTrainer ? trainerLines(source) : [...shardLines(source), ...loopLines(source)]),
  ];
  const lines = [...remarks(given, isTrainer), ...importsOf(body, source.plan), '', ...body];
  return `${lines.join('\n')}\n`;
}

const GPUS_OF_A_MACHINE = 8;

/** Command that starts a program on so many GPUs: of machines of eight where they fill them. */
export function torchrun(ranks: number): string {
  const machines = ranks % GPUS_OF_A_MACHINE === 0 ? ranks / GPUS_OF_A_MACHINE : 1;
  return `torchrun ${machines > 1 ? `--nnodes ${machines} ` : ''}--nproc-per-node ${ranks / machines}`;
}

/** How to start it, and parts of what was counted that no line brings about. */
function remarks({ setup, tuning, plan }: TrainingSource, isTrainer: boolean): readonly string[] {
  const { optimizer, precision, stateInFloat32, freesGradients, accumulate, tensor, sharding } = setup;
  const ranks = ranksOf(setup);
  const says: readonly (readonly [boolean, string])[] = [
    [ranks > 1, `Start it with: ${torchrun(ranks)} train.py`],
    [
      tensor !== undefined,
      `Split the model among ${tensor} GPUs with parallelize_module of torch.distributed.tensor.parallel first; no line here does.`,
    ],
    [
      sharding?.experts !== undefined,
      `Divide the experts among ${sharding?.experts} GPUs with DistributedConfig(ep_size=${sharding?.experts}) of transformers first; no line here does.`,
    ],
    [
      sharding?.context !== undefined,
      `Divide every sequence among ${sharding?.context} GPUs with context_parallel of torch.distributed.tensor.experimental; no line here does.`,
    ],
    [isZero(setup), 'ZeRO is a part of DeepSpeed: set it up with its own configuration.'],
    [
      isZero3(setup) && plan !== null,
      'ZeRO-3 takes weights away between layers, and no plan brings them back: use FSDP2.',
    ],
    [
      isFullySharded(setup) && UNSHARDED.includes(optimizer),
      `${optimizerOf(optimizer).title} does not run on weights that FSDP2 shards: use AdamW.`,
    ],
    [
      isFullySharded(setup) && tuning?.isQuantised === true,
      'FSDP2 loses the scales of weights of four bits: use DDP.',
    ],
    [
      stateInFloat32 && precision === 'bf16',
      'The optimizers of PyTorch keep their state in bfloat16 here; float32 was counted.',
    ],
    [
      isTrainer && !freesGradients && accumulate === 1,
      'The Trainer frees gradients between steps; kept ones were counted.',
    ],
  ];
  return says.filter(([holds]) => holds).map(([, text]) => `# ${text}`);
}

/** Their steps fail on tensors that FSDP2 shards (bitsandbytes 0.50, PyTorch 2.15). */
const UNSHARDED: readonly OptimizerName[] = ['adam8bit', 'paged-adamw', 'paged-adamw8bit', 'adafactor'];

const isZero = ({ sharding }: TrainingSetup): boolean => sharding?.way.startsWith('zero') === true;
const isZero3 = ({ sharding }: TrainingSetup): boolean => sharding?.way === 'zero3';
const isFullySharded = ({ sharding }: TrainingSetup): boolean => sharding?.way === 'fsdp2';

const IMPORTS: readonly (readonly [used: RegExp, line: string])[] = [
  [/\bos\./, 'import os'],
  [/\bbitsandbytes\./, 'import bitsandbytes'],
  [/\btorch\./, 'import torch'],
  [/\bLoraConfig\b/, 'from peft import LoraConfig, get_peft_model'],
  [/\bfully_shard\b/, 'from torch.distributed.fsdp import fully_shard'],
];

function importsOf(body: readonly string[], plan: ScriptPlan | null): readonly string[] {
  const text = body.join('\n');
  const names = [
    ...new Set(
      text.match(
        /\b(AutoModelFor\w+|\w+ForCausalLM|BitsAndBytesConfig|Mxfp4Config|Trainer|TrainingArguments)\b/g,
      ),
    ),
  ];
  return [
    ...IMPORTS.filter(([used]) => used.test(text)).map(([, line]) => line),
    ...(names.length === 0 ? [] : [`from transformers import ${names.sort().join(', ')}`]),
    ...(plan === null ? [] : [`import ${plan.library} as zigzag`]),
  ];
}

const deviceLines = (setup: TrainingSetup): readonly string[] =>
  ranksOf(setup) === 1
    ? ["device = torch.device('cuda')"]
    : [
        "device = torch.device('cuda', int(os.environ['LOCAL_RANK']))",
        'torch.cuda.set_device(device)',
        'torch.distributed.init_process_group()',
      ];

const BFLOAT16 = 'torch.bfloat16';
const typeOfWeights = (precision: Precision): string => (precision === 'bf16' ? BFLOAT16 : 'torch.float32');
/** The type in which products compute. */
const typeOfProducts = (precision: Precision): string =>
  precision === 'amp-fp16' ? 'torch.float16' : precision === 'amp-bf16' ? BFLOAT16 : typeOfWeights(precision);

const CLASSES: Readonly<Record<TransformersModel['predicts'], string>> = {
  'next-token': 'AutoModelForCausalLM',
  'hidden-tokens': 'AutoModelForMaskedLM',
  transcript: 'AutoModelForSpeechSeq2Seq',
};

/** Classes of text models whose checkpoints hold images too, which `AutoModelForCausalLM` of transformers 5.24 loads whole. */
const TEXT_CLASSES: Readonly<Record<string, string>> = {
  gemma3_text: 'Gemma3ForCausalLM',
  gemma4_text: 'Gemma4ForCausalLM',
};

function modelLines({ setup, tuning, transformers }: TrainingSource, isTrainer: boolean): readonly string[] {
  const { precision } = setup;
  if (transformers === undefined) {
    const type = precision === 'bf16' ? `, ${BFLOAT16}` : '';
    return [`model = model.to(device${type})  # the model is yours`];
  }
  const { predicts, modelType, repository, attention, isStoredInMxfp4 } = transformers;
  const textClass = TEXT_CLASSES[modelType];
  // Each GPU of those that share the weights may be too small for all of them; the Trainer moves the model itself.
  const isPlaced = !isTrainer && !isFullySharded(setup);
  return [
    `model = ${textClass ?? CLASSES[predicts]}.from_pretrained(`,
    `    '${repository ?? 'folder of your config.json'}',`,
    ...(textClass === undefined
      ? []
      : ["    key_mapping={r'^(model\\.)?language_model\\.(model\\.)?': 'model.'},  # the text model alone"]),
    `    dtype=${typeOfWeights(precision)},`,
    `    attn_implementation='${attention}',`,
    ...(isPlaced ? ['    device_map=device,'] : []),
    ...(tuning?.isQuantised === true
      ? [
          '    quantization_config=BitsAndBytesConfig(',
          '        load_in_4bit=True,',
          "        bnb_4bit_quant_type='nf4',",
          '        bnb_4bit_use_double_quant=True,',
          `        bnb_4bit_compute_dtype=${typeOfProducts(precision)},`,
          '    ),',
        ]
      : []),
    ...(isStoredInMxfp4 === true ? ['    quantization_config=Mxfp4Config(dequantize=True),'] : []),
    ')',
    // from_pretrained of transformers 5.23 trains what its class freezes.
    ...(predicts === 'transcript' && tuning === undefined
      ? ['model.model.encoder.embed_positions.requires_grad_(False)']
      : []),
  ];
}

function adapterLines({ tuning, transformers }: TrainingSource): readonly string[] {
  if (tuning === undefined || transformers === undefined) return [];
  const { predicts, modelType } = transformers;
  const { targets, dropout = '0.0' } = tuning;
  const listed = (names: readonly string[] = []): string =>
    `[${names.map((name) => `'${name}'`).join(', ')}]`;
  return [
    'adapters = LoraConfig(',
    `    r=${tuning.rank},`,
    `    target_modules=${targets === 'all-linear' ? "'all-linear'" : listed(targetsOf(modelType, targets)?.peft)},`,
    `    lora_dropout=${dropout},`,
    ...(predicts === 'next-token' ? ["    task_type='CAUSAL_LM',"] : []),
    ')',
    'model = get_peft_model(model, adapters)',
  ];
}

/** Under FSDP2 each layer gets a plan of its own. */
const planLines = ({ plan, setup }: TrainingSource): readonly string[] =>
  plan === null || isFullySharded(setup)
    ? []
    : [`model = zigzag.plan_model(model, '${plan.fileName.replaceAll("'", "\\'")}')`];

const shareText = ({ share }: ScriptPlan): string => `budget='${Math.ceil(share * 100)}%'`;

/** Paths of the decoder layers in the classes of transformers, where they are not model.layers. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  gpt2: ['transformer.h'],
  gpt_neox: ['gpt_neox.layers'],
  opt: ['model.decoder.layers'],
  bert: ['bert.encoder.layer'],
  roberta: ['roberta.encoder.layer'],
  'xlm-roberta': ['roberta.encoder.layer'],
  distilbert: ['distilbert.transformer.layer'],
  whisper: ['model.encoder.layers', 'model.decoder.layers'],
};

function shardLines({ setup, tuning, transformers, plan }: TrainingSource): readonly string[] {
  if (setup.sharding?.way === 'ddp')
    return ['model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[device])'];
  if (!isFullySharded(setup)) return [];
  const base = tuning === undefined ? 'model' : 'model.get_base_model()';
  const paths = LAYERS[transformers?.modelType ?? ''] ?? ['model.layers'];
  const [first, ...others] = paths.map((path) => `${base}.${path}`);
  return [
    `for layer in ${others.length === 0 ? first : `[*${first}, *${others.join(', *')}]`}:`,
    '    fully_shard(layer)',
    'fully_shard(model)',
    ...(plan === null ? [] : [`model = zigzag.fit(model, ${shareText(plan)})`]),
  ];
}

const OPTIMIZERS: Readonly<Record<OptimizerName, readonly [type: string, more?: readonly [string, string]]>> =
  {
    sgd: ['torch.optim.SGD'],
    momentum: ['torch.optim.SGD', ['momentum', '0.9']],
    adam: ['torch.optim.Adam'],
    adamw: ['torch.optim.AdamW'],
    adam8bit: ['bitsandbytes.optim.Adam8bit'],
    'paged-adamw': ['bitsandbytes.optim.PagedAdamW'],
    'paged-adamw8bit': ['bitsandbytes.optim.PagedAdamW8bit'],
    adafactor: ['torch.optim.Adafactor'],
  };
const LEARNING_RATE = '1e-4';

/** Size of a batch, for a comment. */
function dataText({ shape, transformers, isMasked = false }: TrainingSource): string {
  const size = shape.join(' x ');
  if (transformers === undefined) return `${size} numbers and their labels`;
  const before = transformers.predicts === 'transcript' ? 'spectrograms, ' : '';
  const mask = isMasked ? ', their attention mask' : '';
  return `${before}${size} tokens${mask}, and for each the token to predict or -100`;
}

function loopLines(source: TrainingSource): readonly string[] {
  const { setup, transformers, isMasked = false } = source;
  const { precision, accumulate } = setup;
  const [type, more] = OPTIMIZERS[setup.optimizer];
  const half = precision === 'bf16' ? `, ${BFLOAT16}` : '';
  const hears = transformers?.predicts === 'transcript';
  const inputs = hears ? 'input_features=features, decoder_input_ids=inputs' : inputsOf(source);
  const cache = transformers?.predicts === 'hidden-tokens' ? '' : ', use_cache=False';
  const forward =
    source.lossTokens !== undefined
      ? chunkedForward(source.lossTokens, source)
      : transformers === undefined
        ? ['loss = torch.nn.functional.cross_entropy(model(inputs), labels)']
        : [
            `logits = model(${inputs}${cache}).logits`,
            'loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())',
          ];
  const isScaled = precision === 'amp-fp16';
  const part = accumulate > 1 ? `loss / ${accumulate}` : 'loss';
  const scaled = isScaled ? `scaler.scale(${part})` : accumulate > 1 ? `(${part})` : part;
  const keeps = setup.freesGradients ? '' : 'set_to_none=False';
  const update = [
    ...(isScaled ? ['scaler.step(optimizer)', 'scaler.update()'] : ['optimizer.step()']),
    `optimizer.zero_grad(${keeps})`,
  ];
  const step = [
    ...(hears ? [`features = features.to(device${half})`] : []),
    ...(isMasked ? ['mask = mask.to(device)'] : []),
    `inputs, labels = inputs.to(device${transformers === undefined ? half : ''}), labels.to(device)`,
    ...(isMixed(precision)
      ? [`with torch.autocast('cuda', dtype=${typeOfProducts(precision)}):`, ...indented(forward)]
      : forward),
    `${scaled}.backward()`,
    ...(accumulate > 1 ? [`if (step + 1) % ${accumulate} == 0:`, ...indented(update)] : update),
  ];
  const options = more === undefined ? '' : `, ${more.join('=')}`;
  const batch = hears ? 'features, inputs, labels' : isMasked ? 'inputs, mask, labels' : 'inputs, labels';
  return [
    `optimizer = ${type}(model.parameters(), lr=${LEARNING_RATE}${options})`,
    ...(isScaled ? ["scaler = torch.amp.GradScaler('cuda')"] : []),
    '',
    'model.train()',
    `# The batches are yours: ${dataText(source)}.`,
    accumulate > 1 ? `for step, (${batch}) in enumerate(batches):` : `for ${batch} in batches:`,
    ...indented(step),
  ];
}

const inputsOf = ({ isMasked = false }: TrainingSource): string =>
  `input_ids=inputs${isMasked ? ', attention_mask=mask' : ''}`;

/** The scores of some tokens at a time, and of no others. */
function chunkedForward(tokens: number, source: TrainingSource): readonly string[] {
  const model = source.tuning === undefined ? 'model' : 'model.get_base_model()';
  return [
    `head = ${model}.get_output_embeddings()`,
    'loss = torch.nn.functional.linear_cross_entropy(  # PyTorch 2.15',
    `    ${model}.get_decoder()(${inputsOf(source)}, use_cache=False).last_hidden_state.flatten(0, 1),`,
    '    head.weight, labels.flatten(), linear_bias=head.bias,',
    `    options=torch.nn.LinearCrossEntropyOptions(batch_chunk_size=${tokens}),`,
    ')',
  ];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${line}`);

function trainerLines(source: TrainingSource): readonly string[] {
  const { setup, shape, transformers, plan } = source;
  const [type, more] = OPTIMIZERS[setup.optimizer];
  const options = [['lr', LEARNING_RATE], ...(more === undefined ? [] : [more])]
    .map(([name, value]) => `'${name}': ${value}`)
    .join(', ');
  const features = `input_features${setup.precision === 'bf16' ? ' in bfloat16' : ''}, decoder_input_ids`;
  const tokens = source.isMasked === true ? 'input_ids, attention_mask' : 'input_ids';
  const inputs = transformers?.predicts === 'transcript' ? features : tokens;
  const followsPlan = plan !== null && isFullySharded(setup);
  return [
    '',
    '',
    'def loss_of(outputs, labels, num_items_in_batch):',
    '    """Cross entropy in the type of the scores. The Trainer’s own makes a float32 copy of them."""',
    ...(transformers?.predicts === 'next-token'
      ? ['    labels = torch.nn.functional.pad(labels[:, 1:], (0, 1), value=-100)']
      : []),
    '    scores = outputs.logits.flatten(0, 1)',
    "    loss = torch.nn.functional.cross_entropy(scores, labels.flatten(), reduction='sum')",
    '    return loss / (num_items_in_batch or (labels != -100).sum())',
    '',
    '',
    'arguments = TrainingArguments(',
    "    output_dir='trained',",
    `    per_device_train_batch_size=${shape[0]},`,
    `    gradient_accumulation_steps=${setup.accumulate},`,
    ...(isMixed(setup.precision) ? [`    ${setup.precision === 'amp-bf16' ? 'bf16' : 'fp16'}=True,`] : []),
    ...(isFullySharded(setup) ? ['    fsdp=True,'] : []),
    ')',
    'Trainer(',
    '    model=model,',
    '    args=arguments,',
    `    train_dataset=dataset,  # yours: ${inputs} and labels of ${shape[1]} tokens`,
    '    compute_loss_func=loss_of,',
    `    optimizer_cls_and_kwargs=(${type}, {${options}}),`,
    ...(followsPlan ? [`    callbacks=[zigzag.ZigzagCallback(${shareText(plan)})],`] : []),
    ').train()',
  ];
}
