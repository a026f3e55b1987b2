import { randomUUID } from 'node:crypto';
import type { RunSource } from '../../app/contract/history.ts';
import type { RunContent } from '../../app/contract/recorded-run.ts';
import { emptyContent } from '../../app/contract/empty-content.ts';
import { afterEvent, isLast } from '../../app/contract/run-content.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { RunSnapshot, RunStore } from './run-store.ts';

export interface RecorderOptions {
  readonly id: string;
  readonly request: TrainRequest;
  readonly source: RunSource;
  /** Another id for the database, where it has this one already. */
  readonly spare?: string;
  /** The clock on the wall, for what people read. */
  readonly now: () => number;
  /** Milliseconds that only ever grow, for what is waited for: a clock may be set back. */
  readonly elapsed: () => number;
  /** When it was begun, by the clock; now when absent. */
  readonly begunMs?: number;
  /** What is known of a run that another process began to record. */
  readonly resumed?: ResumedRun;
  /** The database, or null while there is none. */
  readonly store: () => RunStore | null;
  /** Called with what kept a run from being written, and with null once one was. */
  readonly onProblem: (error: unknown) => void;
  readonly onBegun: (number: number) => void;
  /** Called when the end is written. */
  readonly onEnded: (number: number | null, recorder: RunRecorder) => void;
  /** Called when the end could not be written: it is tried again, as the disk may have room then. */
  readonly onUnwritten: (recorder: RunRecorder) => void;
}

export interface ResumedRun {
  readonly content: RunContent;
  /** Whether its last event was heard. */
  readonly sawLast: boolean;
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
  readonly #ids: readonly [string, string];
  #content: RunContent;
  #number: number | null = null;
  /** Whether it may be in the database although its number is not known: a failed write may have been done. */
  #isTried: boolean;
  #written = 0;
  /** Whether there is news that is not written. */
  #dirty: boolean;
  /** How it ended, and when; null while it goes on. */
  #last: Pick<RunSnapshot, 'outcome' | 'failure' | 'endedMs'> | null = null;
  #sawLast: boolean;
  /** When to write next, by the time that only grows. */
  #nextMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    const { id, spare = randomUUID(), resumed } = options;
    this.#options = options;
    this.#ids = [id, spare];
    this.#begunMs = options.begunMs ?? options.now();
    this.#content = resumed?.content ?? emptyContent();
    this.#sawLast = resumed?.sawLast ?? false;
    this.#isTried = resumed !== undefined;
    this.#dirty = resumed !== undefined;
    if (resumed !== undefined) this.#begin();
  }

  /** A run of which nothing was heard is not kept: it was refused. */
  take(event: TrainEvent): void {
    if (this.#last !== null) return;
    this.#content = afterEvent(this.#content, event);
    this.#sawLast ||= isLast(event);
    this.#dirty = true;
    if (this.#timer === undefined) {
      this.#begin();
    } else if (this.#options.elapsed() >= this.#nextMs) {
      this.#write();
    }
  }

  /** The end of the stream of events; the first end counts. */
  end(outcome: 'over' | 'cancelled' | 'failed', failure: string | null = null): void {
    if (this.#last !== null) return;
    const endedMs = this.#now();
    const isCut = outcome === 'over' && !this.#sawLast;
    if (isCut) this.#last = { outcome: 'failed', failure: 'The run ended before it was done.', endedMs };
    else this.#last = { outcome: outcome === 'over' ? 'done' : outcome, failure, endedMs };
    if (this.#timer === undefined) return;
    this.#dirty = true;
    if (!this.writeEnd()) this.#options.onUnwritten(this);
  }

  /** @returns whether the end is written now */
  writeEnd(): boolean {
    this.#write();
    return !this.#dirty;
  }

  /** Gives up its end. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** No run ends before it begins, whatever was done to the clock meanwhile. */
  #now(): number {
    return Math.max(this.#options.now(), this.#begunMs);
  }

  #begin(): void {
    this.#timer = setInterval(() => this.#beat(), WRITE_MS);
    this.#timer.unref();
    this.#write();
  }

  #beat(): void {
    const now = this.#options.elapsed();
    if (now >= this.#nextMs && (this.#dirty || now >= this.#nextMs + SEEN_MS)) this.#write();
  }

  #write(): void {
    const { elapsed, store, onProblem } = this.#options;
    const snapshot = {
      content: this.#content,
      ...(this.#last ?? { outcome: 'running' as const, failure: null, endedMs: null }),
      nowMs: this.#now(),
      owner: this.#last === null ? process.pid : null,
      written: this.#written,
    };
    try {
      const opened = store();
      if (opened === null) {
        this.#nextMs = elapsed() + PATIENCE_MS;
        return;
      }
      this.#save(opened, snapshot);
      this.#written = this.#content.iterationMs.length;
      this.#dirty = false;
      this.#nextMs = elapsed() + WRITE_MS;
      onProblem(null);
      if (this.#last === null) return;
      clearInterval(this.#timer);
      this.#options.onEnded(this.#number, this);
    } catch (error) {
      this.#nextMs = elapsed() + PATIENCE_MS;
      onProblem(error);
    }
  }

  #save(store: RunStore, snapshot: RunSnapshot): void {
    const { request, source, onBegun } = this.#options;
    if (this.#number === null && this.#isTried) {
      const [id, spare] = this.#ids;
      const begunMs = this.#begunMs;
      this.#number = store.find(spare, source, begunMs) ?? store.find(id, source, begunMs);
      if (this.#number !== null) onBegun(this.#number);
    }
    if (this.#number !== null && store.update(this.#number, request, snapshot)) return;
    // The name of a run is the client's choice, who may choose one twice.
    const [id, spare] = this.#ids;
    const free = store.has(id) ? spare : id;
    this.#isTried = true;
    this.#number = store.insert(
      { id: free, source, begunMs: this.#begunMs, request },
      { ...snapshot, written: 0 },
    );
    onBegun(this.#number);
  }
}

/** Passes a run's events on and has them written down. */
export async function* recorded(
  recorder: Pick<RunRecorder, 'take' | 'end'>,
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
