import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatExactBytes } from '../../../renderer/shared/format/bytes.ts';
import {
  formatChange,
  formatCount,
  formatMs,
  formatPercent,
  formatShortCount,
  threeDigits,
} from '../../../renderer/shared/format/numbers.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ').replaceAll('\u2212', '-');

describe('numbers', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [999, '999 B'],
    [1000, '0.977 KiB'],
    [1024, '1.00 KiB'],
    [1536, '1.50 KiB'],
    [1023 * 1024, '0.999 MiB'],
    [5.17 * 1024 ** 3, '5.17 GiB'],
    [52.34 * 1024 ** 2, '52.3 MiB'],
    [602112, '588 KiB'],
  ])('%d bytes are %s', (bytes, text) => expect(plain(formatBytes(bytes))).toBe(text));

  it('bytes always show three digits and never an exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1024, max: 1e17, noNaN: true }), (bytes) => {
        const digits = plain(formatBytes(bytes)).split(' ')[0]!;
        expect(digits).toMatch(/^(\d\.\d\d|\d\d\.\d|\d\d\d|0\.\d\d\d)$/);
      }),
    );
  });

  it.each([
    [0, '0 %'],
    [0.094, '9.4 %'],
    [0.0996, '10 %'],
    [0.24, '24 %'],
    [-0.735, '-74 %'],
    [12.5, '1 250 %'],
    [-0.0001, '0.0 %'],
  ])('a share of %d is %s', (share, text) => expect(plain(formatPercent(share))).toBe(text));

  it('changes carry a plus, unless nothing changes', () => {
    expect(plain(formatChange(0.24))).toBe('+24 %');
    expect(plain(formatChange(0))).toBe('0 %');
    expect(plain(formatChange(-0.1))).toBe('-10 %');
  });

  it('separates thousands by thin spaces', () => {
    expect(formatCount(1234567)).toBe('1\u202f234\u202f567');
    expect(formatCount(-1234)).toBe('\u22121\u202f234');
    expect(formatExactBytes(6021120)).toBe('6\u202f021\u202f120\u202fB');
  });

  it('shortens parameters and times', () => {
    expect(plain(formatShortCount(25557032))).toBe('25.6 M');
    expect(plain(formatShortCount(999_999))).toBe('1.00 M');
    expect(plain(formatShortCount(730))).toBe('730');
    expect(plain(formatMs(0.64))).toBe('0.6 ms');
    expect(plain(formatMs(74.4))).toBe('74 ms');
    expect(plain(formatMs(999.9))).toBe('1.00 s');
    expect(plain(formatMs(12345))).toBe('12.3 s');
    expect(plain(threeDigits(1234567))).toBe('1 230 000');
  });
});
