import { createProblem } from '../../engine/problem.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../../engine/training-memory/allocator.ts';
import { heldCurve, type Instant } from '../../engine/training-memory/held.ts';
import { inPrecision } from '../../engine/training-memory/precision.ts';
import { USUAL_SETUP, weightBytes } from '../../engine/training-memory/setup.ts';
import { targetsOf } from '../../engine/zoo/language/adapters.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import { readLanguageModel } from '../../engine/zoo/language/model-types.ts';
import { LANGUAGE_CONFIGS } from '../../engine/zoo/language/models.ts';
import { type LoraCase, tuningOf } from './lora-case.ts';
import { planOf } from './plans.ts';

/** A step with AdamW, weights and activations of one type; adapters are float32. */
export interface PeakCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
  readonly lora?: LoraCase;
  /** Runs under gradient_checkpointing_enable of transformers. */
  readonly checkpointing?: true;
}

const GPT2: ConfigDocument = {
  model_type: 'gpt2',
  vocab_size: 50_257,
  n_embd: 768,
  n_layer: 12,
  n_head: 12,
  n_positions: 1024,
  attn_pdrop: 0,
  resid_pdrop: 0,
  embd_pdrop: 0,
};

function configOf(name: string): ConfigDocument {
  const found = LANGUAGE_CONFIGS.find(([own]) => own === name);
  if (found === undefined) throw new Error(`no language model is named ${name}`);
  return found[3];
}

/** The towers of openai/clip-vit-large-patch14, as their own files say it. */
const CLIP: ConfigDocument = {
  model_type: 'clip',
  text_config: configOf('clip-text-l-14'),
  vision_config: configOf('clip-vit-l-14'),
  projection_dim: 768,
};

/** google/siglip-base-patch16-224, which names its towers alone. */
const SIGLIP: ConfigDocument = {
  model_type: 'siglip',
  text_config: { model_type: 'siglip_text_model' },
  vision_config: { model_type: 'siglip_vision_model' },
};

/** They end in vectors, and their loss is not known. */
const HEADLESS = ['vit', 'clip_vision_model', 'siglip_vision_model', 'clip_text_model'];

type Row = readonly [name: string, batch: number, length: number, dtype: PeakCase['dtype']];

const caseOf = ([name, batch, length, dtype]: Row): PeakCase => {
  const config = name === 'gpt2' ? GPT2 : configOf(name);
  return { name: `${name}, ${batch} x ${length}, ${dtype}`, config, batch, length, dtype };
};

/** Cases that language-models.md compares with other calculators, in its order. */
export const COMPARED_CASES: readonly PeakCase[] = (
  [
    ['llama-3.2-1b', 1, 1024, 'float32'],
    ['llama-3.2-1b', 8, 2048, 'bfloat16'],
    ['gpt2', 8, 1024, 'float32'],
    ['llama-3.1-8b', 1, 1024, 'float32'],
    ['llama-3.1-8b', 1, 4096, 'bfloat16'],
    ['llama-3.1-8b', 8, 4096, 'bfloat16'],
    ['llama-3.1-70b', 1, 2048, 'bfloat16'],
    ['qwen2.5-7b', 1, 2048, 'bfloat16'],
    ['qwen3-8b', 2, 4096, 'bfloat16'],
    ['mistral-7b', 1, 8192, 'bfloat16'],
  ] satisfies Row[]
).map(caseOf);

/** PyTorch fuses attention on a CPU only where values are as wide as keys. */
const WRITTEN_OUT = /^deepseek/;

/** The other language models of the list, at a batch whose activations outweigh what the optimizer's step needs for most. */
const OTHER_CASES: readonly PeakCase[] = LANGUAGE_CONFIGS.filter(
  ([, , , config]) =>
    !COMPARED_CASES.some((one) => one.config === config) && !HEADLESS.includes(String(config['model_type'])),
).map(([name, , , config]) => {
  const one = caseOf([name, 8, Math.min(2048, readLanguageModel(config).positions), 'bfloat16']);
  if (!WRITTEN_OUT.test(name)) return one;
  return { ...one, name: `${one.name}, eager`, config: { ...config, attn_implementation: 'eager' } };
});

/** Adapters of the usual targets, and of all products. */
const LORA_CASES: readonly PeakCase[] = (
  [
    ['llama-3.1-8b', 1, 4096, 'bfloat16'],
    ['qwen2.5-7b', 1, 2048, 'bfloat16'],
    ['gemma-3-4b', 8, 2048, 'bfloat16'],
    ['phi-2', 8, 2048, 'bfloat16'],
    ['modernbert-base', 8, 2048, 'bfloat16'],
  ] satisfies Row[]
)
  .map(caseOf)
  .flatMap((one) =>
    ([null, 'all-linear'] as const)
      // peft has no usual targets for ModernBERT.
      .filter((targets) => targets !== null || !one.name.startsWith('modernbert'))
      .map((targets) => ({
        ...one,
        name: `${one.name}, LoRA ${targets ?? 'usual'}`,
        lora: { rank: 16, targets },
      })),
  );

/** Adapters of attention beside experts, and of experts too. */
const EXPERT_CASES: readonly PeakCase[] = (
  [
    ['mixtral-8x7b', 8, 2048, 'bfloat16'],
    ['qwen3-30b-a3b', 8, 2048, 'bfloat16'],
  ] satisfies Row[]
)
  .map(caseOf)
  .flatMap((one) =>
    (['attention', 'all-linear'] as const).map((which) => ({
      ...one,
      name: `${one.name}, LoRA ${which}`,
      lora: {
        rank: 16,
        targets: which === 'all-linear' ? which : targetsOf(String(one.config['model_type']), which)!.peft,
      },
    })),
  );

/** Transformers recomputes each layer in backward. */
const CHECKPOINTING_CASES: readonly PeakCase[] = [...COMPARED_CASES, ...LORA_CASES]
  .filter(({ name }) => /^(llama-3\.2-1b, 8|gpt2|qwen3-8b|llama-3\.1-8b, .* LoRA)/.test(name))
  .map((one) => ({ ...one, name: `${one.name}, gradient checkpointing`, checkpointing: true }));

/** Images beside texts, whose loss is cross entropy of the scores. */
const PAIR_CASES: readonly PeakCase[] = [
  { name: 'clip, 64 x 77, bfloat16', config: CLIP, batch: 64, length: 77, dtype: 'bfloat16' },
  { name: 'siglip, 64 x 64, float32', config: SIGLIP, batch: 64, length: 64, dtype: 'float32' },
];

export const PEAK_CASES: readonly PeakCase[] = [
  ...COMPARED_CASES,
  ...OTHER_CASES,
  ...LORA_CASES,
  ...EXPERT_CASES,
  ...PAIR_CASES,
  ...CHECKPOINTING_CASES,
];

export const INSTANTS = ['forward', 'loss', 'backward', 'optimizer'] as const satisfies Instant[];
/** Bytes of each instant at its highest. */
export type Peaks = Readonly<Record<Instant, number>>;
export const MAX_PEAK_DIFFERENCE = 0.02;

/** Memory of a step, without a context and cuBLAS's workspace. */
export function predictedPeaks({ config, batch, length, dtype, lora, checkpointing }: PeakCase): Peaks {
  const setup = {
    ...USUAL_SETUP,
    precision: dtype === 'float32' ? 'fp32' : 'bf16',
    optimizer: 'adamw',
  } as const;
  const element = weightBytes(setup.precision);
  const graph = buildFromConfig(config, { batch, length, element, tuning: tuningOf(lora) });
  const problem = createProblem(inPrecision(graph, setup.precision), 'pytorch');
  const strategy = strategyOf(checkpointing === true ? 'per-block' : 'regular');
  const plan = planOf(strategy, problem);
  const { kinds, totals } = heldCurve(problem, plan.schedule, setup);
  const peaks = { forward: 0, loss: 0, backward: 0, optimizer: 0 };
  kinds.forEach((kind, t) => {
    peaks[kind] = Math.max(peaks[kind], totals[t]! - CUBLAS_WORKSPACE_BYTES);
  });
  return peaks;
}

/** The instant of the highest peak. */
export const highest = (peaks: Peaks): Instant =>
  INSTANTS.reduce((best, one) => (peaks[one] > peaks[best] ? one : best));

/** Largest difference of the four peaks, as a share of those that were counted. */
export const peakDifference = (predicted: Peaks, counted: Peaks): number =>
  Math.max(...INSTANTS.map((one) => Math.abs(predicted[one] / counted[one] - 1)));
