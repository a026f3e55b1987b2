import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { RunRecorder, type RecorderOptions, type ResumedRun } from '../../../main/history/recorder.ts';
import type { NewRun, RunSnapshot, RunStore } from '../../../main/history/run-store.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { FaultyDisk } from '../../support/faulty-database.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { doneEvent, iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Write {
  readonly how: 'insert' | 'update';
  readonly id: string | null;
  readonly snapshot: RunSnapshot;
  /** Then: a run's series grow in place. */
  readonly done: number;
}

const written = (how: Write['how'], id: string | null, snapshot: RunSnapshot): Write => ({
  ...{ how, id, snapshot },
  done: snapshot.content.loss.length,
});

/** A recorder whose store is a list of writes; time goes by `wait`, the clock on the wall stands. */
function recording(options: Partial<RecorderOptions> = {}) {
  const writes: Write[] = [];
  const told: unknown[] = [];
  const kept = new Map<string, number>();
  let time = 0;
  const state = { fails: null as Error | null, isGone: false, asked: 0 };
  const store = {
    has: (id: string) => kept.has(id),
    find: (id: string) => kept.get(id) ?? null,
    insert(run: NewRun, snapshot: RunSnapshot) {
      if (state.fails !== null) throw state.fails;
      kept.set(run.id, kept.size + 1);
      writes.push(written('insert', run.id, snapshot));
      return kept.size;
    },
    update(_number: number, _request: unknown, snapshot: RunSnapshot) {
      if (state.fails !== null) throw state.fails;
      if (state.isGone) return false;
      writes.push(written('update', null, snapshot));
      return true;
    },
  } as unknown as RunStore;
  const recorder = new RunRecorder({
    id: 'a',
    spare: 'b',
    request: requestOf(),
    source: 'lab',
    now: () => 5000,
    elapsed: () => time,
    store: () => {
      state.asked++;
      return store;
    },
    onProblem: (problem) => told.push(problem),
    onBegun: (number) => told.push(`begun ${number}`),
    onEnded: (number) => told.push(`ended ${number}`),
    onUnwritten: () => told.push('unwritten'),
    ...options,
  });
  const wait = (ms: number): void => {
    time += ms;
    vi.advanceTimersByTime(ms);
  };
  /** Time goes by and nothing beats. */
  const skip = (ms: number): void => {
    time += ms;
  };
  return { recorder, writes, told, kept, state, store, wait, skip };
}

const iteration = (index: number): TrainEvent => iterationEvents(index)[1] as TrainEvent;

describe('the recorder of a run', () => {
  it('writes at the first event, once a second where there is news, and at the end', () => {
    const { recorder, writes, wait, told } = recording();
    recorder.take(startEvent());
    expect(writes).toHaveLength(1);
    recorder.take(iteration(0));
    wait(999);
    recorder.take(iteration(1));
    expect(writes).toHaveLength(1);
    wait(1);
    expect(writes.map(({ done }) => done)).toEqual([0, 2]);
    wait(5000);
    expect(writes).toHaveLength(2);
    recorder.take(iteration(2));
    expect(writes).toHaveLength(3);
    recorder.take(doneEvent(3));
    recorder.end('over');
    expect(writes.map(({ how, snapshot }) => [how, snapshot.outcome, snapshot.written])).toEqual([
      ['insert', 'running', 0],
      ['update', 'running', 0],
      ['update', 'running', 2],
      ['update', 'done', 3],
    ]);
    expect(told).toEqual(['begun 1', null, null, null, null, 'ended 1']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says who records it and that it goes on, and at its end when that was', () => {
    const { recorder, writes } = recording();
    recorder.take(startEvent());
    recorder.end('failed', 'No room.');
    expect(writes.map(({ snapshot }) => snapshot)).toMatchObject([
      { outcome: 'running', owner: process.pid, endedMs: null, nowMs: 5000, failure: null },
      { outcome: 'failed', owner: null, endedMs: 5000, nowMs: 5000, failure: 'No room.' },
    ]);
  });

  it('says every thirty seconds that a run that holds is not dead', () => {
    const { recorder, writes, wait } = recording();
    recorder.take(startEvent());
    // A second after the last write, and thirty more.
    wait(30_000);
    expect(writes).toHaveLength(1);
    wait(1000);
    expect(writes).toHaveLength(2);
    wait(31_000);
    expect(writes).toHaveLength(3);
    recorder.end('cancelled');
  });

  it('ends once, and takes nothing after its end', () => {
    const { recorder, writes, wait, skip } = recording();
    recorder.take(startEvent());
    recorder.end('cancelled');
    recorder.end('over');
    skip(2000);
    recorder.take(iteration(0));
    wait(60_000);
    expect(writes.map(({ snapshot }) => snapshot.outcome)).toEqual(['running', 'cancelled']);
  });

  it('keeps nothing of a run of which nothing was heard', () => {
    const { recorder, writes, told, wait, state } = recording();
    recorder.end('failed', 'there is no such model');
    wait(60_000);
    expect([writes, told, state.asked]).toEqual([[], [], 0]);
  });

  it('says that a run failed which is over without its last event', () => {
    const { recorder, writes } = recording();
    recorder.take(startEvent());
    recorder.end('over');
    expect(writes.at(-1)?.snapshot).toMatchObject({
      outcome: 'failed',
      failure: 'The run ended before it was done.',
    });
  });

  it('writes it anew under its other id where it is gone, and where somebody has its own', () => {
    const { recorder, writes, kept, state, wait } = recording();
    kept.set('a', 7);
    recorder.take(startEvent());
    expect(writes[0]).toMatchObject({ how: 'insert', id: 'b' });
    recorder.take(iteration(0));
    wait(1000);
    kept.clear();
    state.isGone = true;
    recorder.take(iteration(1));
    wait(1000);
    expect(writes.at(-1)).toMatchObject({
      how: 'insert',
      id: 'a',
      snapshot: { written: 0, content: { loss: [2, 1.9] } },
    });
  });
});

describe('the recorder of a run that another process began', () => {
  const resumed = (sawLast: boolean): ResumedRun => ({
    content: [startEvent(), iteration(0)].reduce(afterEvent, emptyContent()),
    sawLast,
  });

  it('writes at once, into the row that there is', () => {
    const writes: Write[] = [];
    const asked: unknown[] = [];
    const { told } = recording({
      resumed: resumed(false),
      store: () =>
        ({
          find: (id: string, source: string, begunMs: number) => {
            asked.push([id, source, begunMs]);
            return id === 'a' ? 4 : null;
          },
          update: (number: number, _request: unknown, snapshot: RunSnapshot) => {
            writes.push(written('update', String(number), snapshot));
            return true;
          },
        }) as unknown as RunStore,
      begunMs: 6000,
    });
    expect(writes).toMatchObject([
      { id: '4', snapshot: { outcome: 'running', nowMs: 6000, content: { loss: [2] } } },
    ]);
    expect(asked).toEqual([
      ['b', 'lab', 6000],
      ['a', 'lab', 6000],
    ]);
    expect(told).toEqual(['begun 4', null]);
  });

  it.each([
    [true, 'done'],
    [false, 'failed'],
  ] as const)('knows whether its last event was heard (%s)', (sawLast, outcome) => {
    const { recorder, writes } = recording({ resumed: resumed(sawLast) });
    expect(writes).toMatchObject([{ how: 'insert', id: 'a' }]);
    recorder.end('over');
    expect(writes.at(-1)?.snapshot.outcome).toBe(outcome);
  });
});

describe('a write that failed', () => {
  it('is told, and tried again after ten seconds, not before, with what came meanwhile', () => {
    const { recorder, writes, told, state, wait, skip } = recording();
    recorder.take(startEvent());
    const full = new Error('full');
    state.fails = full;
    skip(1000);
    recorder.take(iteration(0));
    expect(told.at(-1)).toBe(full);
    state.fails = null;
    skip(9999);
    recorder.take(iteration(1));
    expect(writes).toHaveLength(1);
    wait(1);
    // The next beat of the timer.
    wait(1000);
    expect(told.at(-1)).toBeNull();
    expect(writes.at(-1)?.snapshot).toMatchObject({ written: 0, content: { loss: [2, 1.9] } });
    recorder.end('cancelled');
  });

  it('is not tried again by the beat of a second either, nor waits for news of a run that is resumed', () => {
    const events = [startEvent(), iteration(0)];
    const content = events.reduce(afterEvent, emptyContent());
    let isFull = true;
    const done: string[] = [];
    const { wait, recorder } = recording({
      resumed: { content, sawLast: false },
      store: () => {
        done.push(isFull ? 'failed' : 'written');
        if (isFull) throw new Error('full');
        return { has: () => false, find: () => null, insert: () => 1 } as unknown as RunStore;
      },
    });
    expect(done).toEqual(['failed']);
    isFull = false;
    for (let second = 0; second < 9; second++) wait(1000);
    expect(done).toEqual(['failed']);
    wait(1000);
    expect(done).toEqual(['failed', 'written']);
    recorder.end('cancelled');
  });

  it('and may have been done is looked for, so that a run is there once', () => {
    let time = 0;
    const disk = new FaultyDisk();
    const folder = freshFolder();
    const history = historyIn(folder, { elapsed: () => time, load: () => disk.driver(loadLibsql()) });
    history.list();
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    // Its insertion: BEGIN, statements, `sync`, and as the last `synced`, after which it is there.
    for (let nth = 1; ; nth++) {
      disk.arm(nth, false);
      time += 10_000;
      recorder.take(iterationEvents(0)[0] as TrainEvent);
      if (historyIn(folder).list().runs.length > 0) break;
      expect(nth).toBeLessThan(50);
    }
    disk.repair();
    expect(history.problem).toContain('synced');
    time += 10_000;
    recorder.take(iteration(0));
    recorder.end('over');
    expect(historyIn(folder).list().runs).toMatchObject([{ id: 'a', outcome: 'failed', done: 1 }]);
  });

  it('because there is no history is not tried again before ten seconds are over either', () => {
    let time = 0;
    let loads = 0;
    const history = historyIn(freshFolder(), {
      elapsed: () => time,
      load: () => {
        loads++;
        throw new Error('not now');
      },
    });
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    recorder.take(startEvent());
    for (const [ms, expected] of [
      [1000, 1],
      [8999, 1],
      [1, 2],
      [9999, 2],
      [1, 3],
    ] as const) {
      time += ms;
      recorder.take(iteration(0));
      expect(loads).toBe(expected);
    }
    expect(history.problem).toMatch(/^Runs cannot be kept in .* now \(not now\); training goes on\./);
    recorder.end('over');
  });

  it('never reaches a run, whatever is thrown', () => {
    const { recorder, told, state } = recording();
    state.fails = new Error('first');
    for (const event of wholeRun()) recorder.take(event);
    recorder.end('over');
    expect(told).toEqual([state.fails, state.fails, 'unwritten']);
    state.fails = null;
    expect(recorder.writeEnd()).toBe(true);
    expect(told.slice(3)).toEqual(['begun 1', null, 'ended 1']);
  });
});
