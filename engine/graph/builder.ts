import { given } from '../given.ts';
import { BadInputError, InternalError } from '../errors.ts';
import type { Shape } from '../ops/definition.ts';
import type { Operation } from '../ops/operation.ts';
import type { TiedLinearOp } from '../ops/tied-linear.ts';
import { clipped } from '../sentence.ts';
import { endInLoss } from './chunked-loss.ts';
import { figuresOf, type GivenFigures } from './figures.ts';
import { freezeGraph, type VertexRecord } from './freeze.ts';
import { type Stored, withFrozen } from './frozen.ts';
import type { ChunkedLoss, Graph, TensorRole, TransformersModel } from './graph.ts';

/** One object for all, as a graph may have a million of them. */
const UNNAMED = { kind: 'opaque', label: 'opaque' } as const;

/** A vertex that a builder returned; dense, in topological order. */
export type VertexHandle = number;

export interface BuilderOptions {
  /** 4 (float32) where not given. */
  readonly bytesPerElement?: number;
}

/**
 * Builds a graph vertex by vertex, inputs before consumers, so that insertion order is topological
 * order. Shapes are inferred at once: an `add` that does not fit throws where it is written.
 *
 *     const b = new GraphBuilder('two layers');
 *     const x = b.input('input', [8, 3, 32, 32]);
 *     const c = b.add('conv', conv2d(16, 3, { padding: 1 }), [x]);
 *     b.add('relu', RELU_INPLACE, [c], 'join');
 *     const graph = b.build();
 */
export class GraphBuilder {
  readonly #name: string;
  readonly #bytesPerElement: number;
  readonly #records: VertexRecord[] = [];
  readonly #handles = new Map<string, VertexHandle>();
  readonly #trained = new Set<VertexHandle>();
  readonly #untrained = new Set<VertexHandle>();
  readonly #stored = new Map<VertexHandle, Stored>();
  /** Set by those who draw a language model. */
  transformers: TransformersModel | undefined;
  chunkedLoss: ChunkedLoss | undefined;
  comparesSamples = false;

  constructor(name: string, options: BuilderOptions = {}) {
    const { bytesPerElement = 4 } = options;
    if (!Number.isSafeInteger(bytesPerElement) || bytesPerElement < 1 || bytesPerElement > 16) {
      throw new BadInputError(`expected an integer from 1 to 16, got ${bytesPerElement}`, 'bytesPerElement');
    }
    this.#name = name;
    this.#bytesPerElement = bytesPerElement;
  }

  get size(): number {
    return this.#records.length;
  }

  get bytesPerElement(): number {
    return this.#bytesPerElement;
  }

  /** The batch; the first vertex of a graph. */
  input(id: string, shape: Shape): VertexHandle {
    return this.addGiven(id, { kind: 'input' }, [], 'own', { shape });
  }

  /** A batch of tokens, [N, L]; the first vertex of a language model's graph. */
  tokens(id: string, shape: Shape): VertexHandle {
    return this.addGiven(id, { kind: 'tokens' }, [], 'own', { shape });
  }

  /**
   * Adds an operation.
   *
   * @param inputs handles or ids of earlier vertices, in the operation's order; may repeat
   * @throws BadInputError when an id repeats, an input is unknown or the shapes do not fit
   */
  add(
    id: string,
    op: Operation,
    inputs: readonly (VertexHandle | string)[],
    role: TensorRole = 'own',
  ): VertexHandle {
    return this.addGiven(id, op, inputs, role, {});
  }

  /** Adds a vertex known by its bytes alone; without inputs it is the source. */
  addOpaque(
    id: string,
    bytes: number,
    inputs: readonly (VertexHandle | string)[],
    figures: Omit<GivenFigures, 'bytes'> & { readonly label?: string } = {},
  ): VertexHandle {
    const { label, ...given } = figures;
    const op = label === undefined ? UNNAMED : ({ kind: 'opaque', label } as const);
    return this.addGiven(id, op, inputs, 'own', { ...given, bytes });
  }

  /** `add` with figures that override what would be inferred. */
  addGiven(
    id: string,
    op: Operation,
    inputs: readonly (VertexHandle | string)[],
    role: TensorRole,
    given: GivenFigures,
  ): VertexHandle {
    if (this.#handles.has(id)) throw new BadInputError(`the id ${JSON.stringify(clipped(id))} is used twice`);
    const handles = inputs.map((input) => this.#resolve(id, input));
    const handle = this.#records.length;
    const shapes = handles.map((input) => this.#records[input]?.shape ?? []);
    if (op.kind === 'tied-linear') this.#requireTable(id, op, shapes);
    this.#records.push({
      id,
      op,
      inputs: handles,
      role,
      ...figuresOf(id, op, handles, shapes, given, this.#bytesPerElement),
    });
    this.#handles.set(id, handle);
    return handle;
  }

  shapeOf(vertex: VertexHandle | string): Shape {
    return this.#records[this.#resolve('shapeOf', vertex)]?.shape ?? [];
  }

  /** Trains the parameters of a vertex: those of all that this is never called for are then frozen. */
  train(vertex: VertexHandle): void {
    this.#trained.add(vertex);
  }

  /** Trains all parameters but those of the vertices that this is called for, if `train` is called for none. */
  freeze(vertex: VertexHandle): void {
    this.#untrained.add(vertex);
  }

  /** Says how the parameters of a vertex are stored, in a network of which some are trained. */
  store(vertex: VertexHandle, stored: Stored): void {
    this.#stored.set(vertex, stored);
  }

  /** @throws BadInputError when there is more than one source or target, or the bytes overflow. */
  build(): Graph {
    const frozen = freezeGraph(this.#name, this.#records, this.#bytesPerElement);
    const { transformers, chunkedLoss, comparesSamples } = this;
    const built = { ...frozen, ...given({ transformers }), ...(comparesSamples ? { comparesSamples } : {}) };
    const graph = chunkedLoss === undefined ? built : endInLoss(built, chunkedLoss);
    if (this.#trained.size === 0 && this.#untrained.size === 0) return graph;
    const isTrained = (v: VertexHandle): boolean =>
      this.#trained.size > 0 ? this.#trained.has(v) : v > 0 && !this.#untrained.has(v);
    return withFrozen(graph, isTrained, this.#stored);
  }

  /** The table that a head shares has to be there, and to fit. */
  #requireTable(id: string, op: TiedLinearOp, [input = []]: readonly Shape[]): void {
    const table = this.#records[this.#handles.get(op.table) ?? -1]?.op;
    if (table?.kind === 'embedding' && table.count === op.outFeatures && table.width === input.at(-1)) return;
    throw new BadInputError(
      `${id} shares the table of ${JSON.stringify(op.table)}, which is not an earlier embedding of ${op.outFeatures} x ${input.at(-1)}`,
    );
  }

  #resolve(id: string, input: VertexHandle | string): VertexHandle {
    const handle = typeof input === 'number' ? input : this.#handles.get(input);
    if (handle === undefined) {
      throw new BadInputError(`${id} reads ${JSON.stringify(input)}, which is not an earlier vertex`);
    }
    if (!(handle >= 0 && handle < this.#records.length)) {
      throw new InternalError(`${id} reads handle ${handle}, which this builder did not return`);
    }
    return handle;
  }
}
