import type { Steered, SteerRequest, TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { EventChannel } from '../host/event-channel.ts';
import { workerDied } from '../host/failure.ts';
import type { TrainerService } from '../host/services.ts';
import type { BackendChoice, TrainerMessage } from '../trainer/protocol.ts';
import { busy, errorOfTrainer } from './failure.ts';
import type { ProcessSpawner, TrainerProcess } from './process.ts';

export interface TrainerTimes {
  /** How long a cancelled run may take to stop before its process is killed. */
  readonly graceMs: number;
  /** How long a new process may take until it listens. */
  readonly startMs: number;
  /** How long a run may be silent before its process counts as hung. One kernel can be slow; this is not. */
  readonly silenceMs: number;
}

const TIMES: TrainerTimes = { graceMs: 3000, startMs: 60_000, silenceMs: 180_000 };

/** Longest delay of a timer; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SILENT = 'it stopped answering';

interface Run {
  readonly id: number;
  readonly request: TrainRequest;
  readonly events: EventChannel<TrainEvent>;
  /** Resolves when the process is free again, or gone. */
  readonly over: Promise<void>;
  readonly finish: () => void;
  /** True once the process knows of it. */
  sent: boolean;
  /** Last request, before or after the process knew of it. */
  paused: boolean;
  /** True between its cancellation and its end. */
  stopping: boolean;
}

/**
 * Training in another process, started at the first run and kept for the next. One run at a time: a second is refused
 * as BUSY. If the process dies, hangs or does not start, its run fails with WORKER_DIED, and the next run starts a new
 * process; also after an error after which the process cannot train again.
 */
export class TrainerClient implements TrainerService {
  readonly #spawn: ProcessSpawner;
  readonly #times: TrainerTimes;
  #process: TrainerProcess | null = null;
  #ready: Promise<void> = Promise.resolve();
  #announceReady: () => void = () => undefined;
  #run: Run | null = null;
  #lastId = 0;
  #isStale = false;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(spawn: ProcessSpawner, times: Partial<TrainerTimes> = {}) {
    this.#spawn = spawn;
    this.#times = { ...TIMES, ...times };
  }

  /** @param choice for a request without a backend, if another process has backends too */
  async *train(
    request: TrainRequest,
    signal?: AbortSignal,
    choice?: BackendChoice,
  ): AsyncGenerator<TrainEvent, void, void> {
    if (this.#run?.stopping === true) await this.settled();
    if (signal?.aborted) throw new CancelledError();
    if (this.#run !== null) throw busy();
    const run = this.#begin(request);
    const cancel = (): void => this.#cancel(run);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#ready.then(() => {
      if (this.#run !== run) return;
      run.sent = true;
      this.#expectWithin(this.#times.silenceMs, SILENT);
      const chosen = choice === undefined ? {} : { choice };
      this.#process?.send({ type: 'run', id: run.id, request, ...chosen });
      if (run.paused) this.#process?.send({ type: 'pause', id: run.id, paused: true });
    });
    try {
      yield* run.events;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async steerTraining({ run: name, paused }: SteerRequest): Promise<Steered> {
    const run = this.#run;
    if (run === null || run.stopping || run.request.run !== name) return { running: false };
    run.paused = paused;
    if (run.sent) {
      this.#expectWithin(this.#times.silenceMs, SILENT);
      this.#process?.send({ type: 'pause', id: run.id, paused });
    }
    return { running: true };
  }

  /** Resolves when no cancelled run is still ending: a new request waits for it instead of being refused. */
  async settled(): Promise<void> {
    while (this.#run?.stopping === true) await this.#run.over;
  }

  /** Gives the next run a new process, which finds newly installed backends; a current run continues. */
  renew(): void {
    this.#isStale = true;
    if (this.#run === null) this.#retire();
  }

  close(): Promise<void> {
    this.#drop(new CancelledError());
    return Promise.resolve();
  }

  #begin(request: TrainRequest): Run {
    let finish = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const events = new EventChannel<TrainEvent>(() => this.#cancel(run));
    const run: Run = {
      id: ++this.#lastId,
      request,
      events,
      over,
      finish,
      sent: false,
      paused: false,
      stopping: false,
    };
    this.#run = run;
    if (this.#process === null) this.#startProcess();
    this.#expectWithin(this.#times.startMs, 'it did not start in time');
    return run;
  }

  #startProcess(): void {
    const started = this.#spawn();
    this.#process = started;
    this.#isStale = false;
    this.#ready = new Promise((resolve) => {
      this.#announceReady = resolve;
    });
    started.onMessage((message) => {
      if (started === this.#process) this.#receive(message);
    });
    started.onExit((reason) => {
      if (started === this.#process) this.#drop(workerDied('trainer', reason));
    });
  }

  #receive(message: TrainerMessage): void {
    if (message.type === 'ready') {
      this.#announceReady();
      return;
    }
    const run = this.#run;
    if (run === null || message.id !== run.id) return;
    if (message.type === 'event') {
      if (!run.stopping) this.#watch(run, message.event);
      run.events.push(message.event);
      return;
    }
    if (message.type === 'patience') {
      if (!run.stopping)
        this.#expectWithin(Math.min(Math.max(message.ms, this.#times.silenceMs), LONGEST_TIMER_MS), SILENT);
      return;
    }
    if (message.type === 'end') run.events.end();
    else {
      run.events.fail(errorOfTrainer(message.failure));
      if (message.isBroken) this.#isStale = true;
    }
    this.#endRun(run);
  }

  #cancel(run: Run): void {
    run.events.fail(new CancelledError());
    if (this.#run !== run || run.stopping) return;
    if (!run.sent) {
      this.#endRun(run);
      return;
    }
    run.stopping = true;
    this.#process?.send({ type: 'cancel', id: run.id });
    this.#expectWithin(this.#times.graceMs, 'it did not stop in time');
  }

  /** A paused run sends nothing; any other message proves that the run is alive. */
  #watch(run: Run, event: TrainEvent): void {
    if (event.event === 'paused' && event.paused && run.paused) clearTimeout(this.#watchdog);
    else this.#expectWithin(this.#times.silenceMs, SILENT);
  }

  /** Kills the process unless this is called again, or the run ends, within the time. */
  #expectWithin(ms: number, otherwise: string): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#drop(workerDied('trainer', otherwise)), ms);
    this.#watchdog.unref();
  }

  #endRun(run: Run): void {
    clearTimeout(this.#watchdog);
    this.#run = null;
    if (this.#isStale) this.#retire();
    run.finish();
  }

  #retire(): void {
    const { process } = { process: this.#process };
    this.#process = null;
    process?.kill();
  }

  /** Ends the process and fails its run. */
  #drop(error: Error): void {
    const { process, run } = { process: this.#process, run: this.#run };
    this.#process = null;
    process?.kill();
    run?.events.fail(error);
    if (run !== null) this.#endRun(run);
  }
}
