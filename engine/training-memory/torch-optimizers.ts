/**
 * Memory of an optimizer of `torch.optim`, in tensors as large as a parameter. Verified against PyTorch's own steps
 * (test/app/bridges/engine-facts.test.ts).
 */
export interface TorchOptimizer {
  /** State kept between steps. */
  readonly state: number;
  /** State or temporaries added where an option is set: its name, the state, the temporaries one by one. */
  readonly options?: Readonly<Record<string, readonly [state: number, one: number]>>;
  /** State for each unit of an option's value. */
  readonly times?: Readonly<Record<string, number>>;
  /** State is a row and a column of the last two axes, of a vector the whole. */
  readonly isFactored?: boolean;
  /** Temporaries of a step that takes one parameter after the other, as on a CPU. */
  readonly one: number;
  /** Temporaries of a step that takes all at once (`foreach`, the default on CUDA); null where that is not the default. */
  readonly all: number | null;
  /** Temporaries of `weight_decay`, one by one and all at once. */
  readonly decay: readonly [one: number, all: number];
}

export const TORCH_OPTIMIZERS = {
  ASGD: { state: 1, one: 0, all: 1, decay: [1, 0] },
  Adadelta: { state: 2, one: 3, all: 2, decay: [1, 1] },
  Adafactor: { state: 0, isFactored: true, one: 2, all: null, decay: [0, 0] },
  Adagrad: { state: 1, one: 2, all: 2, decay: [1, 0] },
  Adam: { state: 2, options: { amsgrad: [1, 0] }, one: 2, all: 1, decay: [1, 0] },
  AdamW: { state: 2, options: { amsgrad: [1, 0] }, one: 2, all: 1, decay: [0, 0] },
  Adamax: { state: 2, one: 1, all: 1, decay: [1, 0] },
  LBFGS: { state: 3, times: { history_size: 2 }, one: 1, all: null, decay: [0, 0] },
  NAdam: { state: 2, one: 3, all: 1, decay: [1, 1] },
  RAdam: { state: 2, one: 2, all: 1, decay: [1, 0] },
  RMSprop: { state: 1, options: { momentum: [1, 0], centered: [1, 0] }, one: 2, all: 1, decay: [1, 1] },
  Rprop: { state: 2, one: 3, all: 2, decay: [0, 0] },
  SGD: { state: 0, options: { momentum: [1, 0], nesterov: [0, 1] }, one: 0, all: 0, decay: [1, 1] },
  SparseAdam: { state: 2, one: 1, all: null, decay: [0, 0] },
} as const satisfies Readonly<Record<string, TorchOptimizer>>;

/** An optimizer of another type: two tensors a parameter, and one on the way. */
export const UNKNOWN_OPTIMIZER: TorchOptimizer = { state: 2, one: 1, all: null, decay: [0, 0] };

/** bitsandbytes quantises in blocks, each with a float32 scale, and leaves small tensors in float32. */
export const QUANTISED = { block: 256, small: 4096 } as const;
