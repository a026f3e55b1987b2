import {
  BACKWARD,
  FORWARD,
  FREE,
  FREE_GRADIENT,
  HOLD_GRADIENT,
} from '../../../../engine/schedule/schedule.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import type { NetworkResults } from '../../../state/comparison/comparison.ts';
import {
  type Holder,
  HOLDERS,
  holdersAt,
  type SizedTimeline,
} from '../../../state/comparison/sized-timeline.ts';

/** What happens in one step, and what is live then. */
export interface StepView {
  /** `backward`, `recompute`, … */
  readonly action: string;
  /** Id of the operation. */
  readonly tensor: string;
  readonly operation: string;
  readonly tensorBytes: number;
  readonly step: number;
  readonly steps: number;
  readonly liveBytes: number;
  readonly holders: readonly { readonly holder: Holder; readonly bytes: number }[];
}

/** A forward after the first of its vertex is a recompute; in backward every forward is one. */
export function actionOf(sized: SizedTimeline, step: number): string {
  const kind = sized.timeline.kinds[step];
  if (kind === FORWARD) return step < sized.timeline.backwardStart ? 'forward' : 'recompute';
  if (kind === BACKWARD) return 'backward';
  if (kind === HOLD_GRADIENT) return 'hold the gradient of';
  if (kind === FREE_GRADIENT) return 'free the gradient of';
  return kind === FREE ? 'free' : 'free auxiliaries of';
}

export function stepView(
  sized: SizedTimeline,
  step: number,
  network: Pick<NetworkResults, 'ids' | 'operations' | 'bytesPerSample'>,
): StepView {
  const vertex = sized.timeline.vertices[step] ?? 0;
  const holders = holdersAt(sized, step);
  return {
    action: actionOf(sized, step),
    tensor: network.ids[vertex] ?? `#${vertex}`,
    operation: network.operations[vertex] ?? '',
    tensorBytes: (network.bytesPerSample[vertex] ?? 0) * sized.batch,
    step,
    steps: sized.live.length,
    liveBytes: sized.live[step] ?? 0,
    holders: HOLDERS.map((holder) => ({ holder, bytes: holders[holder] })),
  };
}

/** One sentence for a screen reader. */
export function sayStep(view: StepView): string {
  return `${view.action} ${view.tensor}: ${formatBytes(view.liveBytes)} live`;
}
