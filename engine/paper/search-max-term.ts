import type { MaxTermEvaluation } from './max-term-evaluator.ts';

/** The best max term of Eq. 2 and how many evaluations it took to prove it. */
export interface MaxTermSearch {
  /** A max term C whose evaluation is optimal. */
  readonly maxTerm: number;
  readonly best: MaxTermEvaluation;
  /** All answers of least cost, `best` among them: one for each size of the largest segment. */
  readonly ties: readonly Tie[];
  readonly evaluations: number;
}

/** An answer, and a max term C whose answer it is. */
export interface Tie extends MaxTermEvaluation {
  readonly limit: number;
}

/** Max terms lowest..highest that are not decided yet, none of which has f below `floor`. */
interface Interval {
  readonly lowest: number;
  readonly highest: number;
  readonly floor: number;
}

/**
 * Minimises Eq. 2, f(C) + C, over all max terms C without listing the candidates of Algorithm 6, line 1
 * (000). f is non-increasing, so f at the upper end of an interval plus its lower end bounds the interval
 * from below; intervals are taken by lowest bound, evaluated inside and cut, until no bound can beat or
 * equal the best. The answer of C is one of every max term down to its own largest segment B
 * (001, Algorithm 1, line 7) and f does not fall before the next cost of a segment above C, so both
 * jumps shorten the rest.
 *
 * Exact. Among the choices of least cost: fewest checkpoints, then the smallest max term; the others are told,
 * because an interval that could equal the best is looked at as well. The number
 * of evaluations depends on how flat f(C) + C is around its minimum, not on the size of the costs: at
 * most two for each candidate, in practice tens, and about a hundred for 100,000 vertices.
 *
 * @param evaluate f at a max term C >= 0, with its two jumps
 */
export function searchMaxTerm(evaluate: (maxTerm: number) => MaxTermEvaluation): MaxTermSearch {
  let maxTerm = Number.MAX_SAFE_INTEGER;
  let best = evaluate(maxTerm);
  let evaluations = 1;
  // By largest segment: the max terms in between have the same answer.
  let ties = new Map<number, Tie>([[best.maxTerm, { ...best, limit: maxTerm }]]);
  const heap: Interval[] = [];
  const add = (lowest: number, highest: number, floor: number): void => {
    if (lowest <= highest && floor + lowest <= costOf(best)) push(heap, { lowest, highest, floor });
  };
  add(0, best.maxTerm - 1, best.checkpointCost);
  for (let interval = pop(heap); interval !== undefined; interval = pop(heap)) {
    const { lowest, floor } = interval;
    if (floor + lowest > costOf(best)) break;
    // Above that max term even a checkpoint cost of `floor` would be too much.
    const highest = Math.min(interval.highest, costOf(best) - floor);
    // The evaluation above the interval decided that many max terms by its cost. The one at the upper end
    // of what is left will decide about as many, so a few such steps are shorter than cutting in halves.
    const decided = interval.highest - highest;
    const isShort = highest - lowest <= FEW_STEPS * decided;
    const candidate = isShort ? highest : lowest + Math.floor((highest - lowest) / 2);
    const found = evaluate(candidate);
    evaluations++;
    if (costOf(found) < costOf(best)) ties = new Map();
    if (costOf(found) <= costOf(best)) ties.set(found.maxTerm, { ...found, limit: candidate });
    if (isBetter(found, best)) {
      best = found;
      maxTerm = candidate;
    }
    add(lowest, found.maxTerm - 1, found.checkpointCost);
    add(Math.max(candidate + 1, found.nextMaxTerm), highest, floor);
  }
  return { maxTerm, best, ties: [...ties.values()], evaluations };
}

/** Steps down from the upper end that are tried before an interval is cut in halves; 2 to 16 do as well. */
const FEW_STEPS = 4;

function costOf(evaluation: MaxTermEvaluation): number {
  return evaluation.checkpointCost + evaluation.maxTerm;
}

function isBetter(a: MaxTermEvaluation, b: MaxTermEvaluation): boolean {
  return (costOf(a) - costOf(b) || a.checkpointCount - b.checkpointCount || a.maxTerm - b.maxTerm) < 0;
}

/** By lower bound; among equals the smaller max terms first. */
function precedes(a: Interval, b: Interval): boolean {
  return (a.floor + a.lowest - b.floor - b.lowest || a.lowest - b.lowest) < 0;
}

function push(heap: Interval[], interval: Interval): void {
  let at = heap.length;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (!precedes(interval, heap[up]!)) break;
    heap[at] = heap[up]!;
    at = up;
  }
  heap[at] = interval;
}

function pop(heap: Interval[]): Interval | undefined {
  const top = heap[0];
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    if (down >= heap.length) break;
    if (down + 1 < heap.length && precedes(heap[down + 1]!, heap[down]!)) down++;
    if (!precedes(heap[down]!, moved)) break;
    heap[at] = heap[down]!;
    at = down;
  }
  heap[at] = moved;
  return top;
}
