import { existsSync } from 'node:fs';
import {
  type Annotation,
  type ExportedRuns,
  type History,
  type ImportedRuns,
  MAX_FILE_RUNS,
} from '../../app/contract/history.ts';
import type { RecordedRun } from '../../app/contract/recorded-run.ts';
import { BadInputError } from '../../engine/errors.ts';
import { copyDatabase, tryFolder, unusable } from './copy.ts';
import { type Database, isDamage, loadLibsql, type OpenDatabase, sqliteCode } from './database.ts';
import { fileIdentity, historyFile, openHistoryFile } from './open-file.ts';
import { type Bounds, DamagedRunError, type RunState, RunStore } from './run-store.ts';
import { runsInFile, writeRunsFile } from './runs-file.ts';
import { NewerSchemaError } from './schema.ts';

export interface HistoryOptions {
  readonly folder: string;
  /** A missing folder is not created: its disk may be unplugged. */
  readonly mustExist?: boolean;
  /** Loads the database's library; may throw. */
  readonly load?: () => OpenDatabase;
  /** Wall clock, for displayed times and for the day that a removed run is kept. */
  readonly now?: () => number;
  /** Monotonic milliseconds, for everything else. */
  readonly elapsed?: () => number;
  readonly bounds?: Bounds;
  readonly migrations?: readonly string[];
}

const BOUNDS: Bounds = { runs: MAX_FILE_RUNS, bytes: 256 * 1024 * 1024 };
/** A removed run can be restored for a day. */
const PURGE_MS = 24 * 3600 * 1000;
/** Longer than the interval at which a recording process writes its run. */
const SILENCE_MS = 120_000;
/** Most runs that wait in memory for free disk space. */
const MAX_UNWRITTEN = 32;

/**
 * Every training run of this user: one SQLite file in the user's data folder with a row per run and a row per
 * iteration, opened on first use. If that fails, the lab works without it, and `list` returns the reason in one
 * sentence.
 *
 * - SQLite: each write is one transaction with a rollback journal, so an acknowledged run is in the file itself;
 *   several labs wait for each other; `quick_check` finds a damaged file; one statement finds the runs beyond the
 *   bounds; its JSON functions split a file of runs (`run-store.ts`, `runs-file.ts`).
 * - This code: checksums that find a damaged row (`run-row.ts`), setting a damaged file aside by one lab at a time and
 *   upgrading old schemas (`open-file.ts`, `schema.ts`), and messages to the user.
 * - One process owns the database (`serve-history.ts`), because a native library may abort. All its state is in the
 *   file: the host folds a run's events and saves the whole run once a second (`recorder.ts`), and repeats open
 *   requests to a new process after a crash (`client.ts`).
 */
export class RunHistory {
  readonly #options: HistoryOptions;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  #database: Database | null = null;
  #store: RunStore | null = null;
  #problem: string | null = null;
  #notice: string | null = null;
  /** Identity of the open file: another lab may set it aside. */
  #identity: string | null = null;
  /** Numbers of the runs that this process writes. */
  readonly #recording = new Set<number>();
  /** Ended runs that could not be written, as on a full disk, by their spare ids. */
  readonly #unwritten = new Map<string, RunState>();
  /**
   * Last sign of life of each run of another process, by that process's clock, and since when it has not changed, by
   * ours.
   */
  readonly #watched = new Map<number, { readonly seenMs: number; readonly since: number }>();

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
  }

  /** One sentence on why runs are not stored now; null if they are. */
  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Writes a run in its current state. An ended run that cannot be written is kept in memory and tried again at the
   * next `list`.
   *
   * @returns one sentence on why it failed; null on success
   */
  save(run: RunState): string | null {
    this.#unwritten.delete(run.spare);
    const isOver = run.outcome !== 'running';
    try {
      const number = this.#opened()?.save(run);
      if (number !== undefined) {
        if (isOver) this.#recording.delete(number);
        else this.#recording.add(number);
        this.#problem = null;
        return null;
      }
    } catch (error) {
      this.#failed(error);
    }
    if (isOver) this.#unwritten.set(run.spare, run);
    const [oldest] = this.#unwritten.keys();
    if (oldest !== undefined && this.#unwritten.size > MAX_UNWRITTEN) this.#unwritten.delete(oldest);
    return this.#problem;
  }

  list(): History {
    const { folder } = this.#options;
    this.#saveUnwritten();
    const listed = this.#attempt((store) => {
      this.#markInterrupted(store);
      return { ...store.list(), evicted: store.evicted() };
    });
    const { runs = [], damaged = [], evicted = [] } = listed ?? {};
    const told = [this.#notice, damaged.length === 0 ? null : unreadable(damaged)];
    const notice = told.filter((sentence) => sentence !== null).join(' ');
    return { runs, evicted, folder, problem: this.#problem, notice: notice === '' ? null : notice };
  }

  /** @throws BadInputError for an unknown run, or without a history */
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

  /** Runs as the text of a file; see `writeRunsFile`. Damaged ones among several are skipped and reported. */
  exportRuns(ids: readonly string[]): ExportedRuns {
    return this.#need((store) => {
      const leftOut: number[] = [];
      const read = function* (self: RunHistory) {
        for (const id of ids) {
          try {
            yield self.#read(store, id);
          } catch (error) {
            if (!(error instanceof DamagedRunError) || ids.length === 1) throw error;
            leftOut.push(error.number);
          }
        }
      };
      return { text: writeRunsFile(read(this)), leftOut };
    });
  }

  /**
   * Imports the runs of a file, all or none.
   *
   * @param makeRoom removes older runs if space is needed
   * @throws BadInputError for an invalid file
   */
  importRuns(bytes: Uint8Array, makeRoom = false): ImportedRuns {
    const nowMs = this.#now();
    return this.#need((store) => {
      store.purge(nowMs - PURGE_MS);
      return store.add(runsInFile(bytes), nowMs, makeRoom);
    });
  }

  /**
   * Copies all runs into a folder without runs.
   *
   * @returns true if copied; false if the folder has a history, or none exists here
   * @throws BadInputError if the folder is not writable
   */
  copyTo(folder: string): boolean {
    try {
      tryFolder(folder);
      const target = historyFile(folder);
      const isTaken = existsSync(target);
      if (this.#opened() === null || this.#database === null || isTaken) return false;
      copyDatabase(this.#database, target);
      return true;
    } catch (error) {
      throw new BadInputError(unusable(folder, error));
    }
  }

  close(): void {
    this.#saveUnwritten();
    this.#forget();
  }

  #saveUnwritten(): void {
    for (const run of [...this.#unwritten.values()]) this.save(run);
  }

  #forget(): void {
    const database = this.#database;
    this.#database = null;
    this.#store = null;
    this.#recording.clear();
    this.#watched.clear();
    database?.close();
  }

  /** Null without a history; `#problem` says why. */
  #opened(): RunStore | null {
    const { folder, mustExist = false, load = loadLibsql, migrations, bounds = BOUNDS } = this.#options;
    const file = historyFile(folder);
    if (this.#store !== null) {
      if (fileIdentity(file) === this.#identity) return this.#store;
      // Another lab found it damaged and set it aside, so later writes to it would be lost.
      this.#notice = `The history of runs in ${folder} was moved, or set aside by another lab. A new one is used.`;
      this.#forget();
    }
    if (mustExist && !existsSync(folder)) {
      this.#problem = `${folder}, the folder of runs, was not found, so runs are not stored now. Connect its disk, or choose another folder in the desktop's menu (File, Data Folder…).`;
      return null;
    }
    let database: Database | null = null;
    try {
      const opened = openHistoryFile(folder, load(), migrations);
      database = opened.database;
      const store = new RunStore(database, bounds);
      store.purge(this.#now() - PURGE_MS);
      this.#markInterrupted(store);
      this.#database = database;
      this.#store = store;
      this.#identity = fileIdentity(file);
      this.#notice = opened.notice ?? this.#notice;
      this.#problem = null;
      return store;
    } catch (error) {
      database?.close();
      this.#problem = this.#sentence(error);
      return null;
    }
  }

  #failed(error: unknown): void {
    this.#problem = this.#sentence(error);
    // The next call reopens the file, and sets it aside if it is damaged.
    if (isDamage(error)) this.#forget();
  }

  #attempt<T>(work: (store: RunStore) => T): T | null {
    const store = this.#opened();
    if (store === null) return null;
    try {
      return work(store);
    } catch (error) {
      if (error instanceof BadInputError) throw error;
      this.#failed(error);
      return null;
    }
  }

  #need<T>(work: (store: RunStore) => T): T {
    const result = this.#attempt((store) => ({ value: work(store) }));
    if (result === null) throw new BadInputError(this.#problem ?? 'this lab has no history of runs');
    return result.value;
  }

  #read(store: RunStore, id: string): RecordedRun {
    const run = store.read(id);
    if (run === null) throw unknownRun();
    return run;
  }

  /**
   * Runs whose process is gone, or stayed silent while this process watched. Times from two clocks cannot be compared.
   */
  #markInterrupted(store: RunStore): void {
    const now = this.#elapsed();
    for (const { number, owner, seenMs } of store.unfinished()) {
      if (this.#recording.has(number)) continue;
      const isOurs = owner === null || owner === process.pid;
      const known = this.#watched.get(number);
      if (known?.seenMs !== seenMs) this.#watched.set(number, { seenMs, since: now });
      const isSilent = known?.seenMs === seenMs && now - known.since > SILENCE_MS;
      if (isOurs || !isAlive(owner) || isSilent) store.markInterrupted(number);
    }
  }

  #sentence(error: unknown): string {
    const { folder } = this.#options;
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof NewerSchemaError) {
      return (
        `The history of runs in ${folder} was written by a newer Zigzag, so runs are not stored: update ` +
        'Zigzag, or name another folder in ZIGZAG_DATA.'
      );
    }
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') {
      return 'Runs are not stored, because the database (libsql) cannot be loaded. Reinstall Zigzag.';
    }
    if (sqliteCode(error) === 'SQLITE_FULL' || code === 'ENOSPC') {
      return `The disk of ${folder} is full, so runs are not stored now; training continues. Free some space.`;
    }
    if (code === 'EMFILE' || code === 'ENFILE') {
      return `Too many files are open to store runs in ${folder} now; training continues. Close another program.`;
    }
    const why = error instanceof Error ? error.message : String(error);
    return `Runs cannot be stored in ${folder} now (${why}); training continues. Check that the folder is writable.`;
  }
}

function unreadable(numbers: readonly number[]): string {
  const [first] = numbers;
  const which = numbers.length === 1 ? `Run ${first}` : `${numbers.length} runs (${few(numbers)})`;
  const [is, was] = numbers.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${which} cannot be read and ${is} not shown, because the record of ${was} is damaged; the others are not affected.`;
}

const few = (numbers: readonly number[]): string =>
  numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ', …' : '');

const unknownRun = (): BadInputError =>
  new BadInputError('this run is no longer in the history; choose another');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
