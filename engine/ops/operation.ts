/**
 * What a vertex computes, as data. One tagged union; the behaviour of each kind (shapes, FLOPs,
 * parameters, what backward keeps) is in the file of its name beside this one.
 * Layout of image tensors is [N, C, H, W] throughout the engine.
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
