import type { Graph } from '../graph/graph.ts';
import { roundingOf } from './allocator.ts';
import { optimizerOf } from './optimizers.ts';
import { isMixed, type TrainingSetup, weightBytes } from './setup.ts';
import { shareOf } from './sharding.ts';
import { bufferBytes, ownBytes, type UsedTensor, trainedTensors } from './trained-tensors.ts';
import { FLOAT32, HALF } from './element-bytes.ts';

/** Memory beside a step, whatever its strategy and its batch; bytes. */
export interface WeightTerms {
  /**
   * Parameters and the buffers of batch norm, 4 bytes an element (2 in pure bf16). Under AMP these are the float32
   * master weights (Micikevicius et al. 2018, section 3.1); there is no second set.
   */
  readonly weights: number;
  /**
   * Half copies of what products and convolutions multiply by, 2 bytes an element: autocast casts each parameter once a
   * forward and caches it, and backward needs what was cast (PyTorch, "Automatic Mixed Precision examples": the cache
   * lasts until autocast is left). All of them; backward frees them one by one (held.ts).
   */
  readonly copies: number;
  /** Gradients of all trained parameters, of their own type: autocast's half ones are cast to float32. */
  readonly gradients: number;
  /** The optimizer's state (optimizers.ts), there from its first step on. */
  readonly optimizer: number;
  /** Temporaries of the optimizer's step; of `foreach`, which is PyTorch's default on CUDA, of all tensors at once. */
  readonly optimizerStep: number;
  /** Rounding of the allocator over all these. */
  readonly rounding: number;
}

export interface Weights extends WeightTerms {
  readonly tensors: readonly UsedTensor[];
  /** Elements of tensors whose shape a file does not say, so that a factored or blocked state is an upper bound. */
  readonly elementsOfUnknownShape: number;
}

/** Time O(V). */
export function weightsOf(graph: Graph, setup: TrainingSetup): Weights {
  const tensors = trainedTensors(graph);
  const { precision, stateInFloat32 } = setup;
  const element = weightBytes(precision);
  const { state, torch } = optimizerOf(setup.optimizer);
  const stateElement = stateInFloat32 ? FLOAT32 : element;
  const buffers = bufferBytes(graph, element);
  const terms = { weights: buffers, copies: 0, gradients: 0, optimizer: 0, optimizerStep: 0, rounding: 0 };
  let unknown = 0;
  for (const tensor of tensors) {
    const own = ownBytes(tensor, element);
    const copy = isMixed(precision) && tensor.halved ? tensor.elements * HALF : 0;
    const share = shareOf(tensor, setup.sharding);
    terms.weights += own * share.weights;
    terms.copies += copy;
    terms.rounding += roundingOf(own * share.weights) + roundingOf(copy);
    if (tensor.isFrozen) continue;
    const typed = Math.max(stateElement, own / tensor.elements);
    const states = [...state(share.stepped, typed), share.copyBytes];
    const gradient = own * share.gradient;
    terms.gradients += gradient;
    for (const bytes of states) terms.optimizer += bytes;
    terms.rounding += [gradient, ...states].reduce((sum, bytes) => sum + roundingOf(bytes), 0);
    const temporary = share.stepped.elements * typed;
    if (torch?.all === null) terms.optimizerStep = Math.max(terms.optimizerStep, torch.one * temporary);
    else terms.optimizerStep += (torch?.all ?? 0) * temporary;
    if (tensor.shape === null) unknown += tensor.elements;
  }
  return { ...terms, tensors, elementsOfUnknownShape: unknown };
}

/** Memory throughout training: weights, their copies, all gradients and the optimizer's state. */
export const stationaryOf = ({ weights, copies, gradients, optimizer }: WeightTerms): number =>
  weights + copies + gradients + optimizer;
