import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampWindow,
  leastWidth,
  panBy,
  readWindow,
  revealing,
  type StepExtent,
  type StepWindow,
  windowBetween,
  writeWindow,
  zoomAbout,
} from '../../../renderer/shared/charts/step-window.ts';

const extent: StepExtent = { end: 2, split: 1, scale: 'pass', operations: 400 };
const part = fc.double({ min: 0, max: 1, noNaN: true });
const window = fc.tuple(part, part).map(([a, b]): StepWindow => {
  const least = leastWidth(extent);
  const from = Math.min(a, b) * (2 - least);
  return { from, to: Math.min(2, Math.max(from + least, Math.max(a, b) * 2)) };
});

function expectInside(shown: StepWindow | null): void {
  if (shown === null) return;
  expect(shown.from).toBeGreaterThanOrEqual(-1e-9);
  expect(shown.to).toBeLessThanOrEqual(2 + 1e-9);
  expect(shown.to - shown.from).toBeGreaterThanOrEqual(leastWidth(extent) - 1e-9);
}

describe('the window on the step axis', () => {
  it('keeps the place under the pointer while it zooms', () => {
    fc.assert(
      fc.property(window, part, fc.double({ min: 1, max: 8, noNaN: true }), (shown, share, factor) => {
        const at = shown.from + share * (shown.to - shown.from);
        const next = zoomAbout(shown, extent, at, factor);
        expectInside(next);
        const { from, to } = clampWindow(next, extent);
        expect((at - from) / (to - from)).toBeCloseTo(share, 6);
      }),
    );
  });

  it('never leaves the axis, and is empty for the full view', () => {
    fc.assert(
      fc.property(window, part, fc.double({ min: -5, max: 5, noNaN: true }), (shown, place, by) => {
        expectInside(panBy(shown, extent, by));
        expectInside(zoomAbout(shown, extent, place * 2, 0.5));
        expectInside(windowBetween(place * 2, by, extent));
        const seen = clampWindow(revealing(shown, extent, place * 2), extent);
        expect(place * 2).toBeGreaterThanOrEqual(seen.from - 1e-9);
        expect(place * 2).toBeLessThanOrEqual(seen.to + 1e-9);
      }),
    );
    expect(zoomAbout({ from: 0.5, to: 1 }, extent, 0.75, 0.01)).toBeNull();
    expect(clampWindow({ from: 900, to: 1200 }, extent)).toEqual({ from: 0, to: 2 });
    expect(clampWindow({ from: 3, to: 3.5 }, extent)).toEqual({ from: 1.5, to: 2 });
  });

  it('is written into a link and read from it; an invalid one shows everything', () => {
    fc.assert(
      fc.property(window, (shown) => {
        const read = readWindow(writeWindow(shown));
        expect(read?.from).toBeCloseTo(shown.from, 4);
        expect(read?.to).toBeCloseTo(shown.to, 4);
      }),
    );
    for (const text of [undefined, '', 'x', '1', '2-1', '1-1', '-1-1', '0-Infinity', '1-2-3']) {
      expect(readWindow(text)).toBeNull();
    }
  });
});
