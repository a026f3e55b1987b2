export { formatBytes as bytes } from '../../engine/format-bytes.ts';

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
