import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { RunRecorder, recorded } from '../../../main/history/recorder.ts';
import type { RunState } from '../../../main/history/run-store.ts';
import { doneEvent, iterationEvents, requestOf, startEvent } from './events.ts';
import { stream } from './pass.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 5000, toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what was promised already happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A recorder whose writes are listed; a run's series grow in place, so `done` is their length then. */
function recording(begunMs = 4000) {
  const writes: (RunState & { readonly done: number })[] = [];
  const state = { problem: null as string | null };
  const run = { id: 'a', spare: 'b', source: 'lab', begunMs, request: requestOf() } as const;
  const recorder = new RunRecorder(run, async (now) => {
    writes.push({ ...now, done: now.content.loss.length });
    return state.problem;
  });
  /** Time goes by, after what was written was answered. */
  const wait = async (ms: number): Promise<void> => {
    await settled();
    vi.advanceTimersByTime(ms);
    await settled();
  };
  return { recorder, writes, state, run, wait };
}

const iteration = (index: number): TrainEvent => iterationEvents(index)[1] as TrainEvent;

describe('the recorder of a run', () => {
  it('writes at the first event, once a second if something is new, and at the end', async () => {
    const { recorder, writes, wait, run } = recording();
    recorder.take(startEvent());
    expect(writes).toHaveLength(1);
    recorder.take(iteration(0));
    await wait(999);
    recorder.take(iteration(1));
    expect(writes).toHaveLength(1);
    await wait(1);
    expect(writes.map(({ done }) => done)).toEqual([0, 2]);
    await wait(5000);
    expect(writes).toHaveLength(2);
    recorder.take(doneEvent(3));
    await recorder.end('over');
    expect(writes.map(({ outcome, endedMs, nowMs }) => [outcome, endedMs, nowMs])).toEqual([
      ['running', null, 5000],
      ['running', null, 6000],
      ['done', 11_000, 11_000],
    ]);
    expect(writes[2]).toMatchObject({ ...run, failure: null, done: 3 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports every thirty seconds that a paused run is alive', async () => {
    const { recorder, writes, wait } = recording();
    recorder.take(startEvent());
    await wait(29_999);
    expect(writes).toHaveLength(1);
    await wait(1);
    expect(writes).toHaveLength(2);
    await wait(30_000);
    expect(writes).toHaveLength(3);
  });

  it('requests no write while one is open, except the last', async () => {
    const { recorder, writes, wait } = recording();
    recorder.take(startEvent());
    recorder.take(iteration(0));
    vi.advanceTimersByTime(60_000);
    expect(writes).toHaveLength(1);
    void recorder.end('cancelled');
    expect(writes).toHaveLength(2);
    await wait(60_000);
    expect(writes).toHaveLength(2);
  });

  it('ends once, and ignores later events', async () => {
    const { recorder, writes, wait } = recording();
    recorder.take(startEvent());
    void recorder.end('failed', 'No room.');
    void recorder.end('over');
    recorder.take(iteration(0));
    recorder.renew();
    await wait(60_000);
    expect(writes.map(({ outcome, failure }) => [outcome, failure])).toEqual([
      ['running', null],
      ['failed', 'No room.'],
    ]);
  });

  it('stores nothing of a run without events', async () => {
    const { recorder, writes, wait } = recording();
    recorder.renew();
    void recorder.end('failed', 'there is no such model');
    await wait(60_000);
    expect(writes).toEqual([]);
  });

  it('never ends a run before its start, and marks one without a last event as failed', () => {
    const { recorder, writes } = recording(7000);
    recorder.take(startEvent());
    void recorder.end('over');
    expect(writes.at(-1)).toMatchObject({
      ...{ outcome: 'failed', failure: 'The run ended before it was complete.', endedMs: 7000, nowMs: 7000 },
    });
  });

  it('writes a run in progress again on request, unless a write is open', async () => {
    const { recorder, writes } = recording();
    recorder.take(startEvent());
    recorder.renew();
    expect(writes).toHaveLength(1);
    await settled();
    recorder.renew();
    expect(writes.map(({ outcome }) => outcome)).toEqual(['running', 'running']);
  });

  it('repeats a failed write after ten seconds, not earlier, with newer events', async () => {
    const { recorder, writes, state, wait } = recording();
    state.problem = 'The disk is full.';
    recorder.take(startEvent());
    await wait(9000);
    recorder.take(iteration(0));
    await wait(999);
    expect(writes).toHaveLength(1);
    state.problem = null;
    await wait(1);
    expect(writes.map(({ done }) => done)).toEqual([0, 1]);
    // It is no longer news.
    await wait(20_000);
    expect(writes).toHaveLength(2);
    state.problem = 'The disk is full.';
    await wait(10_000);
    await wait(10_000);
    expect(writes).toHaveLength(4);
  });
});

describe('a recorded run', () => {
  it.each([
    ['over', undefined, 'failed', 'The run ended before it was complete.'],
    ['failed', new Error('No room.'), 'failed', 'No room.'],
    ['cancelled', new CancelledError(), 'cancelled', null],
  ])('ends as %s', async (_how, error, outcome, failure) => {
    const { recorder, writes } = recording();
    const events = recorded(recorder, stream([startEvent()], error));
    expect(await events.next()).toEqual({ done: false, value: startEvent() });
    const end = events.next();
    if (error === undefined) expect((await end).done).toBe(true);
    else await expect(end).rejects.toBe(error);
    expect(writes.at(-1)).toMatchObject({ outcome, failure });
    expect(writes).toHaveLength(2);
  });

  it('describes a thrown value that is not an error', async () => {
    const { recorder, writes } = recording();
    const events = recorded(recorder, stream([startEvent()], 'odd' as never));
    await events.next();
    await expect(events.next()).rejects.toBe('odd');
    expect(writes.at(-1)).toMatchObject({ outcome: 'failed', failure: 'odd' });
  });

  it('is cancelled if its listener leaves', async () => {
    const { recorder, writes } = recording();
    const events = recorded(recorder, stream([startEvent(), iteration(0)]));
    await events.next();
    await events.return();
    expect(writes.at(-1)).toMatchObject({ outcome: 'cancelled', done: 0 });
  });
});
