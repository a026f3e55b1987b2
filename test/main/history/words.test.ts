import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadLibsql } from '../../../main/history/database.ts';
import { MIGRATIONS } from '../../../main/history/schema.ts';
import { requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { pass } from './pass.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const coded = (code: string): Error => Object.assign(new Error('the cause'), { code });

describe('what keeps runs from being kept', () => {
  const LIBRARY = 'Runs are not kept, because the database (libsql) cannot be loaded: install Zigzag again.';
  const FULL = 'The disk of F is full, so runs are not kept now; training goes on. Free some space.';
  const FILES = 'Too many files are open to keep runs in F now; training goes on. End another program.';
  const other = (why: string): string =>
    `Runs cannot be kept in F now (${why}); training goes on. Check that the folder can be written.`;
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
  ])('is said in one sentence: %s', (thrown, sentence) => {
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

describe('a history of a newer lab', () => {
  it('is left as it is, and that is said in one sentence', async () => {
    const folder = freshFolder();
    const newer = historyIn(folder, { migrations: [...MIGRATIONS, 'CREATE TABLE later (x)'] });
    await pass(newer, wholeRun(), { id: 'a' });
    newer.close();
    const problem = `The history of runs in ${folder} was written by a newer Zigzag, so runs are not kept: update Zigzag, or name another folder in ZIGZAG_DATA.`;
    const history = historyIn(folder);
    expect(history.list()).toEqual({ runs: [], evicted: [], folder, problem, notice: null });
    expect(() => history.remove(['a'])).toThrow(problem);
    expect(newer.list()).toMatchObject({ runs: [{ id: 'a' }], problem: null });
  });
});

describe('runs that cannot be read', () => {
  it.each([
    [1, 'Run 1 cannot be read and is not shown, because what was kept of it is damaged; '],
    [2, '2 runs (2, 1) cannot be read and are not shown, because what was kept of them is damaged; '],
    [5, '5 runs (5, 4, 3, 2, 1) cannot be read'],
    [6, '6 runs (6, 5, 4, 3, 2, …) cannot be read'],
  ])('are told by number: %i', async (count, sentence) => {
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
    expect(notice?.endsWith('the others are as they were.')).toBe(true);
  });
});

describe('a run that nobody ended', () => {
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

  it('is interrupted where nobody has it, or a process that was this one by its number', async () => {
    expect(await outcomeOf(null)).toBe('interrupted');
    expect(await outcomeOf(process.pid)).toBe('interrupted');
  });

  it('goes on where its process lives, also as one of another user', async () => {
    expect(await outcomeOf(process.ppid)).toBe('running');
    const asked = dies('EPERM');
    expect(await outcomeOf(123_456)).toBe('running');
    // Signal 0 is none.
    expect(asked.mock.calls[0]).toEqual([123_456, 0]);
  });

  it('is interrupted where its process is gone', async () => {
    dies('ESRCH');
    expect(await outcomeOf(123_456)).toBe('interrupted');
  });

  it('goes on while this very process records it, and not when that is over', () => {
    const history = historyIn(freshFolder());
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    recorder.take(startEvent());
    expect(history.list().runs).toMatchObject([{ outcome: 'running', endedMs: null }]);
    recorder.end('cancelled');
    expect(history.list().runs).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

describe('the file of a history', () => {
  it('is made in a folder of its user alone, with every folder on the way', () => {
    const folder = join(freshFolder(), 'a', 'b');
    expect(historyIn(folder).list().problem).toBeNull();
    if (process.platform === 'win32') return;
    for (const path of [folder, join(folder, '..')]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('that is empty is begun, and one that only looks later is damaged', () => {
    const [empty, odd, short] = [freshFolder(), freshFolder(), freshFolder()];
    writeFileSync(join(empty, 'runs.db'), '');
    expect(historyIn(empty).list()).toMatchObject({ problem: null, notice: null });
    writeFileSync(join(odd, 'runs.db'), Buffer.alloc(4096, 0x7f));
    expect(historyIn(odd).list()).toMatchObject({
      problem: null,
      notice: expect.stringContaining('damaged'),
    });
    writeFileSync(
      join(short, 'runs.db'),
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(60, 1)]),
    );
    expect(historyIn(short).list()).toMatchObject({
      problem: null,
      notice: expect.stringContaining('damaged'),
    });
  });
});
