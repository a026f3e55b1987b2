import { BadInputError, InternalError } from '../errors.ts';
import type { Operation, Shape } from '../ops/operation.ts';
import { definitionOf } from '../ops/registry.ts';
import { elementsOf, formatShape } from '../ops/shape.ts';
import { freezeGraph, type VertexRecord } from './freeze.ts';
import type { Graph, TensorRole } from './graph.ts';

/** A vertex that a builder returned; dense, in topological order. */
export type VertexHandle = number;

export interface BuilderOptions {
  /** 4 (float32) where not given. */
  readonly bytesPerElement?: number;
}

/** What a caller knows better than inference: figures that a file states. */
export interface GivenFigures {
  readonly shape?: Shape;
  readonly bytes?: number;
  readonly flops?: number;
  readonly parameters?: number;
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

  /** The batch; the first vertex of a graph. */
  input(id: string, shape: Shape): VertexHandle {
    return this.addGiven(id, { kind: 'input' }, [], 'own', { shape });
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
    const { label = 'opaque', ...given } = figures;
    return this.addGiven(id, { kind: 'opaque', label }, inputs, 'own', { ...given, bytes });
  }

  /** `add` with figures that override what would be inferred. */
  addGiven(
    id: string,
    op: Operation,
    inputs: readonly (VertexHandle | string)[],
    role: TensorRole,
    given: GivenFigures,
  ): VertexHandle {
    if (this.#handles.has(id)) throw new BadInputError(`the id ${JSON.stringify(id)} is used twice`);
    const handles = inputs.map((input) => this.#resolve(id, input));
    const handle = this.#records.length;
    this.#records.push(this.#record(id, op, handles, role, given));
    this.#handles.set(id, handle);
    return handle;
  }

  shapeOf(vertex: VertexHandle | string): Shape {
    return this.#records[this.#resolve('shapeOf', vertex)]?.shape ?? [];
  }

  /** @throws BadInputError when there is more than one source or target, or the bytes overflow. */
  build(): Graph {
    return freezeGraph(this.#name, this.#records, this.#bytesPerElement);
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

  #record(
    id: string,
    op: Operation,
    inputs: readonly VertexHandle[],
    role: TensorRole,
    given: GivenFigures,
  ): VertexRecord {
    const definition = definitionOf(op);
    const shapes = inputs.map((u) => this.#records[u]?.shape ?? []);
    const isSource = inputs.length === 0;
    if (!isSource && op.kind !== 'opaque') requireArity(id, op, inputs.length);
    try {
      const inferred = isSource || op.kind === 'opaque' ? (given.shape ?? []) : definition.shape(op, shapes);
      const shape = checkedShape(inferred);
      const bytes = given.bytes ?? elementsOf(shape) * this.#bytesPerElement;
      if (given.bytes === undefined && shape.length === 0) {
        throw new BadInputError('expected a shape or a number of bytes');
      }
      if (given.shape !== undefined && formatShape(given.shape) !== formatShape(shape)) {
        throw new BadInputError(
          `${op.kind} gives the shape ${formatShape(shape)}, not ${formatShape(given.shape)}`,
        );
      }
      const counts = isSource ? NO_COUNTS : countsOf(op, shapes, shape, inputs);
      const flops = given.flops ?? counts.flops;
      return {
        id,
        op,
        inputs,
        role,
        shape,
        bytes: checkedCount(bytes, 'bytes'),
        flops: checkedCount(flops, 'flops'),
        // Who states FLOPs states those of the forward; backward costs about twice as much.
        backwardFlops: given.flops === undefined ? counts.backwardFlops : 2 * flops,
        parameters: checkedCount(given.parameters ?? counts.parameters, 'parameters'),
      };
    } catch (error) {
      if (error instanceof BadInputError) throw new BadInputError(error.message, id);
      throw error;
    }
  }
}

const NO_COUNTS = { flops: 0, backwardFlops: 0, parameters: 0 };

function countsOf(op: Operation, inputs: readonly Shape[], output: Shape, sources: readonly VertexHandle[]) {
  const definition = definitionOf(op);
  const inputGradient = sources.some((u) => u !== 0);
  return {
    flops: definition.flops(op, inputs, output),
    backwardFlops: definition.backwardFlops(op, inputs, output, inputGradient),
    parameters: definition.parameters(op, inputs),
  };
}

function requireArity(id: string, op: Operation, count: number): void {
  const { arity } = definitionOf(op);
  if (arity !== 'many' && arity !== count) {
    throw new BadInputError(
      `${op.kind} expects ${arity} ${arity === 1 ? 'input' : 'inputs'}, got ${count}`,
      id,
    );
  }
}

function checkedShape(shape: Shape): Shape {
  for (const extent of shape) {
    if (!Number.isSafeInteger(extent) || extent < 1) {
      throw new BadInputError(`expected a shape of positive integers, got ${formatShape(shape)}`);
    }
  }
  return shape;
}

function checkedCount(value: number, what: string): number {
  if (!(value >= 0)) throw new BadInputError(`expected a non-negative integer as ${what}, got ${value}`);
  if (what === 'bytes' && !Number.isSafeInteger(value)) {
    throw new BadInputError(
      value > Number.MAX_SAFE_INTEGER
        ? `its tensor takes more than ${Number.MAX_SAFE_INTEGER} bytes; choose a smaller batch or input`
        : `expected a non-negative integer as bytes, got ${value}`,
    );
  }
  return value;
}
