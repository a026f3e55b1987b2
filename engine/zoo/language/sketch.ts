import type { GraphBuilder, VertexHandle } from '../../graph/builder.ts';
import { KEEPS_NOTHING, type Shape } from '../../ops/definition.ts';
import { dropout } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';

/** Figures of an operation that PyTorch runs as several. */
export interface Composite {
  readonly shape: Shape;
  /** FLOPs for each element of the output; none where not given. */
  readonly flopsEach?: number;
  /** Positions of the inputs that backward needs. */
  readonly needs?: readonly number[];
  readonly needsOutput?: boolean;
  /** Bytes kept beside, of every batch alike where `fixed`. */
  readonly aux?: number;
  readonly fixed?: number;
  readonly parameters?: number;
  /** Bytes of an element of the output, where it is not the network's. */
  readonly element?: number;
}

/** Adapters beside the products of one model. */
export interface Adapters {
  readonly rank: number;
  /** Last parts of the ids of products; null for every product. */
  readonly targets: readonly string[] | null;
  /** True if frozen products have weights of four bits. */
  readonly isQuantised: boolean;
}

export interface DrawSettings {
  readonly batch: number;
  /** Tokens of a sequence. */
  readonly length: number;
  /** Bytes of an element of weights and activations. */
  readonly element: number;
}

/** A part of another tensor, in its storage. */
const PART = { kind: 'opaque', label: 'view', alias: 'view', keeps: KEEPS_NOTHING } as const;

/** Draws a transformer: sizes that all its parts share, and operations known by their figures. */
export class Sketch {
  readonly b: GraphBuilder;
  readonly batch: number;
  readonly length: number;
  /** Bytes of an element: 4, or 2 where the model is of half type. */
  readonly element: number;
  /** Adapters that are trained in place of all else; null where all is trained. */
  readonly adapters: Adapters | null;
  readonly #once = new Set<string>();

  constructor(b: GraphBuilder, { batch, length, element }: DrawSettings, adapters: Adapters | null) {
    this.b = b;
    this.batch = batch;
    this.length = length;
    this.element = element;
    this.adapters = adapters;
  }

  /** @param label name for display, by which autocast knows the operation too (engine/ops/aten.ts) */
  composite(id: string, label: string, inputs: readonly VertexHandle[], figures: Composite): VertexHandle {
    const { shape, flopsEach = 0, needs = [], needsOutput = false, aux = 0, fixed = 0 } = figures;
    const { parameters = 0, element = this.element } = figures;
    const elements = elementsOf(shape);
    const keeps = { inputs: needs, output: needsOutput, auxBytes: aux, fixedAuxBytes: fixed };
    return this.b.addGiven(id, { kind: 'opaque', label, keeps }, inputs, 'own', {
      shape,
      bytes: elements * element,
      flops: elements * flopsEach,
      parameters,
    });
  }

  /** Inputs that only the gradient of a weight needs: none where it is frozen. */
  needsForWeight(...inputs: readonly number[]): readonly number[] {
    return this.adapters === null ? inputs : [];
  }

  /** A part of x that lies in its storage. */
  part(id: string, x: VertexHandle, shape: Shape): VertexHandle {
    return this.b.addGiven(id, PART, [x], 'own', {
      shape,
      bytes: elementsOf(shape) * this.element,
      flops: 0,
    });
  }

  /** Dropout; none where the rate is 0, as PyTorch does nothing then. */
  dropped(id: string, rate: number, x: VertexHandle): VertexHandle {
    return rate === 0 ? x : this.b.add(id, dropout(rate), [x]);
  }

  /** The bytes of a table that all layers share, for the first that asks; 0 for the others. */
  once(name: string, bytes: number): number {
    if (this.#once.has(name)) return 0;
    this.#once.add(name);
    return bytes;
  }
}
