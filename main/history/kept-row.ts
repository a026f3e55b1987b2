import { MAX_FAILURE, type RecordedRun, recordedRunSchema } from '../../app/contract/recorded-run.ts';
import { type RunSummary, runSummarySchema } from '../../app/contract/history.ts';
import { checksum, contentSum, iterationRow, lineSum } from './checksum.ts';
import { unpackDoubles, unpackJson } from './pack.ts';

/**
 * Reading rows that may be damaged. The database's library ends its whole process at a text that is no UTF-8, and cuts
 * one at a NUL, so texts are asked for as bytes, and what else was spoilt shows in their sums.
 */

/** Columns of a list's line, for `lineOf`. */
export const LINE_COLUMNS = `CAST(number AS INTEGER) AS number, CAST(begun_ms AS INTEGER) AS begunMs,
  CAST(ended_ms AS INTEGER) AS endedMs, CAST(line_sum AS INTEGER) AS lineSum,
  ${['id', 'source', 'outcome', 'failure', 'name', 'note', 'summary'].map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(', ')}`;

/** Columns that a whole run has besides, for `runOf`. */
export const WHOLE_COLUMNS = `${LINE_COLUMNS}, CAST(request AS BLOB) AS request, CAST(facts AS BLOB) AS facts,
  CAST(start AS BLOB) AS start, CAST(measured AS BLOB) AS measured,
  CAST(start_sum AS INTEGER) AS startSum, CAST(content_sum AS INTEGER) AS contentSum`;

/** Of the iterations of a run, for `runOf`. */
export const ITERATION_COLUMNS =
  'CAST(ms AS REAL) AS ms, CAST(loss AS REAL) AS loss, CAST(drift AS REAL) AS drift';

/** A text as the library hands its bytes out; NULL where a damaged row has none. */
export type Bytes = ArrayBuffer | null;

export interface LineRow {
  readonly number: number;
  readonly begunMs: number;
  readonly endedMs: number | null;
  readonly lineSum: number | null;
  readonly id: Bytes;
  readonly source: Bytes;
  readonly outcome: Bytes;
  readonly failure: Bytes;
  readonly name: Bytes;
  readonly note: Bytes;
  readonly summary: Bytes;
}

export interface WholeRow extends LineRow {
  readonly request: Bytes;
  readonly facts: Bytes;
  readonly start: Bytes;
  readonly measured: Bytes;
  readonly startSum: number | null;
  readonly contentSum: number | null;
}

export interface IterationRow {
  readonly ms: number;
  readonly loss: number | null;
  readonly drift: number | null;
}

/** What was kept makes no sense; the message says in which way. */
export class DamagedRowError extends Error {
  override readonly name = 'DamagedRowError';
}

export const SPOILT = 'its checksum differs';

const raw = (value: Bytes): Uint8Array => new Uint8Array(value ?? new ArrayBuffer(0));

/** @throws DamagedRowError for bytes that are no text */
export function textOf(value: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw(value));
  } catch {
    throw new DamagedRowError('a text of it is none');
  }
}

/** Of a row, from its own bytes. */
export const sumOfRow = (row: LineRow, change: Partial<Record<'name' | 'note', string>> = {}): number =>
  lineSum({
    id: raw(row.id),
    source: raw(row.source),
    begunMs: row.begunMs,
    endedMs: row.endedMs,
    outcome: raw(row.outcome),
    failure: row.failure === null ? null : raw(row.failure),
    name: change.name ?? raw(row.name),
    note: change.note ?? raw(row.note),
    summary: raw(row.summary),
  });

/** @throws DamagedRowError */
export function checkLine(row: LineRow): void {
  if (row.lineSum !== null && row.lineSum !== sumOfRow(row)) throw new DamagedRowError(SPOILT);
}

/** @throws DamagedRowError when what was kept makes no line */
export function lineOf(row: LineRow): RunSummary {
  checkLine(row);
  const parsed = runSummarySchema.safeParse({ ...jsonObject(row.summary), ...headOf(row) });
  if (parsed.success) return parsed.data;
  throw nonsense(parsed.error.issues[0]);
}

/** @throws DamagedRowError when what was kept makes no run */
export function runOf(row: WholeRow, iterations: readonly IterationRow[]): RecordedRun {
  checkLine(row);
  const doubles = new Float64Array(3 * iterations.length);
  for (const [i, { ms, loss, drift }] of iterations.entries()) {
    doubles.set(iterationRow(ms, loss, drift), 3 * i);
  }
  const measured = row.measured === null ? null : raw(row.measured);
  const content = contentSum(raw(row.request), raw(row.facts), measured, doubles);
  const start = row.start === null ? null : checksum([raw(row.start)]);
  const isSound =
    (row.contentSum === null || row.contentSum === content) &&
    (row.startSum === null || row.startSum === start);
  if (!isSound) throw new DamagedRowError(SPOILT);
  const parsed = recordedRunSchema.safeParse({
    ...jsonObject(row.facts),
    ...headOf(row),
    request: jsonObject(row.request),
    start: row.start === null ? null : unpacked(() => unpackJson(row.start ?? new ArrayBuffer(0))),
    measured: row.measured === null ? [] : unpacked(() => unpackDoubles(row.measured ?? new ArrayBuffer(0))),
    iterationMs: iterations.map(({ ms }) => ms),
    loss: iterations.map(({ loss }) => loss),
    drift: iterations.flatMap(({ drift }) => (drift === null ? [] : [drift])),
  });
  if (parsed.success) return parsed.data;
  throw nonsense(parsed.error.issues[0]);
}

/** A backend may fail with a whole shader in its sentence, which a line has no room for. */
const headOf = (row: LineRow) => ({
  number: row.number,
  id: textOf(row.id),
  source: textOf(row.source),
  begunMs: row.begunMs,
  endedMs: row.endedMs,
  outcome: textOf(row.outcome),
  failure: row.failure === null ? null : textOf(row.failure).slice(0, MAX_FAILURE),
  name: textOf(row.name),
  note: textOf(row.note),
});

function jsonObject(value: Bytes): object {
  const parsed: unknown = unpacked(() => JSON.parse(textOf(value)));
  if (typeof parsed !== 'object' || parsed === null) throw new DamagedRowError('it is cut short');
  return parsed;
}

function unpacked(unpack: () => unknown): unknown {
  try {
    return unpack();
  } catch {
    throw new DamagedRowError('it is cut short');
  }
}

function nonsense(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): DamagedRowError {
  return new DamagedRowError(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`);
}
