import { describe, expect, it } from 'vitest';
import { byteAxis, linearAxis, percentAxis } from '../../../renderer/shared/charts/axis.ts';
import { isShown, pixelY, plotArea } from '../../../renderer/shared/charts/plot-area.ts';
import {
  heightBetween,
  isClosest,
  isWholeHeight,
  logTicks,
  panHeight,
  readHeight,
  sayHeight,
  titleInView,
  viewedAxis,
  WHOLE_HEIGHT,
  writeHeight,
  zoomHeight,
} from '../../../renderer/shared/charts/vertical-view.ts';

const GIB = 1024 ** 3;
const LOG = { ...WHOLE_HEIGHT, isLog: true };

describe('the vertical axis in view', () => {
  it('is zoomed about a fixed point, and stops at the full view', () => {
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
    expect([range!.low / GIB, range!.top / GIB]).toEqual([3, 4.5]);
    expect(ticks.map(format)).toEqual(['3.0', '3.5', '4.0', '4.5']);
  });

  it('starts a logarithmic axis at the least value, at most four decades down, never at zero', () => {
    const whole = byteAxis(6 * GIB);
    const { range, ticks, format } = viewedAxis(whole, LOG, 0.05 * GIB);
    expect(range!.low / GIB).toBeCloseTo(0.05);
    expect(ticks.map(format)).toEqual(['0.05', '0.1', '0.2', '0.5', '1', '2', '5']);
    expect(viewedAxis(whole, LOG, 1).range!.low / GIB).toBeCloseTo(6e-4);
    expect(viewedAxis(whole, LOG, 0).range!.low).toBeGreaterThan(0);
    expect(logTicks(0.0006, 6)).toEqual([0.001, 0.01, 0.1, 1]);
    expect(logTicks(3.1, 4.4).length).toBeGreaterThanOrEqual(2);
  });

  it('places equal ratios equally far apart, and lower values at the end', () => {
    const area = plotArea(300, 200, { top: 0, bottom: 0 });
    const values = { low: 1, top: 100, isLog: true };
    expect([0, 1, 10, 100].map((y) => pixelY(area, y, values))).toEqual([200, 200, 100, 0]);
    expect(pixelY(area, 5, { low: 0, top: 10, isLog: false })).toBe(pixelY(area, 5, 10));
    expect(isShown(0, values)).toBe(true);
    expect(isShown(2, { low: 3, top: 4, isLog: false })).toBe(false);
  });

  it('is the dragged range, in either direction, of the current view', () => {
    const near = heightBetween(WHOLE_HEIGHT, 0.75, 0.25);
    expect(near).toEqual({ from: 0.25, to: 0.75, isLog: false });
    expect(heightBetween(near, 0.5, 1)).toEqual({ from: 0.5, to: 0.75, isLog: false });
    expect(isClosest(heightBetween(LOG, 0.3, 0.3))).toBe(true);
    expect(isWholeHeight(heightBetween(WHOLE_HEIGHT, 0, 1))).toBe(true);
  });

  it('handles axes with other units and lower ends, and says so', () => {
    const part = viewedAxis(percentAxis(0, 0.4), { from: 0.5, to: 0.75, isLog: false }, 0.1);
    expect(part.ticks.map(part.format)).toEqual([
      '20\u202f%',
      '22\u202f%',
      '24\u202f%',
      '26\u202f%',
      '28\u202f%',
      '30\u202f%',
    ]);
    expect(sayHeight(part)).toBe('20\u202f% to 30\u202f%');
    const loss = { ...linearAxis(1.6, 2.4), format: String };
    expect(viewedAxis(loss, WHOLE_HEIGHT, 1.65)).toBe(loss);
    const middle = viewedAxis(loss, { from: 0.5, to: 1, isLog: false }, 1.65);
    expect(middle.low).toBeCloseTo(2);
    expect(viewedAxis(loss, LOG, 1.65).low).toBeCloseTo(1.6);
    expect(sayHeight(viewedAxis(loss, LOG, 1.65))).toBe('1.6 to 2.4, logarithmic');
    expect(titleInView('Memory (GiB)', LOG)).toBe('Memory (GiB, logarithmic)');
    expect(titleInView('Loss', LOG)).toBe('Loss (logarithmic)');
    expect(titleInView('Loss', WHOLE_HEIGHT)).toBe('Loss');
  });

  it('survives a round trip through an address, and is the full view for an invalid one', () => {
    expect(writeHeight(WHOLE_HEIGHT)).toBeNull();
    expect(writeHeight(LOG)).toBe('log');
    for (const view of [LOG, { from: 0.25, to: 0.5, isLog: false }, { from: 0.125, to: 1, isLog: true }])
      expect(readHeight(writeHeight(view) ?? '')).toEqual(view);
    for (const text of [undefined, '', 'tall', '1-0', '0.2', '0.1-0.2-0.3', '-1-2'])
      expect(readHeight(text)).toEqual(WHOLE_HEIGHT);
  });
});
