import { lowerBound } from '../bounds/lower-bound.ts';
import { buildDivisionTree } from '../paper/build-division-tree.ts';
import { evaluateUnderMaxTerm, leastCostChoices } from '../paper/solve-optimal.ts';
import { createRng } from '../rng.ts';
import type { Checkpointing } from '../schedule/checkpointing.ts';
import { chenGreedy } from '../strategies/chen/chen-greedy.ts';
import { chenSqrt } from '../strategies/chen/chen-sqrt.ts';
import { regularFigures } from '../strategies/regular.ts';
import type { Control, Problem } from '../strategies/strategy/strategy.ts';
import { judgeSet } from './judge-set.ts';

/** The least peak of all sets of checkpoints, or the least that is known. */
export interface LeastPeakSet {
  /** Tensors of the papers' graph, ascending. */
  readonly checkpoints: readonly number[];
  readonly peakBytes: number;
  /** True if no set has less: all were tried, or no schedule at all has less. */
  readonly isExact: boolean;
  /** No schedule has less (engine/bounds). */
  readonly boundBytes: number;
}

/** Up to so many tensors besides source and target, all sets are tried. */
export const MAX_TRIED = 14;
/** Vertices simulated at most where not all sets can be tried: a few seconds. */
const MAX_WORK = 1_500_000;
const MAX_LIMITS = 24;
const MAX_TIES = 16;

/**
 * The lowest simulated peak that a player can reach by choosing which tensors to keep, run as `manual` runs them;
 * keeping none is regular training. Exact on small graphs, by trying every set. On others the best of the sets that
 * the papers' algorithms choose (the optimum of Eq. 2, Algorithm 5 under several max terms, Chen's) and what adding,
 * dropping and moving single checkpoints makes of it, in an order of a fixed seed, until nothing helps or the effort is
 * spent; then it is the best known, and the bound says how much less there could be at most.
 *
 * Ties: the first set found with the fewest checkpoints. Time O(2^n (V + E)) for n <= 14, else a bounded number
 * of simulations; space O(V + E). Deterministic: no clock.
 *
 * @throws CancelledError through control
 */
export function leastPeakSet(
  problem: Problem,
  control: Control,
  checkpointing?: Checkpointing,
): LeastPeakSet {
  const search = new Search(problem, control, checkpointing);
  const inner = problem.view.tensors.size - 2;
  const isWhole = inner <= MAX_TRIED;
  if (isWhole) search.tryAll(inner);
  else search.climb();
  const boundBytes = lowerBound(problem).bytes;
  const { best } = search;
  return { ...best, isExact: isWhole || best.peakBytes <= boundBytes, boundBytes };
}

interface Found {
  readonly checkpoints: readonly number[];
  readonly peakBytes: number;
}

class Search {
  best: Found;
  readonly #problem: Problem;
  readonly #control: Control;
  readonly #checkpointing: Checkpointing | undefined;
  readonly #tried = new Set<string>();
  #left: number;

  constructor(problem: Problem, control: Control, checkpointing?: Checkpointing) {
    this.#problem = problem;
    this.#control = control;
    this.#checkpointing = checkpointing;
    this.#left = Math.max(1, Math.floor(MAX_WORK / problem.graph.size));
    this.best = { checkpoints: [], peakBytes: regularFigures(problem).peakBytes };
  }

  tryAll(inner: number): void {
    const sets = 2 ** inner;
    for (let mask = 1; mask < sets; mask++) {
      if (mask % 64 === 0) this.#control.tick(mask / sets);
      const chosen: number[] = [];
      for (let v = 0; v < inner; v++) if ((mask >> v) & 1) chosen.push(v + 1);
      this.#consider(chosen);
    }
  }

  climb(): void {
    for (const set of this.#starts()) this.#try(set);
    const { size } = this.#problem.view.tensors;
    const rng = createRng(1);
    const order = Array.from({ length: size - 2 }, (_, i) => i + 1);
    for (let isBetter = true; isBetter && this.#left > 0; ) {
      isBetter = false;
      for (let i = order.length - 1; i > 0; i--) {
        const j = rng.below(i + 1);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      for (const v of order) {
        if (this.#left <= 0) return;
        for (const set of moved(this.best.checkpoints, v, size)) if (this.#try(set)) isBetter = true;
      }
    }
  }

  /** Sets that the papers' algorithms keep. */
  #starts(): number[][] {
    const { view } = this.#problem;
    const tree = buildDivisionTree(view.tensors);
    const starts = leastCostChoices(tree, MAX_TIES).map(({ checkpoints }) => [...checkpoints]);
    const most = tree.largestSegment[0] ?? 0;
    for (let i = 1; i < MAX_LIMITS; i++) {
      starts.push([...evaluateUnderMaxTerm(tree, (most * i * i) / (MAX_LIMITS * MAX_LIMITS)).checkpoints]);
    }
    for (const strategy of [chenSqrt, chenGreedy]) {
      const plan = strategy.plan(this.#problem, { seed: 0 }, this.#control);
      if (!plan.applicable) continue;
      starts.push(plan.checkpoints.map((v) => view.tensorOf[v] ?? -1).filter((tensor) => tensor > 0));
    }
    return starts;
  }

  /** Each set once; returns whether it is the best now. */
  #try(set: readonly number[]): boolean {
    const checkpoints = [...set].sort((a, b) => a - b);
    const key = checkpoints.join();
    if (this.#left <= 0 || checkpoints.length === 0 || this.#tried.has(key)) return false;
    this.#tried.add(key);
    this.#left -= 1;
    this.#control.tick(0.5);
    return this.#consider(checkpoints);
  }

  #consider(checkpoints: readonly number[]): boolean {
    const judged = judgeSet(this.#problem, checkpoints, this.#checkpointing);
    if (typeof judged === 'string') return false;
    const { peakBytes } = judged.timeline;
    const { best } = this;
    const isFewer = peakBytes === best.peakBytes && checkpoints.length < best.checkpoints.length;
    if (peakBytes > best.peakBytes || (peakBytes === best.peakBytes && !isFewer)) return false;
    this.best = { checkpoints, peakBytes };
    return true;
  }
}

/** The set with one vertex more or less; and with a neighbour in place of it. */
function moved(set: readonly number[], v: number, size: number): number[][] {
  if (!set.includes(v)) return [[...set, v]];
  const rest = set.filter((u) => u !== v);
  const near = [v - 1, v + 1].filter((u) => u > 0 && u < size - 1 && !rest.includes(u));
  return [rest, ...near.map((u) => [...rest, u])];
}
