import { describe, expect, it } from 'vitest';
import { leastFraction, recomputeBound } from '../../../../../engine/bounds/recompute-bound.ts';
import {
  gapOf,
  paretoPoints,
  paretoSteps,
  paretoTable,
  sayPoint,
  withProof,
} from '../../../../../renderer/screens/compare/pareto/pareto-plot.ts';
import {
  curvePath,
  provedCurve,
  regionPath,
} from '../../../../../renderer/screens/compare/pareto/proved-region.ts';
import { percentAxis } from '../../../../../renderer/shared/charts/axis.ts';
import { plotArea } from '../../../../../renderer/shared/charts/plot-area.ts';
import { bytesProblem } from '../../../../support/problems.ts';

/** At least 61 bytes without recompute, 41 whatever is done again. */
const BOUND = recomputeBound(bytesProblem([1, 10, 10, 10, 10], '0>1 1>2 2>3 3>4'));
const point = (peakBytes: number, recomputeFraction: number) => ({
  peakBytes,
  recomputeFraction,
  predictedOverhead: 0,
  checkpoints: 3,
  held: [],
});
const POINTS = paretoPoints([point(61, 0), point(51, 0.3), point(45, 0.6)], 1, 1, null);
const STEPS = paretoSteps(POINTS, 70);
const PLACE = { area: plotArea(200, 100), end: 70, axis: percentAxis(0, 1) };

describe('the proved region in the plane of memory and recompute', () => {
  it('has a sentence for every point, rounded so that it is true', () => {
    const [most, mid] = withProof(POINTS, BOUND);
    expect(sayPoint(most!)).toMatch(/everything kept, proved optimal$/);
    expect(mid!.proved).toBe(0.25);
    expect(gapOf(mid!)).toBeCloseTo(0.05);
    expect(sayPoint(mid!)).toMatch(/, at most 5 points above the lower bound$/);
    expect(sayPoint({ ...mid!, recompute: 0.26001 })).toMatch(/, at most 1\.1 points above/);
    const { columns, rows } = paretoTable(withProof(POINTS, BOUND));
    expect(rows[1]?.[columns.indexOf('Gap, points')]).toBe('5.0');
    expect(rows[0]?.[columns.indexOf('Gap, points')]).toBe('0.0');
  });

  it('has no sentence while unknown', () => {
    expect(withProof(POINTS, null).map(gapOf)).toEqual([null, null, null]);
    expect(sayPoint(POINTS[1]!)).toMatch(/3 tensors kept$/);
    expect(paretoTable(POINTS).rows[1]?.slice(-2)).toEqual([null, null]);
  });

  it('is a falling curve from the proved least peak on, never above the front', () => {
    const curve = provedCurve(BOUND, STEPS, 70);
    expect(curve[0]?.x).toBe(BOUND.floorBytes);
    curve.forEach(({ x, y }, i) => {
      expect(y).toBe(leastFraction(BOUND, x));
      expect(y).toBeLessThanOrEqual(curve[i - 1]?.y ?? Number.POSITIVE_INFINITY);
      for (const { bytes, recompute } of POINTS) if (bytes === x) expect(y).toBeLessThanOrEqual(recompute);
    });
    expect(curve.at(-1)).toEqual({ x: 70, y: 0 });
    expect(provedCurve(BOUND, STEPS, 10)).toEqual([]);
  });

  it('is drawn with all that lies between it and the front, within the plot', () => {
    const curve = provedCurve(BOUND, STEPS, 70);
    const region = regionPath(curve, STEPS, PLACE);
    expect(region).toMatch(/^M[\d. L]+Z$/);
    const corners = region
      .slice(1, -1)
      .split('L')
      .map((pair) => pair.split(' ').map(Number));
    for (const [x, y] of corners) {
      expect(x).toBeGreaterThanOrEqual(PLACE.area.left);
      expect(x).toBeLessThanOrEqual(PLACE.area.right);
      expect(y).toBeGreaterThanOrEqual(PLACE.area.top);
      expect(y).toBeLessThanOrEqual(PLACE.area.bottom);
    }
    // The upper left corner: left of the front nothing is known.
    expect(corners[0]?.[1]).toBe(PLACE.area.top);
    expect(curvePath(curve, PLACE)).toMatch(/^M[\d. L]+$/);
    expect([regionPath([], STEPS, PLACE), regionPath(curve, [], PLACE), curvePath([], PLACE)]).toEqual([
      '',
      '',
      '',
    ]);
  });
});
