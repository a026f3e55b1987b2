import type { Shape } from '../ops/definition.ts';
import { elementsOf } from '../ops/shape.ts';
import { FLOAT32 } from './element-bytes.ts';
import { QUANTISED, TORCH_OPTIMIZERS, type TorchOptimizer } from './torch-optimizers.ts';

/** One trained tensor. */
export interface TrainedTensor {
  /** Null where only the number of its elements is known (a vertex of a file): then it may be several tensors. */
  readonly shape: Shape | null;
  readonly elements: number;
}

/** Memory of an optimizer; bytes. */
export interface Optimizer {
  readonly name: string;
  readonly title: string;
  /** State that it keeps for each weight, for people; null for none. */
  readonly says: string | null;
  /** Why its state is the same whatever type of elements is asked for, for people; null where it is not. */
  readonly fixedState: string | null;
  readonly source: string;
  /** State kept between steps for one tensor. @param elementBytes of the state's elements */
  state(tensor: TrainedTensor, elementBytes: number): readonly number[];
  /** Its temporaries; null where a step makes none. */
  readonly torch: TorchOptimizer | null;
}

const copies =
  (count: number): Optimizer['state'] =>
  ({ elements }, elementBytes) =>
    new Array<number>(count).fill(elements * elementBytes);

/**
 * Two moments of a byte an element, and a float32 for each block of 256 (Dettmers et al. 2022, section 2.2; block sizes
 * of the paper are 2,048, of bitsandbytes 256). Tensors below 4,096 elements keep float32 moments.
 */
function eightBit({ elements }: TrainedTensor): readonly number[] {
  if (elements < QUANTISED.small) return [FLOAT32 * elements, FLOAT32 * elements];
  const scales = FLOAT32 * Math.ceil(elements / QUANTISED.block);
  return [elements, scales, elements, scales];
}

/** bitsandbytes, Optimizer8bit.get_state_buffer: moments of smaller tensors stay on the device. */
const PAGED_ELEMENTS = 100_000;

/** Moments in float32 whatever the weights are, those of larger tensors in memory of the host that the device pages in. */
const paged: Optimizer['state'] = (tensor) =>
  tensor.elements < PAGED_ELEMENTS ? copies(2)(tensor, FLOAT32) : [];

/** The same of a byte an element: scales stay on the device. */
function paged8Bit(tensor: TrainedTensor): readonly number[] {
  const state = eightBit(tensor);
  return tensor.elements < PAGED_ELEMENTS ? state : state.filter((_, i) => i % 2 === 1);
}

/**
 * Second moments factored into a row and a column (Shazeer & Stern 2018, section 3) over the last two axes, as
 * `torch.optim.Adafactor` lays them out: of a 3x3 convolution that is still two thirds of the weight. Vectors keep
 * their whole variance, and so, at most, does a tensor of unknown shape.
 */
function factored({ shape, elements }: TrainedTensor, elementBytes: number): readonly number[] {
  const rows = shape?.at(-2);
  const columns = shape?.at(-1);
  if (shape === null || rows === undefined || columns === undefined) return [elements * elementBytes];
  return [(elementsOf(shape) / columns) * elementBytes, (elementsOf(shape) / rows) * elementBytes];
}

const TORCH = 'PyTorch, torch.optim';

/** In the order of menus. */
export const OPTIMIZERS = [
  {
    name: 'sgd',
    title: 'SGD',
    says: null,
    fixedState: 'plain SGD keeps no state',
    source: TORCH,
    state: copies(TORCH_OPTIMIZERS.SGD.state),
    torch: TORCH_OPTIMIZERS.SGD,
  },
  {
    name: 'momentum',
    title: 'SGD, momentum',
    says: 'momentum',
    fixedState: null,
    source: `${TORCH}: momentum_buffer`,
    state: copies(TORCH_OPTIMIZERS.SGD.state + TORCH_OPTIMIZERS.SGD.options.momentum[0]),
    torch: TORCH_OPTIMIZERS.SGD,
  },
  {
    name: 'adam',
    title: 'Adam',
    says: 'two moments',
    fixedState: null,
    source: `Kingma & Ba 2015, Algorithm 1; ${TORCH}: exp_avg, exp_avg_sq`,
    state: copies(TORCH_OPTIMIZERS.Adam.state),
    torch: TORCH_OPTIMIZERS.Adam,
  },
  {
    name: 'adamw',
    title: 'AdamW',
    says: 'two moments',
    fixedState: null,
    source: `Loshchilov & Hutter 2019; ${TORCH}: exp_avg, exp_avg_sq`,
    state: copies(TORCH_OPTIMIZERS.AdamW.state),
    torch: TORCH_OPTIMIZERS.AdamW,
  },
  {
    name: 'adam8bit',
    title: 'Adam, 8 bits',
    says: 'two moments of a byte each',
    fixedState: 'its state always has one byte an element',
    source: 'Dettmers et al. 2022; bitsandbytes, Adam8bit',
    state: eightBit,
    torch: null,
  },
  {
    name: 'paged-adamw',
    title: 'Paged AdamW',
    says: 'two float32 moments, in host memory but for small tensors',
    fixedState: 'its state is always float32',
    source: 'Dettmers et al. 2023, section 3; bitsandbytes, PagedAdamW',
    state: paged,
    torch: null,
  },
  {
    name: 'paged-adamw8bit',
    title: 'Paged AdamW, 8 bits',
    says: 'scales of two moments, which are in host memory but for small tensors',
    fixedState: 'its state always has one byte an element',
    source: 'Dettmers et al. 2023, section 3; bitsandbytes, PagedAdamW8bit',
    state: paged8Bit,
    torch: null,
  },
  {
    name: 'adafactor',
    title: 'Adafactor',
    says: 'a row and a column of second moments',
    fixedState: null,
    source: `Shazeer & Stern 2018; ${TORCH}: row_var, col_var, variance`,
    state: factored,
    torch: TORCH_OPTIMIZERS.Adafactor,
  },
] as const satisfies readonly Optimizer[];

export type OptimizerName = (typeof OPTIMIZERS)[number]['name'];
export const OPTIMIZER_NAMES: readonly OptimizerName[] = OPTIMIZERS.map(({ name }) => name);

const BY_NAME = Object.fromEntries(OPTIMIZERS.map((optimizer) => [optimizer.name, optimizer])) as Readonly<
  Record<OptimizerName, Optimizer>
>;

export const optimizerOf = (name: OptimizerName): Optimizer => BY_NAME[name];
