import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import {
  type TrainEvent,
  type TrainRequestInput,
  trainRequestSchema,
} from '../../../app/contract/training.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { createRng } from '../../../engine/rng.ts';
import { hasTransfers, type Schedule, SEND } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { syntheticData } from '../../../main/trainer/data/synthetic-data.ts';
import { Executor } from '../../../main/trainer/executor.ts';
import { ParameterStore } from '../../../main/trainer/parameter-store.ts';
import { runTraining } from '../../../main/trainer/run.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { offloadEverything } from '../../support/offload.ts';
import { randomNetwork } from '../../support/problems.ts';
import { randomSchedule, withHeldGradients, withTransfers } from '../../support/random-schedules.ts';
import {
  addsAlike,
  predictedBytes,
  predictedHostBytes,
  scheduleOf,
  train,
  expectValues,
} from './training.ts';

const NETWORKS = [
  ['tiny-residual', 8],
  ['tiny-dropout', 8],
  ['tiny-transformer-fused', 6],
  ['tiny-unet', 8],
] as const;

beforeAll(async () => {
  await cpuBackend.open();
  await wasmBackend.open();
});

const cases = [
  ...NETWORKS.map((network) => ['wasm', ...network] as const),
  ['cpu', 'tiny-transformer-fused', 6] as const,
];

test.each(cases)(
  '[M18] [M19] [M20] on %s, %s with every activation offloaded: bytes as predicted, gradients bit-identical',
  async (backend, model, input) => {
    await tf.setBackend(backend);
    const problem = createProblem(buildModel(model, { batch: 4, input }), 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const schedule = offloadEverything(problem, regular);
    expect(schedule.kinds.filter((kind) => kind === SEND).length).toBeGreaterThan(5);
    const expected = await train(problem, regular, 2);
    const actual = await train(problem, schedule, 2);
    for (const samples of actual.samples) expect(samples).toEqual(predictedBytes(problem, schedule));
    expect(Math.max(...actual.samples[0]!)).toBeLessThan(Math.max(...expected.samples[0]!));
    expect(actual.host).toEqual(predictedHostBytes(problem, schedule));
    expect(Math.max(...actual.host)).toBeGreaterThan(0);
    expect(actual.loss).toEqual(expected.loss);
    expect(actual.values).toEqual(expected.values);
  },
);

test('[M18] [M19] [M20] transfers anywhere in random schedules of random networks, in place and views among them', async () => {
  await tf.setBackend('wasm');
  const rng = createRng(2027);
  let offloaded = 0;
  let alike = 0;
  for (let i = 0; i < 60; i++) {
    const problem = createProblem(randomNetwork(rng, 4 + rng.below(14)), 'tfjs');
    const regular = scheduleOf(problem, 'regular')!;
    const plain = randomSchedule(rng, problem);
    const held = i % 3 === 0 ? withHeldGradients(rng, problem, plain) : plain;
    const schedule = withTransfers(rng, problem, held);
    if (hasTransfers(schedule)) offloaded++;
    const expected = await train(problem, regular, 1);
    const actual = await train(problem, schedule, 1);
    expect(actual.samples[0], `network ${i}`).toEqual(predictedBytes(problem, schedule));
    expect(actual.host, `network ${i}`).toEqual(predictedHostBytes(problem, schedule));
    expect(actual.loss, `network ${i}`).toEqual(expected.loss);
    const isAlike = addsAlike(problem.graph, regular, schedule);
    expectValues(actual.values, expected.values, isAlike, `network ${i}`);
    if (isAlike) alike++;
  }
  expect(offloaded).toBeGreaterThan(30);
  expect(alike).toBeGreaterThan(10);
});

test('a step cancelled between a send and its fetch leaks nothing, and the next is unaffected', async () => {
  await tf.setBackend('wasm');
  const problem = createProblem(buildModel('tiny-residual', { batch: 2, input: 8 }), 'tfjs');
  const schedule = offloadEverything(problem, scheduleOf(problem, 'regular')!);
  const before = tf.memory().numTensors;
  const firstSend = schedule.kinds.indexOf(SEND);
  const whole = await lossOf(problem, schedule, Number.POSITIVE_INFINITY);
  await expect(lossOf(problem, schedule, firstSend + 1)).rejects.toThrow('cancelled');
  expect(await lossOf(problem, schedule, Number.POSITIVE_INFINITY)).toBe(whole);
  expect(tf.memory().numTensors).toBe(before);
});

test('a plan file that sends and fetches is trained as any other plan', async () => {
  const problem = createProblem(buildModel('tiny-residual', { batch: 2, input: 8 }), 'tfjs');
  const schedule = offloadEverything(problem, scheduleOf(problem, 'regular')!);
  const { graph } = problem;
  const timeline = simulate(graph, problem.memory, schedule);
  const file = planFile(graph, { strategy: 'by hand', options: {}, checkpoints: [], schedule, timeline });
  expect(file.version).toBe(2);
  const request = { model: 'tiny-residual', batch: 2, input: 8, iterations: 2 };
  const planned = await run({ ...request, strategy: 'plan', plan: JSON.stringify(file) });
  const regular = await run({ ...request, strategy: 'regular' });
  const start = planned.find(({ event }) => event === 'start');
  const host = start?.event === 'start' ? start.timeline.host : undefined;
  expect(host?.perSample.map((bytes) => 2 * bytes)).toEqual(Array.from(timeline.host!.bytes));
  expect(planned.at(-1)).toMatchObject({
    predictedPeakBytes: timeline.peakBytes,
    measuredPeakBytes: timeline.peakBytes,
    loss: regular.at(-1)?.event === 'done' ? (regular.at(-1) as { loss: number[] }).loss : null,
  });
  const asOne = JSON.stringify({ ...file, version: 1 });
  await expect(run({ ...request, strategy: 'plan', plan: asOne })).rejects.toThrow(
    /send is a step of version 2, and the file says version 1/,
  );
});

async function run(request: TrainRequestInput): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  const emit = (event: TrainEvent): unknown => events.push(event);
  await runTraining(trainRequestSchema.parse(request), emit, supervised(), { backends: [wasmBackend] });
  return events;
}

/** The loss of one step that is cancelled after so many of the schedule's. */
async function lossOf(problem: Problem, schedule: Schedule, steps: number): Promise<number> {
  const abort = new AbortController();
  const store = new ParameterStore(problem.graph, 3);
  try {
    const supervision = supervised(abort.signal);
    const executor = new Executor({ problem, schedule, store, seed: 3, supervision });
    const onSample = (step: number): void => {
      if (step >= steps) abort.abort();
    };
    return await executor.step(syntheticData(problem.graph, 3).batch(0), 0, { onSample });
  } finally {
    store.dispose();
  }
}
