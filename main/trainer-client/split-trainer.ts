import { type Backend, TRIED_BACKENDS } from '../../app/contract/backends.ts';
import type { Steered, SteerRequest, TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { LabFailure } from '../host/failure.ts';
import type { TrainerService } from '../host/services.ts';
import type { TrainerClient } from './client.ts';
import { busy, NoBackendFailure } from './failure.ts';

/** Place of a desktop backend. */
type Place = 'process' | 'window';

interface Attempt {
  readonly backend: Backend;
  readonly onlyGpu: boolean;
}

/** Any GPU backend comes before any processor. */
const GPU_FIRST: readonly Attempt[] = TRIED_BACKENDS.map((backend) => ({
  backend,
  onlyGpu: backend !== 'wasm',
}));

interface Run {
  readonly request: TrainRequest;
  /** Last request. */
  steered: SteerRequest | null;
}

function placeOf(backend: Backend): Place {
  return backend === 'webgpu' ? 'window' : 'process';
}

/**
 * Training on the desktop: one service over two kinds of process, chosen by backend. A request without a backend tries
 * one process after the other until one works, and carries the reasons of failures along. A process that dies in the
 * attempt counts as failed and is not tried again automatically. One run at a time in total.
 */
export class SplitTrainer implements TrainerService {
  readonly #clients: Readonly<Record<Place, TrainerClient>>;
  /** Why a process died when its backend was tried. */
  readonly #died = new Map<Backend, string>();
  #run: Run | null = null;

  constructor(clients: Readonly<Record<Place, TrainerClient>>) {
    this.#clients = clients;
  }

  async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent, void, void> {
    await Promise.all(Object.values(this.#clients).map((client) => client.settled()));
    if (signal?.aborted) throw new CancelledError();
    if (this.#run !== null) throw busy();
    const run: Run = { request, steered: null };
    this.#run = run;
    try {
      if (request.backend === undefined) yield* this.#tryAll(run, signal);
      else yield* this.#trainOn(request.backend, request, signal);
    } finally {
      this.#run = null;
    }
  }

  async steerTraining(request: SteerRequest): Promise<Steered> {
    if (this.#run === null || this.#run.request.run !== request.run) return { running: false };
    this.#run.steered = request;
    for (const client of Object.values(this.#clients)) void client.steerTraining(request);
    return { running: true };
  }

  /** Looks for backends again at the next run. */
  renew(): void {
    this.#died.clear();
    for (const client of Object.values(this.#clients)) client.renew();
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#clients).map((client) => client.close()));
  }

  async *#trainOn(
    backend: Backend,
    request: TrainRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<TrainEvent, void, void> {
    for await (const event of this.#clients[placeOf(backend)].train(request, signal)) {
      this.#died.delete(backend);
      yield event;
    }
  }

  async *#tryAll(run: Run, signal?: AbortSignal): AsyncGenerator<TrainEvent, void, void> {
    const { request } = run;
    let skipped: readonly string[] = [];
    const attempts = [...GPU_FIRST];
    for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) {
      const { backend, onlyGpu } = attempt;
      const known = this.#obstacle(backend, request);
      if (known !== null) {
        skipped = [...skipped, `${backend}: ${known}`];
        continue;
      }
      let hasBegun = false;
      try {
        const client = this.#clients[placeOf(backend)];
        for await (const event of client.train(request, signal, { among: [backend], skipped, onlyGpu })) {
          // Request made while another process was tried.
          if (!hasBegun && run.steered !== null) void client.steerTraining(run.steered);
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        const reasons = hasBegun || attempts.length === 0 ? null : this.#reasonsOf(error, backend, skipped);
        if (reasons === null) throw error;
        skipped = reasons;
        const works = error instanceof NoBackendFailure ? error.onProcessor : null;
        // Comes before `wasm`, which every process has, and after all that may have a GPU.
        if (works !== null) attempts.splice(attempts.length - 1, 0, { backend: works, onlyGpu: false });
      }
    }
  }

  /** Reasons why this backend and earlier ones were skipped; null for any other error. */
  #reasonsOf(error: unknown, backend: Backend, skipped: readonly string[]): readonly string[] | null {
    if (error instanceof NoBackendFailure) return error.skipped;
    if (!(error instanceof LabFailure) || error.failure.code !== 'WORKER_DIED') return null;
    const { reason } = error.failure.data;
    this.#died.set(backend, `${reason} when it was tried; name it to try again`);
    return [...skipped, `${backend}: ${reason}`];
  }

  /** Why a backend is not tried. */
  #obstacle(backend: Backend, request: TrainRequest): string | null {
    if (placeOf(backend) === 'window' && request.dataFolder !== undefined)
      return 'its window reads no folders';
    return this.#died.get(backend) ?? null;
  }
}
