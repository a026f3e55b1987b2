const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Binary units, three significant digits: 5.13 GiB. */
export function formatBytes(value: number): string {
  let unit = 0;
  let scaled = value;
  // 999.5 would print as 1000 with three digits, so the next unit starts there.
  while (scaled >= 999.5 && unit < UNITS.length - 1) {
    scaled /= 1024;
    unit++;
  }
  const digits = unit === 0 ? 0 : scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits)} ${UNITS[unit]}`;
}

/** Bytes of each unit that people write, in lower case: decimal and binary. */
export const BYTE_UNITS: Readonly<Record<string, number>> = {
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
