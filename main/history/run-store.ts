import type { Annotation, ImportedRuns, RunSource, RunSummary } from '../../app/contract/history.ts';
import {
  type RecordedRun,
  type RunContent,
  runContentSchema,
  type RunOutcome,
} from '../../app/contract/recorded-run.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import { type Database, firstValue, inTransaction, type Value } from './database.ts';
import {
  checkLine,
  columnsOf,
  DamagedRowError,
  ITERATION_COLUMNS,
  type IterationRow,
  isSoundLine,
  LINE_COLUMNS,
  type LineRow,
  lineOf,
  lineSum,
  runOf,
  textOf,
  WHOLE_COLUMNS,
  type WholeRow,
} from './run-row.ts';

/** A run at one moment. */
export interface RunState {
  readonly id: string;
  /** Unique id, used if another run already has the first. */
  readonly spare: string;
  readonly source: RunSource;
  readonly begunMs: number;
  readonly request: TrainRequest;
  readonly content: RunContent;
  readonly outcome: RunOutcome;
  readonly failure: string | null;
  readonly endedMs: number | null;
  readonly nowMs: number;
}

/**
 * Most runs and bytes stored. Beyond them the oldest runs are removed, named ones last. The same number of removed runs
 * is kept while they can be restored.
 */
export interface Bounds {
  readonly runs: number;
  readonly bytes: number;
}

export interface Listed {
  readonly runs: RunSummary[];
  /** Numbers of runs that cannot be read. */
  readonly damaged: readonly number[];
}

const BYTES_OF_ITERATION = 32;

/** Undoes an import without room. */
class NoRoom extends Error {}

/** The runs of one database. Every method is one transaction; all throw what SQLite refuses. */
export class RunStore {
  readonly #database: Database;
  readonly #bounds: Bounds;

  constructor(database: Database, bounds: Bounds) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /** Writes a run in its current state: a new row, or only its new parts. @returns the run's number */
  save(run: RunState): number {
    return inTransaction(this.#database, () => {
      const { id, spare, source, begunMs, nowMs } = run;
      // Clients may repeat an id.
      const [known] = this.#all(
        'SELECT number FROM runs WHERE id IN (?, ?) AND source = ? AND begun_ms = ? ORDER BY id = ?',
        ...[id, spare, source, begunMs, id],
      );
      if (known !== undefined) {
        this.#write(Number(known['number']), run);
        return Number(known['number']);
      }
      const number = this.#insert({ ...run, id: this.#has(id) ? spare : id });
      this.#keepWithin(number, nowMs);
      return number;
    });
  }

  /** Newest first; an unreadable row does not hide the others. */
  list(): Listed {
    const rows = this.#all(
      `SELECT ${LINE_COLUMNS} FROM runs WHERE removed_ms IS NULL ORDER BY begun_ms DESC, number DESC`,
    ) as unknown as LineRow[];
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

  /** Runs removed to make room that can be restored, the latest first. */
  evicted(): { readonly id: string; readonly number: number }[] {
    const rows = this.#all(
      `SELECT number, CAST(id AS BLOB) AS id FROM runs WHERE removed_ms IS NOT NULL AND evicted = 1
       ORDER BY removed_ms DESC, number DESC`,
    );
    return named(rows);
  }

  /**
   * A run; null if unknown or removed.
   *
   * @throws DamagedRunError for invalid rows
   */
  read(id: string): RecordedRun | null {
    const [row] = this.#all(
      `SELECT ${WHOLE_COLUMNS} FROM runs WHERE id = ? AND removed_ms IS NULL`,
      id,
    ) as unknown as WholeRow[];
    if (row === undefined) return null;
    const iterations = this.#all(
      `SELECT ${ITERATION_COLUMNS} FROM iterations WHERE run = ? ORDER BY iteration`,
      row.number,
    ) as unknown as IterationRow[];
    return sound(row.number, 'opened', () => runOf(row, iterations));
  }

  /** Adds runs recorded elsewhere, all or none, and restores those that were removed. */
  add(runs: Iterable<RecordedRun>, nowMs: number, makeRoom: boolean): ImportedRuns {
    const taken: ImportedRuns = { added: [], known: [], evicted: [], lost: 0, needsRoom: false };
    try {
      inTransaction(this.#database, () => {
        const newest = Number(firstValue(this.#database, 'SELECT coalesce(max(number), 0) FROM runs')) + 1;
        for (const run of runs) (this.#addOne(run, nowMs) ? taken.added : taken.known).push(run.id);
        const { evicted, lost } = this.#keepWithin(newest, nowMs);
        Object.assign(taken, { evicted, lost, needsRoom: !makeRoom && evicted.length + lost > 0 });
        if (taken.needsRoom) throw new NoRoom();
      });
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      taken.added = [];
    }
    return taken;
  }

  /** Hides runs until they are restored or purged. */
  remove(ids: readonly string[], nowMs: number): void {
    this.#each('UPDATE runs SET removed_ms = ?, evicted = 0 WHERE removed_ms IS NULL AND id = ?', ids, nowMs);
  }

  restore(ids: readonly string[]): void {
    this.#each('UPDATE runs SET removed_ms = NULL, evicted = 0 WHERE id = ?', ids);
  }

  /** @throws DamagedRunError rather than give a damaged run a correct checksum */
  annotate({ id, name, note }: Annotation): boolean {
    return inTransaction(this.#database, () => {
      const [row] = this.#all(`SELECT ${LINE_COLUMNS} FROM runs WHERE id = ?`, id) as unknown as LineRow[];
      if (row === undefined) return false;
      sound(row.number, 'changed', () => checkLine(row));
      const set = 'name = coalesce(?, name), note = coalesce(?, note)';
      this.#change(row.number, set, name ?? null, note ?? null);
      return true;
    });
  }

  /** Deletes runs for good that were removed before a time. */
  purge(beforeMs: number): void {
    this.#run('DELETE FROM runs WHERE removed_ms < ?', beforeMs);
  }

  /** Runs that a process claims to record. */
  unfinished(): { readonly number: number; readonly owner: number | null; readonly seenMs: number }[] {
    return this.#all("SELECT number, owner, seen_ms AS seenMs FROM runs WHERE outcome = 'running'") as never;
  }

  /** Ends an abandoned run at its last sign of life. */
  markInterrupted(number: number): void {
    inTransaction(this.#database, () => {
      const [row] = this.#all("SELECT 1 FROM runs WHERE number = ? AND outcome = 'running'", number);
      if (row !== undefined)
        this.#change(number, "outcome = 'interrupted', ended_ms = seen_ms, owner = NULL");
    });
  }

  #addOne(run: RecordedRun, nowMs: number): boolean {
    const { id, name, note, outcome, endedMs, begunMs } = run;
    if (this.#has(id)) {
      const restore =
        'UPDATE runs SET removed_ms = NULL, evicted = 0 WHERE id = ? AND removed_ms IS NOT NULL';
      return this.#run(restore, id).changes > 0;
    }
    const number = this.#insert({
      ...{ ...run, spare: id, source: 'file', content: runContentSchema.parse(run), nowMs },
      // No process here continues it.
      outcome: outcome === 'running' ? 'interrupted' : outcome,
      endedMs: endedMs ?? begunMs,
    });
    this.#change(number, 'name = ?, note = ?', name, note);
    return true;
  }

  /** True if a run of this id exists, removed ones included. */
  #has(id: string): boolean {
    return this.#all('SELECT 1 FROM runs WHERE id = ?', id).length > 0;
  }

  #insert(run: RunState): number {
    const { lastInsertRowid } = this.#run(
      `INSERT INTO runs (id, source, seen_ms, begun_ms, outcome, summary, request, facts)
       VALUES (?, ?, ?, ?, '', '', '', '')`,
      ...[run.id, run.source, run.nowMs, run.begunMs],
    );
    this.#write(Number(lastInsertRowid), run);
    return Number(lastInsertRowid);
  }

  #write(number: number, { request, content, outcome, failure, endedMs, nowMs }: RunState): void {
    const [has] = this.#all(
      `SELECT start IS NOT NULL AS start, (SELECT count(*) FROM iterations WHERE run = number) AS iterations
       FROM runs WHERE number = ?`,
      number,
    );
    const columns = columnsOf(request, content, has?.['start'] === 0);
    const { summary, facts, measured, start, startSum, contentSum, iterations } = columns;
    const insert = this.#database.prepare('INSERT INTO iterations VALUES (?, ?, ?, ?, ?)');
    for (let i = Number(has?.['iterations']); i < iterations.length; i++) {
      const { ms, loss, drift } = iterations[i] as IterationRow;
      insert.run(number, i, ms, loss, drift);
    }
    this.#change(
      number,
      `outcome = ?, failure = ?, ended_ms = ?, seen_ms = ?, owner = ?, summary = ?, request = ?, facts = ?,
       measured = ?, content_sum = ?, start = coalesce(?, start), start_sum = coalesce(?, start_sum)`,
      ...[outcome, failure, endedMs, nowMs, outcome === 'running' ? process.pid : null],
      ...[summary, columns.request, facts, measured, contentSum, start, startSum],
    );
    this.#run(
      `UPDATE runs SET bytes = length(request) + length(summary) + length(facts) +
       coalesce(length(start), 0) + coalesce(length(measured), 0) + ? WHERE number = ?`,
      iterations.length * BYTES_OF_ITERATION,
      number,
    );
  }

  /** Changes the listed columns of a run and their checksum; a wrong checksum stays wrong. */
  #change(number: number, set: string, ...values: readonly Value[]): void {
    const line = () =>
      this.#all(`SELECT ${LINE_COLUMNS} FROM runs WHERE number = ?`, number)[0] as unknown as LineRow;
    const wasSound = isSoundLine(line());
    this.#run(`UPDATE runs SET ${set} WHERE number = ?`, ...values, number);
    if (wasSound) this.#run('UPDATE runs SET line_sum = ? WHERE number = ?', lineSum(line()), number);
  }

  /**
   * Removes runs until the history is within its bounds, inside the transaction that exceeded them.
   *
   * @param newest number of the first new run: it and later ones always stay
   * @returns ids of the removed runs, and how many removed ones were deleted for good
   */
  #keepWithin(newest: number, nowMs: number): { readonly evicted: string[]; readonly lost: number } {
    const { runs, bytes } = this.#bounds;
    // Runs and bytes are summed starting with the run that stays longest.
    const beyond = (kept: string, first: string) => `number IN (SELECT number FROM (
      SELECT number, outcome <> 'running' AND number < ?1 AS may_go, row_number() OVER kept AS runs,
        sum(bytes) OVER kept AS bytes FROM runs WHERE removed_ms IS ${kept}
      WINDOW kept AS (ORDER BY outcome <> 'running' AND number < ?1, ${first}, number DESC ROWS UNBOUNDED PRECEDING)
    ) WHERE may_go AND (runs > ?2 OR bytes > ?3))`;
    const evicted = this.#all(
      `UPDATE runs SET removed_ms = ?4, evicted = 1 WHERE ${beyond('NULL', 'length(name) = 0')}
       RETURNING number, CAST(id AS BLOB) AS id`,
      ...[newest, runs, bytes, nowMs],
    );
    const purge = `DELETE FROM runs WHERE ${beyond('NOT NULL', 'removed_ms DESC')}`;
    const lost = this.#run(purge, newest, runs, bytes).changes;
    const ids = named(evicted).sort((a, b) => b.number - a.number);
    return { evicted: ids.map(({ id }) => id), lost };
  }

  #each(sql: string, ids: readonly string[], ...values: readonly Value[]): void {
    inTransaction(this.#database, () => {
      const statement = this.#database.prepare(sql);
      for (const id of ids) statement.run(...values, id);
    });
  }

  #run(sql: string, ...values: readonly Value[]) {
    return this.#database.prepare(sql).run(...values);
  }

  #all(sql: string, ...values: readonly Value[]) {
    return this.#database.prepare(sql).all(...values) as Readonly<Record<string, unknown>>[];
  }
}

/** Numbers and ids of rows; a row with a damaged id cannot be restored by name. */
function named(rows: readonly Readonly<Record<string, unknown>>[]): { id: string; number: number }[] {
  return rows.flatMap((row) => {
    try {
      return [{ id: textOf(row['id'] as ArrayBuffer), number: Number(row['number']) }];
    } catch {
      return [];
    }
  });
}

function sound<T>(number: number, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedRowError)) throw error;
    throw new DamagedRunError(number, what, error.message);
  }
}

/** The rows of one run are invalid; others are not affected. */
export class DamagedRunError extends BadInputError {
  readonly number: number;

  constructor(number: number, what: string, why: string) {
    super(
      `run ${number} cannot be ${what}, because its record is damaged (${why}); ` +
        'the other runs are not affected: delete this one',
    );
    this.number = number;
  }
}
