import { getOrCompute } from '../get-or-compute.ts';
import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { indices } from '../typed-arrays.ts';
import { GradientCut } from './gradient-cut.ts';
import { gradientsAt, withOwnGradients } from './values.ts';

export interface LowerBound {
  /** No schedule that the simulator accepts has a lower peak. */
  readonly bytes: number;
  /** The step that needs it, and whether gradients on the ways around its vertex are counted. */
  readonly step: 'forward' | 'backward';
  readonly vertex: number;
  readonly around: boolean;
}

/**
 * Effort guard: minimum cuts are sought while their regions together have at most so many vertices (ten
 * cuts at least); the vertices after that keep their plain working set.
 */
const MAX_VISITS = 800_000;
const LEAST_CUTS = 10;

const known = new WeakMap<MemoryModel, LowerBound>();

/**
 * A proved lower bound on the peak of any schedule that the simulator accepts.
 *
 * Proof. Every schedule forwards each v at some step and runs it backward at exactly one. The simulator
 * samples a step after its allocations and before its releases, so these live at once:
 *
 * - at forward v: the source, the storages of v and of its inputs, the auxiliaries of v;
 * - at backward v: the source, the storages of all that backward v needs, the auxiliaries of v, the
 *   gradient of v, the gradients of its inputs (allocated by now; not counted where v is a view of the
 *   input and hands its gradient over), and at least the minimum cut of gradients of gradient-cut.ts.
 *
 * Two values share a storage only where one is a view of the other or has overwritten it in place;
 * counting each such family once can only lower the figure. The gradient storages of different vertices
 * are different, but for those that `withOwnGradients` leaves out, and the cut leaves out v and its inputs, so
 * nothing counts twice. The peak is at least the largest of these sums. QED.
 *
 * The cuts are sought in falling order of what they could at best give (the gradients across v in the
 * graph's own order) and no longer once that cannot beat the best sum found.
 * Time O(V + E) and the cuts, once for each memory model; space O(V + E).
 */
export function lowerBound({ graph, memory }: { graph: Graph; memory: MemoryModel }): LowerBound {
  return getOrCompute(known, memory, () => search(graph, withOwnGradients(graph, memory)));
}

function search(graph: Graph, memory: MemoryModel): LowerBound {
  const sets = new WorkingSets(graph, memory);
  let best: LowerBound = { bytes: 0, step: 'forward', vertex: 0, around: false };
  const consider = (bound: LowerBound): void => {
    if (bound.bytes > best.bytes) best = bound;
  };
  const backward = new Float64Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    backward[v] = sets.backward(v);
    consider({ bytes: sets.forward(v), step: 'forward', vertex: v, around: false });
    consider({ bytes: backward[v]!, step: 'backward', vertex: v, around: false });
  }
  const across = gradientsAcross(graph, memory);
  const hope = backward.map((bytes, v) => bytes + across[v]!);
  const hopeful = indices(graph.size)
    .filter((v) => hope[v]! > best.bytes)
    .sort((a, b) => hope[b]! - hope[a]!);
  const cut = new GradientCut(graph, memory.gradientBytes);
  let visits = 0;
  for (const [i, v] of hopeful.entries()) {
    visits += cut.region(v);
    if (hope[v]! <= best.bytes || (i >= LEAST_CUTS && visits > MAX_VISITS)) break;
    consider({ bytes: backward[v]! + cut.least(v), step: 'backward', vertex: v, around: true });
  }
  return best;
}

class WorkingSets {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  /** The vertex whose forward allocated the storage that a value ends up in. */
  readonly #family: Int32Array;
  /** By family, the last set that counted it. */
  readonly #countedIn: Int32Array;
  #set = 0;

  constructor(graph: Graph, memory: MemoryModel) {
    this.#graph = graph;
    this.#memory = memory;
    this.#family = indices(graph.size);
    this.#countedIn = new Int32Array(graph.size);
    for (let v = 1; v < graph.size; v++) {
      const from = Math.max(memory.takesOver[v] ?? -1, memory.viewOf[v] ?? -1);
      if (from >= 0) this.#family[v] = this.#family[from] ?? v;
    }
  }

  forward(v: number): number {
    return this.#storages(predecessorsOf(this.#graph, v), v) + (this.#memory.auxBytes[v] ?? 0);
  }

  backward(v: number): number {
    const [graph, memory] = [this.#graph, this.#memory];
    return this.#storages(needsOf(memory, v)) + (memory.auxBytes[v] ?? 0) + gradientsAt(graph, memory, v);
  }

  /** Bytes of the distinct storages of some values, the source always among them. */
  #storages(values: Int32Array, other = 0): number {
    this.#set++;
    let bytes = this.#uncounted(0) + this.#uncounted(other);
    for (const v of values) bytes += this.#uncounted(v);
    return bytes;
  }

  #uncounted(v: number): number {
    const family = this.#family[v]!;
    if (this.#countedIn[family] === this.#set) return 0;
    this.#countedIn[family] = this.#set;
    return this.#memory.outputBytes[family]!;
  }
}

/**
 * For each v the gradients of earlier vertices with a consumer after v. Since "all vertices after v" is
 * one of the sets B that the cut ranges over, no cut at v exceeds it.
 */
function gradientsAcross(graph: Graph, memory: MemoryModel): Float64Array {
  const change = new Float64Array(graph.size);
  for (let u = 1; u < graph.size - 1; u++) {
    change[u + 1]! += memory.gradientBytes[u]!;
    change[successorsOf(graph, u).at(-1)!]! -= memory.gradientBytes[u]!;
  }
  const across = new Float64Array(graph.size);
  for (let v = 1, sum = 0; v < graph.size; v++) {
    sum += change[v]!;
    across[v] = sum;
  }
  return across;
}
