import { describe, expect, it } from 'vitest';
import { followed } from '../../../renderer/shared/charts/pinch.ts';

const EXTENT = { end: 100, split: 50, scale: 'operations', operations: 100 } as const;

describe('followed', () => {
  it('zooms so that each finger stays on its step', () => {
    expect(followed({ a: 0.25, b: 0.75, window: null }, 0, 1, EXTENT)).toEqual({ from: 25, to: 75 });
  });

  it('pans with two fingers at a constant distance', () => {
    const window = followed({ a: 0.5, b: 0.75, window: { from: 40, to: 60 } }, 0.25, 0.5, EXTENT);
    expect(window?.from).toBeCloseTo(45);
    expect(window?.to).toBeCloseTo(65);
  });

  it('does not jump if fingers touch each other, and stops at the full view', () => {
    expect(followed({ a: 0.5, b: 0.501, window: null }, 0.5, 0.55, EXTENT)).toBeNull();
    expect(followed({ a: 0, b: 1, window: { from: 40, to: 60 } }, 0.45, 0.55, EXTENT)).toBeNull();
  });
});
