import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';
import { type PlotScale, type Span, stepBand } from '../../../shared/charts/step-path.ts';
import type { Held, Play } from '../model/play.ts';

/** Holders of pebbles in the order in which the areas are stacked. */
export const TRACE_HOLDERS = [
  { of: 'source', fill: 'var(--zz-hold-input)', title: 'Input' },
  { of: 'kept', fill: 'var(--zz-hold-checkpoints)', title: 'Kept' },
  { of: 'recomputed', fill: 'var(--zz-hold-recomputed)', title: 'Recomputed' },
  { of: 'gradients', fill: 'var(--zz-hold-gradients)', title: 'Gradients' },
] as const satisfies readonly { of: keyof Held; fill: string; title: string }[];

/** Pebbles by move, and how they are drawn. */
export interface TraceLine {
  readonly live: readonly number[];
  readonly color: string;
  readonly dash?: string | undefined;
}

/** Pebbles of one kind by move; bands are stacked. */
export interface TraceBand {
  readonly fill: string;
  readonly held: readonly number[];
}

export const liveOf = ({ frames }: Play): number[] => frames.map(({ live }) => live);

export const playBands = ({ frames }: Play): TraceBand[] =>
  TRACE_HOLDERS.map(({ of, fill }) => ({ fill, held: frames.map(({ held }) => held[of]) }));

export function tracePoints(live: readonly number[]): Point[] {
  return [...live.map((y, x) => ({ x, y })), { x: live.length, y: live.at(-1) ?? 0 }];
}

/** The areas of the moves up to one. */
export function traceAreas(bands: readonly TraceBand[], at: number, scale: PlotScale): TraceArea[] {
  const below = new Float64Array(at + 2);
  return bands.map(({ fill, held }) => {
    const spans: Span[] = [];
    for (let x = 0; x <= at + 1; x++) {
      const low = below[x]!;
      const high = low + held[Math.min(x, at)]!;
      below[x] = high;
      spans.push({ x, low, high });
    }
    return { fill, d: stepBand(spans, scale) };
  });
}

interface TraceArea {
  readonly fill: string;
  readonly d: string;
}

export function frameAt(area: PlotArea, pixel: number, frames: number): number {
  const share = (pixel - area.left) / (area.right - area.left);
  return Math.min(Math.max(Math.floor(share * frames), 0), frames - 1);
}
