import { reduceIndices } from './charts/reduce.ts';
import type { Band } from './charts/StepChart.tsx';
import { placeOf, type StepScale } from './charts/step-axis.ts';
import { endOf } from './charts/step-curves.ts';
import type { Span } from './charts/step-path.ts';
import { type Holder, HOLDERS, holdersAt, type SizedTimeline } from './sized-timeline.ts';

/** Layers are read as a whole; more points than this are not seen. */
const BAND_POINTS = 400;

/** The area under a curve, split by what holds the bytes, stacked in the order of `HOLDERS`. */
export function holderBands(sized: SizedTimeline, scale: StepScale): Band[] {
  const layers = new Map<Holder, Span[]>(HOLDERS.map((holder) => [holder, []]));
  const push = (step: number, x: number): void => {
    const bytes = holdersAt(sized, step);
    let low = 0;
    for (const holder of HOLDERS) {
      const high = low + bytes[holder];
      layers.get(holder)?.push({ x, low, high });
      low = high;
    }
  };
  let last = 0;
  for (const step of reduceIndices(sized.live, BAND_POINTS)) {
    push(step, placeOf(sized.axis, sized.axis.positions[step] ?? 0, scale));
    last = step;
  }
  push(last, endOf(sized.axis, scale));
  return HOLDERS.map((holder) => ({
    id: holder,
    fill: `var(--zz-hold-${holder})`,
    spans: layers.get(holder) ?? [],
  }));
}
