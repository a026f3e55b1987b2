import type { Candidate } from '../live/candidate.ts';

/** Searches of one budget, a node of the tree. */
export type NodeSearch = (node: BudgetNode) => readonly Candidate[];

/** Budgets from `from` to below `to`, what is known at both ends, and where they are parted. */
export interface BudgetNode {
  readonly from: Candidate;
  readonly to: Candidate;
  readonly budget: number;
  readonly depth: number;
}

interface Cell {
  readonly from: number;
  readonly to: number;
  readonly left: Candidate;
  readonly right: Candidate;
}

/**
 * Answers for any budget such that recompute never grows with the budget, although the searches are no exact ones.
 *
 * Proof. The budgets between the lowest peak and that of no recompute are halved again and again. At every budget m
 * where they are parted there is one plan, whoever asks. It fits m and recomputes at most what the plan at the
 * lower end of the cell does, because that one fits too, and no less than the plan at the upper end: a better one is
 * not taken. So by induction every answer in the lower half recomputes at least what the plan at m does, and every
 * answer in the upper half at most that. Plans that are known beforehand are never refused so, since the plan at the
 * upper end had the choice of them as well; hence in the last cell, too, those that fit may be taken. QED.
 */
export class BudgetTree {
  readonly #known: readonly Candidate[];
  readonly #unit: number;
  readonly #search: NodeSearch;
  readonly #root: Cell;
  readonly #parted = new Map<string, Candidate>();

  /**
   * @param known plans by any search that does not ask for a budget; one of them recomputes nothing
   * @param unit bytes of which every peak is a multiple
   */
  constructor(known: readonly Candidate[], unit: number, search: NodeSearch) {
    this.#known = known;
    this.#unit = unit;
    this.#search = search;
    const lowest = known.reduce((a, b) =>
      b.peakBytes < a.peakBytes || (b.peakBytes === a.peakBytes && b.recomputeWork < a.recomputeWork) ? b : a,
    );
    const freest = known.reduce((a, b) =>
      b.recomputeWork < a.recomputeWork || (b.recomputeWork === a.recomputeWork && b.peakBytes < a.peakBytes)
        ? b
        : a,
    );
    this.#root = { from: lowest.peakBytes, to: freest.peakBytes, left: lowest, right: freest };
  }

  get lowest(): Candidate {
    return this.#root.left;
  }

  /** The plan for a budget, or null where none known fits. */
  within(budget: number, depth: number): Candidate | null {
    if (budget < this.#root.from) return null;
    if (budget >= this.#root.to) return this.#root.right;
    let cell = this.#root;
    for (let level = 0; level < depth; level++) {
      const middle = this.#middleOf(cell);
      if (middle === null) break;
      const plan = this.#part(cell, middle, level);
      cell = budget < middle ? { ...cell, to: middle, right: plan } : { ...cell, from: middle, left: plan };
    }
    return leastOf(this.#known, budget, 0, cell.left);
  }

  /** Halfway in proportion, because recompute grows fastest at the low end; null where no peak lies between. */
  #middleOf({ from, to }: Cell): number | null {
    const unit = this.#unit;
    const middle = Math.max(from + unit, Math.floor(Math.sqrt(from * to) / unit) * unit);
    return middle < to ? middle : null;
  }

  #part(cell: Cell, middle: number, level: number): Candidate {
    const key = `${cell.from} ${cell.to}`;
    const parted = this.#parted.get(key);
    if (parted !== undefined) return parted;
    const least = cell.right.recomputeWork;
    const known = leastOf(this.#known, middle, least, cell.left);
    // Nothing lies between the two ends.
    const isOpen = known.recomputeWork > least;
    const found = isOpen ? this.#search({ from: known, to: cell.right, budget: middle, depth: level }) : [];
    const plan = leastOf(found, middle, least, known);
    this.#parted.set(key, plan);
    return plan;
  }
}

/** Of plans that fit and recompute at least so much the one that recomputes the least; the first among equals. */
function leastOf(
  plans: readonly Candidate[],
  budget: number,
  least: number,
  otherwise: Candidate,
): Candidate {
  let best = otherwise;
  for (const plan of plans) {
    if (plan.peakBytes > budget || plan.recomputeWork < least) continue;
    if (plan.recomputeWork < best.recomputeWork) best = plan;
  }
  return best;
}
