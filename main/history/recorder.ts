import { emptyContent } from '../../app/contract/empty-content.ts';
import type { RunContent } from '../../app/contract/recorded-run.ts';
import { afterEvent, INCOMPLETE, isLast } from '../../app/contract/run-content.ts';
import type { TrainEvent } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import type { RunState } from './run-store.ts';

export type NewRun = Pick<RunState, 'id' | 'spare' | 'source' | 'begunMs' | 'request'>;

/** Writes a run in its current state. @returns why it failed; null on success */
export type SaveRun = (run: RunState) => string | null | Promise<string | null>;

/** A killed process loses at most this much. */
const WRITE_MS = 1000;
/** Delay after a failed write, so that a full disk is not tried every second. */
const PATIENCE_MS = 10_000;
/** A paused run sends nothing, and must not count as dead. */
const SEEN_MS = 30_000;

/**
 * Writes one run as its events arrive, once a second and at its end. Each write holds the whole run, so the next one
 * makes up for a failed one.
 */
export class RunRecorder {
  readonly #run: NewRun;
  readonly #save: SaveRun;
  #content: RunContent = emptyContent();
  #sawLast = false;
  #hasNews = false;
  #isSaving = false;
  #last: Pick<RunState, 'outcome' | 'failure' | 'endedMs'> | null = null;
  #savedMs = 0;
  /** Earliest time of the next write, by a monotonic clock: the wall clock may be set back. */
  #patientUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: NewRun, save: SaveRun) {
    this.#run = run;
    this.#save = save;
  }

  /** A run without events is not stored: it was refused. */
  take(event: TrainEvent): void {
    if (this.#last !== null) return;
    this.#content = afterEvent(this.#content, event);
    this.#sawLast ||= isLast(event);
    this.#hasNews = true;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#beat(), WRITE_MS);
    this.#timer.unref();
    void this.#write();
  }

  /** Ends the stream of events; only the first end counts. Resolves when the end was written or refused. */
  async end(outcome: 'over' | 'cancelled' | 'failed', failure: string | null = null): Promise<void> {
    if (this.#last !== null) return;
    const endedMs = this.#now();
    const isCut = outcome === 'over' && !this.#sawLast;
    this.#last = isCut
      ? { outcome: 'failed', failure: INCOMPLETE, endedMs }
      : { outcome: outcome === 'over' ? 'done' : outcome, failure, endedMs };
    clearInterval(this.#timer);
    if (this.#timer !== undefined) await this.#write();
  }

  /** Writes the run to a new process or folder, including a write that is still unanswered. */
  renew(): void {
    if (this.#last === null && this.#timer !== undefined && !this.#isSaving) void this.#write();
  }

  /** A run never ends before its start, even if the clock was changed. */
  #now(): number {
    return Math.max(Date.now(), this.#run.begunMs);
  }

  #beat(): void {
    const now = performance.now();
    if (this.#isSaving || now < this.#patientUntilMs) return;
    if (this.#hasNews || now >= this.#savedMs + SEEN_MS) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isSaving = true;
    this.#hasNews = false;
    const goesOn = { outcome: 'running', failure: null, endedMs: null } as const;
    const state = { ...this.#run, content: this.#content, ...(this.#last ?? goesOn), nowMs: this.#now() };
    const problem = await this.#save(state);
    this.#isSaving = false;
    this.#savedMs = performance.now();
    if (problem === null) return;
    this.#hasNews = true;
    this.#patientUntilMs = this.#savedMs + PATIENCE_MS;
  }
}

/** Passes a run's events on and records them. */
export async function* recorded(
  recorder: RunRecorder,
  events: AsyncIterable<TrainEvent>,
): AsyncGenerator<TrainEvent, void, void> {
  try {
    for await (const event of events) {
      recorder.take(event);
      yield event;
    }
    void recorder.end('over');
  } catch (error) {
    if (error instanceof CancelledError) void recorder.end('cancelled');
    else void recorder.end('failed', error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    // The listener left.
    void recorder.end('cancelled');
  }
}
