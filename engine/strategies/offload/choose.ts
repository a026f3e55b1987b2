import { Heap } from '../../heap.ts';
import type { Computing, IdleGap } from './idle-gaps.ts';
import { leftRoom } from './transfers.ts';

/** By what is sent first of what is idle where the budget is exceeded. */
export const RULES = ['needed-last', 'idle-longest', 'largest', 'smallest'] as const;
export type Rule = (typeof RULES)[number];

const SCORES: Readonly<Record<Rule, (gap: IdleGap) => number>> = {
  'needed-last': ({ to }) => to,
  'idle-longest': ({ from, to }) => to - from,
  largest: ({ bytes }) => bytes,
  smallest: ({ bytes }) => -bytes,
};

/** The least bytes that these steps can do with where all that is idle is in host memory. */
export function leastReach({ live, gaps }: Computing): number {
  return leftRoom(live, gaps, 0).reduce((most, room) => Math.max(most, -room), 0);
}

/**
 * Gaps that, spent in host memory, keep every step within a budget; null where all of them do not. From the first step
 * to the last: wherever it is exceeded, the first by `rule` of those open there, until it is not.
 * Time O((steps + gaps) log gaps).
 *
 * @param given gaps that are chosen in any case
 * @param barred gaps that are not
 */
export function chooseGaps(
  { live, gaps }: Pick<Computing, 'live' | 'gaps'>,
  budget: number,
  rule: Rule,
  given: ReadonlySet<IdleGap> = new Set(),
  barred: ReadonlySet<IdleGap> = new Set(),
): IdleGap[] | null {
  const chosen = gaps.filter((gap) => given.has(gap));
  const room = leftRoom(live, chosen, budget);
  const byStart = gaps
    .filter((gap) => !given.has(gap) && !barred.has(gap))
    .sort((a, b) => a.from - b.from || a.vertex - b.vertex);
  const score = SCORES[rule];
  const open = new Heap<IdleGap>((a, b) => (score(b) - score(a) || b.to - a.to || a.vertex - b.vertex) < 0);
  const ends = new Float64Array(live.length + 1);
  let away = 0;
  let next = 0;
  for (let t = 0; t < live.length; t++) {
    away -= ends[t]!;
    for (; next < byStart.length && byStart[next]!.from < t; next++) open.push(byStart[next]!);
    while (room[t]! + away < 0) {
      const gap = open.pop();
      if (gap === undefined) return null;
      if (gap.to <= t) continue;
      chosen.push(gap);
      away += gap.bytes;
      ends[gap.to]! += gap.bytes;
    }
  }
  return chosen;
}
