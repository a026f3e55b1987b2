import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, loadLibsql } from '../../../main/history/database.ts';
import { keepWithin } from '../../../main/history/eviction.ts';
import { migrate } from '../../../main/history/schema.ts';

interface Row {
  readonly bytes?: number;
  readonly name?: string;
  readonly outcome?: string;
  readonly removedMs?: number;
}

let database: Database;
beforeEach(() => {
  database = loadLibsql()(':memory:');
  migrate(database);
});
afterEach(() => void database.close());

/** Runs 1, 2, ... of ten bytes each. */
function keep(rows: readonly Row[]): void {
  for (const [i, { bytes = 10, name = '', outcome = 'done', removedMs }] of rows.entries()) {
    database
      .prepare(
        `INSERT INTO runs (id, source, seen_ms, begun_ms, removed_ms, outcome, name, bytes, summary, request, facts)
         VALUES (?, 'lab', 0, 0, ?, ?, ?, ?, '', '', '')`,
      )
      .run(`r${i + 1}`, removedMs ?? null, outcome, name, bytes);
  }
}

const rowsOf = (where: string) =>
  database.prepare(`SELECT number, removed_ms AS at, evicted FROM runs WHERE ${where} ORDER BY number`).all();

const ALL = { newest: 1000, nowMs: 77 };
const within = (runs: number, bytes: number, { newest, nowMs } = ALL) =>
  keepWithin(database, { runs, bytes }, newest, nowMs);

describe('what is beyond the bounds', () => {
  it('is nothing where there is nothing, or just as much as may be', () => {
    expect(within(0, 0)).toEqual({ evicted: [], lost: 0 });
    keep([{}, {}, {}]);
    expect(within(3, 30)).toEqual({ evicted: [], lost: 0 });
  });

  it('goes by number, as many as are too many, and is marked with when and how it went', () => {
    keep([{}, {}, {}, {}]);
    expect(within(2, 1000)).toEqual({ evicted: [1, 2], lost: 0 });
    expect(rowsOf('removed_ms IS NOT NULL')).toEqual([
      { number: 1, at: 77, evicted: 1 },
      { number: 2, at: 77, evicted: 1 },
    ]);
    expect(rowsOf('removed_ms IS NULL')).toMatchObject([{ number: 3, evicted: 0 }, { number: 4 }]);
  });

  it('goes until the bytes fit, and not one run more', () => {
    keep([{ bytes: 1 }, { bytes: 9 }, { bytes: 50 }, { bytes: 40 }]);
    expect(within(100, 90).evicted).toEqual([1, 2]);
  });

  it('are those without a name first, then those with one', () => {
    keep([{ name: 'kept' }, {}, { name: 'kept too' }, {}]);
    expect(within(1, 1000).evicted).toEqual([2, 4, 1]);
  });

  it('is never a run that goes on, or one that room is made for', () => {
    keep([{ outcome: 'running' }, {}, {}, {}]);
    expect(within(1, 1000, { newest: 3, nowMs: 77 }).evicted).toEqual([2]);
  });

  it('counts removed runs apart: the ones that went first are gone for good', () => {
    keep([{ removedMs: 3 }, { removedMs: 1 }, { removedMs: 2 }, {}]);
    expect(within(1, 1000)).toEqual({ evicted: [], lost: 2 });
    expect(rowsOf('1')).toMatchObject([{ number: 1 }, { number: 4 }]);
    expect(rowsOf('number = 4')).toEqual([{ number: 4, at: null, evicted: 0 }]);
  });

  it('counts what was evicted just now among them, by bytes as well', () => {
    keep([{ removedMs: 1, bytes: 8 }, { bytes: 8 }, { bytes: 8 }]);
    expect(within(10, 8)).toEqual({ evicted: [2], lost: 1 });
    expect(rowsOf('1')).toMatchObject([{ number: 2, at: 77 }, { number: 3 }]);
  });
});
