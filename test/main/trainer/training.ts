import * as tf from '@tensorflow/tfjs-core';
import { expect } from 'vitest';
import { type Graph, predecessorsOf } from '../../../engine/graph/graph.ts';
import { BACKWARD, type Schedule } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem, StrategyOptions } from '../../../engine/strategies/strategy/strategy.ts';
import { syntheticData } from '../../../main/trainer/data/synthetic-data.ts';
import { Executor } from '../../../main/trainer/executor.ts';
import type { NaiveSwitches } from '../../../main/trainer/step-state.ts';
import { ParameterStore } from '../../../main/trainer/parameter-store.ts';
import { difference } from './run-kernel.ts';

/** Everything that a few iterations of training produce, on the host. */
export interface Training {
  readonly loss: number[];
  /** One list of live bytes an iteration. */
  readonly samples: number[][];
  /** Bytes in host memory, in the first iteration. */
  readonly host: number[];
  /** Parameter gradients of every iteration, then parameters and running statistics of the last. */
  readonly values: Float32Array[];
}

/** Trains on the current backend and leaves nothing there. */
export async function train(
  problem: Problem,
  schedule: Schedule,
  iterations: number,
  options: { readonly seed?: number; readonly naive?: NaiveSwitches } = {},
): Promise<Training> {
  const { seed = 5, naive = {} } = options;
  const { graph } = problem;
  const data = syntheticData(graph, seed);
  const before = tf.memory();
  const store = new ParameterStore(graph, seed);
  const executor = new Executor({ problem, schedule, store, seed, naive });
  const training: Training = { loss: [], samples: [], host: [], values: [] };
  const keep = async (tensors: readonly tf.Tensor[]): Promise<void> => {
    for (const tensor of tensors) training.values.push((await tensor.data<'float32'>()).slice());
  };
  for (let iteration = 0; iteration < iterations; iteration++) {
    const samples: number[] = [];
    const stationary = tf.memory().numBytes;
    training.loss.push(
      await executor.step(data.batch(iteration), iteration, {
        onSample: (_step, bytes, hostBytes) => {
          samples.push(bytes);
          if (iteration === 0) training.host.push(hostBytes);
        },
      }),
    );
    if (tf.memory().numBytes !== stationary) throw new Error('a step leaves tensors behind');
    training.samples.push(samples);
    for (let v = 1; v < graph.size; v++) await keep(store.gradientsOf(v));
    store.descend({ learningRate: 0.05, momentum: 0.9 });
  }
  for (let v = 1; v < graph.size; v++) {
    await keep(store.parametersOf(v));
    await keep(store.statisticsOf(v));
  }
  store.dispose();
  if (tf.memory().numBytes !== before.numBytes) throw new Error('training leaves bytes behind');
  if (tf.memory().numTensors !== before.numTensors) throw new Error('training leaves tensors behind');
  return training;
}

/** The schedule of a strategy, or null where it does not apply. */
export function scheduleOf(
  problem: Problem,
  strategy: string,
  { seed = 1, ...options }: Partial<StrategyOptions> = {},
): Schedule | null {
  const told = { seed, budgetBytes: 1e12, slots: 3, checkpoints: [], ...options };
  return solveRow(problem, strategy, told).schedule;
}

/** The live bytes that the simulator predicts. */
export function predictedBytes({ graph, memory }: Problem, schedule: Schedule): number[] {
  return Array.from(simulate(graph, memory, schedule).live);
}

/** The bytes in host memory that it predicts; none where a schedule sends nothing there. */
export function predictedHostBytes({ graph, memory }: Problem, schedule: Schedule): number[] {
  const { host, live } = simulate(graph, memory, schedule);
  return Array.from(host?.bytes ?? live.map(() => 0));
}

/**
 * True if two schedules add the parts of every gradient up in the same order, the first two parts of a
 * sum interchangeable. Only then can floating-point sums agree to the last bit.
 */
export function addsAlike(graph: Graph, a: Schedule, b: Schedule): boolean {
  const ordersOf = (schedule: Schedule): number[][] => {
    const orders: number[][] = Array.from({ length: graph.size }, () => []);
    for (const [t, v] of schedule.vertices.entries()) {
      if (schedule.kinds[t] !== BACKWARD) continue;
      for (const u of predecessorsOf(graph, v)) orders[u]?.push(v);
    }
    for (const order of orders) order.splice(0, 2, ...order.slice(0, 2).sort((x, y) => x - y));
    return orders;
  };
  return JSON.stringify(ordersOf(a)) === JSON.stringify(ordersOf(b));
}

/** The same values, to the bit where gradients are added alike; else equal up to rounding. */
export function expectValues(
  actual: readonly Float32Array[],
  expected: readonly Float32Array[],
  isAlike: boolean,
  label: string,
): void {
  if (isAlike) expect(actual, label).toEqual(expected);
  else
    for (const [i, values] of actual.entries())
      expect(difference(values, expected[i]!), label).toBeLessThan(1e-4);
}
