import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { MAX_FAILURE, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { type Database, loadLibsql } from '../../../main/history/database.ts';
import {
  type Bytes,
  checkLine,
  DamagedRowError,
  ITERATION_COLUMNS,
  type IterationRow,
  type LineRow,
  lineOf,
  runOf,
  sumOfRow,
  textOf,
  WHOLE_COLUMNS,
  type WholeRow,
} from '../../../main/history/kept-row.ts';
import { packDoubles, packJson } from '../../../main/history/pack.ts';
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

/** A sound run as the database hands it out, with other content where it is given. */
function kept(content: Partial<typeof CONTENT> = {}): Kept {
  new RunStore(database, { runs: 10, bytes: 1e9 }).insert(
    { id: 'a', source: 'lab', begunMs: 5, request: requestOf() },
    {
      ...{ outcome: 'failed', failure: 'No room.', endedMs: 9, nowMs: 9, owner: null, written: 0 },
      content: { ...CONTENT, ...content },
    },
  );
  const [row] = database.prepare(`SELECT ${WHOLE_COLUMNS} FROM runs`).all() as WholeRow[];
  const iterations = database
    .prepare(`SELECT ${ITERATION_COLUMNS} FROM iterations ORDER BY iteration`)
    .all() as IterationRow[];
  return { row: row as WholeRow, iterations };
}

const bytes = (text: string | Uint8Array): Bytes => Uint8Array.from(Buffer.from(text)).buffer;
/** Without sums, as the first version of the history kept runs. */
const UNSUMMED = { lineSum: null, contentSum: null, startSum: null };

/** What is said of a row that cannot be read. */
function fault(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(DamagedRowError);
    expect((error as Error).name).toBe('DamagedRowError');
    return (error as Error).message;
  }
  return 'it was read';
}

describe('a text of a row', () => {
  it('is as it was kept: any of Unicode, a mark of byte order too, and nothing for NULL', () => {
    for (const text of ['', 'plain', 'ä \u{1f600}', '\ufeffmarked', 'a\0b'])
      expect(textOf(bytes(text))).toBe(text);
    expect(textOf(null)).toBe('');
  });

  it('is told where it is none', () => {
    expect(fault(() => textOf(Uint8Array.of(0x61, 0xff).buffer))).toBe('a text of it is none');
  });
});

describe('the line of a run', () => {
  it('says what is kept in its columns, and what its summary has', () => {
    const { row } = kept();
    expect(lineOf(row)).toEqual({
      ...{
        number: 1,
        id: 'a',
        source: 'lab',
        begunMs: 5,
        endedMs: 9,
        outcome: 'failed',
        failure: 'No room.',
      },
      ...{
        name: '',
        note: '',
        model: 'tiny-residual',
        batch: 4,
        input: 32,
        strategy: 'optimal',
        naive: false,
      },
      ...{ backend: 'wasm', device: 'WebAssembly', iterations: 3, done: 3, medianMs: 11 },
      ...{ predictedPeakBytes: 400, measuredPeakBytes: 400, overhead: 0.35, largestBatch: null },
    });
  });

  it('has the columns count, where the summary says another thing', () => {
    const { row } = kept();
    const summary = JSON.stringify({ ...JSON.parse(textOf(row.summary)), id: 'b', number: 7 });
    expect(lineOf({ ...row, ...UNSUMMED, summary: bytes(summary) })).toMatchObject({ id: 'a', number: 1 });
  });

  it('tells a failure from none, and cuts one that a line has no room for', () => {
    const { row } = kept();
    expect(lineOf({ ...row, ...UNSUMMED, failure: null }).failure).toBeNull();
    const long = 'x'.repeat(MAX_FAILURE);
    expect(lineOf({ ...row, ...UNSUMMED, failure: bytes(`${long}y`) }).failure).toBe(long);
    expect(lineOf({ ...row, ...UNSUMMED, failure: bytes(long) }).failure).toBe(long);
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
  ])('is spoilt by another %s, unless it has no sum', (column, value) => {
    const { row } = kept();
    expect(fault(() => lineOf({ ...row, [column]: value }))).toBe(SPOILT);
    expect(fault(() => checkLine({ ...row, [column]: value }))).toBe(SPOILT);
    expect(fault(() => checkLine({ ...row, [column]: value, lineSum: null }))).toBe('it was read');
  });

  it('gets the sum of what it will be by a name or a note', () => {
    const { row } = kept();
    expect(sumOfRow(row)).toBe(row.lineSum);
    for (const change of [{ name: 'a name' }, { note: 'a note' }, { name: 'a name', note: 'a note' }]) {
      const after = Object.fromEntries(Object.entries(change).map(([key, text]) => [key, bytes(text)]));
      expect(sumOfRow(row, change)).toBe(sumOfRow({ ...row, ...after }));
      expect(sumOfRow(row, change)).not.toBe(row.lineSum);
    }
  });

  it.each([
    ['cut short', '{"model":', CUT],
    ['nothing', '', CUT],
    ['null', 'null', CUT],
    ['a number', '7', CUT],
    ['another object', '{"model":7}', /^model: Invalid input/],
  ])('says what is wrong where the summary is %s', (_what, summary, told) => {
    const { row } = kept();
    expect(fault(() => lineOf({ ...row, lineSum: null, summary: bytes(summary) }))).toMatch(told);
  });
});

describe('a whole run', () => {
  it('is what its events told, with sums or without', () => {
    const { row, iterations } = kept();
    const run = runOf(row, iterations);
    expect(run).toMatchObject({ id: 'a', begunMs: 5, endedMs: 9, outcome: 'failed', failure: 'No room.' });
    expect(run.request).toEqual(requestOf());
    expect(runContentSchema.parse(run)).toEqual(CONTENT);
    expect(runOf({ ...row, ...UNSUMMED }, iterations)).toEqual(run);
  });

  it('may have neither start nor measured bytes nor iterations', () => {
    const { row, iterations } = kept(emptyContent());
    expect([row.start, row.startSum, row.measured, iterations]).toEqual([null, null, null, []]);
    expect(runContentSchema.parse(runOf(row, iterations))).toEqual(emptyContent());
  });

  it('has a loss that is no number where none was kept, and as many drifts as there were', () => {
    const { row, iterations } = kept({ loss: [2, Number.NaN, Number.POSITIVE_INFINITY], drift: [0.5, 0] });
    expect(iterations.map(({ loss, drift }) => [loss, drift])).toEqual([
      [2, 0.5],
      [null, 0],
      [null, null],
    ]);
    expect(runOf(row, iterations)).toMatchObject({ loss: [2, Number.NaN, Number.NaN], drift: [0.5, 0] });
  });

  it.each<[string, (kept: Kept) => Kept]>([
    ['request', ({ row, ...more }) => ({ row: { ...row, request: bytes('{}') }, ...more })],
    ['facts', ({ row, ...more }) => ({ row: { ...row, facts: bytes('{}') }, ...more })],
    ['measured', ({ row, ...more }) => ({ row: { ...row, measured: null }, ...more })],
    ['start', ({ row, ...more }) => ({ row: { ...row, start: bytes(packJson({})) }, ...more })],
    ['missing start', ({ row, ...more }) => ({ row: { ...row, start: null }, ...more })],
    ['sum of the start', ({ row, ...more }) => ({ row: { ...row, startSum: 0 }, ...more })],
    ['sum of the content', ({ row, ...more }) => ({ row: { ...row, contentSum: 0 }, ...more })],
    ['sum of its line', ({ row, ...more }) => ({ row: { ...row, lineSum: 0 }, ...more })],
    ['fewer iterations', ({ row, iterations }) => ({ row, iterations: iterations.slice(1) })],
    ['order of iterations', ({ row, iterations }) => ({ row, iterations: [...iterations].reverse() })],
    [
      'time',
      ({ row, iterations }) => ({ row, iterations: iterations.map((one) => ({ ...one, ms: one.ms + 1 })) }),
    ],
    [
      'loss',
      ({ row, iterations }) => ({ row, iterations: iterations.map((one) => ({ ...one, loss: null })) }),
    ],
    [
      'drift',
      ({ row, iterations }) => ({ row, iterations: iterations.map((one) => ({ ...one, drift: 1 })) }),
    ],
  ])('is spoilt by another %s', (_what, spoil) => {
    const { row, iterations } = spoil(kept());
    expect(fault(() => runOf(row, iterations))).toBe(SPOILT);
  });

  it.each<
    [string, Partial<Pick<WholeRow, 'name' | 'request' | 'facts' | 'start' | 'measured'>>, string | RegExp]
  >([
    ['the request', { request: null }, CUT],
    ['the facts', { facts: bytes('[') }, CUT],
    ['the start, which is not deflated', { start: bytes('{}') }, CUT],
    ['the start, which is no JSON', { start: bytes(deflateRawSync('nothing')) }, CUT],
    ['the measured bytes, which are not deflated', { measured: bytes('\u0007') }, CUT],
    ['the start, which is another object', { start: bytes(packJson({ event: 'done' })) }, /^start.*: /],
    [
      'the measured bytes, more than there are steps',
      { measured: bytes(packDoubles(new Array(9).fill(1))) },
      'measured: expected at most 6 steps',
    ],
    ['the name', { name: Uint8Array.of(0xff).buffer }, 'a text of it is none'],
  ])('without sums says what is wrong with %s', (_what, change, told) => {
    const { row, iterations } = kept();
    expect(fault(() => runOf({ ...row, ...UNSUMMED, ...change }, iterations))).toMatch(told);
  });
});
