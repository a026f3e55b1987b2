import { MAX_PARTS } from './measured.ts';

/** The most in each of equal parts of `values[start..end)`, so that no peak is lost; each value where there are few. */
export function condensed(values: ArrayLike<number>, start = 0, end = values.length): number[] {
  const count = Math.min(MAX_PARTS, end - start);
  const edge = (part: number): number => start + Math.floor((part * (end - start)) / count);
  return Array.from({ length: count }, (_, part) => mostIn(values, edge(part), edge(part + 1)));
}

export function mostIn(values: ArrayLike<number>, start: number, end: number): number {
  let found = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) found = Math.max(found, values[i]!);
  return found;
}
