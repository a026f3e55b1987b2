import type { Shape } from '../ops/definition.ts';
import { elementsOf } from '../ops/shape.ts';
import { FLOAT32 } from './element-bytes.ts';

/** One trained tensor. */
export interface TrainedTensor {
  /** Null where only the number of its elements is known (a vertex of a file): then it may be several tensors. */
  readonly shape: Shape | null;
  readonly elements: number;
}

/** What an optimizer holds; bytes. */
export interface Optimizer {
  readonly name: string;
  readonly title: string;
  /** What it keeps for each weight, for people; null where that is nothing. */
  readonly says: string | null;
  readonly source: string;
  /** State kept between steps for one tensor. @param elementBytes of the state's elements */
  state(tensor: TrainedTensor, elementBytes: number): readonly number[];
  /** Temporaries of a step: of all tensors at once (`foreach`, PyTorch's default on CUDA), of one after the other, or none. */
  readonly stepCopies: 'all' | 'one' | 'none';
}

/** bitsandbytes quantises in blocks, each with a float32 scale, and leaves small tensors in float32. */
const BLOCK = 256;
const SMALL = 4096;

const copies =
  (count: number): Optimizer['state'] =>
  ({ elements }, elementBytes) =>
    new Array<number>(count).fill(elements * elementBytes);

/**
 * Two moments of a byte an element, and a float32 for each block of 256 (Dettmers et al. 2022, section 2.2; block sizes
 * of the paper are 2,048, of bitsandbytes 256). Tensors below 4,096 elements keep float32 moments.
 */
function eightBit({ elements }: TrainedTensor): readonly number[] {
  if (elements < SMALL) return [FLOAT32 * elements, FLOAT32 * elements];
  const scales = FLOAT32 * Math.ceil(elements / BLOCK);
  return [elements, scales, elements, scales];
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
    source: TORCH,
    state: copies(0),
    stepCopies: 'none',
  },
  {
    name: 'momentum',
    title: 'SGD, momentum',
    says: 'momentum',
    source: `${TORCH}: momentum_buffer`,
    state: copies(1),
    stepCopies: 'none',
  },
  {
    name: 'adam',
    title: 'Adam',
    says: 'two moments',
    source: `Kingma & Ba 2015, Algorithm 1; ${TORCH}: exp_avg, exp_avg_sq`,
    state: copies(2),
    stepCopies: 'all',
  },
  {
    name: 'adamw',
    title: 'AdamW',
    says: 'two moments',
    source: `Loshchilov & Hutter 2019; ${TORCH}: exp_avg, exp_avg_sq`,
    state: copies(2),
    stepCopies: 'all',
  },
  {
    name: 'adam8bit',
    title: 'Adam, 8 bits',
    says: 'two moments of a byte each',
    source: 'Dettmers et al. 2022; bitsandbytes, Adam8bit',
    state: eightBit,
    stepCopies: 'none',
  },
  {
    name: 'adafactor',
    title: 'Adafactor',
    says: 'a row and a column of second moments',
    source: `Shazeer & Stern 2018; ${TORCH}: row_var, col_var, variance`,
    state: factored,
    stepCopies: 'one',
  },
] as const satisfies readonly Optimizer[];

export type OptimizerName = (typeof OPTIMIZERS)[number]['name'];
export const OPTIMIZER_NAMES: readonly OptimizerName[] = OPTIMIZERS.map(({ name }) => name);

const BY_NAME = Object.fromEntries(OPTIMIZERS.map((optimizer) => [optimizer.name, optimizer])) as Readonly<
  Record<OptimizerName, Optimizer>
>;

export const optimizerOf = (name: OptimizerName): Optimizer => BY_NAME[name];
