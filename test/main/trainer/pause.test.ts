import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, test, vi } from 'vitest';
import {
  type TrainEvent,
  type TrainRequestInput,
  trainRequestSchema,
} from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { SyntheticImages } from '../../../main/trainer/data/synthetic.ts';
import { Executor } from '../../../main/trainer/executor.ts';
import { PauseGate } from '../../../main/trainer/pause-gate.ts';
import { ParameterStore } from '../../../main/trainer/parameter-store.ts';
import { runTraining } from '../../../main/trainer/run.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { predictedBytes, scheduleOf } from './training.ts';

const REQUEST: TrainRequestInput = {
  model: 'tiny-dropout',
  batch: 4,
  input: 12,
  dropout: 0.3,
  strategy: 'optimal',
  iterations: 4,
};

/** A run whose gate is in the test's hand. */
function start(request: TrainRequestInput, onEvent: (event: TrainEvent, gate: PauseGate) => void) {
  const controller = new AbortController();
  const holds: boolean[] = [];
  const events: TrainEvent[] = [];
  const gate = new PauseGate((holding) => {
    holds.push(holding);
    if (holding) onHold();
  });
  let onHold = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    onHold = resolve;
  });
  const emit = (event: TrainEvent): void => {
    events.push(event);
    onEvent(event, gate);
  };
  const done = runTraining(
    trainRequestSchema.parse(request),
    emit,
    { signal: controller.signal, gate, announce: () => undefined },
    { backends: [wasmBackend] },
  );
  return { done, held, gate, controller, events, holds };
}

const lossOf = (events: readonly TrainEvent[]): unknown => events.find(({ event }) => event === 'done');

/** Lets everything happen that is about to happen. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

describe('a paused run', () => {
  test('stops at a step, and ends with the same losses', async () => {
    const plain = start(REQUEST, () => undefined);
    await plain.done;
    const paused = start(REQUEST, (event, gate) => {
      if (event.event === 'iteration' && event.iteration === 0) gate.setPaused(true);
    });
    await paused.held;
    const said = paused.events.length;
    const bytes = tf.memory().numBytes;
    await turns(100);
    expect(paused.events).toHaveLength(said);
    expect(tf.memory().numBytes).toBe(bytes);
    expect(paused.holds).toEqual([true]);
    paused.gate.setPaused(false);
    await paused.done;
    expect(paused.holds).toEqual([true, false]);
    const [a, b] = [lossOf(plain.events), lossOf(paused.events)] as { loss: number[] }[];
    expect(b?.loss).toHaveLength(4);
    expect(b?.loss).toEqual(a?.loss);
  });

  test('has a stopped clock', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const gate = new PauseGate();
    const before = gate.now();
    gate.setPaused(true);
    const held = gate.hold();
    vi.advanceTimersByTime(5000);
    gate.setPaused(false);
    await held;
    vi.advanceTimersByTime(7);
    expect(gate.now() - before).toBe(7);
    vi.useRealTimers();
  });

  test.each([0, 7, 40])('stops before step %i, within an iteration, with all live tensors', async (at) => {
    const problem = createProblem(buildModel('tiny-residual', { batch: 2, input: 8 }), 'tfjs');
    const schedule = scheduleOf(problem, 'memory-poor')!;
    const batch = new SyntheticImages(problem.graph.shapes[0]!, 10, 3).batch(0);
    const store = new ParameterStore(problem.graph, 3);
    const seen: number[] = [];
    let live = 0;
    const gate = new PauseGate((holding) => {
      if (!holding) return;
      live = tf.memory().numTensors;
      setImmediate(() => gate.setPaused(false));
    });
    const supervision = { ...supervised(), gate };
    const executor = new Executor({ problem, schedule, store, seed: 3, supervision });
    if (at === 0) gate.setPaused(true);
    const loss = await executor.step(batch, 0, {
      onSample: (step, bytes) => {
        seen.push(bytes);
        if (step === at - 1) gate.setPaused(true);
        // Held since the last step, with nothing lost meanwhile.
        if (step === at) expect(live).toBeGreaterThan(0);
      },
    });
    expect(seen).toEqual(predictedBytes(problem, schedule));
    expect(loss).toBe(await new Executor({ problem, schedule, store, seed: 3 }).step(batch, 0));
    store.dispose();
  });

  test('pauses even with very short iterations', async () => {
    await wasmBackend.open();
    const problem = createProblem(buildModel('tiny-residual', { batch: 1, input: 8 }), 'tfjs');
    const schedule = scheduleOf(problem, 'regular')!;
    const batch = new SyntheticImages(problem.graph.shapes[0]!, 10, 3).batch(0);
    const store = new ParameterStore(problem.graph, 3);
    const executor = new Executor({ problem, schedule, store, seed: 3 });
    let heard = false;
    setImmediate(() => {
      heard = true;
    });
    let iterations = 0;
    while (!heard && iterations < 1000) await executor.step(batch, iterations++);
    expect(heard).toBe(true);
    store.dispose();
  });

  test('can be paused again and again', async () => {
    const run = start({ ...REQUEST, iterations: 3 }, (event, gate) => {
      if (event.event !== 'iteration') return;
      gate.setPaused(true);
      setImmediate(() => gate.setPaused(false));
    });
    await run.done;
    expect(run.holds).toEqual([true, false, true, false]);
  });

  test('can be cancelled, and leaks nothing', async () => {
    const run = start(REQUEST, (event, gate) => {
      if (event.event === 'iteration') gate.setPaused(true);
    });
    await run.held;
    run.controller.abort();
    await expect(run.done).rejects.toThrow(CancelledError);
    expect(run.events.filter(({ event }) => event === 'iteration')).toHaveLength(1);
    expect(tf.memory().numTensors).toBe(0);
  });
});
