export type Pair = readonly [number, number];
/** [top, bottom, left, right] */
export type Padding = readonly [number, number, number, number];
export type Shape = readonly number[];

/**
 * Profiles: the executor decides which tensors backward keeps. `pytorch-1.5` is the PyTorch of the papers
 * (2018 to 2021): a ReLU that is not in place saves its input, softmax its input and result, a convolution the copy of
 * a cropped input.
 */
export const PROFILES = ['pytorch', 'pytorch-1.5', 'tfjs'] as const;
export type Profile = (typeof PROFILES)[number];

/** Tensors that an operation keeps from its forward for its own backward. */
export interface Keeps {
  /** Positions of the inputs whose activations backward needs. */
  readonly inputs: readonly number[];
  /** True if backward needs the operation's own output. */
  readonly output: boolean;
  /** Auxiliary bytes that grow with the batch: pool indices, dropout masks. */
  readonly auxBytes: number;
  /** Auxiliary bytes that do not: batch statistics. */
  readonly fixedAuxBytes: number;
}

export const KEEPS_NOTHING: Keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };

/** Relation of the output's storage to that of the first input. */
export type Aliasing = 'none' | 'view' | 'inplace';

/** Type of an operation's field in a file. */
export type Field =
  | 'count'
  | 'index'
  | 'positive-pair'
  | 'padding'
  | 'boolean'
  | 'rate'
  | 'share'
  | 'positive'
  | 'text';

/**
 * `torch.autocast` on CUDA (PyTorch, "Automatic Mixed Precision", op-specific behaviour).
 *
 * - `half`: inputs are cast to the half type (products, convolutions, fused attention);
 * - `float32`: inputs are cast to float32 (normalisation over features);
 * - `to-float32`: writes float32 and reads what it is given (softmax, by its `dtype` argument);
 * - `widest`: the widest of its inputs' types, which type promotion gives a sum too;
 * - `parameter`: adds a float32 parameter, so that type promotion makes the result float32;
 * - `own`: the type of its first input, as for all that no list of PyTorch names.
 */
export type AutocastPolicy = 'half' | 'float32' | 'to-float32' | 'widest' | 'parameter' | 'own';

/**
 * The behaviour of one kind of operation. Pure functions of the operation's data and shapes.
 * @throws BadInputError from `shape` when the inputs do not fit; the message names both shapes.
 */
export interface OpDefinition<O extends { readonly kind: string }> {
  /** Type of each field of the operation in a file; null for what a file does not name by its kind. */
  readonly fields: Readonly<Record<Exclude<keyof O, 'kind'>, Field>> | null;
  readonly autocast: AutocastPolicy;
  readonly arity: number | 'many';
  shape(op: O, inputs: readonly Shape[]): Shape;
  /** Forward floating-point operations (a multiply-add counts 2). */
  flops(op: O, inputs: readonly Shape[], output: Shape): number;
  /** Backward floating-point operations; inputGradient is false for the operation on the source. */
  backwardFlops(op: O, inputs: readonly Shape[], output: Shape, inputGradient: boolean): number;
  /** Its trained parameters, a shape a tensor, as PyTorch lays them out: the weight, then the bias. */
  parameterShapes(op: O, inputs: readonly Shape[]): readonly Shape[];
  /** @param elementBytes of the tensors that it reads and writes; 4 where not given */
  keeps(op: O, profile: Profile, inputs: readonly Shape[], output: Shape, elementBytes?: number): Keeps;
  aliasing(op: O, profile: Profile): Aliasing;
}
