import { beforeAll, describe, expect, test } from 'vitest';
import { trainRequestSchema } from '../../../app/contract/training.ts';
import { InfeasibleError } from '../../../engine/errors.ts';
import { timedGraph } from '../../../engine/graph/timed-graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { predictedOverhead, simulate } from '../../../engine/simulate/simulate.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import type { OpenBackend } from '../../../main/trainer/backends/backend.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { SyntheticImages } from '../../../main/trainer/data/synthetic.ts';
import { largest, measureLargestBatch, type Trial } from '../../../main/trainer/largest-batch.ts';
import { measurePaired, quantile } from '../../../main/trainer/paired.ts';
import { measureStepTimes, overheadByTimes } from '../../../main/trainer/step-times.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { predictedBytes, scheduleOf } from './training.ts';

const graph = buildModel('tiny-residual', { batch: 4, input: 12 });
const problem = createProblem(graph, 'tfjs');
const data = new SyntheticImages(graph.shapes[0]!, 10, 1);
const regular = scheduleOf(problem, 'regular')!;
const poor = scheduleOf(problem, 'memory-poor')!;
const never = supervised();

let backend: OpenBackend;
beforeAll(async () => {
  backend = await wasmBackend.open();
});

test('times in pairs show the cost of recompute', async () => {
  const times = await measurePaired(problem, regular, poor, data, backend, { pairs: 3, warmUp: 1, seed: 1 });
  expect(times.regularMs).toHaveLength(3);
  expect(times.strategyMs).toHaveLength(3);
  // Several forwards for one: far above any noise.
  expect(times.overhead).toBeGreaterThan(0.3);
  expect(times.quartiles[0]).toBeLessThanOrEqual(times.quartiles[1]);
  expect(times.measuredPeakBytes).toBe(Math.max(...predictedBytes(problem, poor)));
});

test('quantiles interpolate', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([1, 2], 0.5)).toBe(1.5);
  expect(quantile([], 0.5)).toBe(0);
});

test('measured kernel times predict overhead, alone and as the cost model of a graph', async () => {
  const times = await measureStepTimes(problem, data, backend, { iterations: 2, seed: 1 });
  for (let v = 1; v < graph.size; v++) {
    expect(times.firstMs[v]).toBeGreaterThan(0);
    expect(times.againMs[v]).toBeGreaterThan(0);
    expect(times.backwardMs[v]).toBeGreaterThan(0);
  }
  expect(overheadByTimes(regular, times)).toBe(0);
  const overhead = overheadByTimes(poor, times);
  expect(overhead).toBeGreaterThan(0.1);
  const timed = timedGraph(graph, times);
  expect(predictedOverhead(simulate(timed, problem.memory, poor))).toBeCloseTo(overhead, 3);
});

describe('the largest batch', () => {
  test.each([0, 1, 2, 3, 7, 8, 9, 99, 100])('is found by doubling and bisection: %i', async (limit) => {
    const tried: number[] = [];
    const works = (value: number): Promise<boolean> => {
      tried.push(value);
      return Promise.resolve(value <= limit);
    };
    expect(await largest(works, 100)).toBe(limit);
    expect(tried.every((value) => value >= 1 && value <= 100)).toBe(true);
    expect(new Set(tried).size).toBe(tried.length);
    expect(tried.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(limit + 2)));
  });

  const request = trainRequestSchema.omit({ batch: true, iterations: true }).parse({
    model: 'chain-4',
    input: 16,
    strategy: 'regular',
    backend: 'wasm',
    memoryCapBytes: 100_000,
  });

  test('really ran below the cap, and the next would not fit', async () => {
    const trials: Trial[] = [];
    const options = { backends: [wasmBackend], onTrial: (trial: Trial) => trials.push(trial) };
    const batch = await measureLargestBatch(request, 65536, never, options);
    // 3 copies of 3 layers of 84 parameters; 3,072 bytes a sample and tensor, five of them at the peak.
    expect(batch).toBe(Math.floor((100_000 - 3 * 3 * 84 * 4) / (3072 * 5)));
    expect(trials.find((trial) => trial.batch === batch)?.ran).toBe(true);
    expect(trials.find((trial) => trial.batch === batch + 1)?.reason).toMatch(/the cap allows/);
  });

  test('is refused with the reason if not even one sample fits', async () => {
    const options = { backends: [wasmBackend] };
    const capped = { ...request, memoryCapBytes: 1000 };
    await expect(measureLargestBatch(capped, 10, never, options)).rejects.toThrow(InfeasibleError);
  });
});
