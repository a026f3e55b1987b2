import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { loadLibsql, type OpenDatabase } from '../../../main/history/database.ts';
import type { HistoryOptions } from '../../../main/history/run-history.ts';
import { startEvent, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { bytesOf, pass } from './pass.ts';

it.each([
  [1, 'Run 1 cannot be read and is not shown, because the record of it is damaged; '],
  [2, '2 runs (2, 1) cannot be read and are not shown, because the record of them is damaged; '],
  [5, '5 runs (5, 4, 3, 2, 1) cannot be read'],
  [6, '6 runs (6, 5, 4, 3, 2, …) cannot be read'],
])('unreadable runs are named by number: %i', async (count, sentence) => {
  const folder = freshFolder();
  let clock = 0;
  const history = historyIn(folder, { now: () => ++clock });
  for (let i = 1; i <= count; i++) await pass(history, [startEvent()], { id: `${i}` });
  const database = loadLibsql()(join(folder, 'runs.db'));
  database.exec('UPDATE runs SET line_sum = line_sum + 1');
  database.close();
  const { notice, runs } = history.list();
  expect(runs).toEqual([]);
  expect(notice?.startsWith(sentence)).toBe(true);
  expect(notice?.endsWith('the others are not affected.')).toBe(true);
});

/** A history whose database fails with a code at whatever names a part of a statement. */
function failing(options: Partial<HistoryOptions> = {}) {
  const folder = freshFolder();
  const state = { part: '', code: '', opened: 0, closed: 0, asked: [] as string[] };
  const meet = (sql: string): void => {
    state.asked.push(sql);
    if (state.part !== '' && sql.includes(state.part)) {
      throw Object.assign(new Error('the cause'), { code: state.code });
    }
  };
  const open: OpenDatabase = (file) => {
    const database = loadLibsql()(file);
    if (!file.endsWith('runs.db')) return database;
    state.opened++;
    const [exec, prepare, close] = [database.exec, database.prepare, database.close].map((method) =>
      method.bind(database),
    ) as unknown as [typeof database.exec, typeof database.prepare, typeof database.close];
    database.exec = (sql) => {
      meet(sql);
      return exec(sql);
    };
    database.prepare = (sql) => {
      meet(sql);
      return prepare(sql);
    };
    database.close = () => {
      state.closed++;
      return close();
    };
    return database;
  };
  const history = historyIn(folder, { load: () => open, ...options });
  const failAt = (part: string, code = 'SQLITE_IOERR'): void => {
    Object.assign(state, { part, code });
  };
  const problem = `Runs cannot be stored in ${folder} now (the cause); training continues. Check that the folder is writable.`;
  return { history, folder, state, failAt, problem };
}

describe('a call that the database refuses', () => {
  it('is reported as a problem, until a run is written again', async () => {
    const { history, state, failAt, problem } = failing();
    await pass(history, wholeRun(), { id: 'a' });
    failAt('SELECT');
    expect(history.list()).toMatchObject({ runs: [], evicted: [], problem, notice: null });
    expect(() => history.remove(['a'])).not.toThrow();
    expect(() => history.open('a')).toThrow(BadInputError);
    expect(() => history.open('a')).toThrow(problem);
    failAt('');
    // It is the same database: nothing is wrong with the file.
    expect([state.opened, state.closed]).toEqual([1, 0]);
    expect(history.list()).toMatchObject({ runs: [], problem });
    await pass(history, wholeRun(), { id: 'b' });
    expect(history.list()).toMatchObject({ runs: [{ id: 'b' }], problem: null });
  });

  it('is not a problem if the input was refused', async () => {
    const { history } = failing();
    await pass(history, wholeRun(), { id: 'a' });
    expect(() => history.open('none')).toThrow('this run is no longer in the history; choose another');
    expect(() => history.annotate({ id: 'none', name: 'x' })).toThrow(
      'this run is no longer in the history; choose another',
    );
    expect(() => history.importRuns(bytesOf('nothing'))).toThrow('the file is not JSON of saved runs');
    expect(history.problem).toBeNull();
    expect(history.list()).toMatchObject({ runs: [{ id: 'a' }], problem: null });
  });

  it('because of damage reopens the file, and sets it aside if damaged', () => {
    const { history, state, failAt } = failing();
    history.list();
    failAt('removed_ms IS NULL', 'SQLITE_CORRUPT_INDEX');
    expect(history.list()).toMatchObject({ runs: [], problem: expect.stringContaining('the cause') });
    expect([state.opened, state.closed]).toEqual([1, 1]);
    failAt('');
    // The file was sound: it is the same.
    expect(history.list()).toMatchObject({ runs: [], problem: null, notice: null });
    expect([state.opened, state.closed]).toEqual([2, 1]);
  });
});

it('a history that cannot be opened whose first work fails is closed, and reopened at the next use', () => {
  const { history, state, failAt, problem } = failing();
  failAt('DELETE FROM runs');
  expect(history.list()).toMatchObject({ runs: [], problem });
  expect([state.opened, state.closed]).toEqual([1, 1]);
  expect(() => history.remove(['a'])).toThrow(problem);
  expect([state.opened, state.closed]).toEqual([2, 2]);
  failAt('');
  expect(history.list().problem).toBeNull();
  expect(history.list().problem).toBeNull();
  expect([state.opened, state.closed]).toEqual([3, 2]);
});

it('a closed history is reopened by a later call', async () => {
  const { history, state } = failing();
  await pass(history, wholeRun(), { id: 'a' });
  history.close();
  history.close();
  expect([state.opened, state.closed]).toEqual([1, 1]);
  expect(history.list().runs).toMatchObject([{ id: 'a' }]);
  expect(state.opened).toBe(2);
});

it('the notice of a list has all events in one text', async () => {
  const { history, folder } = failing();
  writeFileSync(join(folder, 'runs.db'), 'no database '.repeat(500));
  await pass(history, wholeRun(), { id: 'a' });
  const database = loadLibsql()(join(folder, 'runs.db'));
  database.exec("UPDATE runs SET note = 'other'");
  database.close();
  const { notice, runs } = history.list();
  expect(runs).toEqual([]);
  expect(notice).toMatch(
    /^The history of runs was damaged, .* and a new one was created\. Run 1 cannot be read .* not affected\.$/,
  );
});

it('saving several runs gives all named runs in order, and refuses an unknown one', async () => {
  const { history } = failing();
  for (const id of ['a', 'b', 'c']) await pass(history, wholeRun(), { id });
  const { text, leftOut } = history.exportRuns(['c', 'a']);
  expect(JSON.parse(text).runs.map(({ id }: { id: string }) => id)).toEqual(['c', 'a']);
  expect(leftOut).toEqual([]);
  expect(() => history.exportRuns(['a', 'none', 'b'])).toThrow('this run is no longer in the history');
});
