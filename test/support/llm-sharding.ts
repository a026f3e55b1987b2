import { createProblem } from '../../engine/problem.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../../engine/training-memory/allocator.ts';
import { heldCurve } from '../../engine/training-memory/held.ts';
import { USUAL_SETUP } from '../../engine/training-memory/setup.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import { measured } from './llm-cases.ts';
import { type LoraCase, tuningOf } from './lora-case.ts';
import { planOf } from './plans.ts';

/** A small model, and how `fully_shard` trains it. */
export interface ShardingCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly gpus: number;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
  /** Runs under gradient_checkpointing_enable of transformers. */
  readonly checkpointing: boolean;
  readonly lora?: LoraCase;
}

const SIZES = { vocab_size: 768, num_hidden_layers: 4, max_position_embeddings: 64 };
const LLAMA = {
  ...SIZES,
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 512,
};
const CONFIGS: Readonly<Record<string, ConfigDocument>> = {
  llama: LLAMA,
  'qwen3, tied': { ...LLAMA, model_type: 'qwen3', head_dim: 64, tie_word_embeddings: true },
  gpt2: {
    model_type: 'gpt2',
    vocab_size: 768,
    n_positions: 64,
    n_embd: 256,
    n_layer: 4,
    n_head: 4,
    attn_pdrop: 0,
    resid_pdrop: 0,
    embd_pdrop: 0,
  },
  'mistral, window': { ...LLAMA, model_type: 'mistral', sliding_window: 8 },
  gemma3: {
    ...LLAMA,
    model_type: 'gemma3_text',
    head_dim: 64,
    sliding_window: 8,
    sliding_window_pattern: 2,
  },
  phi3: { ...LLAMA, model_type: 'phi3', pad_token_id: 0 },
  mixtral: { ...LLAMA, model_type: 'mixtral', num_local_experts: 4, num_experts_per_tok: 2 },
};

const SETTINGS = [
  { gpus: 2, dtype: 'float32', checkpointing: false },
  { gpus: 2, dtype: 'bfloat16', checkpointing: false },
  { gpus: 8, dtype: 'float32', checkpointing: false },
  { gpus: 8, dtype: 'bfloat16', checkpointing: false },
  { gpus: 8, dtype: 'bfloat16', checkpointing: true },
] as const;

const WHOLE_CASES: readonly ShardingCase[] = Object.entries(CONFIGS).flatMap(([name, config]) =>
  SETTINGS.map((setting) => ({
    name: `${name}, ${setting.gpus} GPUs, ${setting.dtype}${setting.checkpointing ? ', gradient checkpointing' : ''}`,
    config,
    batch: 2,
    length: 24,
    ...setting,
  })),
);

/** Adapters of every product beside frozen weights. */
export const SHARDING_CASES: readonly ShardingCase[] = WHOLE_CASES.concat(
  WHOLE_CASES.filter(({ name }) => /^(llama|gpt2),/.test(name)).map((one) => ({
    ...one,
    name: `${one.name}, LoRA`,
    lora: { rank: 16, targets: 'all-linear' },
  })),
);

export const MAX_SHARD_DIFFERENCE = 0.03;

/** The most of forward and backward, as the tracker counts it: no loss, no allocator and no library. */
export function predictedShard({
  config,
  gpus,
  batch,
  length,
  dtype,
  checkpointing,
  lora,
}: ShardingCase): number {
  const isHalf = dtype === 'bfloat16';
  const graph = buildFromConfig(config, { batch, length, element: isHalf ? 2 : 4, tuning: tuningOf(lora) });
  const problem = createProblem(graph, 'pytorch');
  const strategy = strategyOf(checkpointing ? 'per-block' : 'regular');
  const plan = planOf(strategy, problem);
  const { kinds, totals, terms } = heldCurve(problem, plan.schedule, {
    ...USUAL_SETUP,
    precision: isHalf ? 'bf16' : 'fp32',
    optimizer: 'adamw',
    sharding: { gpus, way: 'fsdp2' },
  });
  const counted = kinds.map((kind, t) =>
    kind === 'forward' || kind === 'backward'
      ? totals[t]! - terms.loss[t]! - terms.rounding[t]! - CUBLAS_WORKSPACE_BYTES
      : 0,
  );
  return Math.max(...counted);
}

/** The same as FSDPMemTracker counts it, of each case. */
export const trackedShards = (python: string): readonly number[] =>
  measured<number>(SHARDING_CASES, python, 'torch_sharding.py');
