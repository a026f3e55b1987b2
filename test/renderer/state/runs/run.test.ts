import { describe, expect, it } from 'vitest';
import type { TrainEvent } from '../../../../app/contract/training.ts';
import { medianMs, newRun, type Run, runAfter } from '../../../../renderer/state/runs/run.ts';
import {
  type MeasuredOverhead,
  sayOverhead,
} from '../../../../renderer/state/strategies/measured-overhead.ts';
import { measuredOverheads } from '../../../../renderer/state/runs/measured.ts';
import { createRunsStore } from '../../../../renderer/state/runs/runs-store.ts';
import type { StepAxis } from '../../../../renderer/shared/charts/step-axis.ts';
import { frameOf } from '../../../../renderer/shared/charts/step-curves.ts';
import {
  agreement,
  factsOf,
  runSentence,
  sayTimeLeft,
} from '../../../../renderer/screens/train/facts/facts.ts';
import {
  iterationSeries,
  iterationTable,
} from '../../../../renderer/screens/train/iterations/iteration-series.ts';
import {
  compareAt,
  measuredData,
  measuredZigzag,
} from '../../../../renderer/screens/train/measured/measured-zigzag.ts';
import { overheadLines } from '../../../../renderer/screens/train/facts/overhead.ts';
import { looksOf } from '../../../../renderer/screens/train/state/run-look.ts';
import { visibleRuns } from '../../../../renderer/screens/train/state/visible-runs.ts';
import { fakeTrainer, until } from '../../support/fake-lab.ts';
import {
  doneEvent,
  iterationEvent,
  startEvent,
  stepsEvent,
  STEPS,
} from '../../screens/train/train-events.ts';

const request = { model: 'tiny-residual', batch: 4, strategy: 'chen-sqrt', iterations: 3 };
const fed = (events: readonly TrainEvent[], start: Run = newRun(1, request)): Run =>
  events.reduce(runAfter, start);
const looks = (...runs: Run[]) => looksOf(runs, new Map());
function axisOf({ predicted }: Run): StepAxis {
  if (predicted === null) throw new Error('the run has not begun');
  return predicted.axis;
}

describe('a run', () => {
  it('lays measured bytes over the prediction, step by step', () => {
    const run = fed([startEvent(), stepsEvent(0, 0, 3)]);
    expect(run.measured.length).toBe(3);
    const { curves, marks } = measuredZigzag(looks(run), frameOf(axisOf(run), 'operations'));
    expect(curves.map(({ id }) => id)).toEqual(['predicted-1', 'measured-1']);
    expect(curves[0]?.points.at(-1)?.x).toBeGreaterThan(curves[1]?.points.at(-1)?.x ?? 0);
    expect(marks.map(({ id }) => id)).toContain('now');
    const [begun] = [run].filter(
      (r): r is Run & { predicted: NonNullable<Run['predicted']> } => r.predicted !== null,
    );
    expect(compareAt(begun!, 0, 'operations').measured).toBe(begun!.predicted.live[0]);
    expect(compareAt(begun!, 99, 'operations').measured).toBeNull();
  });

  it('redraws only changed parts', () => {
    const regular = fed([startEvent(), stepsEvent(0, 0, STEPS), doneEvent([1])]);
    const before = fed([startEvent(), stepsEvent(0, 0, 3)], newRun(2, request, 'b'));
    const frame = frameOf(axisOf(before), 'pass');
    const first = measuredZigzag(looks(regular, before), frame);
    const after = fed([stepsEvent(0, 3, 3)], before);
    const second = measuredZigzag(looks(regular, after), { ...frame });
    expect(second.bands).toBe(first.bands);
    expect(second.curves.map((curve, i) => curve === first.curves[i])).toEqual([true, true, true, false]);
    const zoomed = measuredZigzag(looks(regular, after), { ...frame, window: { from: 0.5, to: 1 } });
    expect(zoomed.curves[2]?.points[0]?.x).toBe(0.5);
  });

  it('finds the step that differs most, in any iteration', () => {
    const equal = fed([startEvent(), stepsEvent(0, 0, STEPS)]);
    expect(agreement(equal)).toBe('yes, at every step');
    const off = fed([stepsEvent(1, 2, 2, 100), stepsEvent(2, 0, STEPS)], equal);
    expect(agreement(off)).toBe('no: +100\u202fB at step 3');
    expect(agreement(newRun(1, request))).toBe('…');
  });

  it('keeps its partial curve when it is cancelled or killed, and says so', () => {
    const run = fed([startEvent(), stepsEvent(0, 0, 5)]);
    const killed: Run = { ...run, outcome: 'failed' };
    expect(runSentence(killed, 'Chen', 'Tiny')).toBe(
      'Chen on Tiny at batch 4: stopped after 0 of 3 iterations.',
    );
    expect(
      measuredZigzag(looks(killed), frameOf(axisOf(killed), 'pass')).curves[1]?.points.length,
    ).toBeGreaterThan(3);
    expect(runSentence({ ...run, outcome: 'cancelled' }, 'Chen', 'Tiny')).toMatch(/cancelled after 0 of 3/);
    expect(measuredData(looks(killed), ['forward']).rows.filter((row) => row[6] !== null)).toHaveLength(5);
  });

  it('ends with facts marked as predicted or measured', () => {
    const run = fed([
      startEvent(),
      stepsEvent(0, 0, STEPS),
      iterationEvent(0, 12, 2.3),
      doneEvent([12, 10, 11]),
    ]);
    expect(run.outcome).toBe('done');
    expect(runSentence(run, 'Chen', 'Tiny')).toMatch(/just as predicted, at every step\.$/);
    const facts = new Map(factsOf(run).map((fact) => [fact.name, fact]));
    expect(facts.get('Backend')?.value).toBe('wasm');
    expect(facts.get('Measured peak')).toMatchObject({
      measured: true,
      value: facts.get('Predicted peak')?.value,
    });
    expect(facts.get('Iteration, median')?.value).toBe('11\u202fms');
  });

  it('shows the device’s report and the spread only if known', () => {
    const names = (run: Run): string[] => factsOf(run).map(({ name }) => name);
    const silent = fed([startEvent(), iterationEvent(0, 12, 2), doneEvent([12])]);
    expect(names(silent)).not.toContain('Device reports');
    expect(names(silent)).not.toContain('Iteration, spread');
    const told = fed([
      startEvent(),
      { ...iterationEvent(0, 12, 2), deviceBytes: 4096 } as TrainEvent,
      { ...iterationEvent(1, 12, 2), deviceBytes: 2048 } as TrainEvent,
      { ...doneEvent([12, 10]), medianMs: 10, quartilesMs: [9, 11] } as TrainEvent,
    ]);
    const facts = new Map(factsOf(told).map((fact) => [fact.name, fact.value]));
    expect(facts.get('Device reports')).toMatch(/^4/);
    expect(facts.get('Iteration, spread')).toMatch(/^9.*to 11/);
  });

  it('gives a measured overhead with its interval, or says that it is too noisy', () => {
    const plain = (measured: MeasuredOverhead): string => sayOverhead(measured).replaceAll('\u202f', ' ');
    expect(plain({ share: 0.25, interval: [0.2, 0.31], pairs: 8 })).toBe('+25 % (+20 % to +31 %)');
    expect(plain({ share: 0.01, interval: [-0.02, 0.03], pairs: 8 })).toBe('+1.0 % (−2.0 % to +3.0 %)');
    expect(plain({ share: 0.2, interval: [-0.1, 0.4], pairs: 8 })).toBe('too noisy to tell');
    expect(plain({ share: 0.2, interval: null, pairs: 5 })).toBe('too noisy to tell');
    expect(plain({ share: 0, interval: [0, 0], pairs: null })).toBe('0 %');
  });

  it('measures the overhead against the latest regular run of the same size and backend', () => {
    const times = (id: number, strategy: string, ms: number[]): Run =>
      fed([startEvent(), doneEvent(ms)], newRun(id, { ...request, strategy }));
    const runs = [
      times(3, 'chen-sqrt', [13, 13, 13]),
      times(2, 'regular', [10, 10, 10]),
      times(1, 'regular', [1, 1, 1]),
    ];
    const size = { model: 'tiny-residual', batch: 4 };
    const measured = measuredOverheads(runs, size, 32);
    expect(measured.get('chen-sqrt')?.share).toBeCloseTo(0.3);
    expect(measured.get('regular')).toEqual({ share: 0, interval: [0, 0], pairs: null });
    expect(measuredOverheads(runs, { ...size, batch: 8 }, 32).size).toBe(0);
    expect(measuredOverheads(runs, { ...size, input: 32 }, 32).get('chen-sqrt')?.share).toBeCloseTo(0.3);
    expect(measuredOverheads([runs[0]!], size, 32).size).toBe(0);
    expect(overheadLines(runs[0]!, runs).at(-1)).toMatchObject({ measured: true, quartiles: null });
    expect(overheadLines(runs[0]!, runs).at(-1)?.share).toBeCloseTo(0.3);
    expect(overheadLines(runs[0]!, [runs[0]!]).at(-1)).toMatchObject({ share: null });
  });

  it('shows the drift of naive statistics', () => {
    const naive = { ...iterationEvent(0, 12, 2), statisticsDrift: 0.25 } as TrainEvent;
    const run = fed([startEvent(), naive, doneEvent([12])]);
    const value = factsOf(run).find(({ name }) => name === 'Statistics drift')?.value;
    expect(value?.replaceAll('\u202f', ' ')).toMatch(/^25 ?%$/);
  });

  it('prefers the overhead that was measured in pairs', () => {
    const pair = (pairs: number, measured: number): TrainEvent => ({
      event: 'overhead',
      measured,
      quartiles: [measured - 0.1, measured + 0.1],
      predicted: 0.3,
      pairs,
      planned: 2,
    });
    const first = fed([startEvent(), pair(1, 0.5)]);
    expect(overheadLines(first, []).at(-1)).toMatchObject({ share: 0.5, quartiles: [0.4, 0.6] });
    expect(overheadLines(first, []).at(-1)?.note).toContain('1 of 2 pairs');
    expect(overheadLines(fed([pair(2, 0.4), doneEvent([1])], first), []).at(-1)?.share).toBe(0.4);
  });

  it('puts the overhead predicted by measured times between FLOPs and measurement', () => {
    const start = { ...startEvent(), predictedOverheadMeasuredCosts: 0.41 } as TrainEvent;
    const lines = overheadLines(fed([start]), []);
    expect(lines.map(({ name, share }) => [name, share])).toEqual([
      ['By FLOPs', 0.3],
      ['By device times', 0.41],
      ['Measured', null],
    ]);
  });

  it('says that the time of a plan’s copies is not predicted', () => {
    const start = startEvent() as Extract<TrainEvent, { event: 'start' }>;
    const host = { perSample: [0], fixed: [0] };
    const note = (event: TrainEvent): string => overheadLines(fed([event]), [])[0]!.note;
    expect(note(start)).not.toContain('copies');
    expect(note({ ...start, timeline: { ...start.timeline, host } })).toMatch(
      /copies to host memory are not included/,
    );
  });

  it('overlays the latest comparable run of every strategy, the selected one last', () => {
    const at = (id: number, strategy: string, batch = 4): Run =>
      fed([startEvent()], newRun(id, { ...request, strategy, batch }));
    const runs = [at(4, 'optimal'), at(3, 'regular'), at(2, 'regular'), at(1, 'random', 8)];
    const ids = (list: readonly Run[]): number[] => list.map(({ id }) => id);
    expect(ids(visibleRuns(runs, runs[0]!))).toEqual([3, 4]);
    expect(ids(visibleRuns(runs, runs[2]!))).toEqual([4, 2]);
    expect(visibleRuns([], null)).toEqual([]);
  });

  it('reduces long histories without losing their extremes', () => {
    const loss = Array.from({ length: 5000 }, (_, i) => (i === 1234 ? 99 : 1 / (i + 1)));
    const run: Run = { ...newRun(1, request), loss };
    const [series] = iterationSeries(looks(run), 'loss');
    expect(series?.points.length).toBeLessThanOrEqual(400);
    expect(series?.points.find(({ y }) => y === 99)?.x).toBe(1235);
    const diverged: Run = { ...run, loss: [2, Number.POSITIVE_INFINITY, Number.NaN] };
    expect(iterationSeries(looks(diverged), 'loss')[0]?.points).toEqual([{ x: 1, y: 2 }]);
    expect(iterationTable(looks(run), 'loss', 'Loss', String).rows.length).toBeLessThanOrEqual(20);
  });

  it('shows remaining times in whole seconds or minutes', () => {
    expect(sayTimeLeft(4760).replaceAll('\u202f', ' ')).toBe('About 5 s left.');
    expect(sayTimeLeft(200_000).replaceAll('\u202f', ' ')).toBe('About 3 min left.');
    expect(medianMs([])).toBeNull();
    expect(medianMs([4, 1, 3, 2])).toBe(2.5);
  });
});

describe('runs store', () => {
  it('runs requests one after the other and keeps them, newest first', async () => {
    const store = createRunsStore(
      fakeTrainer(async function* () {
        yield startEvent();
        yield stepsEvent(0, 0, STEPS);
        yield doneEvent([1]);
      }),
    );
    store.start([{ ...request, strategy: 'regular' }, request]);
    store.start([request]);
    await until(() => store.get().runs.filter(({ outcome }) => outcome === 'done').length === 2);
    expect(store.get().runs.map((run) => run.request.strategy)).toEqual(['chen-sqrt', 'regular']);
    store.forget(
      store
        .get()
        .runs.slice(1)
        .map(({ key }) => key),
    );
    expect(store.get().runs.map(({ id }) => id)).toEqual([2]);
  });

  it('cancels the current run and queued ones', async () => {
    let goOn = (): void => undefined;
    const cancelled = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const store = createRunsStore(
      fakeTrainer(async function* () {
        yield startEvent();
        yield stepsEvent(0, 0, 3);
        await cancelled;
        yield stepsEvent(0, 3, 3);
      }),
    );
    store.start([request, request]);
    await until(() => (store.get().runs[0]?.measured.length ?? 0) > 0);
    store.cancel();
    goOn();
    await until(() => store.get().runs[0]?.outcome === 'cancelled');
    expect(store.get().runs).toHaveLength(1);
    expect(store.get().runs[0]?.measured.length).toBeGreaterThanOrEqual(3);
  });

  it('shows how a run failed', async () => {
    const store = createRunsStore(
      // biome-ignore lint/correctness/useYield: it dies before it says anything
      fakeTrainer(async function* () {
        throw new Error('the trainer was killed');
      }),
    );
    store.start([request]);
    await until(() => store.get().runs[0]?.outcome === 'failed');
    expect(store.get().runs[0]?.failure?.message).toBe('the trainer was killed');
  });
});
