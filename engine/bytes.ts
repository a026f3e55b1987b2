const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
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

/**
 * `5.13 GiB`: binary units, three significant digits.
 *
 * @param space what stands between number and unit; a page has one that breaks no line
 */
export function formatBytes(bytes: number, space = ' '): string {
  const unit = unitFor(bytes);
  if (unit === 'B') return `${Math.round(bytes)}${space}B`;
  const rounded = Number((bytes / bytesPer(unit)).toPrecision(3));
  const digits = Math.abs(rounded) >= 100 ? String(rounded) : rounded.toPrecision(3);
  return `${digits.replace('-', '\u2212')}${space}${unit}`;
}

/** `5.13 GiB (5508282777 bytes)`, `19 bytes`: for a sentence whose figure is read and typed again. */
export function exactBytes(bytes: number): string {
  return unitFor(bytes) === 'B' ? `${bytes} bytes` : `${formatBytes(bytes)} (${bytes} bytes)`;
}

/** Bytes of each unit that people write, in lower case: decimal and binary. */
const WRITTEN_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/**
 * Reads `2.5 GiB`, `800MiB`, `1,5 gb` as whole bytes; null for anything else and for nothing.
 *
 * @param unitless whether a number alone is bytes, as scripts write it; a comma is then refused, because `11,000`
 *   would be 11 bytes
 */
export function parseBytes(text: string, { unitless = false } = {}): number | null {
  const [, number = '', unit = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = WRITTEN_UNITS[unit.toLowerCase() || (unitless ? 'b' : '')];
  if (factor === undefined || (unitless && number.includes(','))) return null;
  const bytes = Math.floor(Number(number.replace(',', '.')) * factor);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}
