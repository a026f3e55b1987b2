import type { ByteLine } from '../../../engine/limits/peak-lines.ts';
import type { HeldSteps } from '../../../engine/training-memory/held.ts';
import type { StrategyRow } from './rows.ts';
import { peakStepOf, type ShownAt, type SizedTimeline, sizeSeries } from './sized-timeline.ts';

/**
 * All that the device holds at each step of a plan: its highest is the plan's `needs`, to the byte. The loss is shown at
 * the end of the forward pass and the optimizer's step at the end of backward, where they hold more. Time O(steps).
 */
export function onDevice(sized: SizedTimeline, steps: HeldSteps, contextBytes: number): SizedTimeline {
  const last = known.get(sized);
  if (last?.steps === steps && last.contextBytes === contextBytes) return last.result;
  const result = computed(sized, steps, contextBytes);
  known.set(sized, { steps, contextBytes, result });
  return result;
}

/** The last answer for each curve: a row that stays as it is keeps its picture. */
const known = new WeakMap<
  SizedTimeline,
  { readonly steps: HeldSteps; readonly contextBytes: number; readonly result: SizedTimeline }
>();

function computed(sized: SizedTimeline, steps: HeldSteps, contextBytes: number): SizedTimeline {
  const { batch, timeline } = sized;
  const { total, lossActivations, optimizerActivations } = steps;
  const count = sized.live.length;
  const instants = sizeSeries(total, batch, contextBytes);
  const live = instants.subarray(0, count);
  const base = steps.gradients[0]!;
  const gradients = gradientsAbove(steps, count).slice();
  const show = (instant: number, step: number, { fixed, perSample }: ByteLine): ShownAt => {
    const isHigher = instants[instant]! > live[step]!;
    if (isHigher) {
      live[step] = instants[instant]!;
      gradients[step] = steps.gradients[instant]! - base;
    }
    return { step: isHigher ? step : null, activations: fixed + batch * perSample };
  };
  const loss = show(count, Math.max(0, timeline.backwardStart - 1), lossActivations);
  const optimizer = show(count + 1, count - 1, optimizerActivations);
  const constantBytes = steps.constantBytes + contextBytes;
  const peakStep = peakStepOf(live);
  return {
    ...sized,
    live,
    peakStep,
    peakBytes: live[peakStep] ?? 0,
    device: { activations: sized.live, constantBytes, gradients, loss, optimizer },
  };
}

/** Bytes of weight gradients at each step, above those that are there throughout: they do not depend on the batch. */
function gradientsAbove(steps: HeldSteps, count: number): Float64Array {
  const before = above.get(steps);
  if (before !== undefined) return before;
  const gradients = new Float64Array(count);
  const base = steps.gradients[0]!;
  for (let t = 0; t < count; t++) gradients[t] = steps.gradients[t]! - base;
  above.set(steps, gradients);
  return gradients;
}

const above = new WeakMap<HeldSteps, Float64Array>();

/** The rows with curves of the device's memory in place of the activations'. */
export const withDeviceMemory = (rows: readonly StrategyRow[], contextBytes: number): StrategyRow[] =>
  rows.map((row) =>
    row.sized === null || row.heldSteps === null
      ? row
      : { ...row, sized: onDevice(row.sized, row.heldSteps, contextBytes) },
  );
