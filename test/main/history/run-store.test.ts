import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RunContent, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { type Database, loadLibsql } from '../../../main/history/database.ts';
import { DamagedRunError, packImport, type RunSnapshot, RunStore } from '../../../main/history/run-store.ts';
import { migrate } from '../../../main/history/schema.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { recordOf } from './pass.ts';

const told = (...events: Parameters<typeof afterEvent>[1][]): RunContent =>
  runContentSchema.parse(events.reduce(afterEvent, emptyContent()));
const WHOLE = told(...wholeRun());
const RUNNING = {
  ...{ outcome: 'running', failure: null, endedMs: null, nowMs: 50, owner: 7, written: 0 },
  content: told(startEvent()),
} satisfies RunSnapshot;
const DONE = {
  ...{ outcome: 'done', failure: null, endedMs: 90, nowMs: 90, owner: null, written: 0 },
  content: WHOLE,
} satisfies RunSnapshot;

let database: Database;
let store: RunStore;
const storeOf = (runs: number, bytes = 1e9) => new RunStore(database, { runs, bytes });
beforeEach(() => {
  database = loadLibsql()(':memory:');
  migrate(database);
  database.exec('PRAGMA foreign_keys = ON');
  store = storeOf(100);
});
afterEach(() => void database.close());

const begin = (id: string, begunMs = 10, snapshot: RunSnapshot = DONE): number =>
  store.insert({ id, source: 'lab', begunMs, request: requestOf() }, snapshot);
const rows = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
const listed = () => store.list().runs.map(({ id }) => id);
/** An operation of the store that its database refuses half way leaves nothing of it. */
function failAt(part: string): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    if (sql.includes(part)) throw new Error(`no ${part}`);
    return prepare(sql);
  };
}

describe('a run that is written', () => {
  it('is there with who records it, and read as it was told', () => {
    expect([begin('a'), begin('b', 20, RUNNING)]).toEqual([1, 2]);
    expect(rows('SELECT owner, seen_ms, ended_ms, outcome, name, note, removed_ms FROM runs')).toEqual([
      { owner: null, seen_ms: 90, ended_ms: 90, outcome: 'done', name: '', note: '', removed_ms: null },
      { owner: 7, seen_ms: 50, ended_ms: null, outcome: 'running', name: '', note: '', removed_ms: null },
    ]);
    expect(runContentSchema.parse(store.read('a'))).toEqual(WHOLE);
    expect(store.read('b')).toMatchObject({ id: 'b', begunMs: 20, endedMs: null, request: requestOf() });
    expect(store.read('none')).toBeNull();
  });

  it('is found by what it was begun with, and by its id', () => {
    begin('a');
    begin('b', 20);
    expect(store.find('b', 'lab', 20)).toBe(2);
    expect([store.find('b', 'lab', 10), store.find('b', 'file', 20), store.find('a', 'lab', 20)]).toEqual([
      null,
      null,
      null,
    ]);
    store.remove(['b'], 30);
    expect(['a', 'b', 'c'].map((id) => store.has(id))).toEqual([true, true, false]);
  });

  it('grows by what is new, and its start is packed once', () => {
    const first = told(startEvent(), ...iterationEvents(0));
    const number = begin('a', 10, { ...RUNNING, content: first });
    const [start] = rows('SELECT start, start_sum, bytes FROM runs');
    // What is said to be written is not written again.
    database.exec('UPDATE iterations SET ms = 77');
    const second = told(startEvent(), ...iterationEvents(0), ...iterationEvents(1));
    const later = { ...RUNNING, content: second, nowMs: 60, written: 1 };
    expect(store.update(number, requestOf(), later)).toBe(true);
    expect(rows('SELECT iteration, ms, loss, drift FROM iterations ORDER BY iteration')).toEqual([
      { iteration: 0, ms: 77, loss: 2, drift: null },
      { iteration: 1, ms: 11, loss: 1.9, drift: null },
    ]);
    expect(rows('SELECT start, start_sum, seen_ms FROM runs')).toEqual([
      { start: start?.['start'], start_sum: start?.['start_sum'], seen_ms: 60 },
    ]);
    const [{ bytes, packed } = {}] = rows(
      `SELECT bytes, length(request) + length(summary) + length(facts) + length(start) + length(measured) AS packed FROM runs`,
    );
    expect(bytes).toBe(Number(packed) + 2 * 32);
  });

  it('gets its start with the first write that has one', () => {
    const number = begin('a', 10, { ...RUNNING, content: emptyContent() });
    expect(rows('SELECT start, start_sum FROM runs')).toEqual([{ start: null, start_sum: null }]);
    const [{ bytes, text } = {}] = rows(
      'SELECT bytes, length(request) + length(summary) + length(facts) AS text FROM runs',
    );
    expect(bytes).toBe(text);
    store.update(number, requestOf(), DONE);
    expect(runContentSchema.parse(store.read('a'))).toEqual(WHOLE);
  });

  it('has a drift and a loss where there were any', () => {
    begin('a', 10, { ...DONE, content: { ...WHOLE, loss: [Number.NaN, 2, 3], drift: [0.5, 0.25] } });
    expect(rows('SELECT loss, drift FROM iterations ORDER BY iteration')).toEqual([
      { loss: null, drift: 0.5 },
      { loss: 2, drift: 0.25 },
      { loss: 3, drift: null },
    ]);
  });

  it('is not written where it is gone', () => {
    expect(store.update(5, requestOf(), DONE)).toBe(false);
    expect(rows('SELECT * FROM runs')).toEqual([]);
  });

  it('is there wholly or not at all', () => {
    failAt('INSERT OR REPLACE INTO iterations');
    expect(() => begin('a')).toThrow('no INSERT');
    expect(rows('SELECT * FROM runs')).toEqual([]);
  });

  it('makes room for itself by the bounds, and stays', () => {
    store = storeOf(1);
    for (const id of ['a', 'b', 'c']) begin(id);
    expect(listed()).toEqual(['c']);
    expect(store.evicted()).toEqual([{ id: 'b', number: 2 }]);
    expect(rows('SELECT id, removed_ms FROM runs ORDER BY number')).toEqual([
      { id: 'b', removed_ms: 90 },
      { id: 'c', removed_ms: null },
    ]);
  });
});

describe('the list of a store', () => {
  it('has the run that was begun last first, and of those at one time the one with the higher number', () => {
    begin('a', 20);
    begin('b', 30);
    begin('c', 20);
    expect(listed()).toEqual(['b', 'c', 'a']);
    expect(store.list().damaged).toEqual([]);
  });

  it('names those that are damaged, and throws what is no damage', () => {
    for (const id of ['a', 'b', 'c']) begin(id);
    database.exec("UPDATE runs SET note = 'other' WHERE number = 2");
    expect(store.list()).toMatchObject({ damaged: [2], runs: [{ id: 'c' }, { id: 'a' }] });
    failAt('FROM runs');
    expect(() => store.list()).toThrow('no FROM runs');
  });

  it('has what went by itself apart, the latest first; not what a user removed, nor what has no name', () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) begin(id);
    database.exec('UPDATE runs SET removed_ms = 5, evicted = 1 WHERE number < 4');
    database.exec('UPDATE runs SET removed_ms = 9 WHERE number = 2');
    store.remove(['d'], 7);
    expect(store.evicted()).toEqual([
      { id: 'b', number: 2 },
      { id: 'c', number: 3 },
      { id: 'a', number: 1 },
    ]);
    database.prepare('UPDATE runs SET id = CAST(? AS TEXT) WHERE number = ?').run(Buffer.from([0xff]), 3);
    expect(store.evicted().map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('runs that are removed', () => {
  it('are in no list and not read, until they are restored', () => {
    for (const id of ['a', 'b', 'c']) begin(id);
    store.remove(['a', 'c', 'none'], 30);
    expect([listed(), store.read('a')]).toEqual([['b'], null]);
    // Once more is no later.
    store.remove(['a'], 40);
    expect(rows('SELECT removed_ms AS at, evicted FROM runs')).toEqual([
      { at: 30, evicted: 0 },
      { at: null, evicted: 0 },
      { at: 30, evicted: 0 },
    ]);
    store.restore(['a', 'c']);
    expect(listed()).toEqual(['c', 'b', 'a']);
  });

  it('are the choice of a user, who takes those back that went by themselves', () => {
    begin('a');
    database.exec('UPDATE runs SET removed_ms = 5, evicted = 1');
    store.restore(['a']);
    expect(rows('SELECT removed_ms AS at, evicted FROM runs')).toEqual([{ at: null, evicted: 0 }]);
  });

  it('are gone for good when that was before a time, with their iterations', () => {
    for (const id of ['a', 'b', 'c']) begin(id);
    store.remove(['a'], 30);
    store.remove(['b'], 31);
    store.purge(31);
    expect(rows('SELECT id FROM runs')).toEqual([{ id: 'b' }, { id: 'c' }]);
    expect(rows('SELECT DISTINCT run FROM iterations')).toEqual([{ run: 2 }, { run: 3 }]);
    // A number is used once.
    expect(begin('d')).toBe(4);
  });

  it('are all removed or none', () => {
    begin('a');
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      return {
        all: (...values) => statement.all(...values),
        run(...values) {
          if (values.includes('b')) throw new Error('no b');
          return statement.run(...values);
        },
      };
    };
    expect(() => store.remove(['a', 'b'], 30)).toThrow('no b');
    database.prepare = prepare;
    expect(listed()).toEqual(['a']);
  });
});

describe('a name and a note', () => {
  it('are changed each by itself, and the sum with them', () => {
    begin('a');
    begin('b');
    expect(store.annotate({ id: 'a', name: 'a name' })).toBe(true);
    expect(store.annotate({ id: 'a', note: 'a note' })).toBe(true);
    expect(store.annotate({ id: 'b', name: 'another', note: '' })).toBe(true);
    expect(store.list()).toMatchObject({
      runs: [
        { id: 'b', name: 'another', note: '' },
        { id: 'a', name: 'a name', note: 'a note' },
      ],
      damaged: [],
    });
    expect(store.annotate({ id: 'none', name: 'x' })).toBe(false);
  });

  it('are refused to a damaged run, which would be a sound one then', () => {
    begin('a');
    database.exec("UPDATE runs SET note = 'other'");
    const change = () => store.annotate({ id: 'a', name: 'x' });
    expect(change).toThrow(DamagedRunError);
    expect(change).toThrow(
      'run 1 cannot be changed, because what was kept of it makes no sense (its checksum differs); ' +
        'the other runs are as they were: delete this one',
    );
    expect(rows('SELECT name FROM runs')).toEqual([{ name: '' }]);
  });
});

describe('a run that is damaged', () => {
  it('is refused by its number, as the fault of an input', () => {
    begin('a');
    begin('b');
    database.exec('UPDATE iterations SET ms = 0 WHERE run = 2');
    let thrown: unknown;
    try {
      store.read('b');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BadInputError);
    expect(thrown).toBeInstanceOf(DamagedRunError);
    expect(thrown).toMatchObject({
      number: 2,
      message: expect.stringMatching(/^run 2 cannot be opened, .*\(its checksum differs\)/),
    });
    expect(store.read('a')?.id).toBe('a');
  });
});

describe('a run that nobody ended', () => {
  it('is known with who records it, and ends where it was seen last', () => {
    begin('a');
    begin('b', 10, RUNNING);
    expect(store.unfinished()).toEqual([{ number: 2, owner: 7, seenMs: 50 }]);
    store.markInterrupted(2);
    // One that has ended is as it ended.
    store.markInterrupted(1);
    store.markInterrupted(9);
    expect(store.unfinished()).toEqual([]);
    expect(store.list()).toMatchObject({
      damaged: [],
      runs: [
        { id: 'b', outcome: 'interrupted', endedMs: 50 },
        { id: 'a', outcome: 'done', endedMs: 90 },
      ],
    });
    expect(rows('SELECT owner FROM runs WHERE number = 2')).toEqual([{ owner: null }]);
  });

  it('keeps a sum that was wrong', () => {
    begin('a', 10, RUNNING);
    database.exec("UPDATE runs SET name = 'other'");
    store.markInterrupted(1);
    expect(store.list()).toEqual({ runs: [], damaged: [1] });
  });

  it('keeps a sum that it never had', () => {
    begin('a', 10, RUNNING);
    database.exec('UPDATE runs SET line_sum = NULL');
    store.markInterrupted(1);
    expect(rows('SELECT line_sum, outcome FROM runs')).toEqual([{ line_sum: null, outcome: 'interrupted' }]);
  });
});

describe('runs of a file', () => {
  const packed = (id: string, part = {}) => packImport({ ...recordOf(id), ...part }, 70);

  it('come in as they are there, from a file, and are known the next time', () => {
    const first = store.add([packed('a', { note: 'a note' }), packed('b'), packed('a')], 70, false);
    expect(first).toEqual({ added: ['a', 'b'], known: ['a'], evicted: [], lost: 0, isRefused: false });
    expect(store.list().runs).toMatchObject([
      { number: 2, id: 'b', source: 'file' },
      { number: 1, id: 'a', source: 'file', name: 'a name', note: 'a note', begunMs: 1_700_000_000_000 },
    ]);
    expect(store.read('a')).toEqual({ ...recordOf('a'), note: 'a note' });
    expect(rows('SELECT DISTINCT owner, seen_ms FROM runs')).toEqual([{ owner: null, seen_ms: 70 }]);
  });

  it('come back where they were removed, as they are here', () => {
    store.add([packed('a')], 70, false);
    store.annotate({ id: 'a', name: 'mine' });
    database.exec('UPDATE runs SET removed_ms = 75, evicted = 1');
    expect(store.add([packed('a')], 80, false)).toMatchObject({ added: ['a'], known: [] });
    expect(store.list().runs).toMatchObject([{ id: 'a', name: 'mine' }]);
    expect(rows('SELECT removed_ms, evicted FROM runs')).toEqual([{ removed_ms: null, evicted: 0 }]);
  });

  it('are told what would go for them, and take no room that may not be made', () => {
    store = storeOf(2);
    begin('own');
    begin('other');
    const refused = store.add([packed('other'), packed('a')], 70, false);
    const known = { added: [], known: ['other'], lost: 0, isRefused: true };
    expect(refused).toEqual({ ...known, evicted: ['own'] });
    expect([listed(), store.evicted()]).toEqual([['other', 'own'], []]);
    const taken = store.add([packed('a')], 71, true);
    expect(taken).toEqual({ added: ['a'], known: [], evicted: ['own'], lost: 0, isRefused: false });
    expect(listed()).toEqual(['a', 'other']);
    // What went by an earlier import is not told again, what is gone for good is.
    const last = store.add([packed('b'), packed('c')], 72, true);
    expect(last).toEqual({
      added: ['b', 'c'],
      known: [],
      evicted: ['a', 'other'],
      lost: 1,
      isRefused: false,
    });
  });

  it('make no room for themselves among each other', () => {
    store = storeOf(1);
    const taken = store.add([packed('a'), packed('b')], 70, false);
    expect(taken).toMatchObject({ added: ['a', 'b'], evicted: [], isRefused: false });
    expect(listed()).toEqual(['b', 'a']);
  });

  it('ask for room as well where only removed runs would go', () => {
    store = storeOf(1);
    begin('a');
    store.remove(['a'], 30);
    begin('b');
    expect(store.add([packed('c')], 70, false)).toMatchObject({ evicted: ['b'], lost: 1, isRefused: true });
    store = storeOf(2);
    store.remove(['b'], 40);
    store = new RunStore(database, { runs: 1, bytes: 1e9 });
    expect(store.add([packed('c')], 70, false)).toMatchObject({ evicted: [], lost: 1, isRefused: true });
    expect(listed()).toEqual([]);
  });

  it('are taken all or none, and what the database refuses is thrown', () => {
    failAt('INSERT OR REPLACE INTO iterations');
    expect(() => store.add([packed('a')], 70, true)).toThrow('no INSERT');
    expect(rows('SELECT * FROM runs')).toEqual([]);
  });

  it.each([
    ['running', null, 'interrupted', 1_700_000_000_000],
    ['running', 1_700_000_000_500, 'interrupted', 1_700_000_000_500],
    ['failed', 1_700_000_000_500, 'failed', 1_700_000_000_500],
    ['done', null, 'done', 1_700_000_000_000],
  ] as const)('are over: one that is %s, ended at %s, is %s', (outcome, endedMs, is, at) => {
    store.add([packed('a', { outcome, endedMs, failure: 'No room.' })], 70, false);
    expect(store.list().runs).toMatchObject([{ outcome: is, endedMs: at, failure: 'No room.' }]);
    expect(store.unfinished()).toEqual([]);
  });
});
