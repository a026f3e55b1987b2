import { randomUUID } from 'node:crypto';
import type { RunSource } from '../../app/contract/history.ts';
import type { RunContent, RunOutcome } from '../../app/contract/recorded-run.ts';
import { emptyContent } from '../../app/contract/empty-content.ts';
import { afterEvent, isLast } from '../../app/contract/run-content.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { RunStore } from './run-store.ts';

export interface RecorderOptions {
  readonly id: string;
  readonly request: TrainRequest;
  readonly source: RunSource;
  readonly now: () => number;
  /** The database, or null while there is none. */
  readonly store: () => RunStore | null;
  /** Called with what kept a run from being written, and with null once one was. */
  readonly onProblem: (error: unknown) => void;
  readonly onBegun: (number: number) => void;
  readonly onEnded: (number: number | null) => void;
}

/** What a killed process loses at most. */
const WRITE_MS = 1000;
/** After a write that failed: a full disk is not asked every second. */
const PATIENCE_MS = 10_000;
/** A run that holds says nothing, and must not be taken for dead. */
const SEEN_MS = 30_000;

/**
 * Writes one run down as its events pass by, once a second and at its end. A failure to write never
 * reaches the run: it is reported, and the next write brings what this one did not.
 */
export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #begunMs: number;
  #content: RunContent = emptyContent();
  #number: number | null = null;
  #written = 0;
  #dirty = false;
  #ended = false;
  #sawLast = false;
  #nextMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#begunMs = options.now();
  }

  /** A run of which nothing was heard is not kept: it was refused. */
  take(event: TrainEvent): void {
    if (this.#ended) return;
    this.#content = afterEvent(this.#content, event);
    this.#sawLast ||= isLast(event);
    this.#dirty = true;
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#beat(), WRITE_MS);
      this.#timer.unref();
      this.#write('running', null);
    } else if (this.#options.now() >= this.#nextMs) {
      this.#write('running', null);
    }
  }

  /** The end of the stream of events; the first end counts. */
  end(outcome: 'over' | 'cancelled' | 'failed', failure: string | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    if (outcome !== 'over') this.#write(outcome, failure);
    else if (this.#sawLast) this.#write('done', null);
    else this.#write('failed', 'The run ended before it was done.');
    this.#options.onEnded(this.#number);
  }

  #beat(): void {
    const now = this.#options.now();
    if (now >= this.#nextMs && (this.#dirty || now >= this.#nextMs + SEEN_MS)) this.#write('running', null);
  }

  #write(outcome: RunOutcome, failure: string | null): void {
    const { id, request, source, now, store, onProblem, onBegun } = this.#options;
    const nowMs = now();
    const isRunning = outcome === 'running';
    const snapshot = {
      content: this.#content,
      outcome,
      failure,
      endedMs: isRunning ? null : nowMs,
      nowMs,
      owner: isRunning ? process.pid : null,
      written: this.#written,
    };
    try {
      const opened = store();
      if (opened === null) return;
      if (this.#number === null) {
        // The name of a run is the client's choice, who may choose one twice.
        const free = opened.has(id) ? randomUUID() : id;
        this.#number = opened.insert({ id: free, source, begunMs: this.#begunMs, request }, snapshot);
        onBegun(this.#number);
      } else {
        opened.update(this.#number, request, snapshot);
      }
      this.#written = this.#content.iterationMs.length;
      this.#dirty = false;
      this.#nextMs = nowMs + WRITE_MS;
      onProblem(null);
    } catch (error) {
      this.#nextMs = nowMs + PATIENCE_MS;
      onProblem(error);
    }
  }
}

/** Passes a run's events on and has them written down. */
export async function* recorded(
  recorder: RunRecorder,
  events: AsyncIterable<TrainEvent>,
  isCancelled: (error: unknown) => boolean,
): AsyncGenerator<TrainEvent, void, void> {
  try {
    for await (const event of events) {
      recorder.take(event);
      yield event;
    }
    recorder.end('over');
  } catch (error) {
    if (isCancelled(error)) recorder.end('cancelled');
    else recorder.end('failed', error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    // Who listens has left.
    recorder.end('cancelled');
  }
}
