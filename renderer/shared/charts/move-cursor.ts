import { operationFrom, placeOf, type StepAxis, type StepScale, stepAt } from './step-axis.ts';

const BIG_STEP = 10;

export interface CursorTrack {
  readonly axis: StepAxis;
  readonly peakStep: number;
}

export function moveCursor(
  track: CursorTrack,
  scale: StepScale,
  key: string,
  big: boolean,
  place: number | null,
): number | null {
  const { axis, peakStep } = track;
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
