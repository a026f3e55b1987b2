import { beforeAll, describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../../app/contract/experiment.ts';
import { FETCH, SEND } from '../../../../engine/schedule/schedule.ts';
import { columnsOf } from '../../../../renderer/screens/compare/strategies/columns.ts';
import { sayStep, stepView } from '../../../../renderer/screens/compare/zigzag/describe-step.ts';
import { predictedSpeed, withClocks } from '../../../../renderer/screens/compare/zigzag/predicted-clock.ts';
import {
  keyOf,
  type NetworkResults,
  ownOf,
  withEvent,
} from '../../../../renderer/state/comparison/comparison.ts';
import { type StrategyRow, strategyRows } from '../../../../renderer/state/comparison/rows.ts';
import { sizeSeries } from '../../../../renderer/state/comparison/sized-timeline.ts';
import { drawnRows, zigzag, zigzagData } from '../../../../renderer/state/comparison/zigzag.ts';
import { stepExtent } from '../../../../renderer/shared/charts/step-curves.ts';
import { eventsOf, experimentOf } from '../../support/fake-lab.ts';

const experiment = experimentOf({
  model: 'resnet18',
  batch: 16,
  strategies: ['regular', 'offload'],
  budgetBytes: 190e6,
  linkGBps: 25,
});
const FRAME = { scale: 'pass', window: { from: 0, to: 2 }, columns: 4000 } as const;

function solved(of: typeof experiment): { results: NetworkResults; rows: StrategyRow[] } {
  let built: NetworkResults | undefined;
  for (const event of eventsOf(of)) built = withEvent(built, 'key', of.batch, event, of);
  if (built === undefined) throw new Error('no head');
  return { results: built, rows: strategyRows({ results: built, experiment: of, titles: new Map() }) };
}

describe('a plan that sends activations to host memory', () => {
  let results: NetworkResults;
  let rows: StrategyRow[];
  let offload: StrategyRow;
  beforeAll(() => {
    ({ results, rows } = solved(experiment));
    offload = rows[1]!;
    if (offload.reason !== null) throw new Error(offload.reason);
  });

  it('shows host bytes as a separate line, with an arrow at each copy', () => {
    const { curves, events, bytes } = zigzag(rows, 'offload', results.ids, FRAME);
    const { timeline, batch, live } = offload.sized!;
    const host = sizeSeries(timeline.host!, batch);
    const line = curves.find(({ id }) => id === 'host');
    expect(Math.max(...line!.points.map(({ y }) => y))).toBe(Math.max(...host));
    expect(Math.max(...host)).toBe(offload.copies!.hostPeakBytes);
    expect(bytes.top).toBeGreaterThanOrEqual(Math.max(...host, ...live));
    const count = (kind: number): number => timeline.kinds.filter((one) => one === kind).length;
    expect(count(SEND)).toBeGreaterThan(0);
    expect(events?.filter(({ leaves }) => leaves)).toHaveLength(count(SEND));
    expect(events?.filter(({ leaves }) => !leaves)).toHaveLength(count(FETCH));
    const front = zigzag(rows, 'regular', results.ids, FRAME);
    expect([front.events, front.curves.find(({ id }) => id === 'host')]).toEqual([undefined, undefined]);
  });

  it('describes copies and host bytes in words', () => {
    const sized = offload.sized!;
    const says = (kind: number) => {
      const step = sized.timeline.kinds.indexOf(kind);
      return sayStep(stepView(sized, step, results));
    };
    expect(says(SEND)).toMatch(/^send \S+ to the host: .+ live, .+ in host memory$/);
    expect(says(FETCH)).toMatch(/^fetch \S+ from the host: .+ live, .+ in host memory$/);
    const step = sized.timeline.kinds.indexOf(SEND);
    const [data] = zigzagData([offload], results.ids, []).rows.slice(step);
    expect(data?.at(-1)).toBe(sizeSeries(sized.timeline.host!, 16)[step]);
  });

  it('runs on the clock of the link, waits included; other plans are unchanged', () => {
    const speed = predictedSpeed(experiment);
    const { times } = offload.copies!;
    const { row, transfers } = results.solved.get('offload')!;
    const regularSeconds = transfers!.times!.regularSeconds;
    const [regular, sent] = drawnRows(withClocks(rows, results, speed)).map(({ sized }) => sized.axis);
    expect(stepExtent([sent!], 'time').end).toBeCloseTo(times!.stepMs, 9);
    expect(stepExtent([regular!], 'time').end).toBeCloseTo(1000 * regularSeconds, 6);
    const waits = row.stalledSeconds! / regularSeconds;
    expect(offload.predictedOverhead).toBeCloseTo(row.predictedOverhead! + waits, 12);
  });

  it('sends less if the device waits for every copy', () => {
    const [, waiting] = solved({ ...experiment, linkCopies: 'wait' }).rows;
    expect(waiting!.state).toBe('solved');
    expect(waiting!.sentBytes).toBeLessThan(offload.sentBytes!);
  });

  it('has a column of sent bytes, which is absent without a link', () => {
    const cell = (row: StrategyRow) =>
      columnsOf(experiment)
        .find(({ key }) => key === 'sentBytes')
        ?.cell(row);
    expect(cell(offload)?.text).toMatch(/^[\d.]+\u202fMiB$/);
    expect(cell(offload)?.note).toMatch(
      /^At most .+ in host memory, .+ fetched; the device waits .+ of a step/,
    );
    expect(cell(rows[0]!)?.text).toBe('–');
    expect(columnsOf({}).map(({ key }) => key)).not.toContain('sentBytes');
    expect(columnsOf({}, true).map(({ key }) => key)).toContain('sentBytes');
  });

  it('is requested again only for another link or device', () => {
    const { reads } = results.solved.get('offload')!;
    const others = results.solved.get('regular')!.reads;
    for (const change of [{ linkGBps: 12 }, { linkCopies: 'wait' }, { device: 'h100' }] as const) {
      const changed = { ...experiment, ...change };
      expect(keyOf(changed)).toBe(keyOf(experiment));
      expect(ownOf(changed, reads)).not.toBe(ownOf(experiment, reads));
      expect(ownOf(changed, others)).toBe(ownOf(experiment, others));
    }
    const { linkGBps: _link, ...without } = experiment;
    expect(ownOf({ ...without, device: 'h100' }, reads)).toBe(ownOf(without, reads));
    expect(solved({ ...without }).rows[1]).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(/needs the speed of the link to host memory/),
    });
  });

  it('is never requested with an invalid link', () => {
    const asked = (linkGBps: number) => experimentSchema.safeParse({ ...experiment, linkGBps }).success;
    expect([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9].map(asked)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(asked(0.5)).toBe(true);
  });
});
