import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { totalParameters } from '../../engine/graph/graph.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import { runReference } from '../app/bridges/python.ts';
import { regularStep } from '../engine/zoo/regular-step.ts';

/** A small version of an architecture, and the size at which PyTorch and the prediction are compared. */
export interface LlmCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
}

/** One line of test/reference/torch_llm.py, or the same of the engine. */
export interface LlmFigures {
  readonly parameters: number;
  readonly savedBytes: number;
  readonly shape: readonly number[];
}

const SMALL = {
  vocab_size: 96,
  hidden_size: 32,
  num_hidden_layers: 3,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 64,
};

/** By name; each is tried fused and written out, in both types. */
const CONFIGS: Readonly<Record<string, ConfigDocument>> = {
  llama: { model_type: 'llama', ...SMALL },
  'llama, tied, with biases': {
    model_type: 'llama',
    ...SMALL,
    num_key_value_heads: 4,
    tie_word_embeddings: true,
    attention_bias: true,
    mlp_bias: true,
  },
  mistral: { model_type: 'mistral', ...SMALL, sliding_window: null },
  'mistral, window': { model_type: 'mistral', ...SMALL, head_dim: 16, sliding_window: 8 },
};

export const LLM_CASES: readonly LlmCase[] = Object.entries(CONFIGS).flatMap(([name, config]) =>
  (['sdpa', 'eager'] as const).flatMap((attention) =>
    (['float32', 'bfloat16'] as const).map((dtype) => ({
      name: `${name}, ${attention}, ${dtype}`,
      config: { attn_implementation: attention, ...config },
      batch: 2,
      length: 24,
      dtype,
    })),
  ),
);

export function predicted({ config, batch, length, dtype }: LlmCase): LlmFigures {
  const graph = buildFromConfig(config, { batch, length, element: dtype === 'float32' ? 4 : 2 });
  const shape = graph.shapes[graph.size - 1] ?? [];
  return { parameters: totalParameters(graph), savedBytes: regularStep(graph).savedBytes, shape };
}

/** PyTorch's own figures, all in one process. */
export function measured(cases: readonly LlmCase[], python: string | undefined): readonly LlmFigures[] {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-llm-'));
  try {
    const path = join(folder, 'cases.json');
    writeFileSync(path, JSON.stringify(cases));
    return JSON.parse(runReference('torch_llm.py', [path], 600_000, python).trim().split('\n').at(-1) ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
