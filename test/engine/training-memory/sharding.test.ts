import { beforeAll, describe, expect, it } from 'vitest';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import { oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { heldCurve } from '../../../engine/training-memory/held.ts';
import { type Sharding, type TrainingSetup, USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { weightsOf } from '../../../engine/training-memory/weights.ts';
import { buildFromConfig } from '../../../engine/zoo/language/build.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { skippedFor } from '../../support/skipped.ts';
import {
  MAX_SHARD_DIFFERENCE,
  predictedShard,
  SHARDING_CASES,
  trackedShards,
} from '../../support/llm-sharding.ts';
import { torchPythons } from '../../app/bridges/python.ts';

const LLAMA = {
  vocab_size: 768,
  num_hidden_layers: 4,
  max_position_embeddings: 64,
  model_type: 'llama',
  hidden_size: 256,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 512,
};
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

const { python, reason } = torchPythons()[1]!;

describe.skipIf(reason !== '')(`one rank of fully_shard${skippedFor(reason)}`, () => {
  let tracked: readonly number[] = [];
  beforeAll(() => {
    tracked = trackedShards(python ?? '');
  });

  it.each(SHARDING_CASES.map((one, i) => ({ ...one, i })))(
    'holds what the tracker of PyTorch counts, within 3 %: $name',
    (one) => {
      expect(Math.abs(predictedShard(one) / tracked[one.i]! - 1)).toBeLessThan(MAX_SHARD_DIFFERENCE);
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
