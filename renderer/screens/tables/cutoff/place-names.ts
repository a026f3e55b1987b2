import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { type CutoffPair, familySpans } from './cutoff-bars.ts';

export interface PlacedName {
  readonly at: number;
  readonly text: string;
  readonly x: number;
  readonly row: 0 | 1;
}

const LETTER = 5.9;
const GAP = 2;

/**
 * Names on the two lines under the axis, from left to right, beside what groups have written there. One for which neither
 * line has room is left out: the pointer and the table below say it.
 */
export function placeNames(
  pairs: readonly CutoffPair[],
  { left, right }: Pick<PlotArea, 'left' | 'right'>,
): PlacedName[] {
  const step = (right - left) / pairs.length;
  const middle = (at: number): number => left + (at + 0.5) * step;
  const taken: { from: number; to: number; row: 0 | 1 }[] = [];
  const take = (x: number, text: string, row: 0 | 1): void => {
    taken.push({ ...extent(x, text), row });
  };
  const spans = familySpans(pairs);
  for (const { family, from, to } of spans) {
    if (from === to) continue;
    take((middle(from) + middle(to)) / 2, family, 1);
    for (let at = from; at <= to; at++) take(middle(at), pairs[at]?.member ?? '', 0);
  }
  const placed: PlacedName[] = [];
  spans.forEach(({ family, from: at, to }, i) => {
    if (at !== to) return;
    const member = pairs[at]?.member ?? '';
    const text = member === '' ? family : `${family}-${member}`;
    const half = (text.length * LETTER) / 2;
    const x = Math.min(middle(at), right - half);
    const { from, to: end } = extent(x, text);
    const isFree = (row: 0 | 1): boolean =>
      !taken.some((other) => other.row === row && other.from < end + GAP && from < other.to + GAP);
    const rows: readonly (0 | 1)[] = i > 0 && i % 2 === 0 ? [1, 0] : [0, 1];
    const row = rows.find(isFree);
    if (row === undefined) return;
    placed.push({ at, text, x, row });
    take(x, text, row);
  });
  return placed;
}

function extent(x: number, text: string): { readonly from: number; readonly to: number } {
  const half = (text.length * LETTER) / 2;
  return { from: x - half, to: x + half };
}
