import { describe, expect, it } from 'vitest';
import type { TrainEvent } from '../../../../../app/contract/training.ts';
import { BACKWARD, FORWARD, FREE } from '../../../../../engine/schedule/schedule.ts';
import { newRun, type Run, runAfter } from '../../../../../renderer/state/runs/run.ts';
import { placeOf, stepAt } from '../../../../../renderer/shared/charts/step-axis.ts';
import {
  measuredClock,
  timesMissing,
  withMeasuredClocks,
} from '../../../../../renderer/screens/train/measured/measured-clock.ts';
import { looksOf } from '../../../../../renderer/screens/train/state/run-look.ts';
import { startEvent, stepsEvent } from '../train-events.ts';

const request = { model: 'tiny-residual', batch: 4, strategy: 'chen-sqrt', iterations: 3 };
const fed = (events: readonly TrainEvent[], start: Run = newRun(1, request)): Run =>
  events.reduce(runAfter, start);
const looks = (...runs: Run[]) => looksOf(runs, new Map([['regular', 'Regular']]));

/** Every operation takes as many milliseconds as its vertex says; backwards twice as many. */
function costsEvent(): TrainEvent {
  const start = startEvent();
  if (start.event !== 'start') throw new Error('expected the start');
  const forwardMs = start.ids.map((_, vertex) => vertex);
  return { event: 'costs', iterations: 3, forwardMs, backwardMs: forwardMs.map((ms) => 2 * ms) };
}

describe('the clock of a run', () => {
  it('places an operation at the end of earlier ones, by measured times', () => {
    const kinds = [FORWARD, FORWARD, FREE, FORWARD, BACKWARD, FREE, BACKWARD];
    const vertices = [0, 1, 0, 1, 1, 1, 0];
    const times = { forwardMs: [0, 10], firstForwardMs: [0, 15], backwardMs: [1, 20] };
    const operations = [0, 1, 3, 4, 6];
    expect([...measuredClock({ kinds, vertices }, operations, times)]).toEqual([0, 0, 15, 25, 45, 46]);
    const { firstForwardMs: _, ...plain } = times;
    expect([...measuredClock({ kinds, vertices }, operations, plain)]).toEqual([0, 0, 10, 20, 40, 41]);
  });

  it('is available for a run with timed operations, and keeps its steps', () => {
    const run = fed([costsEvent(), startEvent(), stepsEvent(0, 0, 3)]);
    expect(timesMissing(looks(run))).toBeNull();
    const axis = withMeasuredClocks(looks(run))[0]?.run.predicted?.axis;
    if (axis?.clock === undefined) throw new Error('there is no clock');
    expect(axis.clock).toHaveLength(axis.operations.length + 1);
    const costs = run.costs;
    let total = 0;
    for (const step of axis.operations) {
      const vertex = run.start?.timeline.vertices[step] ?? 0;
      const times = run.start?.timeline.kinds[step] === BACKWARD ? costs?.backwardMs : costs?.forwardMs;
      expect(placeOf(axis, axis.positions[step] ?? 0, 'time')).toBeCloseTo(total, 9);
      // An operation without duration shares its place with the next.
      if ((times?.[vertex] ?? 0) > 0) expect(stepAt(axis, total, 'time')).toBe(step);
      total += times?.[vertex] ?? 0;
    }
    expect(axis.clock.at(-1)).toBeCloseTo(total, 9);
  });

  it('stays the same object between renders', () => {
    const before = fed([costsEvent(), startEvent(), stepsEvent(0, 0, 3)]);
    const after = fed([stepsEvent(0, 3, 3)], before);
    const [a, b] = [before, after].map((run) => withMeasuredClocks(looks(run))[0]?.run.predicted?.axis);
    expect(a).toBe(b);
    expect(withMeasuredClocks(looks(after))[0]?.run).toBe(withMeasuredClocks(looks(after))[0]?.run);
  });

  it('also also serves other runs of the same network, size and backend', () => {
    const timed = fed([costsEvent(), startEvent()], newRun(2, request, 'b'));
    const regular = fed([startEvent()], newRun(1, { ...request, strategy: 'regular' }, 'a'));
    expect(timesMissing(looks(regular, timed))).toBeNull();
    expect(withMeasuredClocks(looks(regular, timed))[0]?.run.predicted?.axis.clock).toBeDefined();

    const larger = fed([startEvent()], newRun(3, { ...request, batch: 8, strategy: 'regular' }, 'c'));
    expect(timesMissing(looks(larger, timed))).toBe('not timed for Regular');
    expect(withMeasuredClocks(looks(larger, timed))[0]?.run).toBe(larger);
  });

  it('is not offered without times, with the way to get them as the reason', () => {
    const run = fed([startEvent()]);
    expect(timesMissing(looks(run))).toMatch(/“Optimise for this device”/);
    expect(timesMissing([])).not.toBeNull();
    const foreign = { ...costsEvent(), forwardMs: [1], backwardMs: [1] } as TrainEvent;
    expect(timesMissing(looks(fed([foreign, startEvent()])))).not.toBeNull();
  });
});
