import type { ScaledTimeline } from '../../../../app/contract/results.ts';
import type { TrainEventOf } from '../../../../app/contract/training.ts';
import { BACKWARD } from '../../../../engine/schedule/schedule.ts';
import type { Run } from '../../../state/runs/run.ts';
import type { SizedTimeline } from '../../../state/comparison/sized-timeline.ts';
import type { RunLook } from '../state/run-look.ts';
import { sameSize } from '../state/visible-runs.ts';

type CostsEvent = TrainEventOf<'costs'>;
type Times = Pick<CostsEvent, 'forwardMs' | 'firstForwardMs' | 'backwardMs'>;

/**
 * Milliseconds at which each operation of a schedule starts, and the end of the last: the measured times of
 * all before it. A vertex's first forward of the step may take longer than those that recompute it.
 * Time O(steps).
 *
 * @param operations steps that are operations, ascending
 */
export function measuredClock(
  { kinds, vertices }: Pick<ScaledTimeline, 'kinds' | 'vertices'>,
  operations: ArrayLike<number>,
  { forwardMs, firstForwardMs = forwardMs, backwardMs }: Times,
): Float64Array {
  const clock = new Float64Array(operations.length + 1);
  const ran = new Set<number>();
  for (let i = 0; i < operations.length; i++) {
    const step = operations[i] ?? 0;
    const vertex = vertices[step] ?? 0;
    const forward = ran.has(vertex) ? forwardMs : firstForwardMs;
    clock[i + 1] = (clock[i] ?? 0) + ((kinds[step] === BACKWARD ? backwardMs : forward)[vertex] ?? 0);
    ran.add(vertex);
  }
  return clock;
}

/** Why there is no time axis for these runs; null where there is one. */
export function timesMissing(looks: readonly RunLook[]): string | null {
  const begun = looks.filter(({ run }) => run.predicted !== null);
  const without = begun.filter(({ run }) => costsOf(run, looks) === null);
  if (begun.length > 0 && without.length === 0) return null;
  if (without.length === begun.length) {
    return 'not timed; “Optimise for this device” under More options times them';
  }
  return `not timed for ${without.map(({ title }) => title).join(', ')}`;
}

export function withMeasuredClocks(looks: readonly RunLook[]): RunLook[] {
  return looks.map((look) => {
    const costs = costsOf(look.run, looks);
    return costs === null ? look : { ...look, run: timedRun(look.run, costs) };
  });
}

/** Its own times, or those that another run measured for the same network, size and backend. */
function costsOf(run: Run, looks: readonly RunLook[]): CostsEvent | null {
  const { start } = run;
  if (start === null) return null;
  const sources = [run, ...looks.map((look) => look.run)];
  const source = sources.find(
    (other) =>
      other.costs?.forwardMs.length === start.ids.length &&
      other.costs.forwardMs.some((ms) => ms > 0) &&
      other.start?.backend === start.backend &&
      sameSize(other, run),
  );
  return source?.costs ?? null;
}

/** Pictures of a run follow each other quickly; its clock stays the same. */
const timelines = new WeakMap<SizedTimeline, { readonly costs: CostsEvent; readonly timed: SizedTimeline }>();
const runs = new WeakMap<Run, Run>();

function timedRun(run: Run, costs: CostsEvent): Run {
  if (run.predicted === null) return run;
  const predicted = timedTimeline(run.predicted, costs);
  const previous = runs.get(run);
  if (previous?.predicted === predicted) return previous;
  const timed = { ...run, predicted };
  runs.set(run, timed);
  return timed;
}

function timedTimeline(sized: SizedTimeline, costs: CostsEvent): SizedTimeline {
  const previous = timelines.get(sized);
  if (previous?.costs === costs) return previous.timed;
  const clock = measuredClock(sized.timeline, sized.axis.operations, costs);
  const timed = { ...sized, axis: { ...sized.axis, clock } };
  timelines.set(sized, { costs, timed });
  return timed;
}
