import { BadInputError } from '../../engine/errors.ts';
import { graphFromVerticesAndEdges } from '../../engine/graph/from-vertices.ts';
import type { GivenVertex } from '../../engine/graph/given-vertex.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { KEEPS_NOTHING, type Shape } from '../../engine/ops/definition.ts';
import type { Operation } from '../../engine/ops/operation.ts';
import { definitionOf } from '../../engine/ops/operation.ts';
import { operationAttributes, readOperation, shown } from '../../engine/exchange/operation-fields.ts';
import { elementsOf } from '../../engine/ops/shape.ts';
import { clipped } from '../../engine/sentence.ts';

export interface ImportedVertex {
  readonly id: string;
  readonly op: Operation;
  inputs: readonly string[];
  readonly shape: Shape;
  readonly bytes: number;
  /** Undefined where the operation knows it itself. */
  readonly flops: number | undefined;
  readonly parameters: number;
}

export interface Figures {
  readonly shape?: Shape;
  readonly bytesPerElement?: number;
  readonly flops?: number;
  readonly parameters?: number;
}

/** Most axes of a tensor, as in PyTorch and NumPy; and the longest name, that of a layer in nested models included. */
const MAX_AXES = 64;
const MAX_NAME = 4096;

/** Names of the joined inputs and outputs. */
const SOURCE = 'inputs';
const TARGET = 'outputs';
/** A list of inputs that some concatenation begins with, and the last concatenation of just these. */
interface Prefix {
  readonly next: Map<string, Prefix>;
  id?: string;
}

const NOTHING_KEPT: Operation = { kind: 'opaque', label: 'join', keeps: KEEPS_NOTHING };
const PART: Operation = { ...NOTHING_KEPT, alias: 'view' };

/**
 * A network while a reader of another format draws it: vertices by id, producers first, as many inputs
 * and outputs as the file has. `build` makes the graph of one source and one target of it.
 */
export class ImportGraphBuilder {
  readonly #vertices = new Map<string, ImportedVertex>();
  readonly #inputs: string[] = [];
  readonly #suffixes = new Map<string, number>();
  readonly #bytesPerElement: number;
  /** Lists of inputs of the concatenations so far, by their first input, then their second, and so on. */
  readonly #concatenations: Prefix = { next: new Map() };

  constructor(bytesPerElement = 4) {
    this.#bytesPerElement = bytesPerElement;
  }

  get size(): number {
    return this.#vertices.size;
  }

  vertex(id: string): ImportedVertex | undefined {
    return this.#vertices.get(id);
  }

  shapeOf(id: string): Shape {
    return this.#vertices.get(id)?.shape ?? [];
  }

  /** @throws BadInputError when there are too many axes */
  input(id: string, shape: Shape, bytesPerElement = this.#bytesPerElement): string {
    const unique = this.#unique(id);
    requireRank(shape);
    const bytes = elementsOf(shape) * bytesPerElement;
    this.#set({ id: unique, op: { kind: 'input' }, inputs: [], shape, bytes, flops: 0, parameters: 0 });
    this.#inputs.push(unique);
    return unique;
  }

  /**
   * Adds an operation and returns the id that it got. An opaque one has to come with its shape.
   * @throws BadInputError when the shapes do not fit, or a field is none that a file may hold
   */
  add(id: string, given: Operation, inputs: readonly string[], figures: Figures = {}): string {
    const unique = this.#unique(id);
    const op = given.kind === 'opaque' ? given : readOperation(given.kind, operationAttributes(given), '');
    const shapes = inputs.map((input) => this.shapeOf(input));
    const shape = op.kind === 'opaque' ? (figures.shape ?? []) : definitionOf(op).shape(op, shapes);
    requireRank(shape);
    const elements = elementsOf(shape);
    const flops = figures.flops ?? (op.kind === 'opaque' && op.alias !== 'view' ? elements : undefined);
    this.#set({
      id: unique,
      op,
      inputs: op.kind === 'concat' ? this.#chained(unique, inputs) : inputs,
      shape,
      bytes: elements * (figures.bytesPerElement ?? this.#bytesPerElement),
      flops,
      parameters: figures.parameters ?? 0,
    });
    return unique;
  }

  /**
   * A concatenation that begins with all inputs of an earlier one (the dense blocks of a DenseNet) reads
   * that one's output instead: the same tensor, and the chain that the papers draw. Time O(inputs).
   */
  #chained(id: string, inputs: readonly string[]): readonly string[] {
    let at = this.#concatenations;
    let earlier: string | undefined;
    let shared = 0;
    inputs.forEach((input, i) => {
      let next = at.next.get(input);
      if (next === undefined) {
        next = { next: new Map() };
        at.next.set(input, next);
      }
      at = next;
      // A sum with itself, and a sum of one input, have nothing to read instead.
      if (next.id === undefined || i === 0 || i === inputs.length - 1) return;
      earlier = next.id;
      shared = i + 1;
    });
    at.id = id;
    return earlier === undefined ? inputs : [earlier, ...inputs.slice(shared)];
  }

  /** @throws BadInputError when no output depends on an input, or the sizes cannot be counted */
  build(name: string, outputs: readonly string[]): Graph {
    const alive = this.#reaching(outputs);
    const inputs = this.#inputs.filter((id) => alive.has(id));
    if (inputs.length === 0) throw new BadInputError('no output of the network depends on its inputs');
    const ends = [...new Set(outputs)].filter((id) => alive.has(id));
    const vertices: GivenVertex[] = [];
    const edges: [string, string][] = [];
    const read = new Set<string>();
    const source = inputs.length > 1 ? this.#unique(SOURCE) : undefined;
    if (source !== undefined) {
      const bytes = inputs.reduce((sum, id) => sum + (this.#vertices.get(id)?.bytes ?? 0), 0);
      vertices.push({ id: source, op: NOTHING_KEPT, bytes });
    }
    for (const vertex of this.#vertices.values()) {
      if (!alive.has(vertex.id)) continue;
      const isInput = vertex.op.kind === 'input';
      if (isInput && source !== undefined) {
        // It lies in the source, which is stored throughout, and cannot be overwritten.
        vertices.push({ id: vertex.id, op: PART, shape: vertex.shape, bytes: 0 });
        edges.push([source, vertex.id]);
        continue;
      }
      vertices.push(given(vertex));
      for (const input of vertex.inputs) {
        edges.push([input, vertex.id]);
        read.add(input);
      }
    }
    if (ends.length > 1 || ends.some((id) => read.has(id))) {
      const target = this.#unique(TARGET);
      vertices.push({ id: target, op: NOTHING_KEPT, bytes: 0 });
      for (const id of ends) edges.push([id, target]);
    }
    const placeOf = (index: number): string => clipped(vertices[index]?.id ?? '');
    return graphFromVerticesAndEdges({
      name,
      vertices,
      edges,
      bytesPerElement: this.#bytesPerElement,
      placeOf,
    });
  }

  #reaching(outputs: readonly string[]): Set<string> {
    const alive = new Set(outputs.filter((id) => this.#vertices.has(id)));
    const waiting = [...alive];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const input of this.#vertices.get(id)?.inputs ?? []) {
        if (alive.has(input)) continue;
        alive.add(input);
        waiting.push(input);
      }
    }
    // A vertex that no input reaches is a constant; `add` is not called for one, but a file may be odd.
    const reached = new Set<string>();
    for (const [id, { op, inputs }] of this.#vertices) {
      if (alive.has(id) && (op.kind === 'input' || inputs.some((input) => reached.has(input))))
        reached.add(id);
    }
    return reached;
  }

  /** @throws BadInputError for a name that would be copied into too many others */
  #unique(id: string): string {
    if (id.length > MAX_NAME) {
      throw new BadInputError(
        `the name ${shown(id)} has ${id.length} characters, at most ${MAX_NAME} are read`,
      );
    }
    if (id !== '' && !this.#vertices.has(id)) return id;
    const base = id || 'vertex';
    for (let i = (this.#suffixes.get(base) ?? 0) + 1; ; i++) {
      const candidate = `${base}_${i}`;
      if (this.#vertices.has(candidate)) continue;
      this.#suffixes.set(base, i);
      return candidate;
    }
  }

  #set(vertex: ImportedVertex): void {
    this.#vertices.set(vertex.id, vertex);
  }
}

function requireRank(shape: Shape): void {
  if (shape.length > MAX_AXES)
    throw new BadInputError(`expected a tensor of at most ${MAX_AXES} axes, got ${shape.length}`);
}

function given(vertex: ImportedVertex): GivenVertex {
  const { id, op, shape, bytes, flops, parameters } = vertex;
  return {
    id,
    op,
    bytes,
    parameters,
    ...(shape.length > 0 ? { shape } : {}),
    ...(flops === undefined ? {} : { flops }),
  };
}
