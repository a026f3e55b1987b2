import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../app/contract/client.ts';
import {
  type RecordedRun,
  recordedRunSchema,
  runContentSchema,
} from '../../../../app/contract/recorded-run.ts';
import {
  type TrainEvent,
  trainRequestSchema,
  type TrainRequestInput,
} from '../../../../app/contract/training.ts';
import { historyAnswers } from '../../../../main/history/answers.ts';
import { createHistoryStore } from '../../../../renderer/state/runs/history-store.ts';
import { newRun, reopenedRun, type Run, runAfter } from '../../../../renderer/state/runs/run.ts';
import { createRunsStore } from '../../../../renderer/state/runs/runs-store.ts';
import {
  comparedRuns,
  comparisonRows,
  comparisonSentence,
} from '../../../../renderer/screens/train/comparison/comparison-rows.ts';
import {
  allLines,
  historyRow,
  lineOf,
  matchingRows,
} from '../../../../renderer/screens/train/history/history-rows.ts';
import { lossSentence } from '../../../../renderer/screens/train/iterations/loss-sentence.ts';
import { probePlot } from '../../../../renderer/screens/train/probe/probe-marks.ts';
import { progressOf } from '../../../../renderer/screens/train/headline/progress.ts';
import { looksOf } from '../../../../renderer/screens/train/state/run-look.ts';
import { comparableLines, lossRuns } from '../../../../renderer/screens/train/state/visible-runs.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';
import { historyIn } from '../../../main/history/open-history.ts';
import { fakeTrainer, until } from '../../support/fake-lab.ts';
import { doneEvent, iterationEvent, startEvent, stepsEvent, STEPS } from './train-events.ts';

const request = { model: 'tiny-residual', batch: 4, strategy: 'chen-sqrt', iterations: 3 };
const TITLES = new Map([
  ['chen-sqrt', 'Chen √n'],
  ['regular', 'Regular'],
]);
const NONE = { strategies: TITLES, networks: new Map([['tiny-residual', 'Tiny']]) };

/** A run that ended, with these losses. */
function ended(id: number, loss: number[], part: Partial<TrainRequestInput> = {}, drift?: number): Run {
  const run = newRun(id, { ...request, ...part }, `key-${id}`, id * 1000);
  const events = loss.map((value, i) => ({
    ...iterationEvent(i, 10, value),
    ...(drift === undefined ? {} : { statisticsDrift: drift }),
  }));
  return [
    startEvent(),
    stepsEvent(0, 0, STEPS),
    ...events,
    { ...doneEvent(loss.map(() => 10)), loss } as TrainEvent,
  ].reduce(runAfter, run);
}

const recordOf = (run: Run): RecordedRun =>
  recordedRunSchema.parse({
    id: run.key,
    begunMs: run.begunMs,
    endedMs: null,
    outcome: run.outcome,
    failure: null,
    name: '',
    note: '',
    request: trainRequestSchema.parse(run.request),
    ...runContentSchema.parse(run),
  });

/** The real history behind the contract's types. */
const labOf = (history: ReturnType<typeof historyIn>): LabClient =>
  historyAnswers(history) as unknown as LabClient;

function fileOf(...runs: Run[]): File {
  const text = JSON.stringify({ format: 'zigzag-runs', version: 1, runs: runs.map(recordOf) });
  return new File([text], 'runs.json');
}

describe('the history on screen', () => {
  it('imports, opens, deletes, undoes and saves', async () => {
    const store = createHistoryStore(labOf(historyIn(freshFolder())));
    const run = ended(1, [3, 2, 1]);
    await store.importRuns(fileOf(run, ended(2, [3, 2, 1])));
    expect(store.get().said).toEqual({ text: '2 runs added from runs.json.', isFault: false });
    await store.importRuns(fileOf(run));
    expect(store.get().said?.text).toBe(
      'No new run added from runs.json; of the file, 1 run was here already.',
    );
    await store.open(['key-1']);
    const opened = store.get().opened.get('key-1');
    expect(opened).toEqual({ ...reopenedRun(recordOf(run), 1), request: opened?.request });
    expect(opened?.measured).toEqual(run.measured);
    expect(opened?.predicted?.live).toEqual(run.predicted?.live);

    await store.remove(['key-1']);
    expect(store.get().lines.map(({ id }) => id)).toEqual(['key-2']);
    expect(store.get().opened.size).toBe(0);
    expect(store.get().deleted.map(({ id }) => id)).toEqual(['key-1']);
    await store.undo();
    expect(store.get().lines).toHaveLength(2);
    expect(store.get().deleted).toEqual([]);
    await store.rename('key-1', 'the best');
    expect(store.get().lines.find(({ id }) => id === 'key-1')?.name).toBe('the best');
    expect(JSON.parse((await store.exportRuns(['key-1'])) ?? '')).toMatchObject({ format: 'zigzag-runs' });
  });

  it('asks before an import removes older runs, and restores them on undo', async () => {
    const history = historyIn(freshFolder(), { bounds: { runs: 2, bytes: 1e9 } });
    const store = createHistoryStore(labOf(history));
    await store.importRuns(fileOf(ended(1, [1]), ended(2, [1])));
    const file = fileOf(ended(3, [1]));
    await store.importRuns(file);
    expect(store.get().said).toEqual({
      text: 'Nothing was added from runs.json yet: 1 run, the oldest, would be removed to make room, and can be restored for a day.',
      isFault: false,
      file,
    });
    expect(store.get().lines).toHaveLength(2);
    await store.importRuns(file, true);
    expect(store.get().said).toEqual({ text: '1 run added from runs.json.', isFault: false });
    expect(store.get().evicted).toEqual([{ id: 'key-1', number: 1 }]);
    await store.restoreEvicted();
    expect(store.get().lines).toHaveLength(3);
    expect(store.get().evicted).toEqual([]);
    await store.importRuns(fileOf(ended(4, [1])), true);
    expect(store.get().evicted).toHaveLength(2);
    store.understood();
    await store.load();
    expect(store.get().evicted).toEqual([]);
  });

  it('reports failures, and loses nothing', async () => {
    const store = createHistoryStore(labOf(historyIn(freshFolder())));
    await store.importRuns(new File(['nonsense'], 'x.json'));
    expect(store.get().said).toMatchObject({ isFault: true, text: expect.stringContaining('not JSON') });
    await store.open(['gone']);
    expect(store.get().said?.text).toContain('no longer in the history');
    expect(await store.exportRuns(['gone'])).toBeNull();
    store.dismiss();
    expect(store.get().said).toBeNull();
  });

  it('lists the session’s own runs before and after they are stored, once', () => {
    const run = ended(7, [1]);
    const running = newRun(8, request, 'key-8', 9000);
    const kept = { ...lineOf(run), name: 'mine', source: 'file' as const };
    expect(allLines([kept], [running, run]).map(({ id, name }) => [id, name])).toEqual([
      ['key-8', ''],
      ['key-7', 'mine'],
    ]);
  });

  it('finds runs by words and by network', () => {
    const rows = [
      historyRow({ ...lineOf(ended(1, [1])), name: 'for the talk' }, NONE, 0),
      historyRow(lineOf(ended(2, [1], { strategy: 'regular', naiveDropout: true })), NONE, 0),
      historyRow(lineOf(ended(3, [1], { model: 'vgg16' })), NONE, 0),
    ];
    const found = (search: string, model: string | null = null): number[] =>
      matchingRows(rows, search, model).map(({ number }) => number);
    expect(found('')).toEqual([1, 2, 3]);
    expect(found('TALK chen')).toEqual([1]);
    expect(found('naive')).toEqual([2]);
    expect(found('wasm', 'vgg16')).toEqual([3]);
    expect(found('nothing like it')).toEqual([]);
    expect(rows[1]?.title).toBe('Regular, naive');
  });

  it('labels an interrupted run and a search for the largest batch', () => {
    const line = lineOf(ended(1, [1]));
    expect(historyRow({ ...line, outcome: 'interrupted' }, NONE, 0).outcome).toBe('interrupted');
    expect(historyRow({ ...line, largestBatch: 52 }, NONE, 0)).toMatchObject({
      outcome: 'largest batch 52',
      network: 'Tiny',
    });
    expect(historyRow({ ...line, done: 1, iterations: 3 }, NONE, 0).iterations).toBe('1 of 3');
  });

  it('shows the overhead of a run that measured it', () => {
    const line = lineOf(ended(1, [1]));
    const said = [0.35, -0.02, null].map((overhead) => historyRow({ ...line, overhead }, NONE, 0).overhead);
    expect(said.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['+35 %', '−2.0 %', '–']);
  });

  it('fetches with a run those that it can be compared with', () => {
    const run = ended(1, [1]);
    const other = (id: number, part: Partial<TrainRequestInput>) => lineOf(ended(id, [1], part));
    const lines = [other(1, {}), other(2, { strategy: 'regular' }), other(3, { batch: 8 })];
    expect(comparableLines(lines, run)).toEqual(['key-2']);
  });
});

describe('overlaid losses', () => {
  const sentence = (...runs: Run[]): string => lossSentence(runs, TITLES);

  it('are called bit-identical only if they are', () => {
    const regular = ended(1, [3, 2, 1], { strategy: 'regular' });
    expect(sentence(regular, ended(2, [3, 2, 1]))).toBe(
      'The losses of Regular and Chen √n are bit-identical over 3 iterations.',
    );
    expect(sentence(regular, ended(2, [3, 2 + 1e-7, 1]))).toMatch(
      /^Chen √n differs from Regular by up to 1\.0e-7 \(iteration 2\)\.$/,
    );
    expect(sentence(regular, ended(2, [3]))).toContain('over 1 iteration.');
  });

  it('mark naive runs, with the drift of their statistics', () => {
    const regular = ended(1, [3, 2], { strategy: 'regular' });
    const naive = ended(3, [3, 2.5], { naiveStatistics: true, naiveDropout: true }, 0.12);
    const said = sentence(regular, ended(2, [3, 2]), naive).replaceAll('\u202f', ' ');
    expect(said).toBe(
      'The losses of Regular and Chen √n are bit-identical over 2 iterations. Chen √n, naive differs from ' +
        'Regular by up to 0.50 (iteration 2). The running statistics are 12 % away from those of a careful run.',
    );
  });

  it('count a loss of NaN as a difference', () => {
    expect(sentence(ended(1, [3, 2]), ended(2, [3, Number.NaN], { naiveDropout: true }))).toContain(
      'not a number',
    );
  });

  it('are of all runs on the same data, naive ones included', () => {
    const front = ended(1, [1]);
    const runs = [
      front,
      ended(2, [1], { naiveDropout: true }),
      ended(3, [1]),
      ended(4, [1], { seed: 1 }),
      ended(5, [1], { dataFolder: '/cifar' }),
      ended(6, [1], { learningRate: 0.01 }),
    ];
    expect(lossRuns(runs, front).map(({ id }) => id)).toEqual([6, 3, 2, 1]);
    const titles = looksOf(lossRuns(runs, front), TITLES).map(({ title, dash }) => [title, dash]);
    expect(titles).toEqual([
      ['Chen √n (run 6)', '8 4'],
      ['Chen √n (run 3)', '8 4'],
      ['Chen √n, naive dropout', '2 3'],
      ['Chen √n (run 1)', '7 4'],
    ]);
  });
});

describe('two runs compared', () => {
  it('are shown side by side with their differences', () => {
    const [a, b] = [ended(1, [3, 2], { strategy: 'regular' }), ended(2, [3, 2.5])];
    const rows = new Map(comparisonRows(a, b, 0).map((row) => [row.name, row]));
    expect(rows.get('Network')?.difference).toBe('the same');
    expect(rows.get('Measured peak')?.difference).toBe('the same');
    expect(rows.get('Last loss')).toMatchObject({
      values: ['2.0000', '2.5000'],
      difference: 'up to 0.50 (iteration 2)',
    });
    expect(rows.has('Largest batch')).toBe(false);
    const [lookA, lookB] = looksOf([a, b], TITLES);
    expect(comparisonSentence(lookA!, lookB!)).toMatch(
      /^Regular \(run 1\) and Chen √n \(run 2\): measured peaks of /,
    );
  });

  it('use regular training as their base, regardless of the order of choice', () => {
    const [regular, other] = [ended(1, [3], { strategy: 'regular' }), ended(2, [3])];
    for (const pair of [[regular, other] as const, [other, regular] as const])
      expect(comparedRuns(pair)).toEqual([regular, other]);
    expect(comparedRuns([other, { ...other, id: 3 }]).map(({ id }) => id)).toEqual([2, 3]);
  });

  it('show changes of bytes and times', () => {
    const a = ended(1, [1]);
    const b: Run = { ...ended(2, [1]), measuredPeakBytes: (a.measuredPeakBytes ?? 0) / 2, iterationMs: [20] };
    const rows = new Map(
      comparisonRows(a, b, 0).map((row) => [row.name, row.difference.replaceAll('\u202f', ' ')]),
    );
    expect(rows.get('Measured peak')).toMatch(/^−.*\(−50 %\)$/);
    expect(rows.get('Iteration, median')).toBe('+100 %');
  });
});

describe('a run in progress', () => {
  it('shows its phase, progress and remaining time', () => {
    const begun = runAfter(newRun(1, request), startEvent());
    expect(progressOf(newRun(1, request))).toMatchObject({ share: null, leftMs: null });
    expect(progressOf(begun)?.text).toBe('The first iteration warms up');
    expect(progressOf(runAfter(begun, iterationEvent(0, 50, 1)))).toEqual({
      text: 'Iteration 2 of 3',
      share: 1 / 3,
      leftMs: 100,
    });
    const pairs = runAfter(begun, { event: 'progress', phase: 'pairs', done: 1.5, of: 4, leftMs: 900 });
    expect(progressOf(pairs)).toEqual({
      text: 'Pair with regular training 2 of 4',
      share: 1.5 / 4,
      leftMs: 900,
    });
    expect(progressOf(ended(1, [1]))).toBeNull();
  });

  it('is paused by name, and keeps its number from the history', async () => {
    const steered: unknown[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lab = fakeTrainer(async function* () {
      yield startEvent();
      yield { event: 'paused', paused: true };
      await held;
      yield { event: 'paused', paused: false };
      yield doneEvent([1]);
    });
    const client = Object.assign(lab, {
      steerTraining: async (wanted: unknown) => {
        steered.push(wanted);
        return { running: true };
      },
    });
    const store = createRunsStore(client, { nextNumber: () => 41 });
    store.start([request]);
    await until(() => store.get().runs[0]?.paused === true);
    const [run] = store.get().runs;
    expect(run?.id).toBe(41);
    store.pause(false);
    expect(steered).toEqual([{ run: run?.key, paused: false }]);
    store.number(new Map([[run?.key ?? '', 43]]));
    release();
    await until(() => store.get().runs[0]?.outcome === 'done');
    expect(store.get().runs[0]).toMatchObject({ id: 43, paused: false, progress: null });
  });

  it('draws the search for the largest batch on a logarithmic axis', () => {
    const probe = (batch: number, ran: boolean) =>
      ({ event: 'probe', batch, ran, reason: ran ? null : 'No room.' }) as const;
    const { marks, batches, trials } = probePlot([
      probe(1, true),
      probe(2, true),
      probe(4, false),
      probe(3, true),
    ]);
    expect(marks.map(({ x }) => Number(x.toFixed(2)))).toEqual([0, 1, 2, 1.58]);
    expect(batches.ticks.map(batches.format)).toEqual(['1', '2', '4']);
    expect(marks.map(({ y }) => trials.top - y)).toEqual([0.5, 1.5, 2.5, 3.5]);
    const run = [probe(1, true), { event: 'largest', batch: 1, isMost: false } as const].reduce(
      runAfter,
      newRun(1, { ...request, largestBatch: true, memoryCapBytes: 1024 }),
    );
    expect(run).toMatchObject({ outcome: 'done', largest: { batch: 1 } });
  });
});
