import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSummarySchema } from '../../../app/contract/history.ts';
import { runContentSchema, runHeadSchema } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { doneEvent, iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { bytesOf, pass, recordOf, stream } from './pass.ts';

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

  it('keeps nothing of a run that was refused before it said anything', async () => {
    const history = historyIn(freshFolder());
    await pass(history, [], { error: new Error('there is no strategy "x"') });
    expect(history.list().runs).toEqual([]);
  });

  it('gives a run another id where the client chose one twice', async () => {
    const history = historyIn(freshFolder());
    await pass(history, wholeRun(), { id: 'same' });
    await pass(history, wholeRun(), { id: 'same' });
    expect(new Set(history.list().runs.map(({ id }) => id)).size).toBe(2);
  });

  it('removes and restores, and deletes for good after a day', async () => {
    const folder = freshFolder();
    let clock = 1000;
    const history = historyIn(folder, { now: () => clock });
    await pass(history, wholeRun(), { id: 'one' });
    await pass(history, wholeRun(), { id: 'two' });
    history.remove(['one', 'two']);
    expect(history.list().runs).toEqual([]);
    expect(() => history.open('one')).toThrow('not in the history any more');
    history.restore(['one']);
    expect(history.list().runs.map(({ id }) => id)).toEqual(['one']);
    history.close();
    clock += 25 * 3600 * 1000;
    const later = historyIn(folder, { now: () => clock });
    later.restore(['two']);
    expect(later.list().runs.map(({ id }) => id)).toEqual(['one']);
  });

  it('takes a name and a note', async () => {
    const history = historyIn(freshFolder());
    await pass(history, wholeRun(), { id: 'one' });
    history.annotate({ id: 'one', name: 'the one for the talk' });
    history.annotate({ id: 'one', note: 'fan on' });
    expect(history.list().runs[0]).toMatchObject({ name: 'the one for the talk', note: 'fan on' });
    expect(() => history.annotate({ id: 'none', name: 'x' })).toThrow('not in the history');
  });

  it('stays within its bounds: the oldest go first, those with a name last', async () => {
    const history = historyIn(freshFolder(), { bounds: { runs: 3, bytes: 1e9 } });
    for (const id of ['a', 'b']) await pass(history, wholeRun(), { id });
    history.annotate({ id: 'a', name: 'kept' });
    for (const id of ['c', 'd', 'e']) await pass(history, wholeRun(), { id });
    expect(
      history
        .list()
        .runs.map(({ id }) => id)
        .sort(),
    ).toEqual(['a', 'd', 'e']);
  });

  it('bounds bytes as well, but never drops the run that is going on', async () => {
    const history = historyIn(freshFolder(), { bounds: { runs: 100, bytes: 1 } });
    for (const id of ['a', 'b']) await pass(history, wholeRun(), { id });
    expect(history.list().runs.map(({ id }) => id)).toEqual(['b']);
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

describe('a file of runs that is taken', () => {
  const fileOf = (...ids: string[]) =>
    bytesOf(writeRunsFile(ids.map((id) => ({ ...recordOf(id), name: '' }))));

  it('tells what is new, what was known, and what would have to go; that goes where it may', () => {
    const history = historyIn(freshFolder(), { bounds: { runs: 2, bytes: 1e9 } });
    const nothing = { added: [], known: [], evicted: [], lost: 0, needsRoom: false };
    expect(history.importRuns(fileOf('a', 'b'))).toEqual({ ...nothing, added: ['a', 'b'] });
    expect(history.importRuns(fileOf('a'))).toEqual({ ...nothing, known: ['a'] });
    const [, oldest] = history.list().runs;
    const moved = [oldest?.id];
    expect(history.importRuns(fileOf('c'))).toEqual({ ...nothing, evicted: moved, needsRoom: true });
    expect(history.list()).toMatchObject({ runs: [{}, {}], evicted: [] });
    expect(history.importRuns(fileOf('c'), true)).toEqual({ ...nothing, added: ['c'], evicted: moved });
    expect(history.list()).toMatchObject({ runs: [{}, {}], evicted: [{ id: oldest?.id }] });
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
