const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Binary units, three significant digits: 5.13 GiB. */
export function bytes(value: number): string {
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

/** A share of 1 as a percentage, without decimals unless below 10. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value.toFixed(Math.abs(value) < 9.95 && value !== 0 ? 1 : 0)} %`;
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

export function milliseconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} ms`;
  return value < 10000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}
