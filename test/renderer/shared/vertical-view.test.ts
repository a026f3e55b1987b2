import { describe, expect, it } from 'vitest';
import { byteAxis } from '../../../renderer/shared/charts/axis.ts';
import { isShown, pixelY, plotArea } from '../../../renderer/shared/charts/plot-area.ts';
import {
  isClosest,
  isWholeHeight,
  logTicks,
  panHeight,
  viewedAxis,
  WHOLE_HEIGHT,
  zoomHeight,
} from '../../../renderer/shared/charts/vertical-view.ts';

const GIB = 1024 ** 3;
const LOG = { ...WHOLE_HEIGHT, isLog: true };

describe('the vertical axis in view', () => {
  it('is zoomed about a share that stays in its place, and ends at the whole', () => {
    const near = zoomHeight(WHOLE_HEIGHT, 0.25, 2);
    expect(near).toEqual({ from: 0.125, to: 0.625, isLog: false });
    expect(isWholeHeight(zoomHeight(near, 0.25, 1 / 4))).toBe(true);
    expect(panHeight(near, 10)).toMatchObject({ from: 0.5, to: 1 });
    let closest = near;
    for (let i = 0; i < 40; i++) closest = zoomHeight(closest, 0.5, 2);
    expect(isClosest(closest)).toBe(true);
    expect(closest.from).toBeGreaterThanOrEqual(0);
  });

  it('has round ticks of the same unit in a part of a linear axis', () => {
    const whole = byteAxis(6 * GIB);
    expect(viewedAxis(whole, WHOLE_HEIGHT, 1).ticks).toEqual(whole.ticks);
    const { range, ticks, format } = viewedAxis(whole, { from: 0.5, to: 0.75, isLog: false }, 1);
    expect([range.low / GIB, range.top / GIB]).toEqual([3, 4.5]);
    expect(ticks.map(format)).toEqual(['3.0', '3.5', '4.0', '4.5']);
  });

  it('begins a logarithm at the least value, at most four decades down, never at zero', () => {
    const whole = byteAxis(6 * GIB);
    const { range, ticks, format } = viewedAxis(whole, LOG, 0.05 * GIB);
    expect(range.low / GIB).toBeCloseTo(0.05);
    expect(ticks.map(format)).toEqual(['0.05', '0.1', '0.2', '0.5', '1', '2', '5']);
    expect(viewedAxis(whole, LOG, 1).range.low / GIB).toBeCloseTo(6e-4);
    expect(viewedAxis(whole, LOG, 0).range.low).toBeGreaterThan(0);
    expect(logTicks(0.0006, 6)).toEqual([0.001, 0.01, 0.1, 1]);
    expect(logTicks(3.1, 4.4).length).toBeGreaterThanOrEqual(2);
  });

  it('places equal ratios equally far apart, and what is below at the end', () => {
    const area = plotArea(300, 200, { top: 0, bottom: 0 });
    const values = { low: 1, top: 100, isLog: true };
    expect([0, 1, 10, 100].map((y) => pixelY(area, y, values))).toEqual([200, 200, 100, 0]);
    expect(pixelY(area, 5, { low: 0, top: 10, isLog: false })).toBe(pixelY(area, 5, 10));
    expect(isShown(0, values)).toBe(true);
    expect(isShown(2, { low: 3, top: 4, isLog: false })).toBe(false);
  });
});
