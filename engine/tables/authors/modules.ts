import { type Graph, predecessorsOf } from '../../graph/graph.ts';
import type { TensorView } from '../../graph/tensor-view.ts';
import { inEdgesOf, outEdgesOf } from '../../paper/tensor-graph.ts';

/** An edge of the papers' graph as the authors' program runs it: operations from a tensor into a vertex. */
interface Chain {
  /** Operations on the edge itself, in order; none where the tensor goes in as it is. */
  readonly operations: readonly number[];
  /** The operation of the vertex that reads the chain, and which of its inputs that is. */
  readonly reader: number;
}

/** The operations of a part between two checkpoints, in the order in which they run. */
export interface Part {
  readonly source: number;
  readonly order: readonly number[];
  /** The operation whose output is the target's tensor; -1 where other parts lead into the target too. */
  readonly output: number;
  /** Then its edges into the target, each by what it hands over: an operation, or -1 for the source itself. */
  readonly handed: readonly { readonly edge: number; readonly operation: number }[];
}

/** Operations of vertices and edges of the papers' graph. */
export class Modules {
  readonly #view: TensorView;
  /** By tensor. */
  readonly #members: number[][];
  /** By edge. */
  readonly #chains: Chain[] = [];

  constructor(graph: Graph, view: TensorView) {
    this.#view = view;
    const { tensorOf, tensors } = view;
    this.#members = Array.from({ length: tensors.size }, () => []);
    for (let v = 0; v < graph.size; v++) if (tensorOf[v]! >= 0) this.#members[tensorOf[v]!]!.push(v);
    for (let tensor = 1; tensor < tensors.size; tensor++) {
      const chains = this.#members[tensor]!.flatMap((reader) =>
        [...predecessorsOf(graph, reader)]
          .filter((u) => tensorOf[u] !== tensor)
          .map((u) => {
            const operations: number[] = [];
            for (let v = u; tensorOf[v] === -1; v = predecessorsOf(graph, v)[0]!) operations.unshift(v);
            return { operations, reader };
          }),
      );
      inEdgesOf(tensors, tensor).forEach((edge, i) => {
        this.#chains[edge] = chains[i]!;
      });
    }
  }

  membersOf(tensor: number): readonly number[] {
    return this.#members[tensor]!;
  }

  chainOf(edge: number): Chain {
    return this.#chains[edge]!;
  }

  isJoin(tensor: number): boolean {
    return inEdgesOf(this.#view.tensors, tensor).length > 1;
  }

  outputOf(tensor: number): number {
    return this.#view.representative[tensor]!;
  }

  /** First in, first out over vertices, as the program's queue takes them. */
  partOf(source: number, target: number, edges: readonly number[]): Part {
    const { tensors } = this.#view;
    const within = new Set(edges);
    const isWhole = (tensor: number): boolean => inEdgesOf(tensors, tensor).every((edge) => within.has(edge));
    const order: number[] = [];
    const handed: { edge: number; operation: number }[] = [];
    const arrived = new Map<number, number>();
    const queue = [source];
    for (const tensor of queue) {
      for (const edge of outEdgesOf(tensors, tensor)) {
        if (!within.has(edge)) continue;
        const to = tensors.edgeTo[edge]!;
        const { operations } = this.chainOf(edge);
        order.push(...operations);
        if (to === target && !isWhole(target)) {
          handed.push({
            edge,
            operation: operations.at(-1) ?? (tensor === source ? -1 : this.outputOf(tensor)),
          });
          continue;
        }
        const count = (arrived.get(to) ?? 0) + 1;
        arrived.set(to, count);
        if (count < inEdgesOf(tensors, to).length) continue;
        order.push(...this.membersOf(to));
        queue.push(to);
      }
    }
    return { source, order, output: isWhole(target) ? this.outputOf(target) : -1, handed };
  }
}
