import { strategyOf } from '../../engine/strategies/registry.ts';
import { createProblem } from '../../engine/problem.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../../engine/training-memory/allocator.ts';
import { heldCurve } from '../../engine/training-memory/held.ts';
import { USUAL_SETUP } from '../../engine/training-memory/setup.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import { type LoraCase, tuningOf } from './lora-case.ts';
import { planOf } from './plans.ts';

/** A small model with so many classes that the loss decides, and the tokens of a chunk; null for all scores at once. */
export interface ChunkedLossCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
  readonly chunk: number | null;
  readonly lora?: LoraCase;
}

export interface StepFigures {
  readonly keptBytes: number;
  readonly peakBytes: number;
}

const SIZES = {
  vocab_size: 4000,
  hidden_size: 128,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 256,
  max_position_embeddings: 256,
};
const LLAMA = { model_type: 'llama', ...SIZES, num_key_value_heads: 2 };
const GPT2 = {
  model_type: 'gpt2',
  vocab_size: 4000,
  n_embd: 128,
  n_layer: 2,
  n_head: 4,
  n_positions: 256,
  attn_pdrop: 0,
  resid_pdrop: 0,
  embd_pdrop: 0,
};
const LORA = { rank: 4, targets: null };

const MODELS: readonly (readonly [string, ConfigDocument, ChunkedLossCase['lora']?])[] = [
  ['llama', LLAMA],
  ['llama, tied', { ...LLAMA, tie_word_embeddings: true }],
  ['qwen2', { ...LLAMA, model_type: 'qwen2' }],
  ['gpt2', GPT2],
  ['llama, LoRA', LLAMA, LORA],
];

export const CHUNKED_LOSS_CASES: readonly ChunkedLossCase[] = MODELS.flatMap(([name, config, lora]) =>
  (['float32', 'bfloat16'] as const).flatMap((dtype) =>
    [null, 64, 256].map((chunk) => ({
      name: `${name}, ${dtype}, ${chunk === null ? 'all scores' : `chunks of ${chunk}`}`,
      config,
      batch: 2,
      length: 200,
      dtype,
      chunk,
      ...(lora === undefined ? {} : { lora }),
    })),
  ),
);

/** Bytes of a regular step without parameters: when the loss was computed, and at most. */
export function predictedStep({ config, batch, length, dtype, chunk, lora }: ChunkedLossCase): StepFigures {
  const graph = buildFromConfig(config, {
    batch,
    length,
    element: dtype === 'float32' ? 4 : 2,
    tuning: tuningOf(lora),
    lossTokens: chunk ?? undefined,
  });
  const problem = createProblem(graph, 'pytorch');
  const plan = planOf(strategyOf('regular'), problem);
  const precision = dtype === 'float32' ? 'fp32' : 'bf16';
  const { kinds, terms } = heldCurve(problem, plan.schedule, { ...USUAL_SETUP, precision });
  const bytes = kinds.map(
    (_, t) =>
      terms.activations[t]! +
      terms.gradients[t]! +
      terms.loss[t]! +
      terms.workspace[t]! -
      CUBLAS_WORKSPACE_BYTES,
  );
  return {
    keptBytes: bytes[kinds.indexOf('loss')]!,
    peakBytes: Math.max(...bytes.filter((_, t) => kinds[t] !== 'optimizer')),
  };
}
