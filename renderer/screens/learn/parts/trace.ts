import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';
import { type PlotScale, type Span, stepBand, stepLine } from '../../../shared/charts/step-path.ts';
import type { Play } from '../model/play.ts';
import type { HeldBytes } from '../model/replay.ts';

/** Holders of pebbles in the order in which the areas are stacked. */
export const TRACE_HOLDERS = [
  { of: 'source', fill: 'var(--zz-hold-input)', title: 'Input' },
  { of: 'kept', fill: 'var(--zz-hold-checkpoints)', title: 'Kept' },
  { of: 'recomputed', fill: 'var(--zz-hold-recomputed)', title: 'Recomputed' },
  { of: 'gradients', fill: 'var(--zz-hold-gradients)', title: 'Gradients' },
] as const satisfies readonly { of: keyof HeldBytes; fill: string; title: string }[];

export function tracePoints({ frames }: Play): Point[] {
  const points = frames.map(({ live }, x) => ({ x, y: live }));
  return [...points, { x: frames.length, y: frames.at(-1)?.live ?? 0 }];
}

export const tracePath = (play: Play, scale: PlotScale): string => stepLine(tracePoints(play), scale);

export function traceBands(
  { frames }: Play,
  at: number,
  scale: PlotScale,
): { of: string; fill: string; d: string }[] {
  const below = new Float64Array(at + 2);
  return TRACE_HOLDERS.map(({ of, fill }) => {
    const spans: Span[] = [];
    for (let x = 0; x <= at + 1; x++) {
      const low = below[x]!;
      const high = low + frames[Math.min(x, at)]!.held[of];
      below[x] = high;
      spans.push({ x, low, high });
    }
    return { of, fill, d: stepBand(spans, scale) };
  });
}

export function frameAt(area: PlotArea, pixel: number, frames: number): number {
  const share = (pixel - area.left) / (area.right - area.left);
  return Math.min(Math.max(Math.floor(share * frames), 0), frames - 1);
}
