import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSummarySchema } from '../../../app/contract/history.ts';
import { runContentSchema, runHeadSchema } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { doneEvent, iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { pass, stream } from './pass.ts';

describe('the history of runs', () => {
  it('passes every event on and keeps a run exactly as its events told it', async () => {
    const history = historyIn(freshFolder());
    const events = wholeRun();
    expect(await pass(history, events, { id: 'one' })).toEqual(events);
    expect(runContentSchema.parse(history.open('one'))).toEqual(events.reduce(afterEvent, emptyContent()));
  });

  it('keeps runs over a restart, and lists them newest first', async () => {
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

  it('keeps what a cancelled or a failed run had measured, and why it failed', async () => {
    const history = historyIn(freshFolder());
    const begun = [startEvent(), ...iterationEvents(0, 7), ...iterationEvents(1)];
    await pass(history, begun, { id: 'cancelled', error: new CancelledError() });
    await pass(history, begun, { id: 'failed', error: new Error('No room for 5 bytes.') });
    const outcomes = new Map(history.list().runs.map(({ id, outcome, failure }) => [id, [outcome, failure]]));
    expect(outcomes.get('cancelled')).toEqual(['cancelled', null]);
    expect(outcomes.get('failed')).toEqual(['failed', 'No room for 5 bytes.']);
    const run = history.open('failed');
    expect(run.measured).toEqual([400, 400, 400, 400, 400, 400]);
    expect(run.worst).toEqual({ step: 1, bytes: 7 });
    expect(run.loss).toHaveLength(2);
  });

  it('opens a run that failed with more than a line has room for', async () => {
    const history = historyIn(freshFolder());
    await pass(history, [startEvent()], { id: 'long', error: new Error('a shader '.repeat(1000)) });
    expect(runHeadSchema.parse(history.open('long')).failure).toHaveLength(4000);
    expect(runSummarySchema.parse(history.list().runs[0]).failure).toHaveLength(4000);
  });

  it('counts a stream that its listener leaves as cancelled, and one without a last event as failed', async () => {
    const history = historyIn(freshFolder());
    const stopped = history.record(requestOf({ run: 'left' }), stream(wholeRun()));
    await stopped.next();
    await stopped.return();
    await pass(history, [startEvent()], { id: 'short' });
    const outcomes = Object.fromEntries(history.list().runs.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes).toEqual({ left: 'cancelled', short: 'failed' });
  });

  it('keeps losses that are no numbers any more', async () => {
    const history = historyIn(freshFolder());
    const broken = { ...iterationEvents(0)[1], loss: Number.NaN } as TrainEvent;
    const done = { ...doneEvent(1), loss: [Number.NaN] } as TrainEvent;
    await pass(history, [startEvent(), broken, done], { id: 'nan' });
    expect(history.open('nan').loss).toEqual([Number.NaN]);
    expect(JSON.parse(history.exportRuns(['nan']).text).runs[0].loss).toEqual([null]);
  });
});

describe('runs that are saved, of which some are damaged', () => {
  it('are the sound ones, and the others are told; one alone is refused', async () => {
    const folder = freshFolder();
    const history = historyIn(folder);
    for (const id of ['a', 'b', 'c']) await pass(history, wholeRun(), { id });
    const database = loadLibsql()(join(folder, 'runs.db'));
    database.exec("UPDATE runs SET line_sum = line_sum + 1 WHERE id = 'b'");
    database.close();
    const { text, leftOut } = history.exportRuns(['a', 'b', 'c']);
    expect(JSON.parse(text).runs.map(({ id }: { id: string }) => id)).toEqual(['a', 'c']);
    expect(leftOut).toEqual([2]);
    expect(() => history.exportRuns(['b'])).toThrow(
      /^run 2 cannot be opened, because .* \(its checksum differs\)/,
    );
    expect(history.problem).toBeNull();
  });
});

describe('a run without a name of its own', () => {
  it('gets one, and the ids of two differ', async () => {
    const history = historyIn(freshFolder());
    const begun = ['', ''].map(() => history.recorder(requestOf(), 'lab'));
    for (const recorder of begun) {
      recorder.take(startEvent());
      recorder.end('over');
    }
    const ids = history.list().runs.map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(new Set(ids).size).toBe(2);
  });
});
