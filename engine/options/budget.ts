import { parseBytes } from '../bytes.ts';

/** A budget as people write it: an amount of memory, or a share of what regular training needs. */
export type Budget = { readonly bytes: number } | { readonly share: number };

/** `11GiB`, `500 MB`, plain bytes, or `60%`; null for anything else. */
export function parseBudget(text: string): Budget | null {
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) > 0 ? { share: Number(percent) / 100 } : null;
  const bytes = parseBytes(text, { unitless: true });
  return bytes === null ? null : { bytes };
}

/** `60%`, with no more digits than it has. */
export const writeShare = (share: number): string => `${Number((100 * share).toPrecision(12))}%`;

/** Bytes of a budget where the peak of regular training is asked for only when it matters. */
export const bytesOfBudget = (budget: Budget, regularPeakBytes: () => number): number =>
  'bytes' in budget ? budget.bytes : Math.floor(budget.share * regularPeakBytes());
