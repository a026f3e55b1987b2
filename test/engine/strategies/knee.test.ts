import { describe, expect, it } from 'vitest';
import { kneeOf } from '../../../engine/strategies/budget/knee.ts';

const front = (...points: [number, number][]) =>
  points.map(([peakBytes, recomputeFraction]) => ({ peakBytes, recomputeFraction }));

describe('the knee of a front', () => {
  it('is the point farthest from the chord between its ends', () => {
    const points = front([100, 0], [80, 0.02], [40, 0.1], [30, 0.4], [20, 0.8]);
    expect(kneeOf(points)).toBe(points[2]);
  });

  it('is measured from both ends, wherever they lie', () => {
    const points = front([100, 0.3], [50, 0.5], [20, 0.6], [10, 0.9]);
    expect(kneeOf(points)).toBe(points[2]);
    // A later point lies farther off, though the first saves and pays more than that.
    const two = front([100, 0], [50, 0.4], [20, 0.6], [0, 1]);
    expect(kneeOf(two)).toBe(two[2]);
    // Storing so little that exactly one forward is done again counts, more does not.
    const once = front([100, 0], [60, 0.35], [20, 1]);
    expect(kneeOf(once)).toBe(once[1]);
    expect(kneeOf(front([100, 0], [60, 0.35], [20, 1.01]))).toBeNull();
  });

  it('does not move when either figure is scaled', () => {
    const points = front([100, 0], [70, 0.05], [40, 0.3], [30, 0.6], [20, 1]);
    const scaled = points.map(({ peakBytes, recomputeFraction }) => ({
      peakBytes: peakBytes * 1e9,
      recomputeFraction: recomputeFraction / 3,
    }));
    expect(scaled.indexOf(kneeOf(scaled)!)).toBe(points.indexOf(kneeOf(points)!));
  });

  it('is not drawn down by a point that does tens of forwards more', () => {
    const points = front([100, 0], [50, 0.1], [20, 0.9]);
    expect(kneeOf([...points, ...front([19, 78])])).toBe(points[1]);
  });

  it('is nowhere on a front without a bend', () => {
    for (const points of [
      front(),
      front([100, 0]),
      front([100, 0], [50, 0.5]),
      front([100, 0], [75, 0.25], [50, 0.5]),
    ])
      expect(kneeOf(points)).toBeNull();
  });
});
