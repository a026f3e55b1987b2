/**
 * What a vertex computes, as data. One tagged union; the behaviour of each kind (shapes, FLOPs,
 * parameters, what backward keeps) is in the file of its name beside this one.
 * Layout of image tensors is [N, C, H, W] throughout the engine, of sequences [N, L, features], of what
 * attention does head by head [N, heads, L, ...].
 */

export type Pair = readonly [number, number];
/** [top, bottom, left, right] */
export type Padding = readonly [number, number, number, number];

export interface Conv2dOp {
  readonly kind: 'conv2d';
  readonly outChannels: number;
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly dilation: Pair;
  readonly groups: number;
  readonly bias: boolean;
}

export interface PoolOp {
  readonly kind: 'max-pool' | 'avg-pool';
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly ceilMode: boolean;
  /** Average pools only: whether padding counts in the divisor (PyTorch's default is true). */
  readonly countIncludePad: boolean;
}

/** The batch, or whatever else enters the graph. Stored throughout a training step. */
export interface InputOp {
  readonly kind: 'input';
}
export interface AdaptiveAvgPoolOp {
  readonly kind: 'adaptive-avg-pool';
  readonly output: Pair;
}
export interface BatchNormOp {
  readonly kind: 'batch-norm';
  readonly epsilon: number;
  readonly momentum: number;
}
export interface ReluOp {
  readonly kind: 'relu';
  /** Written in place by the reference implementation; honoured where legal (memory-model.ts). */
  readonly inplace: boolean;
}
export interface AddOp {
  readonly kind: 'add';
  /** `a += b`: takes over the storage of the first input where legal. */
  readonly inplace: boolean;
}
/** Element-wise product; the operation that breaks the second assumption of paper 001, 4.1. */
export interface MultiplyOp {
  readonly kind: 'multiply';
}
/** Along the channel axis. */
export interface ConcatOp {
  readonly kind: 'concat';
}
/** [N, ...] to [N, product]; a view. */
export interface FlattenOp {
  readonly kind: 'flatten';
}
export interface LinearOp {
  readonly kind: 'linear';
  readonly outFeatures: number;
  readonly bias: boolean;
}
export interface DropoutOp {
  readonly kind: 'dropout';
  /** Probability of zeroing, in [0, 1). At 0 the operation is the identity and keeps nothing. */
  readonly rate: number;
}
/** Passes its input on (a skip connection that the papers draw as a vertex); a view. */
export interface IdentityOp {
  readonly kind: 'identity';
}
/** Drops the first row and column, [N, C, H, W] to [N, C, H-1, W-1]: factorized reduce. A view in PyTorch. */
export interface ShiftOp {
  readonly kind: 'shift';
}
/** Whole numbers, such as those of words: the source of a language model. int64 in PyTorch, int32 in `tfjs`. */
export interface TokensOp {
  readonly kind: 'tokens';
}
/** A row of a trained table for every token: [N, L] to [N, L, width]. */
export interface EmbeddingOp {
  readonly kind: 'embedding';
  /** Rows of the table: every token is below. */
  readonly count: number;
  readonly width: number;
}
/** Adds rows of a trained table: that of each position, or the first everywhere (all of one segment). */
export interface AddedEmbeddingOp {
  readonly kind: 'position-embedding' | 'segment-embedding';
  readonly count: number;
}
/** A product with the table of an embedding: a head that shares its weight, and has no parameters of its own. */
export interface TiedLinearOp {
  readonly kind: 'tied-linear';
  /** Id of the embedding, an earlier vertex. */
  readonly table: string;
  /** The embedding's `count`. */
  readonly outFeatures: number;
}
/** Over the last axis. */
export interface LayerNormOp {
  readonly kind: 'layer-norm';
  readonly epsilon: number;
}
/** Over each of `groups` equal groups of channels and all pixels, sample by sample. */
export interface GroupNormOp {
  readonly kind: 'group-norm';
  readonly groups: number;
  readonly epsilon: number;
}
export interface GeluOp {
  readonly kind: 'gelu';
  /** Approximated by tanh, as GPT-2 does; by the error function where false. */
  readonly tanh: boolean;
}
export interface TanhOp {
  readonly kind: 'tanh';
}
/** min(max(x, 0), 6) */
export interface Relu6Op {
  readonly kind: 'relu6';
  readonly inplace: boolean;
}
export interface ConvTranspose2dOp {
  readonly kind: 'conv-transpose2d';
  readonly outChannels: number;
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly bias: boolean;
}
/** [N, C, H, W] to [N, H*W, C]: the places of an image as a sequence. */
export interface PatchesOp {
  readonly kind: 'patches';
}
/** A trained vector before every sequence: [N, L, features] to [N, L+1, features]. */
export interface ClassTokenOp {
  readonly kind: 'class-token';
}
/** The first place of every sequence: [N, L, features] to [N, features]. */
export interface FirstOp {
  readonly kind: 'first';
}
/** One of several equal parts of the last axis. */
export interface SplitOp {
  readonly kind: 'split';
  readonly parts: number;
  /** Which, from 0. */
  readonly part: number;
}
/** [N, L, heads*each] to [N, heads, L, each]; a view. */
export interface SplitHeadsOp {
  readonly kind: 'split-heads';
  readonly heads: number;
}
/** The opposite: [N, heads, L, each] to [N, L, heads*each]. */
export interface MergeHeadsOp {
  readonly kind: 'merge-heads';
  /** Whether PyTorch copies: yes after a product of its own, not after fused attention. */
  readonly copies: boolean;
}
/** Products of every query with every key: two [N, heads, L, each] to [N, heads, L, L]. */
export interface AttentionScoresOp {
  readonly kind: 'attention-scores';
}
/** Divides by a constant. */
export interface ScaleOp {
  readonly kind: 'scale';
  readonly divisor: number;
}
/** [N, heads, L, L]: no position sees a later one. */
export interface CausalMaskOp {
  readonly kind: 'causal-mask';
}
/** Over the last axis. */
export interface SoftmaxOp {
  readonly kind: 'softmax';
}
/** Sums of values by probabilities: [N, heads, L, L] and [N, heads, L, each] to [N, heads, L, each]. */
export interface AttentionValuesOp {
  readonly kind: 'attention-values';
}
/** Scores, scale, mask, softmax, dropout and sums of q, k and v, [N, heads, L, each], in one (FlashAttention). */
export interface AttentionOp {
  readonly kind: 'attention';
  readonly causal: boolean;
  /** Of the dropout on the probabilities. */
  readonly rate: number;
}
/**
 * Known by figures instead of by what it computes. Without `keeps` its backward needs its output and all
 * its inputs (DESIGN section 3).
 */
export interface OpaqueOp {
  readonly kind: 'opaque';
  /** What the file called it, for display. */
  readonly label: string;
  /** What its backward needs, where somebody measured it. */
  readonly keeps?: Keeps;
  /** How its output lies in the storage of its first input; not at all where not given. */
  readonly alias?: Exclude<Aliasing, 'none'>;
}

export type Operation =
  | InputOp
  | Conv2dOp
  | PoolOp
  | AdaptiveAvgPoolOp
  | BatchNormOp
  | ReluOp
  | AddOp
  | MultiplyOp
  | ConcatOp
  | FlattenOp
  | LinearOp
  | DropoutOp
  | IdentityOp
  | ShiftOp
  | TokensOp
  | EmbeddingOp
  | AddedEmbeddingOp
  | TiedLinearOp
  | LayerNormOp
  | GroupNormOp
  | GeluOp
  | TanhOp
  | Relu6Op
  | ConvTranspose2dOp
  | PatchesOp
  | ClassTokenOp
  | FirstOp
  | SplitOp
  | SplitHeadsOp
  | MergeHeadsOp
  | AttentionScoresOp
  | ScaleOp
  | CausalMaskOp
  | SoftmaxOp
  | AttentionValuesOp
  | AttentionOp
  | OpaqueOp;

export type OperationKind = Operation['kind'];
export type Shape = readonly number[];

/** The profiles of DESIGN section 3: who executes decides what backward keeps. */
export const PROFILES = ['pytorch', 'tfjs'] as const;
export type Profile = (typeof PROFILES)[number];

/** What an operation keeps from its forward for its own backward. */
export interface Keeps {
  /** Positions of the inputs whose activations backward needs. */
  readonly inputs: readonly number[];
  /** Whether backward needs the operation's own output. */
  readonly output: boolean;
  /** Auxiliary bytes that grow with the batch: pool indices, dropout masks. */
  readonly auxBytes: number;
  /** Auxiliary bytes that do not: batch statistics. */
  readonly fixedAuxBytes: number;
}

export const KEEPS_NOTHING: Keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };

/** How the storage of the output relates to that of the first input. */
export type Aliasing = 'none' | 'view' | 'inplace';

/**
 * The behaviour of one kind of operation. Pure functions of the operation's data and shapes.
 * @throws BadInputError from `shape` when the inputs do not fit; the message names both shapes.
 */
export interface OpDefinition<O extends Operation = Operation> {
  readonly arity: number | 'many';
  shape(op: O, inputs: readonly Shape[]): Shape;
  /** Forward floating-point operations (a multiply-add counts 2). */
  flops(op: O, inputs: readonly Shape[], output: Shape): number;
  /** Backward floating-point operations; inputGradient is false for the operation on the source. */
  backwardFlops(op: O, inputs: readonly Shape[], output: Shape, inputGradient: boolean): number;
  /** Number of trained parameters. */
  parameters(op: O, inputs: readonly Shape[]): number;
  keeps(op: O, profile: Profile, inputs: readonly Shape[], output: Shape): Keeps;
  aliasing(op: O, profile: Profile): Aliasing;
}
