import { describe, expect, it } from 'vitest';
import {
  bitmapScale,
  FIGURE_SIZES,
  pixelsOf,
  pointsPerPixel,
} from '../../../renderer/shared/charts/figure-size.ts';
import { standardText, unwritable } from '../../../renderer/shared/charts/pdf-text.ts';
import { withDensity } from '../../../renderer/shared/charts/png-density.ts';

it('sizes of figures set the chart’s text to the given size and width', () => {
  for (const size of FIGURE_SIZES) {
    expect(12 * pointsPerPixel(size)).toBeCloseTo(size.textPt);
    if (size.widthMm === null) continue;
    const width = pixelsOf(size.widthMm, size);
    expect(Math.abs((width * pointsPerPixel(size) * 25.4) / 72 - size.widthMm)).toBeLessThan(0.3);
    expect(Math.abs(width * bitmapScale(size) - (size.widthMm / 25.4) * size.dpi)).toBeLessThan(2);
  }
  // 89 mm at 300 pixels an inch.
  expect(Math.round(pixelsOf(89, FIGURE_SIZES[0]!) * bitmapScale(FIGURE_SIZES[0]!))).toBe(1050);
});

describe('text in a PDF', () => {
  it('is mapped to the letters of the standard fonts', () => {
    expect(standardText('Chen √n: −5\u2009% ≤ 3 ×')).toBe('Chen sqrt(n): –5\u00a0% <= 3 ×');
    expect(unwritable(standardText('Chen √n: −5\u2009% “é” – ≤ 3 × µs'))).toBe('');
  });

  it('lists missing letters once', () => {
    expect(unwritable('模型模 ok λ')).toBe('模型λ');
  });
});

describe('density of a PNG', () => {
  // One grey pixel, as a browser writes it.
  const PNG = Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
      'base64',
    ),
  );

  it('is a separate chunk after the header, with the standard’s checksum', () => {
    const whole = Buffer.from(withDensity(PNG, 300));
    expect(whole.length).toBe(PNG.length + 21);
    expect(whole.indexOf('pHYs')).toBe(37);
    expect(whole.readUInt32BE(41)).toBe(11811);
    // As libpng writes 300 pixels an inch.
    expect(whole.subarray(33, 54).toString('hex')).toBe('000000097048597300002e2300002e230178a53f76');
    expect(whole.subarray(54)).toEqual(Buffer.from(PNG.subarray(33)));
  });
});
