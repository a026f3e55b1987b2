import { describe, expect, it } from 'vitest';
import { formatBytes, parseBytes } from '../../engine/bytes.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '0.977 KiB'],
  [1024, '1.00 KiB'],
  [1023 * 1024, '0.999 MiB'],
  [5.17 * 1024 ** 3, '5.17 GiB'],
  [602112, '588 KiB'],
  [-1536, '\u22121.50 KiB'],
  [5000 * 1024 ** 5, '5000 PiB'],
])('formatBytes writes %d as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
  expect(formatBytes(bytes, '\u202f')).toBe(text.replace(' ', '\u202f'));
});

describe('parseBytes', () => {
  it('reads an amount with its unit: any spacing, letter case and decimal sign', () => {
    expect(parseBytes('11GiB')).toBe(11 * 1024 ** 3);
    expect(parseBytes(' 2.5\u202fgib ')).toBe(2.5 * 1024 ** 3);
    expect(parseBytes('1,5 GB')).toBe(1.5e9);
  });

  it('reads a bare number as bytes only on request, and then without a comma', () => {
    expect(parseBytes('4096')).toBeNull();
    expect(parseBytes('4096', { unitless: true })).toBe(4096);
    expect(parseBytes('11,000', { unitless: true })).toBeNull();
    expect(parseBytes('11,5GiB', { unitless: true })).toBeNull();
  });

  it.each(['', '0 B', '0.2 B', '-1 GiB', 'GiB', '1e9', '2 XiB', '1 constructor', '99999999 TiB', '1.5.2 GB'])(
    'refuses "%s"',
    (text) => {
      expect(parseBytes(text)).toBeNull();
      expect(parseBytes(text, { unitless: true })).toBeNull();
    },
  );
});
