import { operationFrom, placeOf, type StepScale, stepAt } from './step-axis.ts';
import type { SizedTimeline } from '../sized-timeline.ts';

const BIG_STEP = 10;

/** The cursor's place after a key on the chart, along the operations of the curve in front. */
export function moveCursor(
  sized: SizedTimeline,
  scale: StepScale,
  key: string,
  big: boolean,
  place: number | null,
): number | null {
  const { axis, peakStep } = sized;
  const at = place === null ? peakStep : stepAt(axis, place, scale);
  const to = (step: number): number => placeOf(axis, axis.positions[step] ?? 0, scale);
  const by = big ? BIG_STEP : 1;
  switch (key) {
    case 'ArrowRight':
      return to(place === null ? at : operationFrom(axis, at, by));
    case 'ArrowLeft':
      return to(place === null ? at : operationFrom(axis, at, -by));
    case 'Home':
      return to(0);
    case 'End':
      return to(axis.operations.at(-1) ?? 0);
    case 'p':
    case 'P':
      return to(peakStep);
    default:
      return null;
  }
}
