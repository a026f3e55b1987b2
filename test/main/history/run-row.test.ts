import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { MAX_FAILURE, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { type Database, loadLibsql } from '../../../main/history/database.ts';
import {
  checksum,
  DamagedRowError,
  ITERATION_COLUMNS,
  type IterationRow,
  type LineRow,
  lineOf,
  lineSum,
  runOf,
  textOf,
  WHOLE_COLUMNS,
  type WholeRow,
} from '../../../main/history/run-row.ts';
import { RunStore } from '../../../main/history/run-store.ts';
import { migrate } from '../../../main/history/schema.ts';
import { requestOf, wholeRun } from './events.ts';

const CONTENT = runContentSchema.parse(wholeRun().reduce(afterEvent, emptyContent()));
const SPOILT = 'its checksum differs';
const CUT = 'it is cut short';

let database: Database;
beforeEach(() => {
  database = loadLibsql()(':memory:');
  migrate(database);
});
afterEach(() => void database.close());

interface Kept {
  readonly row: WholeRow;
  readonly iterations: readonly IterationRow[];
}

/** A sound run as the database returns it, with other content where it is given. */
function kept(content: Partial<typeof CONTENT> = {}): Kept {
  new RunStore(database, { runs: 10, bytes: 1e9 }).save({
    ...{ id: 'a', spare: 's', source: 'lab', begunMs: 5, request: requestOf() },
    ...{ outcome: 'failed', failure: 'No room.', endedMs: 9, nowMs: 9, content: { ...CONTENT, ...content } },
  });
  const all = (sql: string) => database.prepare(sql).all();
  const [row] = all(`SELECT ${WHOLE_COLUMNS} FROM runs`) as [WholeRow];
  const iterations = all(`SELECT ${ITERATION_COLUMNS} FROM iterations ORDER BY iteration`);
  return { row, iterations: iterations as IterationRow[] };
}

const bytes = (text: string | Uint8Array): ArrayBuffer => Uint8Array.from(Buffer.from(text)).buffer;
/** Without sums, as the first version of the history kept runs. */
const UNSUMMED = { lineSum: null, contentSum: null, startSum: null };

/** The sentence about a row that cannot be read. */
function fault(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(DamagedRowError);
    return (error as Error).message;
  }
  return 'it was read';
}

it('the sum of values counts each with its length and place, and is the same in every version', () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const lists = [[], [text('')], [text(''), text('')], [null], [1], [-1], [text('ab'), text('')]];
  const more = [[text('a'), text('b')], [text(''), text('ab')], [text('b'), text('a')], [text('ä')]];
  const sums = [...lists, ...more].map(checksum);
  expect(new Set(sums).size).toBe(sums.length);
  // An empty text is an array without memory where the library returns it.
  expect(checksum([text('a'), new Uint8Array(0)])).toBe(
    checksum([text('a'), new Uint8Array(new ArrayBuffer(0))]),
  );
  // CRC-32 of `v1:1v4:nullv1:x`.
  expect(checksum([1, null, text('x')])).toBe(4091143775);
  const [id, source, outcome] = ['id', 'lab', 'failed'].map(bytes) as [ArrayBuffer, ArrayBuffer, ArrayBuffer];
  const texts = { failure: bytes('f'), name: bytes('name'), note: bytes('note'), summary: bytes('{}') };
  const line = { number: 1, begunMs: 1, endedMs: 2, lineSum: null, id, source, outcome, ...texts };
  expect([lineSum(line), lineSum({ ...line, failure: null })]).toEqual([285236522, 4028890207]);
});

it('a text of a row is read back unchanged: any Unicode, a byte order mark too, and empty for NULL', () => {
  for (const text of ['', 'plain', 'ä \u{1f600}', '\ufeffmarked', 'a\0b'])
    expect(textOf(bytes(text))).toBe(text);
  expect(textOf(null)).toBe('');
  expect(fault(() => textOf(Uint8Array.of(0x61, 0xff).buffer))).toBe('a text is not UTF-8');
});

describe('the line of a run', () => {
  it('combines its columns and its summary; columns take precedence', () => {
    const { row } = kept();
    expect(lineOf(row)).toEqual({
      ...{ number: 1, id: 'a', source: 'lab', begunMs: 5, endedMs: 9, outcome: 'failed' },
      ...{ failure: 'No room.', name: '', note: '', model: 'tiny-residual', batch: 4, input: 32 },
      ...{ strategy: 'optimal', naive: false, backend: 'wasm', device: 'WebAssembly' },
      ...{ iterations: 3, done: 3, medianMs: 11, predictedPeakBytes: 400, measuredPeakBytes: 400 },
      ...{ overhead: 0.35, largestBatch: null },
    });
    const summary = bytes(JSON.stringify({ ...JSON.parse(textOf(row.summary)), id: 'b', number: 7 }));
    expect(lineOf({ ...row, lineSum: null, summary })).toMatchObject({ id: 'a', number: 1 });
  });

  it('shortens a long failure, and distinguishes it from none', () => {
    const { row } = kept();
    const failureOf = (failure: ArrayBuffer | null) => lineOf({ ...row, ...UNSUMMED, failure }).failure;
    const long = 'x'.repeat(MAX_FAILURE);
    expect([null, bytes(`${long}y`), bytes(long)].map(failureOf)).toEqual([null, long, long]);
  });

  it.each<[keyof LineRow, unknown]>([
    ['id', bytes('b')],
    ['source', bytes('file')],
    ['begunMs', 6],
    ['endedMs', null],
    ['outcome', bytes('done')],
    ['failure', null],
    ['name', bytes('x')],
    ['note', bytes('x')],
    ['summary', null],
    ['lineSum', 0],
  ])('is spoilt by another %s', (column, value) => {
    expect(fault(() => lineOf({ ...kept().row, [column]: value }))).toBe(SPOILT);
  });

  it.each([
    ['cut short', '{"model":', CUT],
    ['nothing', '', CUT],
    ['null', 'null', CUT],
    ['a number', '7', CUT],
    ['another object', '{"model":7}', /^model: Invalid input/],
  ])('without a sum says what is wrong where the summary is %s', (_what, summary, told) => {
    const { row } = kept();
    expect(fault(() => lineOf({ ...row, lineSum: null, summary: bytes(summary) }))).toMatch(told);
  });
});

describe('a whole run', () => {
  it('equals its events, with and without checksums', () => {
    const { row, iterations } = kept();
    const run = runOf(row, iterations);
    expect(run).toMatchObject({ id: 'a', begunMs: 5, endedMs: 9, outcome: 'failed', failure: 'No room.' });
    expect(run.request).toEqual(requestOf());
    expect(runContentSchema.parse(run)).toEqual(CONTENT);
    expect(runOf({ ...row, ...UNSUMMED }, iterations)).toEqual(run);
    // Most of a prediction repeats itself.
    expect(row.start?.byteLength).toBeLessThan(JSON.stringify(CONTENT.start).length / 2);
  });

  it('may have neither start nor measured bytes nor iterations', () => {
    const { row, iterations } = kept(emptyContent());
    expect([row.start, row.startSum, row.measured, iterations]).toEqual([null, null, null, []]);
    expect(runContentSchema.parse(runOf(row, iterations))).toEqual(emptyContent());
  });

  it('has NaN for a missing loss, and as many drifts as recorded', () => {
    const { row, iterations } = kept({ loss: [2, Number.NaN, Number.POSITIVE_INFINITY], drift: [0.5, 0] });
    expect(iterations.map(({ loss, drift }) => [loss, drift])).toEqual([
      [2, 0.5],
      [null, 0],
      [null, null],
    ]);
    expect(runOf(row, iterations)).toMatchObject({ loss: [2, Number.NaN, Number.NaN], drift: [0.5, 0] });
  });

  const inRow = (change: Partial<WholeRow>) => (all: Kept) => ({ ...all, row: { ...all.row, ...change } });
  const inIterations =
    (change: (rows: readonly IterationRow[]) => readonly IterationRow[]) => (all: Kept) => ({
      ...all,
      iterations: change(all.iterations),
    });
  const packed = (text: string) => bytes(deflateRawSync(text));
  it.each<[string, (kept: Kept) => Kept]>([
    ['request', inRow({ request: bytes('{}') })],
    ['facts', inRow({ facts: bytes('{}') })],
    ['measured', inRow({ measured: null })],
    ['start', inRow({ start: packed('{}') })],
    ['missing start', inRow({ start: null })],
    ['sum of the start', inRow({ startSum: 0 })],
    ['sum of the content', inRow({ contentSum: 0 })],
    ['sum of its line', inRow({ lineSum: 0 })],
    ['fewer iterations', inIterations((rows) => rows.slice(1))],
    ['order of iterations', inIterations((rows) => [...rows].reverse())],
    ['time', inIterations((rows) => rows.map((one) => ({ ...one, ms: one.ms + 1 })))],
    ['loss', inIterations((rows) => rows.map((one) => ({ ...one, loss: 7 })))],
    ['missing loss', inIterations((rows) => rows.map((one) => ({ ...one, loss: null })))],
    ['drift', inIterations((rows) => rows.map((one) => ({ ...one, drift: 1 })))],
  ])('is spoilt by another %s', (_what, spoil) => {
    const { row, iterations } = spoil(kept());
    expect(fault(() => runOf(row, iterations))).toBe(SPOILT);
  });

  const nine = deflateRawSync(new Uint8Array(new Float64Array(9).buffer));
  it.each<[string, Partial<WholeRow>, string | RegExp]>([
    ['the request', { request: null }, CUT],
    ['the facts', { facts: bytes('[') }, CUT],
    ['the start, which is not deflated', { start: bytes('{}') }, CUT],
    ['the start, which is not JSON', { start: packed('nothing') }, CUT],
    ['the measured bytes, which are not deflated', { measured: bytes('\u0007') }, CUT],
    ['the start, which is another object', { start: packed('{"event":"done"}') }, /^start.*: /],
    ['the measured bytes, too many', { measured: bytes(nine) }, 'measured: expected at most 6 steps'],
    ['the name', { name: Uint8Array.of(0xff).buffer }, 'a text is not UTF-8'],
  ])('without sums says what is wrong with %s', (_what, change, told) => {
    const { row, iterations } = kept();
    expect(fault(() => runOf({ ...row, ...UNSUMMED, ...change }, iterations))).toMatch(told);
  });
});
