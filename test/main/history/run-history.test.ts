import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runContentSchema } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { MIGRATIONS } from '../../../main/history/schema.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { bytesOf, pass, recordOf } from './pass.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const coded = (code: string): Error => Object.assign(new Error('the cause'), { code });

describe('the history of runs', () => {
  it('passes every event on and stores a run exactly as its events describe it', async () => {
    const history = historyIn(freshFolder());
    const events = wholeRun();
    expect(await pass(history, events, { id: 'one' })).toEqual(events);
    expect(runContentSchema.parse(history.open('one'))).toEqual(events.reduce(afterEvent, emptyContent()));
  });

  it('keeps runs across a restart, and lists them newest first', async () => {
    const folder = freshFolder();
    let clock = 1000;
    const first = historyIn(folder, { now: () => clock });
    await pass(first, wholeRun(), { id: 'one' });
    clock = 2000;
    await pass(first, wholeRun(), { id: 'two' });
    first.close();
    const { runs, problem, notice } = historyIn(folder).list();
    expect({ problem, notice }).toEqual({ problem: null, notice: null });
    expect(runs.map(({ id, number }) => [id, number])).toEqual([
      ['two', 2],
      ['one', 1],
    ]);
    expect(runs[1]).toMatchObject({
      outcome: 'done',
      begunMs: 1000,
      model: 'tiny-residual',
      backend: 'wasm',
      device: 'WebAssembly',
      done: 3,
      medianMs: 11,
      measuredPeakBytes: 400,
      predictedPeakBytes: 400,
      overhead: 0.35,
      source: 'lab',
    });
  });
});

describe('an obstacle to storing runs', () => {
  const LIBRARY = 'Runs are not stored, because the database (libsql) cannot be loaded. Reinstall Zigzag.';
  const FULL = 'The disk of F is full, so runs are not stored now; training continues. Free some space.';
  const FILES = 'Too many files are open to store runs in F now; training continues. Close another program.';
  const other = (why: string): string =>
    `Runs cannot be stored in F now (${why}); training continues. Check that the folder is writable.`;
  it.each<[unknown, string]>([
    [coded('MODULE_NOT_FOUND'), LIBRARY],
    [coded('ERR_DLOPEN_FAILED'), LIBRARY],
    [coded('SQLITE_FULL'), FULL],
    [coded('ENOSPC'), FULL],
    [coded('EMFILE'), FILES],
    [coded('ENFILE'), FILES],
    [coded('SQLITE_IOERR'), other('the cause')],
    [new Error('odd'), other('odd')],
    ['no error', other('no error')],
  ])('is reported in one sentence: %s', (thrown, sentence) => {
    const folder = freshFolder();
    const history = historyIn(folder, {
      load: () => {
        throw thrown;
      },
    });
    const problem = sentence.replace(' F ', ` ${folder} `);
    expect(history.problem).toBeNull();
    expect(history.list()).toEqual({ runs: [], evicted: [], folder, problem, notice: null });
    expect(() => history.open('a')).toThrow(problem);
    expect(history.problem).toBe(problem);
  });
});

it('a history of a newer lab is left unchanged, as reported in one sentence', async () => {
  const folder = freshFolder();
  const newer = historyIn(folder, { migrations: [...MIGRATIONS, 'CREATE TABLE later (x)'] });
  await pass(newer, wholeRun(), { id: 'a' });
  newer.close();
  const problem = `The history of runs in ${folder} was written by a newer Zigzag, so runs are not stored: update Zigzag, or name another folder in ZIGZAG_DATA.`;
  const history = historyIn(folder);
  expect(history.list()).toEqual({ runs: [], evicted: [], folder, problem, notice: null });
  expect(() => history.remove(['a'])).toThrow(problem);
  expect(newer.list()).toMatchObject({ runs: [{ id: 'a' }], problem: null });
});

describe('an abandoned run', () => {
  /** Outcome in a list, of a run that goes on by the word of a process. */
  async function outcomeOf(owner: number | null): Promise<string | undefined> {
    const folder = freshFolder();
    const earlier = historyIn(folder);
    await pass(earlier, [startEvent()], { id: 'a' });
    earlier.close();
    const database = loadLibsql()(join(folder, 'runs.db'));
    database
      .prepare(
        "UPDATE runs SET outcome = 'running', owner = ?, ended_ms = NULL, failure = NULL, line_sum = NULL WHERE ?",
      )
      // One value that is null would be taken for none.
      .run(owner, 1);
    database.close();
    return historyIn(folder).list().runs[0]?.outcome;
  }
  const dies = (code: string) =>
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw coded(code);
    });

  it('is interrupted if no process owns it, or an earlier one with this process’s number', async () => {
    expect(await outcomeOf(null)).toBe('interrupted');
    expect(await outcomeOf(process.pid)).toBe('interrupted');
  });

  it('continues if its process lives, even another user’s', async () => {
    expect(await outcomeOf(process.ppid)).toBe('running');
    const asked = dies('EPERM');
    expect(await outcomeOf(123_456)).toBe('running');
    // Signal 0 is none.
    expect(asked.mock.calls[0]).toEqual([123_456, 0]);
  });

  it('is interrupted if its process is gone', async () => {
    dies('ESRCH');
    expect(await outcomeOf(123_456)).toBe('interrupted');
  });

  it('continues while this process records it, and not afterwards', () => {
    const history = historyIn(freshFolder());
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    recorder.take(startEvent());
    expect(history.list().runs).toMatchObject([{ outcome: 'running', endedMs: null }]);
    recorder.end('cancelled');
    expect(history.list().runs).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

it('a clock that is set back or forward does not interrupt another lab’s run; only its silence does', async () => {
  const folder = freshFolder();
  const one = historyIn(folder);
  await pass(one, wholeRun(), { id: 'a' });
  one.close();
  const database = loadLibsql()(join(folder, 'runs.db'));
  const of = (sql: string) => database.exec(`UPDATE runs SET ${sql}, line_sum = NULL`);
  // A process that lives, and is not this one.
  of(`outcome = 'running', owner = ${process.ppid}, seen_ms = 1000`);
  let [clock, time] = [1000, 0];
  const history = historyIn(folder, { now: () => clock, elapsed: () => time });
  const outcome = () => history.list().runs[0]?.outcome;
  expect(outcome()).toBe('running');
  clock += 3600 * 1000;
  time += 119_000;
  expect(outcome()).toBe('running');
  of('seen_ms = 2000');
  time += 119_000;
  expect(outcome()).toBe('running');
  time += 120_000;
  expect(outcome()).toBe('running');
  time += 1;
  expect(outcome()).toBe('interrupted');
  database.close();
});

it.each([
  ['runs-damaged-x.db', /damaged, so it was set aside as runs-damaged-x\.db in/],
  ['moved.db', /was moved, or set aside by another lab. A new one is used/],
])('a history whose file became %s switches to a new one, with the whole run in progress', (name, told) => {
  const folder = freshFolder();
  const history = historyIn(folder);
  const recorder = history.recorder(requestOf({ run: 'a' }));
  for (const event of [startEvent(), ...iterationEvents(0), ...iterationEvents(1)]) recorder.take(event);
  renameSync(join(folder, 'runs.db'), join(folder, name));
  void recorder.end('over');
  const { runs, notice } = historyIn(folder).list();
  expect(notice).toBeNull();
  expect(runs).toMatchObject([{ id: 'a', done: 2 }]);
  expect(history.list().notice).toMatch(told);
  expect(history.open('a').measured).toHaveLength(6);
});

it('keeps a removed run for one day, also across restarts', async () => {
  const folder = freshFolder();
  const DAY = 24 * 3600 * 1000;
  let clock = 1_000_000;
  const at = (ms: number) => {
    clock = 1_000_000 + ms;
    const history = historyIn(folder, { now: () => clock });
    history.restore(['a']);
    return history;
  };
  const history = at(0);
  await pass(history, wholeRun(), { id: 'a' });
  history.remove(['a']);
  history.close();
  const back = at(DAY);
  expect(back.list().runs.map(({ id }) => id)).toEqual(['a']);
  back.remove(['a']);
  back.close();
  const late = at(2 * DAY + 1);
  expect(late.list().runs).toEqual([]);
  // A file that brings it brings a new one.
  expect(late.importRuns(bytesOf(writeRunsFile([recordOf('a')]))).added).toEqual(['a']);
  expect(late.list().runs).toMatchObject([{ number: 2 }]);
});

it('deletes runs removed a day ago before an import, even without a restart', async () => {
  let clock = 1_000_000;
  const history = historyIn(freshFolder(), { now: () => clock });
  await pass(history, wholeRun(), { id: 'a' });
  history.remove(['a']);
  const file = bytesOf(writeRunsFile([recordOf('b')]));
  clock += 24 * 3600 * 1000;
  history.importRuns(file);
  history.restore(['a']);
  expect(history.list().runs).toHaveLength(2);
  history.remove(['a']);
  clock += 24 * 3600 * 1000 + 1;
  history.importRuns(file);
  history.restore(['a']);
  expect(history.list().runs).toHaveLength(1);
});
