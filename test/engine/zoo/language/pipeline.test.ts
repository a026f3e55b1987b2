import { describe, expect, it } from 'vitest';
import { setupOf } from '../../../../app/contract/training-setup.ts';
import { totalParameters } from '../../../../engine/graph/graph.ts';
import { inFlight, microBatchesInFlight } from '../../../../engine/training-memory/pipeline.ts';
import { setupText } from '../../../../engine/training-memory/setup.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { verdictOf } from '../../../../engine/training-memory/verdict.ts';
import { buildFromConfig } from '../../../../engine/zoo/language/build.ts';
import { rankShareOf } from '../../../../engine/zoo/language/share.ts';
import { planWithin } from '../../../../main/solver/device-budget.ts';
import { heldOf } from '../../../../main/solver/held.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';

const LLAMA = {
  model_type: 'llama',
  vocab_size: 97,
  hidden_size: 32,
  num_hidden_layers: 5,
  num_attention_heads: 4,
  intermediate_size: 64,
  max_position_embeddings: 64,
};
const build = (pipeline?: number, pipelineStage?: number, config: object = LLAMA, tensor?: number) =>
  buildFromConfig(
    { ...config },
    { batch: 2, length: 16, element: 4, share: rankShareOf({ pipeline, pipelineStage, tensor }) },
  );
const layersOf = (stage: number): number[] => [
  ...new Set(
    build(2, stage)
      .ids.flatMap((id) => /^layers\.(\d+)\./.exec(id)?.[1] ?? [])
      .map(Number),
  ),
];

describe('one pipeline stage', () => {
  it('has its layers; the first embeds tokens, the last scores them', () => {
    expect([layersOf(1), layersOf(2)]).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    const [first, last] = [build(2, 1), build(2, 2)];
    expect(first.ids[0]).toBe('tokens');
    expect(first.shapes.at(-1)).toEqual([2, 16, 32]);
    expect(last.ids.slice(0, 2)).toEqual(['received', 'hidden_states']);
    expect(last.shapes.at(-1)).toEqual([2, 16, 97]);
    expect(totalParameters(first) + totalParameters(last)).toBe(totalParameters(build()));
  });

  it('has a table of its own where the head shares that of the first', () => {
    const tied = { ...LLAMA, tie_word_embeddings: true };
    const both = totalParameters(build(2, 1, tied)) + totalParameters(build(2, 2, tied));
    expect(both).toBe(totalParameters(build(undefined, undefined, tied)) + 97 * 32);
  });

  it('sends back a gradient of what it received also where only adapters are trained', () => {
    const tuning = { rank: 4, targets: 'usual', isQuantised: false } as const;
    const share = rankShareOf({ pipeline: 2, pipelineStage: 2 });
    const { frozen, ids } = buildFromConfig(
      { ...LLAMA },
      { batch: 2, length: 16, element: 4, share, tuning },
    );
    const firstNorm = ids.indexOf('layers.3.input_layernorm');
    expect([...frozen!.outputs.slice(0, firstNorm + 1)]).toEqual([
      1,
      ...ids.slice(1, firstNorm + 1).map(() => 0),
    ]);
  });

  it('is split by tensor parallel too', () => {
    expect(build(2, 2, LLAMA, 2).shapes.at(-1)).toEqual([2, 16, 49]);
  });

  it.each([
    ['more stages than layers', 6, 1, LLAMA, 'use 5 stages or fewer'],
    ['a stage that is not there', 2, 3, LLAMA, 'use a stage from 1 to 2'],
    ['a stage of none', undefined, 2, LLAMA, 'set pipeline stages to 2'],
    ['a masked head', 2, 1, { ...LLAMA, model_type: 'bert' }, 'its head is for hidden tokens'],
    ['one vector', 2, 1, { ...LLAMA, model_type: 'clip_text_model' }, 'it makes one vector'],
  ] as const)('is refused for %s', (_what, stages, stage, config, message) => {
    expect(() => build(stages, stage, config)).toThrow(message);
  });
});

describe('micro-batches in flight', () => {
  it.each([
    ['1f1b', 1, 8, 4],
    ['1f1b', 3, 8, 2],
    ['1f1b', 4, 8, 1],
    ['1f1b', 1, 4, 4],
    ['gpipe', 1, 8, 8],
    ['gpipe', 4, 8, 8],
  ] as const)('under %s, stage %i of 4, %i micro-batches: %i', (schedule, stage, microBatches, count) => {
    expect(microBatchesInFlight({ stages: 4, stage, schedule, microBatches })).toBe(count);
  });

  const one = { input: 10, output: 7, kept: 100, keepsOutput: false, lossKept: 5, labels: 3 };
  it.each([
    ['first', '1f1b', 1, false, { forward: 3 * 90 + 70 + 7, backward: 3 * 90 + 70 }],
    ['middle', '1f1b', 2, false, { forward: 200 + 10 + 7, backward: 200 + 10 }],
    ['middle under DDP', '1f1b', 2, true, { forward: 200 + 14 + 10, backward: 200 + 14 + 10 }],
    ['last', '1f1b', 4, false, { forward: 21 + 10, backward: 21 + 10 }],
    ['middle', 'gpipe', 2, false, { forward: 700 + 49, backward: 700 }],
    ['last', 'gpipe', 4, false, { forward: 7 * 112 + 21, backward: 7 * 112 + 21 }],
  ] as const)('are counted by the %s stage under %s', (_what, schedule, stage, isReplicated, bytes) => {
    const pipeline = { stages: 4, stage, schedule, microBatches: 8 };
    expect(inFlight(pipeline, one, isReplicated)).toEqual(bytes);
  });
});

describe('a pipeline', () => {
  const usual = { profile: 'pytorch', dtype: 'float32', seed: 0, batch: 1, input: 64 } as const;
  const network = { ...usual, model: 'llama-3.2-1b', pipeline: 4, accumulate: 8 };
  const room = (memoryBytes: number) => ({ memoryBytes, contextBytes: 0 });

  it('needs what its fullest stage holds, whichever that is', () => {
    const memory = new SolverMemory();
    for (const asked of [network, { ...network, pipelineSchedule: 'gpipe' as const }]) {
      const needs = (pipelineStage?: number) => {
        const one = { ...asked, ...(pipelineStage === undefined ? {} : { pipelineStage }) };
        return verdictOf(heldOf(one, memory.plan(one, 'regular', NO_CONTROL), memory), 1, room(1))!;
      };
      const each = [1, 2, 3, 4].map((stage) => needs(stage).totalBytes);
      expect(needs().totalBytes).toBe(Math.max(...each));
      expect(needs().stage).toBe(1 + each.indexOf(Math.max(...each)));
    }
  });

  it('has a budget at which all its micro-batches fit', () => {
    const memory = new SolverMemory();
    const small = { ...network, input: 1024, pipelineStage: 1 };
    const regular = memory.plan(small, 'regular', NO_CONTROL);
    const needs = verdictOf(heldOf(small, regular, memory), 1, room(1))!;
    const other = needs.totalBytes - needs.terms.activations - needs.terms.inFlight;
    const within = room(other + (needs.terms.activations + needs.terms.inFlight) / 2);
    const { solved } = planWithin(small, 'chain-dp', within, memory, NO_CONTROL);
    expect(solved.plan.applicable).toBe(true);
    expect(verdictOf(heldOf(small, solved, memory), 1, within)!.fits).toBe(true);
  });

  it('says itself, and leaves the other GPUs to DDP', () => {
    const setup = setupOf({ pipeline: 2, gpus: 8, accumulate: 4, pipelineStage: 1 });
    expect(setup.sharding).toEqual({ gpus: 4, way: 'ddp' });
    expect(setupText(setup)).toContain('8 GPUs under stage 1 of a pipeline of 2 stages (1F1B) and DDP');
  });

  it.each([
    [{ gpus: 6 }, 'needs a multiple of 4 GPUs, and there are 6'],
    [{ gpus: 8, shard: 'fsdp2' }, 'FSDP2 is not counted with a pipeline'],
    [{ accumulate: 3 }, 'set accumulation to 4 or more'],
    [{ precision: 'amp-bf16' }, 'use fp32 or bf16'],
    [{ linkGBps: 12 }, 'leave the link out'],
    [{ pipeline: undefined, pipelineSchedule: 'gpipe' }, 'a pipeline schedule needs stages'],
  ] as const)('is refused with %o', (change, message) => {
    expect(() => new SolverMemory().setup({ ...network, ...change })).toThrow(message);
  });
});
