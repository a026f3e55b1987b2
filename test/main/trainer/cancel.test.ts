import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { type TrainEvent, trainRequestSchema } from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { createRng } from '../../../engine/rng.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { runTraining } from '../../../main/trainer/run.ts';
import { supervised } from '../../../main/trainer/supervision.ts';

/** Every phase that a run can have: costs, iterations, pairs, two batch sizes. */
const REQUEST = trainRequestSchema.parse({
  model: 'tiny-residual',
  batch: 2,
  input: 8,
  strategy: 'memory-poor',
  iterations: 2,
  measuredCosts: true,
  pairs: 1,
  batchDifference: true,
});

/** A signal that is aborted from the so-many-th time on that somebody asks. */
function abortedAfter(asked: number) {
  let count = 0;
  const { signal } = new AbortController();
  const counting = new Proxy(signal, {
    get(target, key) {
      if (key === 'aborted') return ++count > asked;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { signal: counting, count: () => count };
}

async function run(signal: AbortSignal): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  await runTraining(REQUEST, (event) => events.push(event), supervised(signal), { backends: [wasmBackend] });
  return events;
}

const lossesOf = (events: readonly TrainEvent[]): number[] =>
  events.flatMap((event) => (event.event === 'done' ? event.loss : []));

let asked = 0;
let losses: number[] = [];
beforeAll(async () => {
  const whole = abortedAfter(Number.POSITIVE_INFINITY);
  losses = lossesOf(await run(whole.signal));
  asked = whole.count();
});

test('a run can be cancelled at any step of any phase, leaks nothing, and does not affect the next run', async () => {
  expect(losses).toHaveLength(2);
  expect(asked).toBeGreaterThan(1000);
  const rng = createRng(7);
  const ended = new Set<string>();
  for (let i = 0; i < 24; i++) {
    const after = i === 0 ? 0 : rng.below(asked);
    const events: TrainEvent[] = [];
    const cancelled = runTraining(
      REQUEST,
      (event) => events.push(event),
      supervised(abortedAfter(after).signal),
      { backends: [wasmBackend] },
    );
    await expect(cancelled, `after ${after} of ${asked}`).rejects.toThrow(CancelledError);
    expect(tf.memory().numTensors, `after ${after} of ${asked}`).toBe(0);
    ended.add(events.filter(({ event }) => event !== 'steps').at(-1)?.event ?? 'nothing');
  }
  // Before the costs, after them, among iterations and pairs.
  expect(ended.size).toBeGreaterThan(2);
  expect(lossesOf(await run(new AbortController().signal))).toEqual(losses);
});
