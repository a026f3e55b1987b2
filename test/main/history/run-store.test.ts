import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RunContent, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { type Database, loadLibsql } from '../../../main/history/database.ts';
import { DamagedRunError, type RunState, RunStore } from '../../../main/history/run-store.ts';
import { migrate } from '../../../main/history/schema.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { recordOf } from './pass.ts';

const told = (...events: Parameters<typeof afterEvent>[1][]): RunContent =>
  runContentSchema.parse(events.reduce(afterEvent, emptyContent()));
const WHOLE = told(...wholeRun());
const DONE = {
  ...{ source: 'lab', begunMs: 10, request: requestOf(), content: WHOLE },
  ...{ outcome: 'done', failure: null, endedMs: 90, nowMs: 90 },
} satisfies Partial<RunState>;
const RUNNING = { outcome: 'running', endedMs: null, nowMs: 50, content: told(startEvent()) } as const;

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

const save = (id: string, part: Partial<RunState> = {}): number =>
  store.save({ ...DONE, id, spare: `spare of ${id}`, ...part });
const rows = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
const listed = () => store.list().runs.map(({ id }) => id);
/** A statement that the database refuses half way through an operation, which leaves nothing of it. */
function failAt(part: string): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    if (sql.includes(part)) throw new Error(`no ${part}`);
    return prepare(sql);
  };
}

describe('a run that is saved', () => {
  it('is stored with its recorder, and read back unchanged', () => {
    expect([save('a'), save('b', { ...RUNNING, begunMs: 20 })]).toEqual([1, 2]);
    expect(rows('SELECT owner, seen_ms, ended_ms, outcome, name, note, removed_ms FROM runs')).toEqual([
      { owner: null, seen_ms: 90, ended_ms: 90, outcome: 'done', name: '', note: '', removed_ms: null },
      {
        ...{ owner: process.pid, seen_ms: 50, ended_ms: null, outcome: 'running' },
        ...{ name: '', note: '', removed_ms: null },
      },
    ]);
    expect(runContentSchema.parse(store.read('a'))).toEqual(WHOLE);
    expect(store.read('b')).toMatchObject({ id: 'b', begunMs: 20, endedMs: null, request: requestOf() });
    expect(store.read('none')).toBeNull();
  });

  it('again is the same run, by id or spare id, source and start', () => {
    expect([save('a'), save('a'), save('a', { begunMs: 11, spare: 'b' })]).toEqual([1, 1, 2]);
    expect(rows('SELECT id FROM runs')).toEqual([{ id: 'a' }, { id: 'b' }]);
    // Under its spare id, as its own is taken.
    expect(save('a', { begunMs: 11, spare: 'b' })).toBe(2);
    expect(save('a', { source: 'command line', spare: 'c' })).toBe(3);
    store.remove(['a'], 30);
    expect(save('a', { begunMs: 12, spare: 'd' })).toBe(4);
    expect(rows('SELECT id FROM runs')).toEqual(['a', 'b', 'c', 'd'].map((id) => ({ id })));
    // With both present, its spare is its own.
    expect(save('a', { begunMs: 10, spare: 'e' })).toBe(1);
    database.exec("UPDATE runs SET begun_ms = 10 WHERE id = 'd'");
    expect(save('a', { begunMs: 10, spare: 'd' })).toBe(4);
  });

  it('grows by its new parts, and its start is packed once', () => {
    save('a', { ...RUNNING, content: told(startEvent(), ...iterationEvents(0)) });
    const start = rows('SELECT start, start_sum FROM runs');
    // Iterations already stored are not written again.
    database.exec('UPDATE iterations SET ms = 77');
    const content = told(startEvent(), ...iterationEvents(0), ...iterationEvents(1));
    save('a', { ...RUNNING, content, nowMs: 60 });
    expect(rows('SELECT iteration, ms, loss, drift FROM iterations ORDER BY iteration')).toEqual([
      { iteration: 0, ms: 77, loss: 2, drift: null },
      { iteration: 1, ms: 11, loss: 1.9, drift: null },
    ]);
    expect(rows('SELECT start, start_sum FROM runs')).toEqual(start);
    const [{ bytes, packed, seen } = {}] = rows(
      `SELECT bytes, length(request) + length(summary) + length(facts) + length(start) + length(measured) AS packed,
       seen_ms AS seen FROM runs`,
    );
    expect([bytes, seen]).toEqual([Number(packed) + 2 * 32, 60]);
  });

  it('gets its start with the first write that has one', () => {
    save('a', { ...RUNNING, content: emptyContent() });
    expect(rows('SELECT start, start_sum FROM runs')).toEqual([{ start: null, start_sum: null }]);
    const [{ bytes, text } = {}] = rows(
      'SELECT bytes, length(request) + length(summary) + length(facts) AS text FROM runs',
    );
    expect(bytes).toBe(text);
    save('a');
    expect(runContentSchema.parse(store.read('a'))).toEqual(WHOLE);
  });

  it('is stored whole or not at all', () => {
    failAt('INSERT INTO iterations');
    expect(() => save('a')).toThrow('no INSERT');
    expect(rows('SELECT * FROM runs')).toEqual([]);
  });
});

describe('the list of a store', () => {
  it('has the latest run first, and of simultaneous ones the higher number', () => {
    for (const [id, begunMs] of Object.entries({ a: 20, b: 30, c: 20 })) save(id, { begunMs });
    expect(store.list()).toMatchObject({ runs: [{ id: 'b' }, { id: 'c' }, { id: 'a' }], damaged: [] });
  });

  it('names damaged runs, and throws other errors', () => {
    for (const id of ['a', 'b', 'c']) save(id);
    database.exec("UPDATE runs SET note = 'other' WHERE number = 2");
    expect(store.list()).toMatchObject({ damaged: [2], runs: [{ id: 'c' }, { id: 'a' }] });
    failAt('FROM runs');
    expect(() => store.list()).toThrow('no FROM runs');
  });

  it('lists runs removed to make room separately, the latest first; no runs that a user removed, and no damaged ids', () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) save(id);
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

describe('runs beyond the bounds', () => {
  interface Row {
    readonly bytes?: number;
    readonly name?: string;
    readonly outcome?: string;
    readonly removedMs?: number;
  }
  /** Runs 1, 2, ... of ten bytes each; the last one is saved now. */
  function keep(kept: readonly Row[], bounds: readonly [number, number]): void {
    for (const [i, { bytes = 10, name = '', outcome = 'done', removedMs }] of kept.entries()) {
      save(`r${i + 1}`, { content: emptyContent() });
      database
        .prepare('UPDATE runs SET bytes = ?, name = ?, outcome = ?, removed_ms = ? WHERE number = ?')
        .run(bytes, name, outcome, removedMs ?? null, i + 1);
    }
    store = storeOf(...bounds);
    save('new', { content: emptyContent(), nowMs: 77 });
  }
  const numbers = (where: string) =>
    rows(`SELECT number FROM runs WHERE ${where} ORDER BY number`).map(({ number }) => number);

  const NEW = 10_000;
  // Removed runs, and those deleted for good: as many removed ones are kept as others.
  it.each<[string, readonly Row[], readonly [number, number], readonly number[], readonly number[]]>([
    ['are none up to the bounds', [{}, {}], [3, NEW], [], []],
    ['go by number, as many as are too many', [{}, {}, {}, {}], [3, NEW], [1, 2], []],
    ['go until the bytes fit', [{ bytes: 1 }, { bytes: NEW }, { bytes: NEW }], [100, 2 * NEW], [1, 2], []],
    ['without a name go first', [{ name: 'kept' }, {}, { name: 'too' }, {}], [2, NEW], [2, 4], [1]],
    ['go on, or are new, and stay', [{ outcome: 'running' }, {}, {}], [1, NEW], [3], [2]],
    ['that were removed first are gone', [{ removedMs: 3 }, { removedMs: 1 }, {}], [1, NEW], [3], [1, 2]],
    ['are gone by bytes', [{ removedMs: 1 }, { removedMs: 2 }, { bytes: NEW }], [10, NEW + 15], [3], [1]],
  ])('%s', (_what, kept, bounds, gone, lost) => {
    keep(kept, bounds);
    expect(numbers('evicted = 1')).toEqual(gone);
    expect(numbers('removed_ms = 77')).toEqual(gone);
    const all = [...kept.keys()].map((i) => i + 1);
    expect(numbers('1')).toEqual([...all.filter((number) => !lost.includes(number)), all.length + 1]);
  });
});

describe('removed runs', () => {
  it('are hidden until they are restored', () => {
    for (const id of ['a', 'b', 'c']) save(id);
    store.remove(['a', 'c', 'none'], 30);
    expect([listed(), store.read('a')]).toEqual([['b'], null]);
    // Once more is no later.
    store.remove(['a'], 40);
    expect(rows('SELECT removed_ms AS at, evicted FROM runs')).toEqual([
      { at: 30, evicted: 0 },
      { at: null, evicted: 0 },
      { at: 30, evicted: 0 },
    ]);
    database.exec('UPDATE runs SET evicted = 1 WHERE number = 3');
    store.restore(['a', 'c']);
    expect([listed(), rows('SELECT sum(evicted) AS evicted FROM runs')]).toEqual([
      ['c', 'b', 'a'],
      [{ evicted: 0 }],
    ]);
  });

  it('are deleted for good after a time, with their iterations', () => {
    for (const id of ['a', 'b', 'c']) save(id);
    store.remove(['a'], 30);
    store.remove(['b'], 31);
    store.purge(31);
    expect(rows('SELECT id FROM runs')).toEqual([{ id: 'b' }, { id: 'c' }]);
    expect(rows('SELECT DISTINCT run FROM iterations')).toEqual([{ run: 2 }, { run: 3 }]);
    // A number is used once.
    expect(save('d')).toBe(4);
  });

  it('are all removed or none', () => {
    save('a');
    database.exec(
      "CREATE TRIGGER refuse BEFORE UPDATE ON runs WHEN old.id = 'b' BEGIN SELECT RAISE(ABORT, 'no b'); END",
    );
    save('c');
    database.exec("UPDATE runs SET id = 'b' WHERE id = 'c'");
    expect(() => store.remove(['a', 'b'], 30)).toThrow('no b');
    expect(rows('SELECT removed_ms FROM runs')).toEqual([{ removed_ms: null }, { removed_ms: null }]);
  });
});

describe('a name and a note', () => {
  it('are changed separately, with the checksum', () => {
    save('a');
    save('b');
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

  it('are refused for a damaged run, which would otherwise look sound', () => {
    save('a');
    database.exec("UPDATE runs SET note = 'other'");
    const change = () => store.annotate({ id: 'a', name: 'x' });
    expect(change).toThrow(DamagedRunError);
    expect(change).toThrow(
      'run 1 cannot be changed, because its record is damaged (its checksum differs); ' +
        'the other runs are not affected: delete this one',
    );
    expect(rows('SELECT name FROM runs')).toEqual([{ name: '' }]);
  });
});

it('a damaged run is refused by its number, as bad input', () => {
  save('a');
  save('b');
  database.exec('UPDATE iterations SET ms = 0 WHERE run = 2');
  const read = () => store.read('b');
  expect(read).toThrow(BadInputError);
  expect(read).toThrow(DamagedRunError);
  expect(read).toThrow(/^run 2 cannot be opened, .*\(its checksum differs\)/);
  expect(store.read('a')?.id).toBe('a');
});

describe('a run that nobody ended', () => {
  it('is known with its recorder, and ends at its last sign of life', () => {
    save('a');
    save('b', RUNNING);
    expect(store.unfinished()).toEqual([{ number: 2, owner: process.pid, seenMs: 50 }]);
    // One that has ended is as it ended, and a missing run is none.
    for (const number of [2, 1, 9]) store.markInterrupted(number);
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

  it('keeps a wrong checksum', () => {
    save('a', RUNNING);
    database.exec("UPDATE runs SET name = 'other'");
    store.markInterrupted(1);
    expect(store.list()).toEqual({ runs: [], damaged: [1] });
  });
});

describe('runs of a file', () => {
  const run = (id: string, part = {}) => ({ ...recordOf(id), ...part });

  it('are imported unchanged, and recognized the next time', () => {
    const first = store.add([run('a', { note: 'a note' }), run('b'), run('a')], 70, false);
    expect(first).toEqual({ added: ['a', 'b'], known: ['a'], evicted: [], lost: 0, needsRoom: false });
    expect(store.list().runs).toMatchObject([
      { number: 2, id: 'b', source: 'file' },
      { number: 1, id: 'a', source: 'file', name: 'a name', note: 'a note', begunMs: 1_700_000_000_000 },
    ]);
    expect(store.read('a')).toEqual({ ...recordOf('a'), note: 'a note' });
    expect(rows('SELECT DISTINCT owner, seen_ms FROM runs')).toEqual([{ owner: null, seen_ms: 70 }]);
  });

  it('are restored if they were removed, as stored here', () => {
    store.add([run('a')], 70, false);
    store.annotate({ id: 'a', name: 'mine' });
    database.exec('UPDATE runs SET removed_ms = 75, evicted = 1');
    expect(store.add([run('a')], 80, false)).toMatchObject({ added: ['a'], known: [] });
    expect(store.list().runs).toMatchObject([{ id: 'a', name: 'mine' }]);
    expect(rows('SELECT removed_ms, evicted FROM runs')).toEqual([{ removed_ms: null, evicted: 0 }]);
  });

  it('report the runs that would be removed for them, and remove none without permission', () => {
    store = storeOf(2);
    save('own');
    save('other');
    const refused = store.add([run('other'), run('a')], 70, false);
    expect(refused).toEqual({ added: [], known: ['other'], evicted: ['own'], lost: 0, needsRoom: true });
    expect([listed(), store.evicted()]).toEqual([['other', 'own'], []]);
    const taken = store.add([run('a')], 71, true);
    expect(taken).toEqual({ added: ['a'], known: [], evicted: ['own'], lost: 0, needsRoom: false });
    expect(listed()).toEqual(['a', 'other']);
    // Runs removed by an earlier import are not reported again, those deleted for good are; the latest first.
    const last = store.add([run('b'), run('c')], 72, true);
    const known = { added: ['b', 'c'], known: [], needsRoom: false };
    expect(last).toEqual({ ...known, evicted: ['a', 'other'], lost: 1 });
  });

  it('never remove each other, and ask if only removed runs would go', () => {
    store = storeOf(1);
    expect(store.add([run('a'), run('b')], 70, false)).toMatchObject({ evicted: [], needsRoom: false });
    expect(listed()).toEqual(['b', 'a']);
    store = storeOf(100);
    store.remove(['a', 'b'], 71);
    store = storeOf(1);
    expect(store.add([run('c')], 72, false)).toMatchObject({ evicted: [], lost: 1, needsRoom: true });
    expect(rows('SELECT id FROM runs')).toHaveLength(2);
  });

  it('are imported all or none, and the database’s error is thrown', () => {
    failAt('INSERT INTO iterations');
    expect(() => store.add([run('a')], 70, true)).toThrow('no INSERT');
    expect(rows('SELECT * FROM runs')).toEqual([]);
  });

  it.each([
    ['running', null, 'interrupted', 1_700_000_000_000],
    ['running', 1_700_000_000_500, 'interrupted', 1_700_000_000_500],
    ['failed', 1_700_000_000_500, 'failed', 1_700_000_000_500],
    ['done', null, 'done', 1_700_000_000_000],
  ] as const)('have ended: one that is %s, ended at %s, is %s', (outcome, endedMs, is, at) => {
    store.add([run('a', { outcome, endedMs, failure: 'No room.' })], 70, false);
    expect(store.list().runs).toMatchObject([{ outcome: is, endedMs: at, failure: 'No room.' }]);
    expect(store.unfinished()).toEqual([]);
  });
});
