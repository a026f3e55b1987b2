import { given } from '../../given.ts';
import type { GraphBuilder, VertexHandle } from '../../graph/builder.ts';
import type { COLLECTIVES } from '../../ops/runs-once.ts';
import { KEEPS_NOTHING, type Shape } from '../../ops/definition.ts';
import { dropout } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import { TOKEN_BYTES } from '../../ops/tokens.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import type { RankShare } from './share.ts';

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
  /** Shape of its weight, as transformers stores it. */
  readonly weight?: Shape;
  /** Bytes of an element of the output, where it is not the network's. */
  readonly element?: number;
}

/** Adapters beside the products of one model. */
export interface Adapters {
  readonly rank: number;
  /** Last parts of the ids of products; null for every product. */
  readonly targets: readonly string[] | null;
  /** True if experts and their router have adapters too. */
  readonly ofExperts: boolean;
  /** Rate of the dropout of what they read. */
  readonly dropout: number;
  /** True if frozen products have weights of four bits. */
  readonly isQuantised: boolean;
}

export interface DrawSettings {
  readonly batch: number;
  /** Tokens of a whole sequence. */
  readonly length: number;
  /** Bytes of an element of weights and activations. */
  readonly element: number;
  /** Tokens whose scores the loss holds at a time; absent where the network ends in all scores. */
  readonly lossTokens?: number | undefined;
  /** True if sequences are padded or packed, so that attention reads a mask. */
  readonly isMasked?: boolean | undefined;
  /** Part of the model that one of several GPUs computes; absent where it is the whole. */
  readonly share?: RankShare | undefined;
}

/** A part of another tensor, in its storage. */
const PART = { kind: 'opaque', label: 'view', alias: 'view', keeps: KEEPS_NOTHING } as const;
const IN_PLACE = { kind: 'opaque', alias: 'inplace', keeps: KEEPS_NOTHING } as const;

/** Draws a transformer: sizes that all its parts share, and operations known by their figures. */
export class Sketch {
  readonly b: GraphBuilder;
  readonly batch: number;
  /** Positions of a sequence that a rank has. */
  readonly length: number;
  /** Bytes of an element: 4, or 2 where the model is of half type. */
  readonly element: number;
  /** Adapters that are trained in place of all else; null where all is trained. */
  readonly adapters: Adapters | null;
  /** True if attention reads a mask. */
  readonly isMasked: boolean;
  /** GPUs among which the experts of each layer are divided. */
  readonly expertRanks: number;
  /** GPUs among which every sequence is divided. */
  readonly contextRanks: number;
  readonly #share: RankShare | undefined;
  readonly #tables = new Set<string>();
  /** Keys and values that later layers read, by the kind of layers. */
  readonly sharedKeys = new Map<string, readonly [k: VertexHandle, v: VertexHandle]>();

  constructor(
    b: GraphBuilder,
    { batch, length, element, share, isMasked = false }: DrawSettings,
    adapters: Adapters | null,
  ) {
    this.b = b;
    this.batch = batch;
    this.contextRanks = share?.context ?? 1;
    this.length = length / this.contextRanks;
    this.element = element;
    this.adapters = adapters;
    this.isMasked = isMasked;
    this.expertRanks = share?.experts ?? 1;
    this.#share = share === undefined || share.tensor === 1 ? undefined : share;
  }

  /** @param label name for display, by which autocast knows the operation too (engine/ops/aten.ts) */
  composite(id: string, label: string, inputs: readonly VertexHandle[], figures: Composite): VertexHandle {
    const { shape, flopsEach = 0, needs = [], needsOutput = false, aux = 0, fixed = 0 } = figures;
    const { weight, element = this.element } = figures;
    const elements = elementsOf(shape);
    const keeps = { inputs: needs, output: needsOutput, auxBytes: aux, fixedAuxBytes: fixed };
    return this.b.addGiven(id, { kind: 'opaque', label, keeps, ...given({ weight }) }, inputs, 'own', {
      shape,
      bytes: elements * element,
      flops: elements * flopsEach,
      parameters: weight === undefined ? 0 : elementsOf(weight),
    });
  }

  /** Inputs that only the gradient of a weight needs: none where it is frozen. */
  needsForWeight(...inputs: readonly number[]): readonly number[] {
    return this.adapters === null ? inputs : [];
  }

  /**
   * Token ids, and the mask of those that are not padding.
   * @param beside bytes of what a step holds throughout as it does the tokens
   */
  tokens(beside = 0): VertexHandle {
    const shape = [this.batch, this.length];
    if (!this.isMasked && beside === 0 && this.contextRanks === 1) return this.b.tokens('tokens', shape);
    // PyTorch divides a sequence in place: the storage stays that of the whole.
    const count = this.isMasked ? 2 : this.contextRanks;
    const bytes = count * TOKEN_BYTES.pytorch * elementsOf(shape) + beside;
    return this.b.addGiven('tokens', { kind: 'tokens' }, [], 'own', { shape, bytes });
  }

  /** A part of x that lies in its storage. */
  part(id: string, x: VertexHandle, shape: Shape): VertexHandle {
    return this.b.addGiven(id, PART, [x], 'own', {
      shape,
      bytes: elementsOf(shape) * this.element,
      flops: 0,
    });
  }

  /** Activations of the stage before, in the buffer that received them. Their gradient is sent back. */
  received(width: number): VertexHandle {
    const length = this.#share?.isSequence === true ? this.#ownLength : this.length;
    const buffer = this.b.input('received', [this.batch, length * width]);
    const part = this.part('hidden_states', buffer, [this.batch, length, width]);
    // It has no weight, and its gradient is needed also where all weights of the stage are frozen up to it.
    if (this.adapters !== null) this.b.train(part);
    return part;
  }

  /** Dropout; none where the rate is 0, as PyTorch does nothing then. */
  dropped(id: string, rate: number, x: VertexHandle): VertexHandle {
    return rate === 0 ? x : this.b.add(id, dropout(rate), [x]);
  }

  /** Times a constant. */
  scaled(id: string, x: VertexHandle): VertexHandle {
    return this.composite(id, 'multiply', [x], { shape: this.b.shapeOf(x), flopsEach: 1 });
  }

  /** An operation that writes its result in the storage of its first input, and keeps nothing. */
  inPlace(id: string, label: string, x: VertexHandle, ...others: readonly VertexHandle[]): VertexHandle {
    const shape = this.b.shapeOf(x);
    const flops = elementsOf(shape);
    return this.b.addGiven(id, { ...IN_PLACE, label }, [x, ...others], 'own', {
      shape,
      bytes: flops * this.element,
      flops,
    });
  }

  /** The input of split products: the whole sequence, where a rank has a part of it. */
  gathered(id: string, x: VertexHandle): VertexHandle {
    if (this.#share?.isSequence !== true) return x;
    return this.#collective(`${id}.all_gather`, 'all_gather_into_tensor', x, this.length);
  }

  /** The sum over ranks of what their split products made: the rank's part of the sequence, or all of it. */
  reduced(id: string, x: VertexHandle, element = this.element): VertexHandle {
    if (this.#share === undefined) return x;
    if (!this.#share.isSequence)
      return this.#collective(`${id}.all_reduce`, 'all_reduce', x, this.length, element);
    return this.#collective(`${id}.reduce_scatter`, 'reduce_scatter_tensor', x, this.#ownLength, element);
  }

  /** The sum over ranks of embedded tokens, to which `added` adds positions before the sequence is split. */
  embedded(x: VertexHandle, added: ((whole: VertexHandle) => VertexHandle) | null): VertexHandle {
    if (added === null) return this.reduced('embed_tokens', x);
    if (this.#share === undefined) return added(x);
    const whole = added(this.#collective('embed_tokens.all_reduce', 'all_reduce', x, this.length));
    if (!this.#share.isSequence) return whole;
    const shape = [this.batch, this.#ownLength, this.b.shapeOf(whole).at(-1) ?? 0];
    return this.composite('embed_positions.own', 'clone', [whole], { shape });
  }

  /** Positions of the rank's part of the sequence, the largest where it does not divide. */
  get #ownLength(): number {
    return Math.ceil(this.length / (this.#share?.tensor ?? 1));
  }

  /** Rows that other ranks sent for what this one sent them, as many: tokens are counted as spread evenly. */
  exchanged(id: string, x: VertexHandle): VertexHandle {
    const label: (typeof COLLECTIVES)[number] = 'all_to_all_single';
    return this.composite(id, label, [x], { shape: this.b.shapeOf(x) });
  }

  /**
   * Bytes that attention under context parallel holds beside its gradients, as an operation before it
   * (`_templated_ring_attention_backward` of PyTorch 2.15): keys and values of the whole sequence, three times the rank's
   * own, and float32 sums of gradients. Forward holds less, which is not told apart.
   */
  gatheredContext(id: string, [q, k, v]: readonly [VertexHandle, VertexHandle, VertexHandle]): VertexHandle {
    const elements = (x: VertexHandle): number => elementsOf(this.b.shapeOf(x)) / this.batch;
    const own = elements(k) + elements(v);
    const float32 = (3 * own + elements(q)) * (FLOAT32 / this.element);
    const label: (typeof COLLECTIVES)[number] = 'all_gather_into_tensor';
    return this.composite(id, label, [k, v], {
      shape: [this.batch, (this.contextRanks + 3) * own + float32],
    });
  }

  #collective(
    id: string,
    label: (typeof COLLECTIVES)[number],
    x: VertexHandle,
    length: number,
    element = this.element,
  ): VertexHandle {
    const shape = [this.batch, length, this.b.shapeOf(x).at(-1) ?? 0];
    return this.composite(id, label, [x], { shape, element });
  }

  /**
   * A table of positions that all layers share, for the first that asks; nothing for the others. Under context parallel
   * each sequence has positions of its own.
   */
  positionTable(
    name: string,
    bytesEach: number,
    ofSequences = this.contextRanks > 1,
  ): Pick<Composite, 'aux' | 'fixed'> {
    if (this.#tables.has(name)) return {};
    this.#tables.add(name);
    const bytes = bytesEach * this.length;
    return ofSequences ? { aux: bytes * this.batch } : { fixed: bytes };
  }
}
