import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTorch2Python } from '../../../app/start/python.mjs';
import { type ScriptForm, trainingScript } from '../../../app/bridges/torch/training-script.ts';
import { trainedParameters } from '../../../engine/graph/graph.ts';
import type { OptimizerName } from '../../../engine/training-memory/optimizers.ts';
import { inPrecision } from '../../../engine/training-memory/precision.ts';
import { type TrainingSetup, USUAL_SETUP, weightBytes } from '../../../engine/training-memory/setup.ts';
import { weightsOf } from '../../../engine/training-memory/weights.ts';
import { buildFromConfig } from '../../../engine/zoo/language/build.ts';
import { targetsOf } from '../../../engine/zoo/language/adapters.ts';
import type { FineTuning } from '../../../engine/zoo/language/fine-tuning.ts';
import { skippedFor } from '../../support/skipped.ts';
import { LLM_CASES } from '../../support/llm-cases.ts';
import { answerOf, hasModules, reasonOfPeft } from './python.ts';

const PYTHON = findTorch2Python();
const LLAMA = {
  model_type: 'llama',
  vocab_size: 96,
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 128,
  max_position_embeddings: 64,
};
const BATCH = 2;
const LENGTH = 8;
const UPDATES = 2;
/** Tables of 256 codes in float32, one for each moment, which all tensors share. */
const CODES = 2 * 256 * 4;

const adapters = (isQuantised: boolean, targets: FineTuning['targets'] = 'usual'): FineTuning => ({
  rank: 4,
  targets,
  isQuantised,
});
const fsdp2 = { gpus: 8, way: 'fsdp2' } as const;

interface Setting {
  readonly setup: Partial<TrainingSetup>;
  readonly tuning?: FineTuning;
  readonly needs?: readonly string[];
  /** No program of the Trainer has it. */
  readonly lossTokens?: number;
  readonly isMasked?: boolean;
  readonly config?: typeof LLAMA | (typeof LLM_CASES)[number]['config'];
}

const configOf = (name: string, kernel = 'sdpa') =>
  LLM_CASES.find((one) => one.name === `${name}, ${kernel}, float32`)!.config;

/** A file of texts and images, whose text model is trained alone. */
const withImages = (name: string, model_type: string, vision_config: object) => ({
  model_type,
  text_config: configOf(name),
  vision_config,
});
const TOWER = { hidden_size: 32, intermediate_size: 64 };
const GEMMA3 = withImages('gemma3', 'gemma3', {
  ...TOWER,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  image_size: 28,
  patch_size: 14,
});
const QWEN3_5 = withImages('qwen3_5', 'qwen3_5', { ...TOWER, depth: 1, num_heads: 2, out_hidden_size: 32 });

const SETTINGS: Readonly<Record<string, Setting>> = {
  AdamW: { setup: { optimizer: 'adamw' } },
  'TF32 products': { setup: { optimizer: 'adam', precision: 'tf32' } },
  'pure bfloat16, gradients kept': {
    setup: { optimizer: 'momentum', precision: 'bf16', freesGradients: false },
  },
  'AMP in bfloat16': { setup: { optimizer: 'adafactor', precision: 'amp-bf16' } },
  'AMP in float16, added up': { setup: { optimizer: 'sgd', precision: 'amp-fp16', accumulate: 2 } },
  'a head for hidden tokens': { setup: { optimizer: 'adamw' }, config: configOf('bert') },
  'a transcript of speech': { setup: { optimizer: 'adamw' }, config: configOf('whisper') },
  'a transcript of speech, bfloat16': {
    setup: { optimizer: 'adam', precision: 'bf16', accumulate: 2 },
    config: configOf('whisper'),
  },
  'a transcript of speech under FSDP2': {
    setup: { optimizer: 'adamw', sharding: fsdp2 },
    config: configOf('whisper'),
  },
  'a transcript of speech, LoRA': {
    setup: { optimizer: 'adamw', precision: 'amp-bf16' },
    tuning: adapters(false, 'all-linear'),
    config: configOf('whisper'),
    needs: ['peft'],
  },
  'Gemma 3 without its images under FSDP2': {
    setup: { optimizer: 'adamw', sharding: fsdp2 },
    config: GEMMA3,
  },
  'Gemma 3 without its images, LoRA': {
    setup: { optimizer: 'adamw', precision: 'bf16' },
    tuning: adapters(false),
    config: GEMMA3,
    needs: ['peft'],
  },
  'Qwen 3.5 without its images, LoRA': {
    setup: { optimizer: 'adamw', precision: 'bf16' },
    tuning: adapters(false, 'attention'),
    config: QWEN3_5,
    needs: ['peft'],
  },
  'GPT-2 under FSDP2': { setup: { optimizer: 'adamw', sharding: fsdp2 }, config: configOf('gpt2') },
  'DistilBERT under FSDP2': {
    setup: { optimizer: 'adamw', sharding: fsdp2 },
    config: configOf('distilbert'),
  },
  'XLM-RoBERTa under FSDP2': {
    setup: { optimizer: 'adamw', sharding: fsdp2 },
    config: configOf('xlm-roberta'),
  },
  'gpt-oss': {
    setup: { optimizer: 'adamw', precision: 'bf16' },
    tuning: adapters(false, 'attention'),
    config: configOf('gpt_oss', 'eager'),
    needs: ['peft'],
  },
  'a loss in chunks, tied': { setup: { optimizer: 'adamw' }, config: configOf('gpt2'), lossTokens: 6 },
  'a loss in chunks, LoRA in bfloat16': {
    setup: { optimizer: 'adamw', precision: 'bf16', accumulate: 2 },
    tuning: adapters(false),
    needs: ['peft'],
    lossTokens: 6,
  },
  'padded sequences': { setup: { optimizer: 'adamw' }, isMasked: true },
  'a loss in chunks, padded': { setup: { optimizer: 'adamw' }, lossTokens: 6, isMasked: true },
  DDP: { setup: { optimizer: 'adamw', sharding: { gpus: 2, way: 'ddp' } } },
  'FSDP2 in bfloat16': { setup: { optimizer: 'adamw', precision: 'bf16', sharding: fsdp2 } },
  'Adam of 8 bits': { setup: { optimizer: 'adam8bit' }, needs: ['bitsandbytes'] },
  LoRA: { setup: { optimizer: 'adamw', precision: 'bf16' }, tuning: adapters(false), needs: ['peft'] },
  'LoRA under FSDP2': {
    setup: { optimizer: 'adamw', precision: 'bf16', sharding: fsdp2 },
    tuning: adapters(false),
    needs: ['peft'],
  },
  'LoRA of attention beside experts': {
    setup: { optimizer: 'adamw', precision: 'bf16' },
    tuning: { ...adapters(false, 'attention'), dropout: 0.1 },
    config: configOf('mixtral'),
    needs: ['peft'],
  },
  QLoRA: {
    setup: { optimizer: 'adam8bit', precision: 'bf16', accumulate: 2 },
    tuning: adapters(true, 'all-linear'),
    needs: ['peft', 'bitsandbytes'],
  },
};
const FORMS: readonly ScriptForm[] = ['script', 'trainer-script'];
const CASES = Object.entries(SETTINGS).flatMap(([title, setting]) =>
  FORMS.filter((form) => form === 'script' || setting.lossTokens === undefined).map((form) => ({
    title: `${title}, ${form}`,
    form,
    ...setting,
  })),
);

function caseOf({
  form,
  setup: part,
  tuning,
  lossTokens,
  isMasked = false,
  config = LLAMA,
}: Setting & { readonly form: ScriptForm }) {
  const setup: TrainingSetup = { ...USUAL_SETUP, ...part };
  const element = weightBytes(setup.precision);
  const built = buildFromConfig(config, {
    batch: BATCH,
    length: LENGTH,
    element,
    tuning,
    lossTokens,
    isMasked,
  });
  const graph = inPrecision(built, setup.precision);
  const shape = graph.shapes[0] ?? [];
  const script = trainingScript(form, {
    setup,
    tuning,
    transformers: graph.transformers,
    shape,
    plan: null,
    lossTokens,
    isMasked,
  });
  // A group of one process holds everything.
  const { weights, optimizer } = weightsOf(graph, { ...setup, sharding: undefined });
  const steps = UPDATES * setup.accumulate;
  return {
    script,
    asked: { script, config, batch: BATCH, length: LENGTH, steps, padded: isMasked },
    ours: {
      weights,
      optimizer: optimizer + (setup.optimizer === 'adam8bit' && tuning === undefined ? CODES : 0),
      trained: trainedParameters(graph),
      updates: UPDATES,
    },
  };
}

/** Standard output of a program of Python. */
function python(args: readonly string[], input: string): string {
  const run = spawnSync(PYTHON ?? 'python3', args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new Error(run.stderr || String(run.error));
  return run.stdout;
}

const NO_TRANSFORMERS = PYTHON === undefined ? 'there is no PyTorch 2.x with transformers' : '';

describe('the program that trains as counted', () => {
  it('is Python, with the names of what was counted', () => {
    const scripts = CASES.map((one) => caseOf(one).script);
    python(
      ['-c', 'import ast, json, sys\nfor s in json.load(sys.stdin): ast.parse(s)'],
      JSON.stringify(scripts),
    );
    const qlora = caseOf({ form: 'script', ...SETTINGS['QLoRA']! }).script;
    for (const line of [
      'load_in_4bit=True',
      "bnb_4bit_quant_type='nf4'",
      'bnb_4bit_use_double_quant=True',
      'bnb_4bit_compute_dtype=torch.bfloat16',
      'r=4,',
      "target_modules='all-linear'",
      'lora_dropout=0.0',
      'get_peft_model(model, adapters)',
      'bitsandbytes.optim.Adam8bit(',
      '(loss / 2).backward()',
    ])
      expect(qlora).toContain(line);
  });

  for (const needs of [[], ['bitsandbytes'], ['peft'], ['peft', 'bitsandbytes']]) {
    const cases = CASES.filter((one) => String(one.needs ?? []) === String(needs));
    const reason =
      NO_TRANSFORMERS === '' && !hasModules(PYTHON, needs)
        ? `${needs.join(' and ')} of Python not installed`
        : NO_TRANSFORMERS;
    it.skipIf(reason !== '')(
      `holds the weights and the optimizer state that were counted, and trains as many parameters (${needs.join(', ') || 'transformers'})${skippedFor(reason)}`,
      () => {
        const made = cases.map(caseOf);
        const input = JSON.stringify(made.map(({ asked }) => asked));
        const script = join(process.cwd(), 'test', 'reference', 'torch_script.py');
        const theirs = answerOf<readonly unknown[]>(python([script], input));
        const named = (values: readonly unknown[]) => values.map((value, i) => [cases[i]!.title, value]);
        expect(named(theirs)).toEqual(named(made.map(({ ours }) => ours)));
      },
    );
  }

  it('says what no line brings about', () => {
    const script = (setup: Partial<TrainingSetup>, tuning?: FineTuning): string =>
      caseOf({ form: 'script', setup, ...(tuning === undefined ? {} : { tuning }) }).script;
    const unsharded: readonly OptimizerName[] = ['adam8bit', 'paged-adamw', 'paged-adamw8bit', 'adafactor'];
    for (const optimizer of unsharded)
      expect(script({ optimizer, sharding: fsdp2 })).toContain('does not run on weights that FSDP2 shards');
    expect(script({ optimizer: 'adamw', sharding: fsdp2 }, adapters(true))).toContain('loses the scales');
    expect(script({ sharding: { gpus: 16, way: 'zero2' } })).toMatch(
      /^# Start it with: torchrun --nnodes 2 --nproc-per-node 8 train\.py\n# ZeRO is a part of DeepSpeed/,
    );
    expect(script({ sharding: { gpus: 8, way: 'ddp', experts: 4, context: 2 } })).toMatch(
      /# Divide the experts among 4 GPUs .*no line here does\.\n# Divide every sequence among 2 GPUs .*no line here does\./,
    );
    expect(script({ precision: 'bf16', optimizer: 'adam', stateInFloat32: true })).toContain(
      'float32 was counted',
    );
  });

  it('dequantises a checkpoint of MXFP4, which transformers does not train as it is', () => {
    const config = { ...configOf('gpt_oss', 'eager'), quantization_config: { quant_method: 'mxfp4' } };
    const { script } = caseOf({ form: 'script', setup: { precision: 'bf16' }, config });
    expect(script).toContain('    quantization_config=Mxfp4Config(dequantize=True),');
    expect(script).toContain('from transformers import AutoModelForCausalLM, Mxfp4Config');
  });

  it('applies the plan, or one for each layer that is sharded', () => {
    const of = (form: ScriptForm, setup: Partial<TrainingSetup>): string =>
      trainingScript(form, {
        setup: { ...USUAL_SETUP, ...setup },
        tuning: undefined,
        transformers: { modelType: 'llama', predicts: 'next-token', attention: 'sdpa' },
        shape: [1, 64],
        plan: { fileName: 'a.plan.json', share: 0.412, library: 'zigzag_lab' },
      });
    expect(of('script', {})).toContain("model = zigzag.plan_model(model, 'a.plan.json')");
    expect(of('script', { sharding: fsdp2 })).toContain("model = zigzag.fit(model, budget='42%')");
    expect(of('trainer-script', { sharding: fsdp2 })).toContain("zigzag.ZigzagCallback(budget='42%')");
    const withoutWeights = of('script', { sharding: { gpus: 8, way: 'zero3' } });
    expect(withoutWeights).toContain('# ZeRO-3 takes weights away between layers');
    expect(withoutWeights).not.toContain('zigzag');
  });

  const noPeft = reasonOfPeft(PYTHON);
  it.skipIf(noPeft !== '')(`has peft’s own usual targets${skippedFor(noPeft)}`, () => {
    const program =
      'import json; from peft.utils.constants import TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING as t; print(json.dumps(t))';
    const theirs = answerOf<Readonly<Record<string, readonly string[]>>>(python(['-c', program], ''));
    for (const type of [
      'llama',
      'mistral',
      'qwen2',
      'qwen3',
      'gemma2',
      'gemma3_text',
      'opt',
      'bert',
      'roberta',
      'gpt2',
      'gpt_neox',
    ])
      expect(targetsOf(type, 'usual')?.peft, type).toEqual(theirs[type]);
  });
});
