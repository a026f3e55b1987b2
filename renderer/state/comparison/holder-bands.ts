import type { Band } from '../../shared/charts/StepChart.tsx';
import type { StepScale } from '../../shared/charts/step-axis.ts';
import { frameOf, lastPlace, type StepFrame, stepsInView } from '../../shared/charts/step-curves.ts';
import type { Span } from '../../shared/charts/step-path.ts';
import { type DeviceHolder, holdersAt, holdersOf, type SizedTimeline } from './sized-timeline.ts';

/** Layers are read as a whole; finer columns than this are not seen. */
const BAND_COLUMNS = 240;

/** The area under a curve, split by what holds the bytes, stacked in the order of `holdersOf`. */
export function holderBands(sized: SizedTimeline, shown: StepFrame | StepScale): Band[] {
  const holders = holdersOf(sized);
  const layers = new Map<DeviceHolder, Span[]>(holders.map((holder) => [holder, []]));
  const push = (step: number, x: number): void => {
    const bytes = holdersAt(sized, step);
    let low = 0;
    for (const holder of holders) {
      const high = low + bytes[holder];
      layers.get(holder)?.push({ x, low, high });
      low = high;
    }
  };
  const frame = frameOf(sized.axis, shown);
  const coarse = { ...frame, columns: Math.min(frame.columns, BAND_COLUMNS) };
  let last: number | null = null;
  for (const { step, x } of stepsInView(sized.live, sized.axis, coarse)) {
    push(step, x);
    last = step;
  }
  if (last !== null) push(last, lastPlace(sized.axis, coarse, last));
  return holders.map((holder) => ({
    id: holder,
    fill: `var(--zz-hold-${holder})`,
    spans: layers.get(holder) ?? [],
  }));
}
