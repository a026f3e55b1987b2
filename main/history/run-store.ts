import type { Annotation, RunSource, RunSummary } from '../../app/contract/history.ts';
import { type RecordedRun, type RunContent, runContentSchema } from '../../app/contract/recorded-run.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import { lineSum } from './checksum.ts';
import { type Database, type Value, firstValue, inTransaction } from './database.ts';
import { type Bounds, keepWithin } from './eviction.ts';
import {
  type Bytes,
  checkLine,
  DamagedRowError,
  ITERATION_COLUMNS,
  type IterationRow,
  LINE_COLUMNS,
  type LineRow,
  lineOf,
  runOf,
  sumOfRow,
  textOf,
  WHOLE_COLUMNS,
  type WholeRow,
} from './kept-row.ts';
import { type PackedRun, packRun, type RunState } from './packed-run.ts';

/** A run at one moment, and what the database knows of it. */
export interface RunSnapshot extends RunState {
  readonly content: RunContent;
  /** Iterations that are in the database. */
  readonly written: number;
}

export interface NewRun {
  readonly id: string;
  readonly source: RunSource;
  readonly begunMs: number;
  readonly request: TrainRequest;
}

/** A run of a file, packed so that a whole file of them takes little memory. */
export interface PackedImport extends Pick<RecordedRun, 'id' | 'begunMs' | 'name' | 'note'> {
  readonly state: RunState;
  readonly packed: PackedRun;
}

/** What became of an import; where room was to be made and must not be, nothing was taken. */
export interface Imported {
  readonly added: readonly string[];
  readonly known: readonly string[];
  /** Runs that went, or would have to go, to make room, and can be restored. */
  readonly evicted: readonly string[];
  /** How many runs that were removed before are, or would be, gone for good. */
  readonly lost: number;
  readonly isRefused: boolean;
}

export interface Listed {
  readonly runs: RunSummary[];
  /** Numbers of runs that cannot be read. */
  readonly damaged: readonly number[];
}

const BYTES_OF_ITERATION = 32;

/** Undoes an import that has no room. */
class NoRoom extends Error {}

/** The runs of one database. Every method is one transaction; all throw what SQLite refuses. */
export class RunStore {
  readonly #database: Database;
  readonly #bounds: Bounds;

  constructor(database: Database, bounds: Bounds) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /** @returns the run's number */
  insert(run: NewRun, snapshot: RunSnapshot): number {
    let number = 0;
    this.#write(() => {
      number = this.#begin(run, snapshot.nowMs);
      this.#save(number, packRun(run.request, snapshot.content, true), snapshot, 0);
      keepWithin(this.#database, this.#bounds, number, snapshot.nowMs);
    });
    return number;
  }

  /** @returns false when the run is not here any more */
  update(number: number, request: TrainRequest, snapshot: RunSnapshot): boolean {
    let isHere = true;
    this.#write(() => {
      const hasStart = firstValue(
        this.#database,
        'SELECT start IS NOT NULL FROM runs WHERE number = ?',
        number,
      );
      isHere = hasStart !== undefined;
      if (isHere) {
        this.#save(number, packRun(request, snapshot.content, hasStart === 0), snapshot, snapshot.written);
      }
    });
    return isHere;
  }

  /** Whether a run of this id is kept, removed ones included. */
  has(id: string): boolean {
    return this.#removedMs(id) !== undefined;
  }

  /** Number of a run that was begun as this very one was; null for none. */
  find(id: string, source: RunSource, begunMs: number): number | null {
    const found = firstValue(
      this.#database,
      'SELECT number FROM runs WHERE id = ? AND source = ? AND begun_ms = ?',
      id,
      source,
      begunMs,
    );
    return found === undefined ? null : Number(found);
  }

  /** Newest first; a row that cannot be read hides no other. */
  list(): Listed {
    const rows = this.#all(
      `SELECT ${LINE_COLUMNS} FROM runs WHERE removed_ms IS NULL ORDER BY begun_ms DESC, number DESC`,
    ) as LineRow[];
    const damaged: number[] = [];
    const runs = rows.flatMap((row) => {
      try {
        return [lineOf(row)];
      } catch (error) {
        if (!(error instanceof DamagedRowError)) throw error;
        damaged.push(row.number);
        return [];
      }
    });
    return { runs, damaged };
  }

  /** Runs that went by themselves and can be restored, the latest first. */
  evicted(): { readonly id: string; readonly number: number }[] {
    const rows = this.#all(
      `SELECT number, CAST(id AS BLOB) AS id FROM runs WHERE removed_ms IS NOT NULL AND evicted = 1
       ORDER BY removed_ms DESC, number DESC`,
    ) as { number: number; id: Bytes }[];
    return rows.flatMap(({ number, id }) => {
      try {
        return [{ number, id: textOf(id) }];
      } catch {
        return [];
      }
    });
  }

  /**
   * Null when there is none, or it was removed.
   *
   * @throws DamagedRunError when what is kept of it makes no sense
   */
  read(id: string): RecordedRun | null {
    const [row] = this.#all(
      `SELECT ${WHOLE_COLUMNS} FROM runs WHERE id = ? AND removed_ms IS NULL`,
      id,
    ) as WholeRow[];
    if (row === undefined) return null;
    const iterations = this.#all(
      `SELECT ${ITERATION_COLUMNS} FROM iterations WHERE run = ? ORDER BY iteration`,
      row.number,
    ) as IterationRow[];
    return this.#sound(row.number, 'opened', () => runOf(row, iterations));
  }

  /** Adds runs that were recorded elsewhere, all or none. One that was removed comes back. */
  add(runs: readonly PackedImport[], nowMs: number, makeRoom: boolean): Imported {
    const added: string[] = [];
    const known: string[] = [];
    let gone: Pick<Imported, 'evicted' | 'lost'> = { evicted: [], lost: 0 };
    try {
      this.#write(() => {
        const newest = Number(firstValue(this.#database, 'SELECT coalesce(max(number), 0) FROM runs')) + 1;
        for (const run of runs) (this.#addOne(run) ? added : known).push(run.id);
        const { evicted, lost } = keepWithin(this.#database, this.#bounds, newest, nowMs);
        const numbers = new Set(evicted);
        const went = this.evicted().filter(({ number }) => numbers.has(number));
        gone = { evicted: went.map(({ id }) => id), lost };
        if (!makeRoom && evicted.length + lost > 0) throw new NoRoom();
      });
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      return { added: [], known, ...gone, isRefused: true };
    }
    return { added, known, ...gone, isRefused: false };
  }

  /** Hides runs until they are restored or purged. */
  remove(ids: readonly string[], nowMs: number): void {
    this.#each('UPDATE runs SET removed_ms = ?, evicted = 0 WHERE removed_ms IS NULL AND id = ?', ids, nowMs);
  }

  restore(ids: readonly string[]): void {
    this.#each('UPDATE runs SET removed_ms = NULL, evicted = 0 WHERE id = ?', ids);
  }

  /** @throws DamagedRunError rather than give a damaged run a sum that is right */
  annotate({ id, name, note }: Annotation): boolean {
    let found = false;
    this.#write(() => {
      const [row] = this.#all(`SELECT ${LINE_COLUMNS} FROM runs WHERE id = ?`, id) as LineRow[];
      if (row === undefined) return;
      found = true;
      this.#sound(row.number, 'changed', () => checkLine(row));
      this.#run(
        'UPDATE runs SET name = coalesce(?, name), note = coalesce(?, note), line_sum = ? WHERE number = ?',
        name ?? null,
        note ?? null,
        sumOfRow(row, { ...(name === undefined ? {} : { name }), ...(note === undefined ? {} : { note }) }),
        row.number,
      );
    });
    return found;
  }

  /** Deletes for good what was removed before a time. */
  purge(beforeMs: number): void {
    this.#write(() => this.#run('DELETE FROM runs WHERE removed_ms < ?', beforeMs));
  }

  /** Runs that somebody is said to record. */
  unfinished(): { readonly number: number; readonly owner: number | null; readonly seenMs: number }[] {
    return this.#all("SELECT number, owner, seen_ms AS seenMs FROM runs WHERE outcome = 'running'") as {
      number: number;
      owner: number | null;
      seenMs: number;
    }[];
  }

  /** What was seen of a run last is where it ended. */
  markInterrupted(number: number): void {
    this.#write(() => {
      const ofRun = `SELECT ${LINE_COLUMNS} FROM runs WHERE number = ? AND outcome = 'running'`;
      const [before] = this.#all(ofRun, number) as LineRow[];
      if (before === undefined) return;
      this.#run(
        "UPDATE runs SET outcome = 'interrupted', ended_ms = seen_ms, owner = NULL WHERE number = ?",
        number,
      );
      // A sum that was wrong stays so.
      if (before.lineSum !== sumOfRow(before)) return;
      const [after] = this.#all(`SELECT ${LINE_COLUMNS} FROM runs WHERE number = ?`, number) as LineRow[];
      if (after !== undefined) {
        this.#run('UPDATE runs SET line_sum = ? WHERE number = ?', sumOfRow(after), number);
      }
    });
  }

  #addOne({ id, begunMs, name, note, state, packed }: PackedImport): boolean {
    const removedMs = this.#removedMs(id);
    if (removedMs === null) return false;
    if (removedMs !== undefined) {
      this.#run('UPDATE runs SET removed_ms = NULL, evicted = 0 WHERE id = ?', id);
      return true;
    }
    const number = this.#begin({ id, source: 'file', begunMs }, state.nowMs, name, note);
    this.#save(number, packed, state, 0);
    return true;
  }

  /** Undefined when there is no such run, null when it was not removed. */
  #removedMs(id: string): number | null | undefined {
    const [row] = this.#all('SELECT removed_ms AS removedMs FROM runs WHERE id = ?', id) as {
      removedMs: number | null;
    }[];
    return row?.removedMs;
  }

  #begin({ id, source, begunMs }: Omit<NewRun, 'request'>, nowMs: number, name = '', note = ''): number {
    const { lastInsertRowid } = this.#run(
      `INSERT INTO runs (id, source, seen_ms, begun_ms, outcome, name, note, summary, request, facts)
       VALUES (?, ?, ?, ?, 'running', ?, ?, '', '', '')`,
      id,
      source,
      nowMs,
      begunMs,
      name,
      note,
    );
    return Number(lastInsertRowid);
  }

  #save(number: number, packed: PackedRun, state: RunState, written: number): void {
    const { outcome, failure, endedMs, nowMs, owner } = state;
    const { request, summary, facts, start, startSum, measured, iterations } = packed;
    const [line] = this.#all(`SELECT ${LINE_COLUMNS} FROM runs WHERE number = ?`, number) as LineRow[];
    if (line === undefined) return;
    const bytesOf = (value: Bytes): Uint8Array => new Uint8Array(value ?? new ArrayBuffer(0));
    const { id, source, begunMs, name, note } = line;
    this.#run(
      `UPDATE runs SET outcome = ?, failure = ?, ended_ms = ?, seen_ms = ?, owner = ?, summary = ?, request = ?,
       facts = ?, measured = ?, line_sum = ?, content_sum = ? WHERE number = ?`,
      outcome,
      failure,
      endedMs,
      nowMs,
      owner,
      summary,
      request,
      facts,
      measured,
      lineSum({
        ...{ begunMs, endedMs, outcome, failure, summary },
        ...{ id: bytesOf(id), source: bytesOf(source), name: bytesOf(name), note: bytesOf(note) },
      }),
      packed.contentSum,
      number,
    );
    if (start !== null) {
      this.#run('UPDATE runs SET start = ?, start_sum = ? WHERE number = ?', start, startSum, number);
    }
    const insert = this.#database.prepare('INSERT OR REPLACE INTO iterations VALUES (?, ?, ?, ?, ?)');
    const count = iterations.length / 3;
    for (let i = written; i < count; i++) {
      const [ms = 0, loss = 0, drift = 0] = iterations.subarray(3 * i, 3 * i + 3);
      insert.run(number, i, ms, Number.isFinite(loss) ? loss : null, Number.isFinite(drift) ? drift : null);
    }
    this.#run(
      `UPDATE runs SET bytes = length(request) + length(summary) + length(facts) +
       coalesce(length(start), 0) + coalesce(length(measured), 0) + ? WHERE number = ?`,
      count * BYTES_OF_ITERATION,
      number,
    );
  }

  #sound<T>(number: number, what: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error;
      throw new DamagedRunError(number, what, error.message);
    }
  }

  #write(work: () => void): void {
    inTransaction(this.#database, work);
  }

  #each(sql: string, ids: readonly string[], ...values: readonly Value[]): void {
    this.#write(() => {
      const statement = this.#database.prepare(sql);
      for (const id of ids) statement.run(...values, id);
    });
  }

  #run(sql: string, ...values: readonly Value[]) {
    return this.#database.prepare(sql).run(...values);
  }

  #all(sql: string, ...values: readonly Value[]): unknown[] {
    return this.#database.prepare(sql).all(...values);
  }
}

/** What is kept of one run makes no sense, which says nothing of the others. */
export class DamagedRunError extends BadInputError {
  readonly number: number;

  constructor(number: number, what: string, why: string) {
    super(
      `run ${number} cannot be ${what}, because what was kept of it makes no sense (${why}); ` +
        'the other runs are as they were: delete this one',
    );
    this.number = number;
  }
}

/** A run of a file, packed. */
export function packImport(run: RecordedRun, nowMs: number): PackedImport {
  const { id, begunMs, name, note, request, outcome, failure, endedMs } = run;
  return {
    ...{ id, begunMs, name, note },
    state: {
      // Nobody here goes on with it.
      outcome: outcome === 'running' ? 'interrupted' : outcome,
      failure,
      endedMs: endedMs ?? begunMs,
      nowMs,
      owner: null,
    },
    packed: packRun(request, runContentSchema.parse(run), true),
  };
}
