import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { bytesOf, pass, recordOf } from './pass.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a clock that is set back', () => {
  it('by an hour stops no writing, and ends no run before it began', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    let clock = 10 * 3600 * 1000;
    const history = historyIn(freshFolder(), { now: () => clock });
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    recorder.take(startEvent());
    clock -= 3600 * 1000;
    for (const [i, done] of [1, 2, 3].entries()) {
      recorder.take(iterationEvents(i)[1] as TrainEvent);
      vi.advanceTimersByTime(1500);
      expect(history.list().runs[0]?.done).toBe(done);
    }
    recorder.end('cancelled');
    const [run] = history.list().runs;
    expect(run).toMatchObject({ outcome: 'cancelled', begunMs: 10 * 3600 * 1000, endedMs: 10 * 3600 * 1000 });
  });

  it('or forward by one makes no run of another lab an interrupted one; its silence does', async () => {
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
});

describe('a history whose file another lab moved', () => {
  it.each([
    ['runs-damaged-x.db', /damaged, so it was set aside as runs-damaged-x\.db in/],
    ['moved.db', /was set aside by another lab, or moved, and a new one is used/],
  ])('goes over to a new file when its own became %s, with all of the run that goes on', (name, told) => {
    const folder = freshFolder();
    let time = 0;
    const history = historyIn(folder, { elapsed: () => time });
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    for (const event of [startEvent(), ...iterationEvents(0)]) recorder.take(event);
    time += 2000;
    recorder.take(iterationEvents(1)[1] as TrainEvent);
    for (const part of ['-wal', '-shm', '']) {
      renameSync(join(folder, `runs.db${part}`), join(folder, `${name}${part}`));
    }
    time += 2000;
    recorder.take(iterationEvents(2)[1] as TrainEvent);
    recorder.end('over');
    const { runs, notice } = historyIn(folder).list();
    expect(notice).toBeNull();
    expect(runs).toMatchObject([{ id: 'a', done: 3 }]);
    expect(history.list().notice).toMatch(told);
    expect(history.open('a').measured).toHaveLength(6);
  });
});

it('keeps a removed run for a day, over restarts, and no longer', async () => {
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

it('deletes for good what is a day old before a file is taken, also while it stays open', async () => {
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
