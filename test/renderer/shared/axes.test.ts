import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteAxis, linearAxis, percentAxis } from '../../../renderer/shared/charts/axis.ts';
import {
  type PlacedLabel,
  placeLabels,
  placeOnLine,
  type Room,
} from '../../../renderer/shared/charts/place-labels.ts';
import {
  operationFrom,
  placeOf,
  positionAt,
  stepAt,
  stepAxis,
} from '../../../renderer/shared/charts/step-axis.ts';
import { roomBetween } from '../../../renderer/shared/charts/curve-room.ts';
import { stepCurve, stepExtent } from '../../../renderer/shared/charts/step-curves.ts';
import { stepTicks } from '../../../renderer/shared/charts/step-ticks.ts';
import { stepBand, stepLine } from '../../../renderer/shared/charts/step-path.ts';
import { plotArea } from '../../../renderer/shared/charts/plot-area.ts';

const FORWARD = 0;
const BACKWARD = 1;
const FREE = 2;

describe('byte axis', () => {
  it('covers every maximum with few round ticks in one unit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e15, noNaN: true }), (max) => {
        const axis = byteAxis(max);
        expect(axis.top).toBeGreaterThanOrEqual(max * (1 - 1e-9));
        expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
        expect(axis.ticks.length).toBeLessThanOrEqual(7);
        expect(axis.ticks[0]).toBe(0);
        expect(new Set(axis.ticks.map(axis.format)).size).toBe(axis.ticks.length);
      }),
    );
  });

  it('names 5.17 GiB by twos', () => {
    const axis = byteAxis(5.17 * 1024 ** 3);
    expect(axis.unit).toBe('GiB');
    expect(axis.ticks.map(axis.format)).toEqual(['0', '2', '4', '6']);
    expect(byteAxis(0).top).toBeGreaterThan(0);
  });
});

describe('linear axis', () => {
  const texts = (...at: Parameters<typeof linearAxis>): string[] => {
    const { ticks, format } = linearAxis(...at);
    return ticks.map(format);
  };

  it('covers its values with few round parts, whole ones for counts', () => {
    expect(texts(0, 13, { parts: 4, least: 1 })).toEqual(['0', '5', '10', '15']);
    expect(texts(0, 3, { least: 1 })).toEqual(['0', '1', '2', '3']);
    expect(texts(0, 9, { parts: 4, least: 1 })).toEqual(['0', '5', '10']);
    expect(texts(0, 9, { parts: 4 })).toEqual(['0.0', '2.5', '5.0', '7.5', '10.0']);
    expect(texts(0, 217, { parts: 4 })).toEqual(['0', '100', '200', '300']);
    expect(texts(0, 0)).toEqual(['0', '1']);
    for (const nothing of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(texts(0, nothing)).toEqual(['0', '1']);
  });

  it('ends at a given value, and has room below zero', () => {
    expect(linearAxis(1, 12, { parts: 6, least: 1, exact: true })).toMatchObject({
      low: 1,
      top: 12,
      ticks: [2, 4, 6, 8, 10, 12],
    });
    const { low, top, ticks, format } = percentAxis(-0.03, 0.31, { parts: 4 });
    expect([low, top]).toEqual([-0.1, 0.4]);
    expect(ticks.map(format)[0]).toBe('\u221210\u202f%');
  });

  it('has few, distinct, evenly spaced ticks for every range', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.integer({ min: 2, max: 10 }), (a, b, parts) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        fc.pre(to - from > 1e-3);
        const axis = linearAxis(from, to, { parts });
        expect(axis.low).toBeLessThanOrEqual(from + 1e-6 * (to - from));
        expect(axis.top).toBeGreaterThanOrEqual(to - 1e-6 * (to - from));
        expect(axis.ticks.length).toBeLessThanOrEqual(parts + 2);
        expect(new Set(axis.ticks.map(axis.format)).size).toBe(axis.ticks.length);
      }),
    );
  });
});

describe('step axis', () => {
  // forward 1, forward 2, free 1, | recompute 1, backward 2, free 2, free 2, backward 1
  const kinds = [FORWARD, FORWARD, FREE, FORWARD, BACKWARD, FREE, FREE, BACKWARD];
  const axis = stepAxis(kinds, 3);

  it('gives operations whole places and frees a part of the previous place', () => {
    expect([...axis.operations]).toEqual([0, 1, 3, 4, 7]);
    expect([axis.forward, axis.backward]).toEqual([2, 3]);
    expect([...axis.positions]).toEqual([0, 1, 1.5, 2, 3, 3 + 1 / 3, 3 + 2 / 3, 4]);
  });

  it('ends the forward at 1 and the backward at 2 when passes are aligned', () => {
    expect(placeOf(axis, 2, 'pass')).toBe(1);
    expect(placeOf(axis, 5, 'pass')).toBe(2);
    expect(placeOf(axis, 5, 'operations')).toBe(5);
    for (const place of [0, 0.4, 1, 1.6, 2]) {
      expect(placeOf(axis, positionAt(axis, place, 'pass'), 'pass')).toBeCloseTo(place);
    }
  });

  it('finds the step at a place, and moves by operations', () => {
    axis.positions.forEach((position, step) => {
      expect(stepAt(axis, placeOf(axis, position, 'pass'), 'pass')).toBe(step);
    });
    expect(operationFrom(axis, 2, 1)).toBe(3);
    expect(operationFrom(axis, 3, -1)).toBe(1);
    expect(operationFrom(axis, 0, -5)).toBe(0);
    expect(operationFrom(axis, 0, 50)).toBe(7);
  });

  it('draws a curve that keeps its maximum and reaches the end, or the last known step', () => {
    const values = [1, 5, 4, 9, 7, 3, 2, 1];
    const full = stepCurve(values, axis, 'pass');
    expect(Math.max(...full.map(({ y }) => y))).toBe(9);
    expect(full.at(-1)).toEqual({ x: 2, y: 1 });
    const part = stepCurve(values.slice(0, 3), axis, 'operations');
    expect(part.at(-1)).toEqual({ x: 2, y: 4 });
    expect(stepCurve([], axis, 'pass')).toEqual([]);
  });

  it('covers all curves, with round ticks', () => {
    const longer = stepAxis([FORWARD, FORWARD, ...Array.from({ length: 30 }, () => BACKWARD)], 2);
    expect(stepExtent([axis, longer], 'pass')).toEqual({ end: 2, split: 1, scale: 'pass', operations: 32 });
    const extent = stepExtent([axis, longer], 'operations');
    expect(extent).toEqual({ end: 32, split: 2, scale: 'operations', operations: 32 });
    expect(stepTicks(extent).map(({ value }) => value)).toEqual([0, 10, 20, 30]);
  });
});

describe('paths', () => {
  const scale = { area: plotArea(180, 156), end: 2, top: 10 };

  it('holds each value until the next point', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 1, y: 10 },
      { x: 2, y: 10 },
    ];
    expect(stepLine(points, scale)).toBe('M56 124H106V24H156');
    expect(stepLine([], scale)).toBe('');
  });

  it('closes a band along its lower edge', () => {
    const flat = [
      { x: 0, low: 0, high: 10 },
      { x: 2, low: 0, high: 10 },
    ];
    expect(stepBand(flat, scale)).toBe('M56 24H156V124H56Z');
    const stepped = [
      { x: 0, low: 0, high: 5 },
      { x: 1, low: 5, high: 10 },
      { x: 2, low: 5, high: 10 },
    ];
    expect(stepBand(stepped, scale)).toBe('M56 74H106V24H156V74H106V124H56Z');
    expect(stepBand([], scale)).toBe('');
  });
});

describe('ticks', () => {
  const extent = (scale: 'pass' | 'operations' | 'time', end: number) => ({
    scale,
    end,
    split: end / 2,
    operations: 1000,
  });
  const labels = (...at: Parameters<typeof stepTicks>) => stepTicks(...at).map(({ label }) => label);

  it('name halves of both passes, and finer shares in a smaller view', () => {
    expect(labels(extent('pass', 2))).toEqual(['0', '50\u202f%', '100\u202f%', '50\u202f%', '100\u202f%']);
    expect(labels(extent('pass', 2), { from: 0.9, to: 1.2 })).toEqual([
      '90\u202f%',
      '95\u202f%',
      '100\u202f%',
      '5\u202f%',
      '10\u202f%',
      '15\u202f%',
      '20\u202f%',
    ]);
    expect(labels(extent('pass', 2), { from: 1.5, to: 1.503 })[1]).toBe('50.05\u202f%');
  });

  it('name times in milliseconds, or in seconds for a long step', () => {
    expect(labels(extent('time', 240))).toEqual([
      '0\u202fms',
      '50\u202fms',
      '100\u202fms',
      '150\u202fms',
      '200\u202fms',
    ]);
    expect(labels(extent('time', 24_000), { from: 1000, to: 4000 })[1]).toBe('1.5\u202fs');
  });

  it('are few, distinct and visible in any view', () => {
    const scales = fc.constantFrom('pass', 'operations', 'time');
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(scales, share, share, (scale, a, b) => {
        const end = scale === 'pass' ? 2 : 5000;
        const whole = extent(scale as 'pass', end);
        const from = Math.min(a, b) * end * 0.99;
        const to = Math.max(from + end / 250, Math.max(a, b) * end);
        const ticks = stepTicks(whole, { from, to });
        expect(ticks.length).toBeGreaterThanOrEqual(1);
        expect(ticks.length).toBeLessThanOrEqual(8);
        for (const { value } of ticks) {
          expect(value).toBeGreaterThanOrEqual(from - end * 1e-6);
          expect(value).toBeLessThanOrEqual(to + end * 1e-6);
        }
      }),
    );
  });
});

describe('labels', () => {
  const area = { left: 0, right: 400, top: 0, bottom: 200 };
  const anywhere = (): boolean => true;

  it('do not overlap each other, the edges or the curves', () => {
    const wish = fc.record({
      id: fc.string(),
      x: fc.integer({ min: 0, max: 400 }),
      y: fc.integer({ min: 0, max: 200 }),
      text: fc.string({ minLength: 1, maxLength: 20 }),
    });
    const curve = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 8 }), fc.array(curve, { maxLength: 4 }), (wishes, heights) => {
        const plot = { width: 400, height: 200, left: 0, right: 400, top: 0, bottom: 200 };
        const curves = heights.map((ys) => ({ points: ys.map((y, i) => ({ x: i / (ys.length - 1), y })) }));
        const placed = placeLabels(wishes, area, roomBetween(curves, { area: plot, end: 1, top: 200 }));
        placed.forEach(({ box }, i) => {
          expect(box.left).toBeGreaterThanOrEqual(area.left - 1e-6);
          expect(box.right).toBeLessThanOrEqual(area.right + 1e-6);
          for (const { points } of curves) {
            points.forEach(({ x, y }, j) => {
              const inside = (px: number) => px > box.left && px < box.right;
              const level = 200 - y;
              const to = (points[j + 1]?.x ?? x) * 400;
              const crosses = x * 400 < box.right && to > box.left && level > box.top && level < box.bottom;
              expect(crosses).toBe(false);
              const before = 200 - (points[j - 1]?.y ?? y);
              const upright = Math.min(level, before) < box.bottom && Math.max(level, before) > box.top;
              expect(inside(x * 400) && upright).toBe(false);
            });
          }
          for (const other of placed.slice(i + 1)) {
            const apart =
              other.box.left >= box.right ||
              other.box.right <= box.left ||
              other.box.top >= box.bottom ||
              other.box.bottom <= box.top;
            expect(apart).toBe(true);
          }
        });
      }),
    );
  });

  it('prefer the place above, and are left out without room nearby', () => {
    const wishes = Array.from({ length: 40 }, (_, i) => ({
      id: String(i),
      x: 200,
      y: 100,
      text: '5.17 GiB',
    }));
    const placed = placeLabels(wishes, area, anywhere);
    expect(placed[0]).toMatchObject({ id: '0', textX: 200, isRemote: false });
    expect(placed[0]!.box.bottom).toBeLessThan(100);
    expect(placed.length).toBeLessThan(wishes.length);
    expect(placeLabels(wishes, area, () => false)).toEqual([]);
  });

  it('place a main one above everything around it', () => {
    const low = { id: 'low', x: 200, y: 180, text: '1.57 GiB', isMain: true };
    const onlyHigh = ({ bottom }: { readonly bottom: number }): boolean => bottom < 40;
    expect(placeLabels([low], area, onlyHigh)[0]).toMatchObject({ isRemote: true });
    expect(placeLabels([{ ...low, isMain: false }], area, onlyHigh)).toEqual([]);
  });

  it('avoid other labels’ points, and stay beside their own on request', () => {
    const beside = { id: 'a', x: 100, y: 100, text: 'Optimal', isBeside: true };
    const other = { id: 'b', x: 130, y: 100, text: '' };
    expect(placeLabels([beside], area)[0]).toMatchObject({ anchor: 'start', textY: 104 });
    expect(placeLabels([beside, other], area)[0]).toMatchObject({ anchor: 'end', textY: 104 });
    expect(placeLabels([{ ...beside, isBeside: false }], area)[0]).toMatchObject({ anchor: 'middle' });
  });

  it('stay at their own point; a leader line ends far from all others', () => {
    const live = { id: 'live', x: 200, y: 120, text: '1.23 GiB' };
    const random = { id: 'random', x: 210, y: 90, text: '1.61 GiB' };
    // Room over Random's point alone.
    const onlyThere = ({ bottom }: { readonly bottom: number }): boolean => bottom < 85;
    const toPoint = ({ left, right, bottom }: PlacedLabel['box']): number =>
      Math.hypot(Math.max(left - random.x, random.x - right, 0), random.y - bottom);
    const [alone] = placeLabels([live], area, onlyThere);
    expect(toPoint(alone!.box)).toBeLessThan(24);
    const [main] = placeLabels([{ ...live, isMain: true }, random], area, onlyThere);
    expect(main).toMatchObject({ id: 'live', isRemote: true });
    expect(toPoint(main!.box)).toBeGreaterThanOrEqual(24);
  });

  it('avoid a sloping line, and find room along a horizontal one', () => {
    const plot = { width: 400, height: 200, left: 0, right: 400, top: 0, bottom: 200 };
    const slope = {
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 200 },
      ],
      isSloped: true,
    };
    const room = roomBetween([slope], { area: plot, end: 1, top: 200 });
    expect(room({ left: 180, right: 220, top: 90, bottom: 110 })).toBe(false);
    expect(room({ left: 40, right: 80, top: 90, bottom: 110 })).toBe(true);
    const back = roomBetween([{ ...slope, points: [...slope.points].reverse() }], {
      area: plot,
      end: 1,
      top: 200,
    });
    expect(back({ left: 180, right: 220, top: 90, bottom: 110 })).toBe(false);
    const name = placeOnLine('the device', 20, area, room, []);
    expect(name).toMatchObject({ textY: 14, box: { right: 352 } });
    expect(placeOnLine('the device', 20, area, () => false, [])).toBeNull();
    // Free only at the very left, to the pixel, and high over the line.
    const corner: Room = ({ right, bottom }) => right <= area.left + 73 && bottom <= 70;
    expect(placeOnLine('the device', 120, area, corner, [])).toBeNull();
    expect(placeOnLine('the device', 120, area, corner, [], [6, -16, 60])).toMatchObject({ textY: 60 });
    expect(placeOnLine('the device', 20, { ...area, right: area.left + 60 }, () => true, [])).toBeNull();
  });
});
