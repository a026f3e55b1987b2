import { THIN, threeDigits } from './numbers.ts';

export const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
export type ByteUnit = (typeof UNITS)[number];

export function bytesPer(unit: ByteUnit): number {
  return 1024 ** UNITS.indexOf(unit);
}

/** The largest unit in which three digits do not start with a zero before the unit below would overflow. */
export function unitFor(bytes: number): ByteUnit {
  let scaled = Math.abs(bytes);
  let index = 0;
  while (Number(scaled.toPrecision(3)) >= 1000 && index < UNITS.length - 1) {
    scaled /= 1024;
    index += 1;
  }
  return UNITS[index] ?? 'B';
}

/** `5.13 GiB`: binary units, three significant digits. */
export function formatBytes(bytes: number): string {
  const unit = unitFor(bytes);
  if (unit === 'B') return `${Math.round(bytes)}${THIN}B`;
  return `${threeDigits(bytes / bytesPer(unit))}${THIN}${unit}`;
}

/** All bytes, with thin spaces: where equality to the byte is the point. */
export function formatExactBytes(bytes: number): string {
  const grouped = Math.round(bytes)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, THIN);
  return `${grouped}${THIN}B`;
}
