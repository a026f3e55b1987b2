/** Outcome of a slack: a rounded plan that fits, only plans that do not fit, or an infeasible program. */
export type Outcome = 'fits' | 'over' | 'infeasible';

/** The paper's. */
const FIRST = 0.1;
const STEP = 0.1;
const MOST = 0.6;
/** Slacks closer than this are the same. */
const FINE = 0.0125;

/**
 * The slacks to try, each told what came of the one before: the least of which a rounded plan fits, by halves between it
 * and the largest of which none does, as if what fits at one fits at every larger one that has a solution.
 */
export function* epsilons(start: number | null): Generator<number, void, Outcome> {
  let over: number | null = null;
  // The least that fits, or that has no solution.
  let end: number | null = null;
  let next = start ?? FIRST;
  for (;;) {
    const outcome = yield next;
    if (outcome === 'over') over = next;
    else end = next;
    if (end === null) {
      next = (over ?? 0) + STEP;
      if (next > MOST) return;
    } else if (over === null) {
      if (end <= 0) return;
      next = 0;
    } else {
      if (end - over <= FINE) return;
      next = (over + end) / 2;
    }
  }
}
