import type { InputSize } from '../../engine/comparison/head.ts';
import type { Coverage } from '../../engine/exchange/coverage.ts';
import { MAX_BATCH } from '../../engine/options/sizes.ts';

/** Narrow no-break space: between thousands, and between a number and its unit, without a line break. */
export const THIN = '\u202f';
export const MINUS = '\u2212';

/**
 * A share of 1 as a percentage: no decimals unless below 10 (`24 %`, `9.4 %`, `0 %`).
 *
 * @param space what stands between number and sign; a page has one that breaks no line
 */
export function percent(share: number, space = ' '): string {
  const value = share * 100;
  const size = Math.abs(value);
  const text = size === 0 ? '0' : Number(size.toFixed(1)) < 10 ? size.toFixed(1) : count(size);
  const sign = value < 0 && Number(text) !== 0 ? MINUS : '';
  return `${sign}${text}${space}%`;
}

export const signedPercent = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`;

/** `12 345`. */
export function count(value: number): string {
  const digits = Math.round(Math.abs(value)).toString();
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, THIN);
  return value < 0 && grouped !== '0' ? MINUS + grouped : grouped;
}

/** `224 × 224 pixels`, or `2 048 tokens`; null where the network says no size. */
export function sizeText({ input, inputUnit }: InputSize): string | null {
  if (input === 0) return null;
  return inputUnit === 'tokens' ? `${count(input)} tokens` : `${count(input)} × ${count(input)} pixels`;
}

/** `612`; `at least 65 536` where the search ended at the largest batch that may be asked for. */
export const batchText = (batch: number): string => `${batch >= MAX_BATCH ? 'at least ' : ''}${count(batch)}`;

const NAMED = 3;

/** Operations that a capture saw from outside only: `2 operations, with 9.3 % of the bytes: a, b`; `none`. */
export function coverageText({ share, opaque }: Coverage): string {
  if (opaque.length === 0) return 'none';
  const named = opaque.slice(0, NAMED).join(', ') + (opaque.length > NAMED ? ' …' : '');
  const operations = opaque.length === 1 ? '1 operation' : `${count(opaque.length)} operations`;
  return `${operations}, with ${percent(1 - share)} of the bytes: ${named}`;
}
