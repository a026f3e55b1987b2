import { randomUUID } from 'node:crypto';
import {
  type Annotation,
  type History,
  type ImportedRuns,
  MAX_FILE_RUNS,
  type RunSource,
} from '../../app/contract/history.ts';
import type { RecordedRun } from '../../app/contract/recorded-run.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { BadInputError, CancelledError } from '../../engine/errors.ts';
import { type Database, loadLibsql, type OpenDatabase, sqliteCode } from './database.ts';
import { openHistoryFile } from './open-file.ts';
import { RunRecorder, recorded } from './recorder.ts';
import { type Bounds, RunStore } from './run-store.ts';
import { readRunsFile, writeRunsFile } from './runs-file.ts';
import { NewerSchemaError } from './schema.ts';

export interface HistoryOptions {
  readonly folder: string;
  /** Loads the database's library; may throw. */
  readonly load?: () => OpenDatabase;
  readonly now?: () => number;
  readonly bounds?: Bounds;
  readonly migrations?: readonly string[];
}

const BOUNDS: Bounds = { runs: MAX_FILE_RUNS, bytes: 256 * 1024 * 1024 };
/** A removed run can be restored for a day. */
const PURGE_MS = 24 * 3600 * 1000;
/** A process that records a run says so more often than this. */
const SILENCE_MS = 120_000;

/**
 * Every training run of this user, in a database in the user's data folder that is opened when it is first
 * needed. Where that fails the lab goes on without: `list` says why, in one sentence.
 */
export class RunHistory {
  readonly #options: HistoryOptions;
  readonly #now: () => number;
  #database: Database | null = null;
  #store: RunStore | null = null;
  #problem: string | null = null;
  #notice: string | null = null;
  /** Runs that this very process records. */
  readonly #recording = new Set<number>();

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Why runs are not kept just now, in one sentence; null when they are. */
  get problem(): string | null {
    return this.#problem;
  }

  list(): History {
    const { folder } = this.#options;
    const runs = this.#attempt((store) => {
      this.#markInterrupted(store);
      return store.list();
    });
    return { runs: runs ?? [], folder, problem: this.#problem, notice: this.#notice };
  }

  /** @throws BadInputError when there is no such run, or no history */
  open(id: string): RecordedRun {
    return this.#need((store) => this.#read(store, id));
  }

  remove(ids: readonly string[]): void {
    this.#need((store) => store.remove(ids, this.#now()));
  }

  restore(ids: readonly string[]): void {
    this.#need((store) => store.restore(ids));
  }

  annotate(annotation: Annotation): void {
    const found = this.#need((store) => store.annotate(annotation));
    if (!found) throw unknownRun();
  }

  /** Runs as the text of a file; see `writeRunsFile`. */
  exportRuns(ids: readonly string[]): string {
    const read = (store: RunStore) =>
      (function* (self: RunHistory) {
        for (const id of ids) yield self.#read(store, id);
      })(this);
    return this.#need((store) => writeRunsFile(read(store)));
  }

  /** @throws BadInputError when the file is not what it should be; then nothing of it is taken */
  importRuns(bytes: Uint8Array): ImportedRuns {
    const runs = readRunsFile(bytes);
    const added: string[] = [];
    const known: string[] = [];
    return this.#need((store) => {
      for (const run of runs) (store.add(run, this.#now()) ? added : known).push(run.id);
      return { added, known };
    });
  }

  recorder(request: TrainRequest, source: RunSource): RunRecorder {
    return new RunRecorder({
      id: request.run ?? randomUUID(),
      request,
      source,
      now: this.#now,
      store: () => this.#opened(),
      onProblem: (error) => {
        this.#problem = error === null ? null : this.#sentence(error);
      },
      onBegun: (number) => this.#recording.add(number),
      onEnded: (number) => number !== null && this.#recording.delete(number),
    });
  }

  /** Passes a run's events on, and keeps them; a failure to keep them never reaches the run. */
  record(
    request: TrainRequest,
    events: AsyncIterable<TrainEvent>,
    source: RunSource = 'lab',
  ): AsyncGenerator<TrainEvent, void, void> {
    const isCancelled = (error: unknown): boolean => error instanceof CancelledError;
    return recorded(this.recorder(request, source), events, isCancelled);
  }

  close(): void {
    try {
      // One sound file is left behind, and no journal.
      this.#database?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Another lab writes just now; the journal stays, and is as safe.
    }
    this.#database?.close();
    this.#database = null;
    this.#store = null;
  }

  /** Null where there is no history; `#problem` says why. */
  #opened(): RunStore | null {
    if (this.#store !== null) return this.#store;
    const { folder, load = loadLibsql, migrations, bounds = BOUNDS } = this.#options;
    try {
      const { database, notice } = openHistoryFile(folder, load(), migrations);
      const store = new RunStore(database, bounds);
      store.purge(this.#now() - PURGE_MS);
      this.#markInterrupted(store);
      this.#database = database;
      this.#store = store;
      this.#notice = notice;
      this.#problem = null;
      return store;
    } catch (error) {
      this.#problem = this.#sentence(error);
      return null;
    }
  }

  #attempt<T>(work: (store: RunStore) => T): T | null {
    const store = this.#opened();
    if (store === null) return null;
    try {
      return work(store);
    } catch (error) {
      if (error instanceof BadInputError) throw error;
      this.#problem = this.#sentence(error);
      return null;
    }
  }

  #need<T>(work: (store: RunStore) => T): T {
    const result = this.#attempt((store) => ({ value: work(store) }));
    if (result === null) throw new BadInputError(this.#problem ?? 'there is no history of runs');
    return result.value;
  }

  #read(store: RunStore, id: string): RecordedRun {
    const run = store.read(id);
    if (run === null) throw unknownRun();
    return run;
  }

  /** Runs whose process is gone, or fell silent. */
  #markInterrupted(store: RunStore): void {
    for (const { number, owner, seenMs } of store.unfinished()) {
      if (this.#recording.has(number)) continue;
      const isOurs = owner === null || owner === process.pid;
      if (isOurs || !isAlive(owner) || this.#now() - seenMs > SILENCE_MS) store.markInterrupted(number);
    }
  }

  #sentence(error: unknown): string {
    const { folder } = this.#options;
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof NewerSchemaError) {
      return (
        `The history of runs in ${folder} was written by a newer Zigzag, so runs are not kept: update ` +
        'Zigzag, or name another folder in ZIGZAG_DATA.'
      );
    }
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') {
      return 'Runs are not kept, because the database (libsql) cannot be loaded: install Zigzag again.';
    }
    if (sqliteCode(error) === 'SQLITE_FULL' || code === 'ENOSPC') {
      return `The disk of ${folder} is full, so runs are not kept now; training goes on. Free some space.`;
    }
    const why = error instanceof Error ? error.message : String(error);
    return `Runs cannot be kept in ${folder} now (${why}); training goes on. Check that the folder can be written.`;
  }
}

const unknownRun = (): BadInputError =>
  new BadInputError('this run is not in the history any more; choose another');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
