import * as tf from '@tensorflow/tfjs-core';
import { CancelledError, InternalError } from '../../engine/errors.ts';
import {
  BACKWARD,
  describeStep,
  FETCH,
  FORWARD,
  FREE,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  SEND,
} from '../../engine/schedule/schedule.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { Batch } from './data/batch.ts';
import { executionShape } from './layout.ts';
import { type Loss, softmaxCrossEntropy } from './loss.ts';
import { Pace } from './pace.ts';
import { yieldToMessages } from './yield-to-messages.ts';
import { StepState, type StepStateOptions } from './step-state.ts';
import { supervised, type Supervision } from './supervision.ts';

/** Long enough for whole kernels, short enough for a cancel button. */
const YIELD_AFTER_MS = 20;

export interface ExecutorOptions extends StepStateOptions {
  readonly schedule: Schedule;
  /** Checked for failure after every step, if given. */
  readonly backend?: Pick<OpenBackend, 'check' | 'finish'>;
  readonly supervision?: Supervision;
}

export interface StepOptions {
  /** Step of the schedule, live bytes at the instant at which the simulator counts, and bytes that were sent to host memory. */
  readonly onSample?: (step: number, bytes: number, hostBytes: number) => void;
  /** Step of the schedule and how long it took, until the device had done it. */
  readonly onTime?: (step: number, ms: number) => void;
  /** Clock of `onTime` in milliseconds; the wall clock if absent. */
  readonly now?: () => number;
  /** Finished share of the iteration. */
  readonly onShare?: (share: number) => void;
}

/**
 * Executes the steps of a schedule on TensorFlow.js's current backend: it only decides order and lifetime. It reports
 * TensorFlow.js's own count minus stationary bytes; nothing is adjusted to the prediction.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #baseline: number;
  readonly #supervision: Supervision;
  readonly #pace: Pace;
  /** Steps after which a copy in host memory is no longer needed. */
  readonly #lastFetches: ReadonlySet<number>;
  /** Time of the last yield to messages; several iterations may fit between two yields. */
  #rested = performance.now();

  /** Allocate the parameter store first: its bytes are subtracted. */
  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#baseline = tf.memory().numBytes;
    this.#supervision = options.supervision ?? supervised();
    const finish = options.backend?.finish;
    this.#lastFetches = lastFetchesOf(options.schedule);
    this.#pace = new Pace(options.problem.graph, options.schedule, {
      announce: (ms) => this.#supervision.announce(ms),
      ...(finish === undefined ? {} : { finish }),
    });
  }

  /**
   * One forward and backward pass. Parameter gradients and running statistics are in the store
   * afterwards; parameters are not changed. Everything else is released, on failure too.
   *
   * @returns the mean loss of the batch
   * @throws CancelledError between two steps, OutOfMemoryError from the backend
   */
  async step(batch: Batch, iteration: number, options: StepOptions = {}): Promise<number> {
    const { problem, schedule, backend } = this.#options;
    const { gate, signal } = this.#supervision;
    const { graph } = problem;
    const target = graph.size - 1;
    const pace = this.#pace;
    const state = new StepState(this.#options, iteration);
    let loss: Loss | null = null;
    try {
      pace.begin();
      state.begin(tf.tensor(batch.inputs, executionShape(graph.shapes[0] ?? [])));
      for (let t = 0; t < schedule.kinds.length; t++) {
        if (gate.isPaused) await gate.hold(signal);
        if (signal.aborted) throw new CancelledError();
        // Sends messages before the kernel blocks the process.
        if (pace.before(t)) await yieldToMessages();
        const began = performance.now();
        const timed = options.now?.() ?? began;
        const v = schedule.vertices[t] ?? 0;
        const kind = schedule.kinds[t];
        if (kind === FORWARD) {
          state.forward(v);
          // The target may be freed before backward starts, so the loss is computed immediately.
          if (v === target && loss === null) loss = softmaxCrossEntropy(await state.read(v), batch.labels);
          this.#sample(t, state, options);
        } else if (kind === BACKWARD) {
          if (v === target && loss !== null) state.startBackward(loss.gradient);
          state.backward(v);
          this.#sample(t, state, options);
          state.releaseAfterBackward(v);
        } else {
          if (kind === FREE) state.free(v);
          else if (kind === HOLD_GRADIENT) state.holdGradient(v);
          else if (kind === FREE_GRADIENT) state.freeGradient(v);
          else if (kind === FETCH) state.fetch(v);
          else if (kind === SEND) {
            // This waits for the device's whole queue, so it announces the delay first.
            await pace.settle();
            await state.send(v);
          } else state.freeAux(v);
          this.#sample(t, state, options);
          if (this.#lastFetches.has(t)) state.releaseAfterFetch(v);
        }
        backend?.check();
        await pace.after(t, performance.now() - began);
        if (options.onTime !== undefined) {
          await pace.settle();
          options.onTime(t, (options.now?.() ?? performance.now()) - timed);
        }
        options.onShare?.(pace.share);
        if (performance.now() - this.#rested > YIELD_AFTER_MS) {
          await yieldToMessages();
          this.#rested = performance.now();
        }
      }
      if (loss === null)
        throw new InternalError(`${describeStep(graph, schedule, 0)}: no step reaches the target`);
      await pace.settle();
      options.onShare?.(1);
      return loss.value;
    } finally {
      state.dispose();
    }
  }

  #sample(t: number, state: StepState, options: StepOptions): void {
    options.onSample?.(t, tf.memory().numBytes - this.#baseline, state.hostBytes);
  }
}

function lastFetchesOf({ kinds, vertices }: Schedule): ReadonlySet<number> {
  const last = new Map<number, number>();
  for (const [t, kind] of kinds.entries()) if (kind === FETCH) last.set(vertices[t] ?? 0, t);
  return new Set(last.values());
}
