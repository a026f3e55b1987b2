import { count as formatCount, MINUS, percent, THIN } from '../../../app/report/words.ts';

export { formatCount, MINUS, THIN };

/** Three significant digits without an exponent; whole numbers from 100 up. */
export function threeDigits(value: number): string {
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 100 ? formatCount(rounded) : rounded.toPrecision(3).replace('-', MINUS);
}

const SHORT_UNITS = ['', 'k', 'M', 'G', 'T'] as const;

/** `25.6 M`: counts of parameters, where the order of magnitude is what matters. */
export function formatShortCount(value: number): string {
  if (value < 1000) return formatCount(value);
  let scaled = value;
  let unit = 0;
  while (Number(scaled.toPrecision(3)) >= 1000 && unit < SHORT_UNITS.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${threeDigits(scaled)}${THIN}${SHORT_UNITS[unit]}`;
}

/** A share of 1 as a percentage (`24 %`). */
export const formatPercent = (share: number): string => percent(share, THIN);

/** The same with a plus in front of what grew. */
export function formatChange(share: number): string {
  const text = formatPercent(share);
  return share > 0 && !text.startsWith('0.0') ? `+${text}` : text;
}

/** Milliseconds below one second, seconds from there; three digits. */
export function formatMs(ms: number): string {
  if (ms === 0) return `0${THIN}ms`;
  if (ms < 999.5) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}${THIN}ms`;
  return `${threeDigits(ms / 1000)}${THIN}s`;
}
