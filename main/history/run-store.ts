import type { Annotation, RunSource, RunSummary } from '../../app/contract/history.ts';
import {
  MAX_FAILURE,
  type RecordedRun,
  recordedRunSchema,
  type RunContent,
  runContentSchema,
  type RunOutcome,
} from '../../app/contract/recorded-run.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import { type Database, type Value, firstValue } from './database.ts';
import { packDoubles, packJson, unpackDoubles, unpackJson } from './pack.ts';
import { type Derived, derive, derivedSchema } from '../../app/contract/run-summary.ts';

/** What is kept at most: beyond it the oldest runs go, those with a name of the user's last. */
export interface Bounds {
  readonly runs: number;
  readonly bytes: number;
}

/** A run at one moment, and what the database knows of it. */
export interface RunSnapshot {
  readonly content: RunContent;
  readonly outcome: RunOutcome;
  readonly failure: string | null;
  readonly endedMs: number | null;
  readonly nowMs: number;
  /** Process that records it; null when nobody does any more. */
  readonly owner: number | null;
  /** Iterations that are in the database. */
  readonly written: number;
}

export interface NewRun {
  readonly id: string;
  readonly source: RunSource;
  readonly begunMs: number;
  readonly request: TrainRequest;
}

interface RunRow extends Omit<RunSummary, keyof Derived> {
  readonly summary: string;
}

interface WholeRow extends RunRow {
  readonly request: string;
  readonly facts: string;
  readonly start: ArrayBuffer | null;
  readonly measured: ArrayBuffer | null;
}

/** A backend may fail with a whole shader in its sentence, which a line has no room for. */
const LINE = `number, id, source, begun_ms AS begunMs, ended_ms AS endedMs, outcome,
  substr(failure, 1, ${MAX_FAILURE}) AS failure, name, note, summary`;
const BYTES_OF_ITERATION = 32;

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
      const { lastInsertRowid } = this.#run(
        `INSERT INTO runs (id, source, seen_ms, begun_ms, outcome, summary, request, facts)
         VALUES (?, ?, ?, ?, ?, '', ?, '')`,
        run.id,
        run.source,
        snapshot.nowMs,
        run.begunMs,
        snapshot.outcome,
        JSON.stringify(run.request),
      );
      number = Number(lastInsertRowid);
      this.#save(number, run.request, snapshot);
      this.#dropBeyondBounds(number);
    });
    return number;
  }

  update(number: number, request: TrainRequest, snapshot: RunSnapshot): void {
    this.#write(() => this.#save(number, request, snapshot));
  }

  /** Whether a run of this id is kept, removed ones included. */
  has(id: string): boolean {
    return firstValue(this.#database, 'SELECT count(*) FROM runs WHERE id = ?', id) !== 0;
  }

  /** Newest first. */
  list(): RunSummary[] {
    const rows = this.#all(
      `SELECT ${LINE} FROM runs WHERE removed_ms IS NULL ORDER BY begun_ms DESC, number DESC`,
    ) as RunRow[];
    return rows.map(({ summary, ...line }) => ({ ...line, ...derivedSchema.parse(JSON.parse(summary)) }));
  }

  /**
   * Null when there is none, or it was removed.
   *
   * @throws BadInputError when what is kept of it makes no sense
   */
  read(id: string): RecordedRun | null {
    const [row] = this.#all(
      `SELECT ${LINE}, request, facts, start, measured FROM runs WHERE id = ? AND removed_ms IS NULL`,
      id,
    ) as WholeRow[];
    if (row === undefined) return null;
    const iterations = this.#all(
      'SELECT ms, loss, drift FROM iterations WHERE run = ? ORDER BY iteration',
      row.number,
    ) as { ms: number; loss: number | null; drift: number | null }[];
    const parsed = recordedRunSchema.safeParse({
      ...row,
      request: JSON.parse(row.request),
      ...JSON.parse(row.facts),
      start: row.start === null ? null : unpackJson(row.start),
      measured: row.measured === null ? [] : unpackDoubles(row.measured),
      iterationMs: iterations.map(({ ms }) => ms),
      loss: iterations.map(({ loss }) => loss),
      drift: iterations.flatMap(({ drift }) => (drift === null ? [] : [drift])),
    });
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
    throw new BadInputError(
      `run ${row.number} cannot be opened, because what was kept of it makes no sense (${path.join('.')}: ${message}); delete it`,
    );
  }

  /** Adds a run that was recorded elsewhere; false when it is here already. One that was removed comes back. */
  add(run: RecordedRun, nowMs: number): boolean {
    const removed = this.#all('SELECT removed_ms FROM runs WHERE id = ?', run.id) as {
      removed_ms: unknown;
    }[];
    if (removed[0] !== undefined) {
      if (removed[0].removed_ms === null) return false;
      this.restore([run.id]);
      return true;
    }
    // Nobody here goes on with it.
    const outcome = run.outcome === 'running' ? 'interrupted' : run.outcome;
    this.insert(
      { id: run.id, source: 'file', begunMs: run.begunMs, request: run.request },
      {
        content: runContentSchema.parse(run),
        outcome,
        failure: run.failure,
        endedMs: run.endedMs ?? run.begunMs,
        nowMs,
        owner: null,
        written: 0,
      },
    );
    this.annotate({ id: run.id, name: run.name, note: run.note });
    return true;
  }

  /** Hides runs until they are restored or purged. */
  remove(ids: readonly string[], nowMs: number): void {
    this.#each('UPDATE runs SET removed_ms = ? WHERE removed_ms IS NULL AND id = ?', ids, nowMs);
  }

  restore(ids: readonly string[]): void {
    this.#each('UPDATE runs SET removed_ms = NULL WHERE id = ?', ids);
  }

  annotate({ id, name, note }: Annotation): boolean {
    let changes = 0;
    this.#write(() => {
      changes = this.#run(
        'UPDATE runs SET name = coalesce(?, name), note = coalesce(?, note) WHERE id = ?',
        name ?? null,
        note ?? null,
        id,
      ).changes;
    });
    return changes > 0;
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
    this.#write(() =>
      this.#run(
        "UPDATE runs SET outcome = 'interrupted', ended_ms = seen_ms, owner = NULL WHERE number = ?",
        number,
      ),
    );
  }

  #save(number: number, request: TrainRequest, snapshot: RunSnapshot): void {
    const { content, outcome, failure, endedMs, nowMs, owner, written } = snapshot;
    const { start, measured, iterationMs, loss, drift, ...facts } = content;
    this.#run(
      `UPDATE runs SET outcome = ?, failure = ?, ended_ms = ?, seen_ms = ?, owner = ?, summary = ?, facts = ?,
       measured = ? WHERE number = ?`,
      outcome,
      failure,
      endedMs,
      nowMs,
      owner,
      JSON.stringify(derive(request, content)),
      JSON.stringify(facts),
      measured.length === 0 ? null : packDoubles(measured),
      number,
    );
    const hasNoStart = 'SELECT start IS NULL FROM runs WHERE number = ?';
    if (start !== null && firstValue(this.#database, hasNoStart, number) === 1) {
      this.#run('UPDATE runs SET start = ? WHERE number = ?', packJson(start), number);
    }
    const insert = this.#database.prepare('INSERT OR REPLACE INTO iterations VALUES (?, ?, ?, ?, ?)');
    for (let i = written; i < iterationMs.length; i++) {
      const value = loss[i] ?? Number.NaN;
      insert.run(number, i, iterationMs[i] ?? 0, Number.isFinite(value) ? value : null, drift[i] ?? null);
    }
    this.#run(
      `UPDATE runs SET bytes = length(request) + length(summary) + length(facts) +
       coalesce(length(start), 0) + coalesce(length(measured), 0) + ? WHERE number = ?`,
      iterationMs.length * BYTES_OF_ITERATION,
      number,
    );
  }

  #dropBeyondBounds(newest: number): void {
    const excess = (): boolean =>
      Number(firstValue(this.#database, 'SELECT count(*) FROM runs')) > this.#bounds.runs ||
      Number(firstValue(this.#database, 'SELECT sum(bytes) FROM runs')) > this.#bounds.bytes;
    while (excess()) {
      const { changes } = this.#run(
        `DELETE FROM runs WHERE number = (
           SELECT number FROM runs WHERE number <> ? AND outcome <> 'running'
           ORDER BY removed_ms IS NULL, name <> '', number LIMIT 1)`,
        newest,
      );
      if (changes === 0) return;
    }
  }

  #write(work: () => void): void {
    this.#database.transaction(work).immediate();
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
