import {
  BACKWARD,
  FORWARD,
  FETCH,
  FREE,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  SEND,
} from '../../../../engine/schedule/schedule.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { instantAt } from '../../../state/comparison/zigzag.ts';
import type { NetworkResults } from '../../../state/comparison/comparison.ts';
import {
  type DeviceHolder,
  holdersAt,
  holdersOf,
  hostBytesAt,
  type SizedTimeline,
} from '../../../state/comparison/sized-timeline.ts';

export interface StepView {
  /** `backward`, `recompute`, … */
  readonly action: string;
  readonly tensor: string;
  /** ` to the host` where a copy goes there, ` from the host` where it comes back, `, then the loss`. */
  readonly place: string;
  readonly operation: string;
  readonly tensorBytes: number;
  readonly step: number;
  readonly steps: number;
  readonly liveBytes: number;
  /** All that the device holds, not the activations alone. */
  readonly isOnDevice: boolean;
  /** Null where the plan sends nothing to host memory. */
  readonly hostBytes: number | null;
  readonly holders: readonly { readonly holder: DeviceHolder; readonly bytes: number }[];
}

/** A forward after the first of its vertex is a recompute; in backward every forward is one. */
export function actionOf(sized: SizedTimeline, step: number): string {
  const kind = sized.timeline.kinds[step];
  if (kind === FORWARD) return step < sized.timeline.backwardStart ? 'forward' : 'recompute';
  if (kind === BACKWARD) return 'backward';
  if (kind === HOLD_GRADIENT) return 'hold the gradient of';
  if (kind === FREE_GRADIENT) return 'free the gradient of';
  if (kind === SEND) return 'send';
  if (kind === FETCH) return 'fetch';
  return kind === FREE ? 'free' : 'free auxiliaries of';
}

/** `send conv1 to the host`, `free conv1`. */
export const doneIn = ({ action, tensor, place }: StepView): string => `${action} ${tensor}${place}`;

function placeOfCopy(kind: number | undefined): string {
  if (kind === SEND) return ' to the host';
  return kind === FETCH ? ' from the host' : '';
}

export function stepView(
  sized: SizedTimeline,
  step: number,
  network: Pick<NetworkResults, 'ids' | 'operations' | 'bytesPerSample'>,
): StepView {
  const vertex = sized.timeline.vertices[step] ?? 0;
  const holders = holdersAt(sized, step);
  const instant = instantAt(sized, step);
  return {
    action: actionOf(sized, step),
    tensor: network.ids[vertex] ?? `#${vertex}`,
    place: placeOfCopy(sized.timeline.kinds[step]) + (instant === null ? '' : `, then ${instant}`),
    operation: network.operations[vertex] ?? '',
    tensorBytes: (network.bytesPerSample[vertex] ?? 0) * sized.batch,
    step,
    steps: sized.live.length,
    liveBytes: sized.live[step] ?? 0,
    isOnDevice: sized.device !== undefined,
    hostBytes: sized.timeline.host === undefined ? null : hostBytesAt(sized, step),
    holders: holdersOf(sized).map((holder) => ({ holder, bytes: holders[holder] })),
  };
}

export function sayStep(view: StepView): string {
  const host = view.hostBytes === null ? '' : `, ${formatBytes(view.hostBytes)} in host memory`;
  const held = view.isOnDevice ? 'on the device' : 'live';
  return `${doneIn(view)}: ${formatBytes(view.liveBytes)} ${held}${host}`;
}
