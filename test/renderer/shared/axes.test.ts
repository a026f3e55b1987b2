import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteAxis } from '../../../renderer/shared/charts/byte-axis.ts';
import { placeLabels } from '../../../renderer/shared/charts/place-labels.ts';
import {
  operationFrom,
  placeOf,
  positionAt,
  stepAt,
  stepAxis,
} from '../../../renderer/shared/charts/step-axis.ts';
import { stepCurve, stepExtent, stepTicks } from '../../../renderer/shared/charts/step-curves.ts';
import { skylineOf } from '../../../renderer/shared/charts/skyline.ts';
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

describe('step axis', () => {
  // forward 1, forward 2, free 1, | recompute 1, backward 2, free 2, free 2, backward 1
  const kinds = [FORWARD, FORWARD, FREE, FORWARD, BACKWARD, FREE, FREE, BACKWARD];
  const axis = stepAxis(kinds, 3);

  it('gives operations whole places and frees a part of the place before', () => {
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

  it('finds the step under a place, and moves by operations', () => {
    axis.positions.forEach((position, step) => {
      expect(stepAt(axis, placeOf(axis, position, 'pass'), 'pass')).toBe(step);
    });
    expect(operationFrom(axis, 2, 1)).toBe(3);
    expect(operationFrom(axis, 3, -1)).toBe(1);
    expect(operationFrom(axis, 0, -5)).toBe(0);
    expect(operationFrom(axis, 0, 50)).toBe(7);
  });

  it('draws a curve that keeps its maximum and lasts to the end, or to what is known', () => {
    const values = [1, 5, 4, 9, 7, 3, 2, 1];
    const full = stepCurve(values, axis, 'pass');
    expect(Math.max(...full.map(({ y }) => y))).toBe(9);
    expect(full.at(-1)).toEqual({ x: 2, y: 1 });
    const part = stepCurve(values.slice(0, 3), axis, 'operations');
    expect(part.at(-1)).toEqual({ x: 2, y: 4 });
    expect(stepCurve([], axis, 'pass')).toEqual([]);
  });

  it('has an extent that holds all curves, and round ticks', () => {
    const longer = stepAxis([FORWARD, FORWARD, ...Array.from({ length: 30 }, () => BACKWARD)], 2);
    expect(stepExtent([axis, longer], 'pass')).toEqual({ end: 2, split: 1, scale: 'pass' });
    const extent = stepExtent([axis, longer], 'operations');
    expect(extent).toEqual({ end: 32, split: 2, scale: 'operations' });
    expect(stepTicks(extent, String).map(({ value }) => value)).toEqual([0, 10, 20, 30]);
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
    const spans = [
      { x: 0, low: 0, high: 10 },
      { x: 2, low: 0, high: 10 },
    ];
    expect(stepBand(spans, scale)).toBe('M56 24 156 24L156 24 156 24L156 124 156 124L156 124 56 124Z');
    expect(stepBand([], scale)).toBe('');
  });
});

describe('labels', () => {
  const area = { left: 0, right: 400, top: 0, bottom: 200 };
  const flat = (): number => area.bottom;

  it('keeps all labels apart and inside', () => {
    const wish = fc.record({
      id: fc.string(),
      x: fc.integer({ min: 0, max: 400 }),
      y: fc.integer({ min: 0, max: 200 }),
      text: fc.string({ minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 8 }), (wishes) => {
        const placed = placeLabels(wishes, area, flat);
        placed.forEach(({ box }, i) => {
          expect(box.left).toBeGreaterThanOrEqual(area.left - 1e-6);
          expect(box.right).toBeLessThanOrEqual(area.right + 1e-6);
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

  it('prefers the place above, and leaves out what has no room', () => {
    const wishes = Array.from({ length: 6 }, (_, i) => ({ id: String(i), x: 200, y: 100, text: '5.17 GiB' }));
    const placed = placeLabels(wishes, area, flat);
    expect(placed[0]).toMatchObject({ id: '0', anchor: 'middle', textX: 200 });
    expect(placed.length).toBeLessThan(wishes.length);
  });

  it('raises the first label over all curves around it, others only a little', () => {
    const skyline = skylineOf(
      [
        [
          { x: 0, y: 1 },
          { x: 0.9, y: 9 },
          { x: 1.1, y: 1 },
          { x: 2, y: 1 },
        ],
      ],
      { area: plotArea(480, 256), end: 2, top: 10 },
    );
    expect(skyline(60, 100)).toBe(204);
    expect(skyline(200, 300)).toBe(44);
    const room = { left: 56, right: 456, top: 0, bottom: 224 };
    const low = { id: 'low', x: 256, y: 200, text: '1.57 GiB' };
    const [first] = placeLabels([low], room, skyline);
    expect(first).toMatchObject({ raised: true, textY: 34 });
    const [, second] = placeLabels([{ id: 'other', x: 80, y: 200, text: 'a' }, low], room, skyline);
    expect(second).toMatchObject({ raised: false, textY: 190 });
  });

  it('puts the first label over the others, so that none is taken for another point’s', () => {
    const low = { id: 'front', x: 200, y: 150, text: '1.23 GiB at layer1' };
    const high = { id: 'other', x: 190, y: 80, text: '3.48 GiB' };
    const skyline = (): number => 80;
    const [front, other] = placeLabels([low, high], area, skyline);
    expect([front?.id, other?.id]).toEqual(['front', 'other']);
    expect(front!.box.bottom).toBeLessThan(other!.box.top);
    expect(other!.textY).toBe(70);
  });
});
