import { beforeAll, describe, expect, it } from 'vitest';
import { STEP_KINDS } from '../../../../engine/schedule/schedule.ts';
import { type NetworkResults, withEvent } from '../../../../renderer/state/comparison/comparison.ts';
import { actionOf, sayStep, stepView } from '../../../../renderer/screens/compare/zigzag/describe-step.ts';
import { type StrategyRow, strategyRows } from '../../../../renderer/state/comparison/rows.ts';
import {
  bytesAt,
  drawnRows,
  zigzag,
  zigzagData,
  zigzagTable,
} from '../../../../renderer/state/comparison/zigzag.ts';
import { withClocks } from '../../../../renderer/screens/compare/zigzag/predicted-clock.ts';
import { placeOf, stepAt } from '../../../../renderer/shared/charts/step-axis.ts';
import { moveCursor } from '../../../../renderer/shared/charts/move-cursor.ts';
import { stepExtent } from '../../../../renderer/shared/charts/step-curves.ts';
import { holdersAt } from '../../../../renderer/state/comparison/sized-timeline.ts';
import { eventsOf, experimentOf } from '../../support/fake-lab.ts';

const experiment = experimentOf({ model: 'resnet18', strategies: ['regular', 'chen-sqrt', 'memory-poor'] });

const WHOLE = { scale: 'pass', window: { from: 0, to: 2 }, columns: 700 } as const;

describe('zigzag', () => {
  let results: NetworkResults;
  let rows: StrategyRow[];
  beforeAll(() => {
    let built: NetworkResults | undefined;
    for (const event of eventsOf(experiment)) built = withEvent(built, 'key', experiment.batch, event);
    if (built === undefined) throw new Error('no head');
    results = built;
    rows = strategyRows({ results, experiment, titles: new Map(), measured: new Map() });
  });

  it.each(['pass', 'operations'] as const)('draws every true peak, reduced to the columns (%s)', (scale) => {
    const { end } = stepExtent(
      drawnRows(rows).map(({ sized }) => sized.axis),
      scale,
    );
    const frame = { scale, window: { from: 0, to: end }, columns: 60 };
    const { curves, bytes } = zigzag(rows, 'chen-sqrt', results.ids, frame);
    expect(curves).toHaveLength(3);
    for (const { id, points } of curves) {
      const row = rows.find(({ identity }) => identity.name === id);
      expect(points.length).toBeLessThanOrEqual(3 * 61 + 1);
      expect(Math.max(...points.map(({ y }) => y))).toBe(row?.peakBytes);
      expect(bytes.top).toBeGreaterThanOrEqual(row?.peakBytes ?? 0);
      for (let i = 1; i < points.length; i++) expect(points[i]!.x).toBeGreaterThanOrEqual(points[i - 1]!.x);
      expect(points.at(-1)!.x).toBeLessThanOrEqual(end);
    }
  });

  it('draws every step in view, and nothing outside', () => {
    const window = { from: 1.2, to: 1.3 };
    const { curves } = zigzag(rows, 'memory-poor', results.ids, { scale: 'pass', window, columns: 4000 });
    const { sized } = drawnRows(rows).find(({ identity }) => identity.name === 'memory-poor')!;
    const { points } = curves.find(({ id }) => id === 'memory-poor')!;
    expect(points[0]!.x).toBe(window.from);
    expect(points.at(-1)!.x).toBe(window.to);
    const first = stepAt(sized.axis, window.from, 'pass');
    const last = stepAt(sized.axis, window.to, 'pass');
    expect(points.slice(0, -1).map(({ y }) => y)).toEqual([...sized.live.subarray(first, last + 1)]);
  });

  it('measures time by the work of each operation on the device', () => {
    const speed = { flopsPerSecond: 1e12, secondsPerOperation: 1e-5 };
    const [regular] = drawnRows(withClocks(rows, results, speed));
    const { axis, timeline, batch } = regular!.sized;
    const work = axis.operations.reduce((sum, step) => {
      const flops = timeline.kinds[step] === 1 ? results.backwardFlopsPerSample : results.flopsPerSample;
      return sum + batch * flops[timeline.vertices[step]!]!;
    }, 0);
    const { end, split } = stepExtent([axis], 'time');
    expect(end).toBeCloseTo(axis.operations.length * 0.01 + work / 1e9, 6);
    expect(split).toBeGreaterThan(0);
    expect(split).toBeLessThan(end / 2);
    axis.positions.forEach((position, step) => {
      const place = placeOf(axis, position, 'time');
      expect(stepAt(axis, place, 'time')).toBe(step);
    });
  });

  it('aligns the forward passes of all strategies by operation', () => {
    const splits = drawnRows(rows).map(({ sized }) => sized.axis.forward);
    expect(new Set(splits).size).toBe(1);
    expect(splits[0]).toBe(results.head.vertices - 1);
  });

  it('draws the selected one last and names the tensor of its peak first', () => {
    const { curves, marks, bands } = zigzag(rows, 'chen-sqrt', results.ids, WHOLE);
    expect(curves.at(-1)?.id).toBe('chen-sqrt');
    expect(marks[0]).toMatchObject({ id: 'chen-sqrt' });
    expect(marks[0]?.text).toMatch(/^[\d.]+\u202f[KMG]iB at \S+$/);
    expect(bands.map(({ id }) => id)).toEqual([
      'input',
      'checkpoints',
      'recomputed',
      'gradients',
      'auxiliaries',
    ]);
  });

  it('stacks areas that add up to the curve', () => {
    const { bands } = zigzag(rows, 'memory-poor', results.ids, WHOLE);
    const sized = rows[2]?.sized;
    const top = bands.at(-1)?.spans ?? [];
    expect(Math.max(...top.map(({ high }) => high))).toBeCloseTo(sized?.peakBytes ?? 0, 3);
    for (const span of bands.flatMap(({ spans }) => spans))
      expect(span.high).toBeGreaterThanOrEqual(span.low);
  });

  it('accounts for every live byte at every step', () => {
    for (const { sized } of drawnRows(rows)) {
      for (let step = 0; step < sized.live.length; step += 7) {
        const sum = Object.values(holdersAt(sized, step)).reduce((a, b) => a + b, 0);
        expect(sum).toBe(sized.live[step]);
      }
    }
  });

  it('names steps in words', () => {
    const [regular, chen] = drawnRows(rows);
    const actions = new Set(Array.from(chen!.sized.live, (_, step) => actionOf(chen!.sized, step)));
    expect([...actions].sort()).toEqual(['backward', 'forward', 'free', 'free auxiliaries of', 'recompute']);
    const view = stepView(regular!.sized, regular!.sized.peakStep, results);
    expect(view.tensorBytes).toBe(results.bytesPerSample[regular!.sized.timeline.vertices[view.step]!]! * 4);
    expect(sayStep(view)).toMatch(/^backward \S+: [\d.]+\u202f[KMG]iB live$/);
  });

  it('names the steps that hold and free gradients', () => {
    const reentrant = experimentOf({ strategies: ['chen-sqrt'], checkpointing: 'reentrant' });
    let built: NetworkResults | undefined;
    for (const event of eventsOf(reentrant)) built = withEvent(built, 'key', 4, event, reentrant);
    const options = { experiment: reentrant, titles: new Map(), measured: new Map() };
    const [row] = drawnRows(strategyRows({ results: built ?? null, ...options }));
    const { sized } = row!;
    const says = (kind: string): string => {
      const step = [...sized.timeline.kinds].indexOf(STEP_KINDS.findIndex((name) => name === kind));
      return sayStep(stepView(sized, step, built!));
    };
    expect(says('hold-gradient')).toMatch(/^hold the gradient of \S+: /);
    expect(says('free-gradient')).toMatch(/^free the gradient of \S+: /);
  });

  it('moves the cursor by operations, from the peak', () => {
    const { sized } = drawnRows(rows)[1]!;
    const peak = moveCursor(sized, 'operations', 'ArrowRight', false, null)!;
    expect(peak).toBe(sized.axis.positions[sized.peakStep]);
    const next = moveCursor(sized, 'operations', 'ArrowRight', false, peak)!;
    expect(next).toBe(Math.floor(peak) + 1);
    expect(moveCursor(sized, 'operations', 'ArrowLeft', true, next)).toBe(next - 10);
    expect(moveCursor(sized, 'operations', 'Home', false, next)).toBe(0);
    expect(moveCursor(sized, 'operations', 'p', false, 0)).toBe(peak);
    expect(moveCursor(sized, 'operations', 'x', false, 0)).toBeNull();
  });

  it('exports a short table and all data', () => {
    const table = zigzagTable(rows, 'caption');
    expect(table.rows).toHaveLength(18);
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
    const data = zigzagData(rows, results.ids, STEP_KINDS);
    expect(data.rows).toHaveLength(rows.reduce((sum, { sized }) => sum + (sized?.live.length ?? 0), 0));
    expect(bytesAt(rows, 1, 'pass').get('regular')).toBeGreaterThan(0);
  });

  it('draws nothing without data', () => {
    expect(zigzag([], null, [], WHOLE)).toMatchObject({ curves: [], bands: [], marks: [] });
  });
});
