import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import { oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../../../engine/training-memory/allocator.ts';
import { heldCurve } from '../../../engine/training-memory/held.ts';
import { type Sharding, type TrainingSetup, USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { weightsOf } from '../../../engine/training-memory/weights.ts';
import { buildFromConfig } from '../../../engine/zoo/language/build.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, torchPythons } from '../../app/bridges/python.ts';

const SIZES = { vocab_size: 768, num_hidden_layers: 4, max_position_embeddings: 64 };
const LLAMA = {
  ...SIZES,
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 512,
};
const CONFIGS = {
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
};
const [batch, length] = [2, 24];
const CASES = Object.entries(CONFIGS).flatMap(([name, config]) =>
  (['float32', 'bfloat16'] as const).map((dtype) => ({ name, config, dtype, batch, length })),
);
const GPUS = [2, 8];

const sharded = (way: Sharding['way'], gpus = 4): TrainingSetup => ({
  ...USUAL_SETUP,
  optimizer: 'adamw',
  sharding: { gpus, way },
});

function curve(graph: Graph, setup: TrainingSetup) {
  const memory = memoryModel(graph, 'pytorch');
  const all = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const plan = { segments: [all], kept: new Uint8Array(graph.size), recomputeLast: false };
  return heldCurve({ graph, memory }, oneLevelSchedule(graph, memory, plan), setup);
}

/** The most of forward and backward, as the tracker counts it: no loss, no allocator and no library. */
function predictedPeak(graph: Graph, setup: TrainingSetup): number {
  const { kinds, totals, terms } = curve(graph, setup);
  const counted = kinds.map((kind, t) =>
    kind === 'forward' || kind === 'backward'
      ? totals[t]! - terms.loss[t]! - terms.rounding[t]! - CUBLAS_WORKSPACE_BYTES
      : 0,
  );
  return Math.max(...counted);
}

const { python, reason } = torchPythons()[1]!;

describe.skipIf(reason !== '')(`one rank of fully_shard${skippedFor(reason)}`, () => {
  const peaks = new Map<number, readonly { readonly peakBytes: number }[]>();
  beforeAll(() => {
    const script = join(process.cwd(), 'test', 'reference', 'torch_sharding.py');
    for (const gpus of GPUS) {
      const input = JSON.stringify({ gpus, cases: CASES });
      const run = spawnSync(python ?? '', [script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
      if (run.status !== 0) throw new Error(`torch_sharding.py: ${run.stderr || run.error}`);
      peaks.set(gpus, answerOf(run.stdout));
    }
  });

  it.each(GPUS.flatMap((gpus) => CASES.map((one, i) => [gpus, one.name, one.dtype, i] as const)))(
    'of %i holds what the tracker of PyTorch counts, within 3 %%: %s, %s',
    (gpus, _name, dtype, i) => {
      const element = dtype === 'float32' ? 4 : 2;
      const graph = buildFromConfig(CASES[i]!.config, { batch, length, element });
      const precision = element === 4 ? 'fp32' : 'bf16';
      const ours = predictedPeak(graph, { ...sharded('fsdp2', gpus), precision });
      expect(Math.abs(ours / peaks.get(gpus)![i]!.peakBytes - 1)).toBeLessThan(0.03);
    },
  );
});

describe('what ranks share', () => {
  const graph = buildFromConfig(LLAMA, { batch: 1, length: 24, element: 4 });
  const whole = weightsOf(graph, { ...USUAL_SETUP, optimizer: 'adamw' });

  it('is a quarter of each part that the way says, and everything else is whole', () => {
    const { weights, gradients, optimizer } = whole;
    const copies = weights;
    expect(weightsOf(graph, sharded('ddp'))).toMatchObject({ weights, gradients, optimizer });
    expect(weightsOf(graph, sharded('zero1'))).toMatchObject({
      weights,
      gradients,
      optimizer: (optimizer + copies) / 4,
    });
    expect(weightsOf(graph, sharded('zero2'))).toMatchObject({
      weights,
      gradients: gradients / 4,
      optimizer: (optimizer + copies) / 4,
    });
    expect(weightsOf(graph, sharded('zero3'))).toMatchObject({
      weights: weights / 4,
      gradients: gradients / 4,
    });
    const fsdp = weightsOf(graph, sharded('fsdp2'));
    expect(fsdp).toMatchObject({ weights: weights / 4, gradients: gradients / 4, optimizer: optimizer / 4 });
  });

  it('is beside buckets as large as all gradients under DDP', () => {
    const one = curve(graph, { ...USUAL_SETUP, optimizer: 'adamw' });
    const many = curve(graph, sharded('ddp'));
    const beside = Array.from(many.terms.workspace, (bytes, t) => bytes - one.terms.workspace[t]!);
    expect(new Set(beside)).toEqual(new Set([whole.gradients]));
  });

  it('is refused where there are no layers to share, and where one GPU is alone', () => {
    const chain = buildModel('tiny-residual', { batch: 1 });
    expect(() => curve(chain, sharded('fsdp2'))).toThrow('this network has none; use --shard ddp');
    expect(withoutEffect({ profile: 'pytorch', shard: 'zero1' }).shard).toContain('--gpus');
    expect(setupOf({ gpus: 8 }).sharding).toEqual({ gpus: 8, way: 'ddp' });
  });
});
