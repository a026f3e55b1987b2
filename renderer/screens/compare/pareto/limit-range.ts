import type { PlanPoint } from './pareto-plot.ts';

/** Ends of the handle: the lowest peak of any plan known, and regular training's. */
export interface LimitRange {
  readonly low: number;
  readonly high: number;
}

/** @returns null where there is nothing to choose */
export function limitRange(line: readonly PlanPoint[]): LimitRange | null {
  const all = line.map(({ bytes }) => bytes);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return low < high ? { low, high } : null;
}

/** The plan of the front within a limit: the least recompute, then the least memory. */
export function planWithin(line: readonly PlanPoint[], limit: number): PlanPoint | null {
  return line.reduce<PlanPoint | null>((best, point) => {
    if (point.bytes > limit) return best;
    if (best === null || point.recompute < best.recompute) return point;
    return point.recompute === best.recompute && point.bytes < best.bytes ? point : best;
  }, null);
}

const AROUND = 6;

/** The points nearest to a limit that needed a search, as its next moves may reach them. */
export function plansAround(line: readonly PlanPoint[], limit: number): readonly PlanPoint[] {
  const away = ({ bytes }: PlanPoint): number => Math.abs(bytes - limit);
  return line
    .filter(({ strategy }) => strategy === null)
    .sort((a, b) => away(a) - away(b))
    .slice(0, AROUND);
}

const STEPS = 100;
const BIG = 10;

/** The limit after a key; null for keys without a meaning here. */
export function limitAfterKey(key: string, limit: number, { low, high }: LimitRange): number | null {
  const step = (high - low) / STEPS;
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: limit + step,
    ArrowRight: limit + step,
    ArrowDown: limit - step,
    ArrowLeft: limit - step,
    PageUp: limit + BIG * step,
    PageDown: limit - BIG * step,
    Home: low,
    End: high,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(Math.max(next, low), high);
}
