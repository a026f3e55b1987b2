import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type RunSummary, runSummarySchema } from '../../app/contract/history.ts';
import {
  MAX_FAILURE,
  type RecordedRun,
  type RunContent,
  recordedRunSchema,
} from '../../app/contract/recorded-run.ts';
import { derive } from '../../app/contract/run-summary.ts';
import type { TrainRequest } from '../../app/contract/training.ts';

/**
 * A run as columns, with CRC-32 checksums that find damage by the disk: SQLite checks the structure of its pages, not
 * their contents. The library ends the process at a text that is not UTF-8, and cuts a text at a NUL, so texts are read
 * as bytes.
 */

const TEXTS = ['id', 'source', 'outcome', 'name', 'note', 'summary', 'failure'] as const;
const PARTS = ['request', 'facts', 'start', 'measured'] as const;
const bytesOf = (...names: readonly string[]): string =>
  names.map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(', ');

/** Columns of a line of the list, for `lineOf`. */
export const LINE_COLUMNS = `CAST(number AS INTEGER) AS number, CAST(begun_ms AS INTEGER) AS begunMs,
  CAST(ended_ms AS INTEGER) AS endedMs, CAST(line_sum AS INTEGER) AS lineSum, ${bytesOf(...TEXTS)}`;

/** Columns of a whole run, for `runOf`. */
export const WHOLE_COLUMNS = `${LINE_COLUMNS}, ${bytesOf(...PARTS)},
  CAST(start_sum AS INTEGER) AS startSum, CAST(content_sum AS INTEGER) AS contentSum`;

/** Columns of its iterations, for `runOf`. */
export const ITERATION_COLUMNS =
  'CAST(ms AS REAL) AS ms, CAST(loss AS REAL) AS loss, CAST(drift AS REAL) AS drift';

/** A text or blob as the library returns it; null if a damaged row lacks it. */
type Bytes = ArrayBuffer | null;

export interface LineRow extends Readonly<Record<(typeof TEXTS)[number], Bytes>> {
  readonly number: number;
  readonly begunMs: number;
  readonly endedMs: number | null;
  readonly lineSum: number | null;
}

export interface WholeRow extends LineRow, Readonly<Record<(typeof PARTS)[number], Bytes>> {
  readonly startSum: number | null;
  readonly contentSum: number | null;
}

export interface IterationRow {
  readonly ms: number;
  readonly loss: number | null;
  readonly drift: number | null;
}

/** An invalid row; the message says why. */
export class DamagedRowError extends Error {
  override readonly name = 'DamagedRowError';
}

/** CRC-32 over values with their lengths, so that bytes moved from one value to the next change it. */
export function checksum(parts: readonly (Uint8Array | number | null)[]): number {
  return parts.reduce<number>((sum, part) => {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(`${part}`);
    const next = crc32(`v${bytes.length}:`, sum);
    // Skips empty texts: the library returns them as arrays without memory, at which zlib restarts its sum.
    return bytes.length === 0 ? next : crc32(bytes, next);
  }, 0);
}

const raw = (value: Bytes): Uint8Array => new Uint8Array(value ?? new ArrayBuffer(0));

export function lineSum(row: LineRow): number {
  const { id, source, outcome, name, note, summary, failure, begunMs, endedMs } = row;
  const texts = [id, source, outcome, name, note, summary].map(raw);
  return checksum([...texts, failure === null ? null : raw(failure), begunMs, endedMs]);
}

/** A null loss or drift counts as infinite, a value that the database never holds. */
function contentSum(parts: readonly (Uint8Array | null)[], iterations: readonly IterationRow[]): number {
  const numbers = iterations.flatMap(({ ms, loss, drift }) => [ms, loss ?? Infinity, drift ?? Infinity]);
  return checksum([...parts, new Uint8Array(Float64Array.from(numbers).buffer)]);
}

/** A run's columns. Its start, a megabyte of JSON that never changes, is packed only `withStart`. */
export function columnsOf(request: TrainRequest, content: RunContent, withStart: boolean) {
  const { start, measured, iterationMs, loss, drift, ...facts } = content;
  const finite = (value = Number.NaN): number | null => (Number.isFinite(value) ? value : null);
  const iterations = iterationMs.map((ms, i) => ({ ms, loss: finite(loss[i]), drift: finite(drift[i]) }));
  const packedStart = withStart && start !== null ? deflateRawSync(JSON.stringify(start)) : null;
  const doubles = new Uint8Array(Float64Array.from(measured).buffer);
  const columns = {
    request: JSON.stringify(request),
    facts: JSON.stringify(facts),
    measured: measured.length === 0 ? null : deflateRawSync(doubles),
  };
  const parts = [Buffer.from(columns.request), Buffer.from(columns.facts), columns.measured];
  return {
    ...columns,
    summary: JSON.stringify(derive(request, content)),
    contentSum: contentSum(parts, iterations),
    start: packedStart,
    startSum: packedStart === null ? null : checksum([packedStart]),
    iterations,
  };
}

/** Runs of the first version have no checksums. */
const isSound = (stated: number | null, sum: number | null): boolean => stated === null || stated === sum;

export const isSoundLine = (row: LineRow): boolean => isSound(row.lineSum, lineSum(row));

/** @throws DamagedRowError for a wrong checksum */
export function checkLine(row: LineRow): void {
  if (!isSoundLine(row)) throw spoilt();
}

/** @throws DamagedRowError for an invalid row */
export function lineOf(row: LineRow): RunSummary {
  checkLine(row);
  return made(runSummarySchema, { ...jsonObject(row.summary), ...headOf(row) });
}

/** @throws DamagedRowError for invalid rows */
export function runOf(row: WholeRow, iterations: readonly IterationRow[]): RecordedRun {
  checkLine(row);
  const { request, facts, start, measured } = row;
  const parts = [raw(request), raw(facts), measured && raw(measured)];
  if (!isSound(row.contentSum, contentSum(parts, iterations))) throw spoilt();
  if (!isSound(row.startSum, start && checksum([raw(start)]))) throw spoilt();
  return made(recordedRunSchema, {
    ...jsonObject(facts),
    ...headOf(row),
    request: jsonObject(request),
    start: start && unpacked(() => JSON.parse(inflateRawSync(raw(start)).toString())),
    measured: measured === null ? [] : unpacked(() => doublesIn(inflateRawSync(raw(measured)))),
    iterationMs: iterations.map(({ ms }) => ms),
    loss: iterations.map(({ loss }) => loss),
    drift: iterations.flatMap(({ drift }) => drift ?? []),
  });
}

/** Copies, because inflated bytes may not be aligned for doubles. */
const doublesIn = (bytes: Uint8Array): number[] => Array.from(new Float64Array(new Uint8Array(bytes).buffer));

/** Longest failure text in a list: a backend's message may quote a whole shader. */
const headOf = ({ number, id, source, begunMs, endedMs, outcome, failure, name, note }: LineRow) => ({
  ...{ number, begunMs, endedMs, id: textOf(id), source: textOf(source), outcome: textOf(outcome) },
  failure: failure === null ? null : textOf(failure).slice(0, MAX_FAILURE),
  ...{ name: textOf(name), note: textOf(note) },
});

/** @throws DamagedRowError for bytes that are not UTF-8 */
export function textOf(value: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw(value));
  } catch {
    throw new DamagedRowError('a text is not UTF-8');
  }
}

function jsonObject(value: Bytes): object {
  const parsed = unpacked<unknown>(() => JSON.parse(textOf(value)));
  if (typeof parsed !== 'object' || parsed === null) throw cutShort();
  return parsed;
}

function unpacked<T>(unpack: () => T): T {
  try {
    return unpack();
  } catch {
    throw cutShort();
  }
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: Faults };
}
interface Faults {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

function made<T>(schema: Schema<T>, value: object): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DamagedRowError(`${issue?.path.map(String).join('.')}: ${issue?.message}`);
}

const spoilt = (): DamagedRowError => new DamagedRowError('its checksum differs');
const cutShort = (): DamagedRowError => new DamagedRowError('it is cut short');
