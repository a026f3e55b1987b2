import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, test } from 'vitest';
import {
  type TrainEvent,
  type TrainRequestInput,
  trainEventSchema,
  trainRequestSchema,
} from '../../../app/contract/training.ts';
import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { OutOfMemoryError } from '../../../main/trainer/errors.ts';
import { runTraining } from '../../../main/trainer/run.ts';
import { supervised } from '../../../main/trainer/supervision.ts';

const TINY: TrainRequestInput = {
  model: 'tiny-residual',
  batch: 4,
  input: 8,
  strategy: 'optimal',
  iterations: 2,
};

type Costs = Extract<TrainEvent, { event: 'costs' }>;
type Start = Extract<TrainEvent, { event: 'start' }>;
type Done = Extract<TrainEvent, { event: 'done' }>;

async function run(
  request: TrainRequestInput,
  onEvent: (event: TrainEvent) => void = () => undefined,
  signal = new AbortController().signal,
): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  const emit = (event: TrainEvent): void => {
    events.push(event);
    onEvent(event);
  };
  await runTraining(trainRequestSchema.parse(request), emit, supervised(signal), {
    backends: [wasmBackend, cpuBackend],
  });
  return events;
}

/** The samples of one iteration, put together from its batches. */
function samplesOf(events: readonly TrainEvent[], iteration: number): number[] {
  const samples: number[] = [];
  for (const event of events) {
    if (event.event !== 'steps' || event.iteration !== iteration) continue;
    expect(event.from).toBe(samples.length);
    samples.push(...event.bytes);
  }
  return samples;
}

function predictionOf({ timeline, batch }: Start): number[] {
  return timeline.live.perSample.map((bytes, i) => batch * bytes + timeline.live.fixed[i]!);
}

describe('a training run', () => {
  test('sends its events in order, each valid under the contract', async () => {
    const events = await run(TINY);
    for (const event of events) expect(trainEventSchema.parse(event)).toEqual(event);
    const order = events
      .map(({ event }) => event)
      .filter((event) => event !== 'steps' && event !== 'progress');
    expect(order).toEqual(['start', 'iteration', 'iteration', 'done']);
    const start = events[0] as Start;
    expect(start).toMatchObject({
      backend: 'wasm',
      model: 'tiny-residual',
      batch: 4,
      input: 8,
      iterations: 2,
    });
    expect(start.backendReason).toBe('using wasm');
    for (const iteration of [0, 1]) expect(samplesOf(events, iteration)).toEqual(predictionOf(start));
    const done = events.at(-1) as Done;
    expect(done.measuredPeakBytes).toBe(done.predictedPeakBytes);
    expect(done.measuredPeakBytes).toBe(Math.max(...predictionOf(start)));
    expect(done.loss).toHaveLength(2);
    expect(tf.memory().numTensors).toBe(0);
  });

  test('reports the device’s own count, and median and spread after warm-up', async () => {
    const events = await run({ ...TINY, iterations: 4 });
    const { stationaryBytes, predictedPeakBytes } = events[0] as Start;
    const reported = events.flatMap((event) => (event.event === 'iteration' ? [event.deviceBytes] : []));
    expect(reported).toHaveLength(4);
    // The heap holds temporaries too, never less than what lives in it.
    for (const bytes of reported) expect(bytes).toBeGreaterThanOrEqual(stationaryBytes + predictedPeakBytes);
    const { iterationMs, medianMs, quartilesMs } = events.at(-1) as Done;
    expect(medianMs).toBe([...iterationMs.slice(1)].sort((a, b) => a - b)[1]);
    expect(quartilesMs?.[0]).toBeLessThanOrEqual(medianMs!);
    expect(quartilesMs?.[1]).toBeGreaterThanOrEqual(medianMs!);
  });

  test('reports null without a count of the device, and after only a warm-up', async () => {
    const events = await run({ ...TINY, backend: 'cpu', iterations: 1 });
    expect(events.find(({ event }) => event === 'iteration')).toMatchObject({ deviceBytes: null });
    expect(events.at(-1)).toMatchObject({ medianMs: null, quartilesMs: null });
    expect(trainEventSchema.safeParse({ ...events.at(-1), quartilesMs: [1] }).success).toBe(false);
  });

  test('measures the overhead in pairs, and reports after every pair', async () => {
    const events = await run({ ...TINY, strategy: 'memory-poor', pairs: 2 });
    const { predictedOverhead } = events[0] as Start;
    const pairs = events.filter((event) => event.event === 'overhead');
    expect(pairs.map((event) => event.pairs)).toEqual([1, 2]);
    for (const event of pairs) {
      expect(trainEventSchema.parse(event)).toEqual(event);
      expect(event).toMatchObject({ predicted: predictedOverhead, planned: 2 });
    }
    expect(Number.isFinite(pairs.at(-1)?.measured)).toBe(true);
    expect(events.at(-1)?.event).toBe('done');
    expect(tf.memory().numTensors).toBe(0);
  });

  test('solves by measured times on request, and reports them', async () => {
    const request = { ...TINY, strategy: 'budget', budgetBytes: 110_000, measuredCosts: true, pairs: 1 };
    const events = await run(request);
    for (const event of events) expect(trainEventSchema.parse(event)).toEqual(event);
    const [costs, start] = events.filter(({ event }) => event !== 'progress') as [Costs, Start];
    expect([costs.event, start.event]).toEqual(['costs', 'start']);
    expect(costs.iterations).toBeGreaterThanOrEqual(3);
    for (const ms of [costs.forwardMs, costs.firstForwardMs!, costs.backwardMs]) {
      expect(ms).toHaveLength(start.ids.length);
      expect(ms[0]).toBe(0);
      expect(Math.min(...ms.slice(1))).toBeGreaterThan(0);
    }
    // The schedule recomputes what is said, weighed by time.
    const { kinds, vertices } = start.timeline;
    const forwards = new Map<number, number>();
    for (const [t, v] of vertices.entries()) {
      if (kinds[t] === FORWARD) forwards.set(v, (forwards.get(v) ?? 0) + 1);
    }
    let again = 0;
    for (const [v, times] of forwards) again += (times - 1) * costs.forwardMs[v]!;
    expect(again).toBeGreaterThan(0);
    expect(start.predictedOverheadMeasuredCosts).toBeGreaterThan(0);
    expect(start.predictedOverheadMeasuredCosts).toBeLessThanOrEqual(
      again / [...costs.firstForwardMs!, ...costs.backwardMs].reduce((sum, ms) => sum + ms, 0) + 1e-9,
    );
    expect(start.predictedPeakBytes).toBeLessThanOrEqual(110_000);
    for (const iteration of [0, 1]) expect(samplesOf(events, iteration)).toEqual(predictionOf(start));
    expect(events.find(({ event }) => event === 'overhead')).toMatchObject({
      predicted: start.predictedOverhead,
      predictedMeasuredCosts: start.predictedOverheadMeasuredCosts,
    });
    expect(tf.memory().numTensors).toBe(0);
  });

  test('measures with the schedule itself if no room exists for double forwards', async () => {
    const request = { ...TINY, strategy: 'optimal', measuredCosts: true };
    const { stationaryBytes, predictedPeakBytes } = (await run({ ...TINY }))[0] as Start;
    const events = await run({ ...request, memoryCapBytes: stationaryBytes + predictedPeakBytes });
    expect(events.at(-1)).toMatchObject({ event: 'done', measuredPeakBytes: predictedPeakBytes });
    // A slow machine tells of its progress first.
    expect(events.find(({ event }) => event !== 'progress')?.event).toBe('costs');
  });

  test('measures the memory of a sample with two batch sizes', async () => {
    const events = await run({ ...TINY, batch: 5, batchDifference: true });
    const start = events[0] as Start;
    const difference = events.find((event) => event.event === 'difference');
    expect(trainEventSchema.parse(difference)).toEqual(difference);
    const fixed = Math.max(...start.timeline.live.fixed);
    expect(difference?.batches).toEqual([2, 5]);
    expect(difference?.peakBytes[1]).toBe(start.predictedPeakBytes);
    // Fixed bytes are gone: the rest grows with every sample alike.
    expect(fixed).toBeGreaterThan(0);
    expect(difference?.perSampleBytes).toBe(difference?.predictedPerSampleBytes);
    expect(5 * difference!.perSampleBytes).toBeLessThan(start.predictedPeakBytes);
    expect(5 * difference!.perSampleBytes).toBeGreaterThanOrEqual(start.predictedPeakBytes - fixed);
    // The heap gives back what tensors leave, so it can tell; every tensor's worth of it, and temporaries.
    const [small, large] = difference!.deviceBytes;
    expect((large! - small!) / 3).toBeGreaterThanOrEqual(0.9 * difference!.perSampleBytes);
    expect(events.at(-1)?.event).toBe('done');
    expect(tf.memory().numTensors).toBe(0);
  });

  test('compares one sample with two, if there is room', async () => {
    const request = { ...TINY, batch: 1, batchDifference: true };
    const events = await run(request);
    expect(events.find(({ event }) => event === 'difference')).toMatchObject({ batches: [1, 2] });
    const { stationaryBytes, predictedPeakBytes } = events[0] as Start;
    await expect(run({ ...request, memoryCapBytes: stationaryBytes + predictedPeakBytes })).rejects.toThrow(
      /^one step of batch 2, for the difference of two batch sizes, needs /,
    );
  });

  test('refuses pairs whose regular half exceeds the cap, before it trains', async () => {
    const request = { ...TINY, strategy: 'memory-poor' };
    const { stationaryBytes, predictedPeakBytes } = (await run(request))[0] as Start;
    const capped = { ...request, memoryCapBytes: stationaryBytes + predictedPeakBytes };
    expect((await run(capped)).at(-1)?.event).toBe('done');
    const events: TrainEvent[] = [];
    const refused = run({ ...capped, pairs: 1 }, (event) => events.push(event));
    await expect(refused).rejects.toThrow(/^one regular step, against which pairs measure, needs /);
    expect(events).toEqual([]);
    expect(trainRequestSchema.safeParse({ ...TINY, pairs: 0 }).success).toBe(false);
  });

  test('stationary bytes are three copies of the parameters and the running statistics', async () => {
    const start = (await run({ ...TINY, model: 'chain-4' }))[0] as Start;
    expect(start.stationaryBytes).toBe(3 * 3 * 4 * (3 * 3 * 3 * 3 + 3));
  });

  test('refuses to exceed the cap, before it allocates anything', async () => {
    const events: TrainEvent[] = [];
    const capped = { ...TINY, memoryCapBytes: 500_000 };
    await expect(run(capped, (event) => events.push(event))).rejects.toThrow(OutOfMemoryError);
    await expect(run(capped)).rejects.toThrow(
      /^one step needs 5\d\d KiB, parameters and their gradients included, and the cap allows 488 KiB; choose /,
    );
    expect(events).toEqual([]);
    expect((await run({ ...TINY, memoryCapBytes: 600_000 })).at(-1)?.event).toBe('done');
  });

  test('refuses a run larger than this machine’s memory, before the cpu backend starts', async () => {
    const events: TrainEvent[] = [];
    const huge = { ...TINY, model: 'vgg16', batch: 65_536, input: 224, strategy: 'regular', backend: 'cpu' };
    await expect(run(huge as TrainRequestInput, (event) => events.push(event))).rejects.toThrow(
      /^one step needs 3\.\d+ TiB, .* the cpu backend allows \d+/,
    );
    expect(events).toEqual([]);
  });

  test.each([
    ['an unknown network', { ...TINY, model: 'tiny-residul' }, BadInputError, /tiny-residual/],
    ['an unknown strategy', { ...TINY, strategy: 'optimum' }, BadInputError, /optimal/],
    [
      'a strategy that does not apply',
      { ...TINY, strategy: 'linear-optimal' },
      InfeasibleError,
      /linear-optimal does not apply/,
    ],
    ['an input too small', { ...TINY, model: 'alexnet', input: 3 }, BadInputError, /3/],
    ['a backend that cannot run here', { ...TINY, backend: 'webgpu' as const }, BadInputError, /wasm, cpu/],
  ])('%s is one sentence', async (_what, request, type, sentence) => {
    await expect(run(request)).rejects.toThrow(type);
    await expect(run(request)).rejects.toThrow(sentence);
  });
});

test.each(STRATEGIES.map(({ name }) => name))(
  'resnet18 at 32x32, batch 8, is executed to the byte %s',
  async (strategy) => {
    const request = {
      model: 'resnet18',
      batch: 8,
      input: 32,
      strategy,
      iterations: 1,
      budgetBytes: 3_000_000,
    };
    try {
      const events = await run(request);
      const done = events.at(-1) as Done;
      expect(done.measuredPeakBytes).toBe(done.predictedPeakBytes);
      expect(samplesOf(events, 0)).toEqual(predictionOf(events[0] as Start));
    } catch (error) {
      if (!(error instanceof InfeasibleError || error instanceof BadInputError)) throw error;
      expect(error.message).toContain(strategy === 'manual' ? 'checkpoint' : strategy);
    }
  },
);

/** One network of every family at about its smallest size. */
test.each([
  ['alexnet', 63],
  ['resnet50', 32],
  ['densenet121', 32],
  ['inceptionv3', 75],
  ['nasnet', 8],
  ['amoebanet', 8],
  ['darts', 8],
  ['customnet', 8],
  ['tiny-dropout', 8],
])('every family of the zoo trains %s at side %i', async (model, input) => {
  const events = await run({ model, batch: 2, input, strategy: 'optimal', iterations: 1, dropout: 0.2 });
  expect(samplesOf(events, 0)).toEqual(predictionOf(events[0] as Start));
  expect((events.at(-1) as Done).loss[0]).toBeGreaterThan(0);
});
