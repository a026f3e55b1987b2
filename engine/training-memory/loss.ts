import { elementBytesOf, type Graph } from '../graph/graph.ts';
import type { OperationKind } from '../ops/operation.ts';
import { elementsOf } from '../ops/shape.ts';
import type { AutocastDevice } from './autocast.ts';
import { isMixed, type Precision } from './setup.ts';
import { FLOAT32, HALF } from './element-bytes.ts';

/** Memory of a loss beside the network's output; bytes. */
export interface LossTensors {
  /** At the instant of its backward at which it holds the most. */
  readonly peakBytes: number;
  /** From its forward to its backward. */
  readonly keptBytes: number;
  /** Labels, 8 bytes each: there throughout, as the input is. */
  readonly labelBytes: number;
  /** The output itself, which the training loop still names when backward runs. */
  readonly outputBytes: number;
  readonly kind: 'cross-entropy' | 'inside' | 'unknown';
}

const LABEL_BYTES = 8;
/** Size of a captured loss: a scalar. */
const MAX_SCALAR_BYTES = 8;
/** Operations that end a network in one score a class; a scale ends bounded ones. */
const SCORES: readonly OperationKind[] = ['linear', 'tied-linear', 'conv2d', 'scale'];
const SCORE_LABELS = ['linear', 'tied-linear', 'conv2d', 'addmm', 'mm', 'convolution'];

/**
 * The cross entropy of scores, as `torch.nn.functional.cross_entropy` computes it: log-softmax keeps its output; its
 * backward holds that, its gradient and the gradient of the scores at once, three times the scores' bytes beside the
 * scores themselves. Of GPT-2's 50,257 classes a token that is the most that many a step holds.
 *
 * Under autocast on CUDA log-softmax runs in the scores' half type (cross entropy asks for it) and is cast to float32,
 * which is kept too: at the instant of the most there are the half and the float32 one and the float32 gradient. On the
 * CPU cross entropy itself is cast to float32. A loop that casts the scores itself, as `transformers` does, holds more.
 *
 * Where the scores' classes are split over GPUs, `loss_parallel` of PyTorch 2.15 computes the same in Python
 * (torch/distributed/tensor/parallel/loss.py): its backward holds four times the scores, and the forward of half ones
 * three float32 tensors beside the result.
 *
 * A network that ends in a scalar has its loss inside. Of any other end the loss is not known: none is counted.
 */
export function lossOf(
  graph: Graph,
  precision: Precision,
  device: AutocastDevice = 'cuda',
  isSplit = false,
): LossTensors {
  const target = graph.size - 1;
  const op = graph.operations[target];
  const outputBytes = graph.bytes[target] ?? 0;
  const shape = graph.shapes[target] ?? [];
  const nothing = { peakBytes: 0, keptBytes: 0, labelBytes: 0 };
  if (graph.chunkedLoss !== undefined)
    return { ...nothing, labelBytes: graph.chunkedLoss.labelBytes, outputBytes: 0, kind: 'inside' };
  if (outputBytes <= MAX_SCALAR_BYTES) return { ...nothing, outputBytes: 0, kind: 'inside' };
  const scores =
    op?.kind === 'opaque' ? SCORE_LABELS.includes(op.label) : op !== undefined && SCORES.includes(op.kind);
  if (!scores) return { ...nothing, outputBytes, kind: 'unknown' };
  const element = elementBytesOf(graph, target);
  const elements = shape.length === 0 ? outputBytes / element : elementsOf(shape);
  const isCast = isMixed(precision) && element === HALF;
  const kept = !isCast ? element : device === 'cuda' ? HALF + FLOAT32 : FLOAT32;
  const split = element === HALF ? HALF + 3 * FLOAT32 : 4 * element;
  const peak = isSplit ? split : !isCast ? 3 * element : device === 'cuda' ? HALF + 2 * FLOAT32 : 3 * FLOAT32;
  const classes = (shape.length === 4 ? shape[1] : shape.at(-1)) ?? elements;
  const labelBytes = (LABEL_BYTES * elements) / classes;
  return {
    peakBytes: elements * peak,
    keptBytes: elements * kept,
    labelBytes,
    outputBytes,
    kind: 'cross-entropy',
  };
}
