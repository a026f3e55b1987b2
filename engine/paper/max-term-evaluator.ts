import { COMPLICATE, type DivisionTree, LINEAR } from './division-tree.ts';

/** Result of a max term C. All costs in the unit of the graph. */
export interface MaxTermEvaluation {
  /** f(C): least sum of checkpoint costs under which no segment exceeds C; non-increasing in C. */
  readonly checkpointCost: number;
  /** Least number of checkpoints among the choices of that cost. */
  readonly checkpointCount: number;
  /** B <= C: the largest segment of the choice found. Every max term in [B, C] has the same f. */
  readonly maxTerm: number;
  /** No max term in [C, nextMaxTerm) has a smaller f than C; Infinity when none has. */
  readonly nextMaxTerm: number;
}

/**
 * Algorithm 5 (000) on the flat tree, for many max terms in turn: it keeps its work arrays. The rules
 * are those of the paper. An IS that fits into C stays whole. Otherwise its ends are checkpoints, and a
 * Complicate IS makes all its connecting vertices checkpoints, a Branch IS treats each branch by
 * itself, and in a Linear IS the members that exceed C are expanded while the runs of members between
 * them are solved as linear graphs (Algorithm 1 under one C).
 *
 * The linear step is a shortest path over leaps l(v_a, v_b) <= C. Leaps that end in v_b start in a
 * window that only moves forward, so a monotone queue finds the best start in O(1) amortised.
 * Time of one evaluation O(V + E), space O(V + E) once.
 */
export class MaxTermEvaluator {
  readonly tree: DivisionTree;
  /** Expanded nodes of the last evaluation: expanded[0 .. expandedCount). */
  readonly #expanded: Int32Array;
  #expandedCount = 0;
  /** Cost and number of the vertices that become checkpoints when a Complicate IS is expanded. */
  readonly #ownCost: Float64Array;
  readonly #ownCount: Int32Array;
  // Positions along a Linear IS: the IS itself stands for its source, a member for its target.
  /** Cost of everything strictly between the source of the Linear IS and the position. */
  readonly #before: Float64Array;
  /** The same with the position's own cost: a leap from a to b costs before[b] - after[a]. */
  readonly #after: Float64Array;
  /** Cost of the position as a checkpoint; 0 for the target of the Linear IS, which is one anyway. */
  readonly #price: Float64Array;
  /** Least checkpoint cost up to and with the position, least count for that cost, position before it. */
  readonly #least: Float64Array;
  readonly #count: Int32Array;
  readonly #previous: Int32Array;
  readonly #queue: Int32Array;
  #checkpointCost = 0;
  #checkpointCount = 0;
  #maxTerm = 0;
  #nextMaxTerm = Number.POSITIVE_INFINITY;

  constructor(tree: DivisionTree) {
    this.tree = tree;
    this.#expanded = new Int32Array(tree.nodeCount);
    this.#ownCost = new Float64Array(tree.nodeCount);
    this.#ownCount = new Int32Array(tree.nodeCount);
    this.#before = new Float64Array(tree.nodeCount);
    this.#after = new Float64Array(tree.nodeCount);
    this.#price = new Float64Array(tree.nodeCount);
    this.#least = new Float64Array(tree.nodeCount);
    this.#count = new Int32Array(tree.nodeCount);
    this.#previous = new Int32Array(tree.nodeCount);
    this.#queue = new Int32Array(tree.nodeCount + 1);
    const { cost } = tree.graph;
    for (let v = 0; v < tree.owner.length; v++) {
      const node = tree.owner[v]!;
      if (node < 0) continue;
      this.#ownCost[node]! += cost[v]!;
      this.#ownCount[node]!++;
    }
    for (let node = 0; node < tree.nodeCount; node++) {
      if (tree.kind[node] !== LINEAR) continue;
      let sum = 0;
      const end = tree.firstChild[node]! + tree.childCount[node]!;
      for (let member = tree.firstChild[node]!; member < end; member++) {
        sum += tree.cost[member]!;
        this.#before[member] = sum;
        if (member < end - 1) this.#price[member] = cost[tree.target[member]!]!;
        sum += this.#price[member]!;
        this.#after[member] = sum;
      }
    }
  }

  /** @param maxTerm C >= 0 */
  evaluate(maxTerm: number): MaxTermEvaluation {
    const { tree } = this;
    this.#expandedCount = 0;
    this.#checkpointCost = 0;
    this.#checkpointCount = 0;
    this.#maxTerm = 0;
    this.#nextMaxTerm = Number.POSITIVE_INFINITY;
    this.#visit(0, maxTerm);
    for (let i = 0; i < this.#expandedCount; i++) {
      const node = this.#expanded[i]!;
      if (tree.kind[node] === LINEAR) {
        this.#solveLinear(node, maxTerm);
        continue;
      }
      if (tree.kind[node] === COMPLICATE) {
        this.#checkpointCost += this.#ownCost[node]!;
        this.#checkpointCount += this.#ownCount[node]!;
        this.#nextMaxTerm = Math.min(this.#nextMaxTerm, tree.cost[node]!);
      }
      const end = tree.firstChild[node]! + tree.childCount[node]!;
      for (let child = tree.firstChild[node]!; child < end; child++) this.#visit(child, maxTerm);
    }
    return {
      checkpointCost: this.#checkpointCost,
      checkpointCount: this.#checkpointCount,
      maxTerm: this.#maxTerm,
      nextMaxTerm: this.#nextMaxTerm,
    };
  }

  /** The checkpoints of the last evaluation, ascending. */
  checkpoints(): number[] {
    const { tree } = this;
    const found: number[] = [];
    const complicate = new Uint8Array(tree.nodeCount);
    for (let i = 0; i < this.#expandedCount; i++) {
      const node = this.#expanded[i]!;
      if (tree.kind[node] === COMPLICATE) complicate[node] = 1;
      if (tree.kind[node] !== LINEAR) continue;
      const last = tree.firstChild[node]! + tree.childCount[node]! - 1;
      for (let at = this.#previous[last]!; at !== node; at = this.#previous[at]!)
        found.push(tree.target[at]!);
    }
    for (let v = 0; v < tree.owner.length; v++) {
      if (tree.owner[v]! >= 0 && complicate[tree.owner[v]!] === 1) found.push(v);
    }
    return found.sort((a, b) => a - b);
  }

  /** Lines 1-2 of Algorithm 5, for a node whose ends are checkpoints. */
  #visit(node: number, maxTerm: number): void {
    const whole = this.tree.largestSegment[node]!;
    if (whole > maxTerm) this.#expanded[this.#expandedCount++] = node;
    else if (whole > this.#maxTerm) this.#maxTerm = whole;
  }

  /** Lines 3-10 of Algorithm 5. */
  #solveLinear(node: number, maxTerm: number): void {
    const { cost, firstChild, childCount } = this.tree;
    const price = this.#price;
    const before = this.#before;
    const after = this.#after;
    const least = this.#least;
    const count = this.#count;
    const previous = this.#previous;
    const queue = this.#queue;
    const first = firstChild[node]!;
    const end = first + childCount[node]!;
    // queue[head .. tail) holds possible starts in order, best first; those before windowStart are too far
    // away. Positions compare as numbers, since an IS precedes its members.
    let head = 0;
    let tail = 1;
    queue[0] = node;
    let windowStart = node;
    let next = this.#nextMaxTerm;
    for (let b = first; b < end; b++) {
      const last = b === first ? node : b - 1;
      let from = last;
      if (cost[b]! > maxTerm) {
        // An expanded member: both its ends are checkpoints, and no leap crosses it.
        next = Math.min(next, cost[b]!);
        windowStart = b;
        head = 0;
        tail = 0;
      } else {
        let outside = -1;
        while (before[b]! - after[windowStart]! > maxTerm) {
          outside = windowStart;
          windowStart = windowStart === node ? first : windowStart + 1;
        }
        if (outside >= 0) next = Math.min(next, before[b]! - after[outside]!);
        while (queue[head]! < windowStart) head++;
        from = queue[head]!;
      }
      const cheapest = least[from]! + price[b]!;
      const fewest = count[from]! + 1;
      least[b] = cheapest;
      count[b] = fewest;
      previous[b] = from;
      // A start that is later and no worse serves every leap that an earlier one serves.
      while (tail > head) {
        const back = queue[tail - 1]!;
        if (least[back]! < cheapest || (least[back] === cheapest && count[back]! < fewest)) break;
        tail--;
      }
      queue[tail++] = b;
    }
    this.#nextMaxTerm = next;
    this.#checkpointCost += least[end - 1]!;
    this.#checkpointCount += count[end - 1]! - 1;
    for (let b = end - 1; b !== node; b = previous[b]!) {
      const a = previous[b]!;
      // A leap over one member leaves a member that may be several segments (branches) or expanded.
      if (b === (a === node ? first : a + 1)) this.#visit(b, maxTerm);
      else this.#maxTerm = Math.max(this.#maxTerm, before[b]! - after[a]!);
    }
  }
}
