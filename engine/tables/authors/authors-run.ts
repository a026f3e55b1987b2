import { type Graph, predecessorsOf, successorsOf } from '../../graph/graph.ts';
import type { TensorView } from '../../graph/tensor-view.ts';
import { type MemoryModel, needsOf } from '../../ops/memory-model.ts';
import { definitionOf } from '../../ops/operation.ts';
import { elementsOf } from '../../ops/shape.ts';
import type { Problem } from '../../strategies/strategy/strategy.ts';
import { Heap } from './heap.ts';
import { Modules, type Part } from './modules.ts';
import { AUTHORS_RULES, type AuthorsRule } from './rules.ts';
import type { RunEdge } from './run-graph.ts';
import { weightGradientWorkspace } from './workspace.ts';

/** A gradient and its storage; `isPart` where it is cut out of a larger one. */
interface Gradient {
  readonly storage: number;
  readonly isPart: boolean;
}

/** Values of a run of operations, each a reference to its storage, and what backward of each operation saved. */
interface Scope {
  readonly values: Map<number, number>;
  readonly saved: Map<number, number[]>;
  readonly records: boolean;
}

/**
 * Iterations of the authors' program on one network: forward and backward, references counted as Python and autograd of
 * PyTorch 1.5 hold them (SPEC, E1 to E9). Time and space O(V + E) an iteration, besides the allocator's.
 */
export class AuthorsRun {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #view: TensorView;
  readonly #rules: ReadonlySet<AuthorsRule>;
  readonly #heap: Heap;
  readonly #modules: Modules;
  /** All operations but the source. */
  readonly #all: readonly number[];
  /** True under the division: its sums are modules of their own, which do not write in place. */
  #copiesSums = false;
  /** True while the weights have no gradients yet. */
  #isFirst = false;

  /** @param off rules that do not hold */
  constructor(
    { graph, memory, view }: Pick<Problem, 'graph' | 'memory' | 'view'>,
    off: readonly AuthorsRule[] = [],
  ) {
    this.#graph = graph;
    this.#memory = memory;
    this.#view = view;
    this.#rules = new Set(AUTHORS_RULES.filter((rule) => !off.includes(rule)));
    this.#heap = new Heap(!this.#rules.has('blocks'));
    this.#modules = new Modules(graph, view);
    this.#all = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  }

  get heap(): Heap {
    return this.#heap;
  }

  /** Allocates the weights, and their gradients in the course of a first iteration, as the program does. */
  prepare(): void {
    for (const v of this.#all) this.#allocateWeights(v);
    this.#isFirst = true;
    this.regular();
    this.#isFirst = false;
  }

  /** An iteration of the network as it is. */
  regular(): void {
    const order = this.#all;
    this.#copiesSums = false;
    const source = this.#heap.allocate(this.#memory.outputBytes[0]!);
    const scope: Scope = { values: new Map([[0, source]]), saved: new Map(), records: true };
    this.#forward(order, scope, () => 'free', new Set([0, this.#graph.size - 1]));
    const gradients = this.#started();
    this.#backward(order, scope, gradients, (u) => u);
    this.#end(scope, gradients);
  }

  /** An iteration under a division, each edge of it through `checkpoint`. */
  checkpointed(edges: readonly RunEdge[]): void {
    this.#copiesSums = true;
    const { tensors } = this.#view;
    const modules = this.#modules;
    const source = this.#heap.allocate(this.#memory.outputBytes[0]!);
    const outer: Scope = { values: new Map([[0, source]]), saved: new Map(), records: true };
    const parts = new Map(edges.map((edge) => [edge, modules.partOf(edge.source, edge.target, edge.edges)]));
    const leaving = new Map<number, RunEdge[]>();
    for (const edge of edges.toSorted((a, b) => a.target - b.target)) {
      leaving.set(edge.source, [...(leaving.get(edge.source) ?? []), edge]);
    }
    /** Recorded runs, in order: a part through `checkpoint`, or plain operations. */
    const tape: ({ part: Part; input: number } | { operations: readonly number[] })[] = [];
    const arrived = new Map<number, number>();
    let locals: number[] = [];
    /** Values handed over by an edge, by key. */
    const waiting = new Map<number, number[]>();
    const queue = [0];
    for (const tensor of queue) {
      for (const edge of leaving.get(tensor) ?? []) {
        const part = parts.get(edge)!;
        const input = outer.values.get(modules.outputOf(tensor))!;
        const hasInner = edge.edges.some((e) => tensors.edgeTo[e] !== edge.target);
        if (hasInner || this.#rules.has('every-edge')) {
          const inner: Scope = {
            values: new Map([[modules.outputOf(tensor), this.#heap.hold(input)]]),
            saved: new Map(),
            records: false,
          };
          this.#part(part, inner);
          for (const [key, value] of this.#outputs(part, inner))
            outer.values.set(key, this.#heap.hold(value));
          for (const value of inner.values.values()) this.#heap.drop(value);
          tape.push({ part, input: this.#heap.hold(input) });
        } else {
          this.#forward(part.order, outer, () => 'keep', new Set());
          for (const [key, value] of this.#outputs(part, outer)) {
            if (!outer.values.has(key)) outer.values.set(key, this.#heap.hold(value));
          }
          tape.push({ operations: part.order });
          if (part.order.length === 0)
            for (const { edge: e } of part.handed) tape.push({ operations: [-1 - e] });
        }
        if (part.output >= 0) {
          queue.push(edge.target);
          continue;
        }
        const keys = part.handed.map((handed) => this.#keyOf(handed.edge));
        waiting.set(edge.target, [...(waiting.get(edge.target) ?? []), ...keys]);
        const count = (arrived.get(edge.target) ?? 0) + part.handed.length;
        arrived.set(edge.target, count);
        if (count < tensors.inOffsets[edge.target + 1]! - tensors.inOffsets[edge.target]!) continue;
        for (const value of locals) this.#heap.drop(value);
        locals = [];
        const members = modules.membersOf(edge.target);
        this.#forward(members, outer, () => 'keep', new Set());
        tape.push({ operations: members });
        for (const key of waiting.get(edge.target) ?? []) {
          const value = outer.values.get(key);
          outer.values.delete(key);
          if (value === undefined) continue;
          if (this.#rules.has('dictionary')) locals.push(value);
          else this.#heap.drop(value);
        }
        queue.push(edge.target);
      }
    }
    for (const value of locals) this.#heap.drop(value);
    for (const [v, value] of outer.values) if (v !== this.#graph.size - 1 && v !== 0) this.#heap.drop(value);
    const gradients = this.#started();
    for (const node of tape.reverse()) {
      if ('part' in node) this.#backwardPart(node.part, node.input, gradients);
      else if (node.operations[0]! < 0) {
        // An edge that hands its source on, outside of checkpointing.
        const edge = -1 - node.operations[0]!;
        this.#give(
          gradients,
          modules.outputOf(tensors.edgeFrom[edge]!),
          this.#take(gradients, this.#keyOf(edge)),
        );
      } else {
        this.#backward(node.operations, outer, gradients, (u, v) => this.#outerKey(u, v));
      }
    }
    this.#end(outer, gradients);
  }

  #end({ values }: Scope, gradients: Map<number, Gradient>): void {
    for (const { storage } of gradients.values()) this.#heap.drop(storage);
    for (const v of [0, this.#graph.size - 1]) this.#heap.drop(values.get(v)!);
  }

  /** The key of what an edge hands to a join: its last operation, or a number of its own. */
  #keyOf(edge: number): number {
    return this.#modules.chainOf(edge).operations.at(-1) ?? this.#graph.size + edge;
  }

  /** The key of input u of operation v of a join. */
  #outerKey(u: number, v: number): number {
    const { tensors, tensorOf } = this.#view;
    const [from, to] = [tensorOf[u]!, tensorOf[v]!];
    if (from < 0 || to < 0 || from === to || !this.#modules.isJoin(to)) return u;
    const edges = tensors.inEdges.subarray(tensors.inOffsets[to]!, tensors.inOffsets[to + 1]!);
    const edge = edges.find(
      (e) => tensors.edgeFrom[e] === from && this.#modules.chainOf(e).operations.length === 0,
    );
    return edge === undefined ? u : this.#graph.size + edge;
  }

  #outputs(part: Part, scope: Scope): [number, number][] {
    if (part.output >= 0) return [[part.output, scope.values.get(part.output)!]];
    return part.handed.map(({ edge, operation }) => [
      this.#keyOf(edge),
      scope.values.get(operation < 0 ? this.#modules.outputOf(part.source) : operation)!,
    ]);
  }

  #part(part: Part, scope: Scope): void {
    const { tensorOf, representative } = this.#view;
    const kept = new Set([part.output, this.#modules.outputOf(part.source)]);
    for (const { operation } of part.handed) kept.add(operation);
    this.#forward(
      part.order,
      scope,
      (u) => {
        if (!this.#rules.has('dictionary')) return 'free';
        if (tensorOf[u]! >= 0) return representative[tensorOf[u]!] === u ? 'keep' : 'free';
        return this.#modules.isJoin(tensorOf[successorsOf(this.#graph, u)[0]!]!) ? 'local' : 'free';
      },
      kept,
    );
  }

  #forward(
    order: readonly number[],
    scope: Scope,
    fateOf: (u: number) => 'keep' | 'free' | 'local',
    kept: ReadonlySet<number>,
  ): void {
    const graph = this.#graph;
    const memory = this.#memory;
    const heap = this.#heap;
    const left = new Map<number, number>();
    for (const v of order) for (const u of predecessorsOf(graph, v)) left.set(u, (left.get(u) ?? 0) + 1);
    let locals: number[] = [];
    for (const v of order) {
      const kind = graph.operations[v]?.kind;
      const inputs = predecessorsOf(graph, v);
      const isTransition = inputs.length > 1;
      if (isTransition) {
        for (const value of locals) heap.drop(value);
        locals = [];
      }
      const destroyed = memory.takesOver[v]!;
      const viewed = memory.viewOf[v]!;
      let moved = false;
      if (destroyed >= 0 && !(this.#copiesSums && kind === 'add')) {
        scope.values.set(v, scope.values.get(destroyed)!);
        scope.values.delete(destroyed);
        moved = true;
      } else if (viewed >= 0) scope.values.set(v, heap.hold(scope.values.get(viewed)!));
      else scope.values.set(v, heap.allocate(memory.outputBytes[v]!));
      const aux = memory.auxBytes[v]! > 0 ? heap.allocate(memory.auxBytes[v]!) : -1;
      if (scope.records) {
        const saved = [...needsOf(memory, v)].map((u) => heap.hold(scope.values.get(u)!));
        if (aux >= 0) saved.push(aux);
        scope.saved.set(v, saved);
      } else if (aux >= 0) heap.drop(aux);
      for (const u of inputs) {
        left.set(u, left.get(u)! - 1);
        if (left.get(u)! > 0 || kept.has(u) || (moved && u === destroyed)) continue;
        const fate = fateOf(u);
        if (fate === 'keep') continue;
        const value = scope.values.get(u);
        if (value === undefined) continue;
        scope.values.delete(u);
        if (fate === 'local' && isTransition) locals.push(value);
        else heap.drop(value);
      }
    }
    for (const value of locals) heap.drop(value);
  }

  /** The loss is the sum of the output: the target's gradient is one number, seen as often as it has elements. */
  #started(): Map<number, Gradient> {
    return new Map([[this.#graph.size - 1, { storage: this.#heap.allocate(0), isPart: false }]]);
  }

  #take(gradients: Map<number, Gradient>, key: number): Gradient {
    const found = gradients.get(key)!;
    gradients.delete(key);
    return found;
  }

  #give(
    gradients: Map<number, Gradient>,
    key: number,
    given: Gradient,
    bytes = this.#gradientBytes(key),
  ): void {
    const found = gradients.get(key);
    if (found === undefined) {
      gradients.set(key, given);
      return;
    }
    const sum = this.#rules.has('added-gradients')
      ? this.#heap.allocate(bytes)
      : this.#heap.hold(found.storage);
    this.#heap.drop(found.storage);
    this.#heap.drop(given.storage);
    gradients.set(key, { storage: sum, isPart: false });
  }

  #gradientBytes(u: number): number {
    if (u >= this.#graph.size) {
      return this.#gradientBytes(this.#modules.outputOf(this.#view.tensors.edgeFrom[u - this.#graph.size]!));
    }
    return u === 0 ? this.#memory.sourceGradientBytes : this.#memory.gradientBytes[u]!;
  }

  #backward(
    order: readonly number[],
    scope: Scope,
    gradients: Map<number, Gradient>,
    keyOf: (u: number, v: number) => number,
  ): void {
    const graph = this.#graph;
    const heap = this.#heap;
    for (const v of order.toReversed()) {
      const own = this.#take(gradients, v);
      const kind = graph.operations[v]?.kind;
      const inputs = [...predecessorsOf(graph, v)];
      const isPassed =
        this.#memory.viewOf[v]! >= 0 && kind !== 'shift'
          ? true
          : this.#rules.has('shared-gradients') && (kind === 'add' || kind === 'concat');
      const made = inputs.map((u): Gradient => {
        if (isPassed) return { storage: heap.hold(own.storage), isPart: own.isPart || kind === 'concat' };
        return { storage: heap.allocate(this.#gradientBytes(u)), isPart: false };
      });
      const copies: number[] = [];
      if (own.isPart && (kind === 'conv2d' || kind === 'batch-norm')) {
        copies.push(heap.allocate(this.#gradientBytes(v)));
      }
      if (this.#isFirst) this.#allocateWeights(v);
      else if (this.#rules.has('weight-gradients')) copies.push(...this.#allocateWeights(v));
      if (this.#rules.has('workspace')) copies.push(this.#allocateWorkspace(v));
      for (const copy of copies) heap.drop(copy);
      heap.drop(own.storage);
      for (const saved of scope.saved.get(v) ?? []) heap.drop(saved);
      scope.saved.delete(v);
      for (const [i, u] of inputs.entries()) this.#give(gradients, keyOf(u, v), made[i]!);
    }
  }

  #backwardPart(part: Part, input: number, outer: Map<number, Gradient>): void {
    const heap = this.#heap;
    const source = this.#modules.outputOf(part.source);
    const scope: Scope = {
      values: new Map([[source, heap.hold(input)]]),
      saved: new Map(),
      records: true,
    };
    this.#part(part, scope);
    const outputs = this.#outputs(part, scope).map(([key, value]) => ({ key, value: heap.hold(value) }));
    for (const value of scope.values.values()) heap.drop(value);
    const inner = new Map<number, Gradient>();
    const given = outputs.map(({ key }) => this.#take(outer, key));
    outputs.forEach(({ key }, i) => {
      const operation =
        part.output >= 0
          ? part.output
          : (part.handed.find(({ edge }) => this.#keyOf(edge) === key)?.operation ?? -1);
      const gradient = given[i]!;
      heap.hold(gradient.storage);
      this.#give(inner, operation < 0 ? source : operation, gradient);
    });
    this.#backward(part.order, scope, inner, (u) => u);
    // The gradient of a leaf is taken over where nobody else has it, else copied.
    const found = this.#take(inner, source);
    let storage = found.storage;
    if (found.isPart || heap.isShared(storage)) {
      storage = heap.allocate(this.#gradientBytes(source));
      heap.drop(found.storage);
    }
    for (const { value } of outputs) heap.drop(value);
    for (const gradient of given) heap.drop(gradient.storage);
    heap.drop(input);
    this.#give(outer, source, { storage, isPart: false });
  }

  #allocateWeights(v: number): number[] {
    const graph = this.#graph;
    const op = graph.operations[v];
    if (op === undefined) return [];
    const shapes = [...predecessorsOf(graph, v)].map((u) => graph.shapes[u] ?? []);
    return definitionOf(op)
      .parameterShapes(op, shapes)
      .map((shape) => this.#heap.allocate(elementsOf(shape) * graph.bytesPerElement));
  }

  #allocateWorkspace(v: number): number {
    const { operations, shapes, bytesPerElement } = this.#graph;
    const input = shapes[predecessorsOf(this.#graph, v)[0]!] ?? [];
    return this.#heap.allocate(
      weightGradientWorkspace(operations[v], input, shapes[v] ?? []) * bytesPerElement,
    );
  }
}
