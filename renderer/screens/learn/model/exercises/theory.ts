import { GraphBuilder } from '../../../../../engine/graph/builder.ts';
import { memoryModel } from '../../../../../engine/ops/memory-model.ts';
import { linear, maxPool } from '../../../../../engine/ops/make.ts';
import { optimizerOf } from '../../../../../engine/training-memory/optimizers.ts';
import { USUAL_SETUP } from '../../../../../engine/training-memory/setup.ts';
import { stationaryOf, weightsOf } from '../../../../../engine/training-memory/weights.ts';
import { formatCount } from '../../../../shared/format/numbers.ts';
import { peakParts, segmentCurve } from '../segment-length.ts';
import { exercise, counted } from './question.ts';

const stationary = exercise('theory.stationary', 'Memory that no strategy saves', (chance) => {
  const features = chance.oneOf([1024, 2048, 4096, 8192]);
  const used = chance.oneOf(['momentum', 'adam', 'adamw'] as const);
  const optimizer = optimizerOf(used);
  const b = new GraphBuilder('one layer');
  b.add('linear', linear(features, false), [b.input('input', [1, features])]);
  const terms = weightsOf(b.build(), { ...USUAL_SETUP, optimizer: used });
  const value = stationaryOf(terms);
  const sets = value / terms.weights;
  return {
    text: `A linear layer from ${formatCount(features)} to ${formatCount(features)} features without bias is trained with ${optimizer.title} in float32. How much memory do its weights, their gradients and the optimizer’s state take?`,
    hint: 'Count the weights, a gradient for each, and the optimizer’s state for each. Every number has four bytes.',
    unit: 'bytes',
    tolerance: 0.01,
    value,
    because: `Weights, gradients and ${optimizer.says}: ${sets} numbers of four bytes for each of ${formatCount(features * features)} weights.`,
    slips: [
      [terms.weights, 'those are only the weights.'],
      [terms.weights + terms.gradients, `you forgot the state of ${optimizer.title}: ${optimizer.says}.`],
      [terms.weights + terms.optimizer, 'you forgot the gradients of the weights.'],
      [value / 4, 'that is the number of numbers; each takes four bytes.'],
      [value / 2, 'that would be two bytes a number.'],
    ],
  };
});

const indices = exercise('theory.indices', 'The indices of a max pool', (chance) => {
  const [batch, channels, side] = [
    chance.oneOf([16, 32, 64]),
    chance.oneOf([64, 128, 256]),
    chance.oneOf([28, 56, 112]),
  ];
  const b = new GraphBuilder('one pool');
  b.add('pool', maxPool(2), [b.input('input', [batch, channels, side, side])]);
  const graph = b.build();
  const value = memoryModel(graph, 'pytorch').auxBytes[1]!;
  const outputs = graph.bytes[1]! / 4;
  return {
    text: `A 2 × 2 max pool with stride 2 reads ${batch} × ${channels} × ${side} × ${side}. PyTorch saves the index of each maximum for backward. How much memory do these indices take?`,
    hint: 'One index for each output, each a 64-bit integer.',
    unit: 'bytes',
    tolerance: 0.01,
    value,
    because: `${formatCount(outputs)} outputs with ${value / outputs} bytes each, twice as much as the output itself.`,
    slips: [
      [graph.bytes[1]!, 'that is four bytes an index; PyTorch’s indices have eight.'],
      [8 * (graph.bytes[0]! / 4), 'that is an index for each input; only outputs have one.'],
      [graph.bytes[0]!, 'that is the input of the pool; the indices belong to its output.'],
      [outputs, 'that is the number of indices; each takes eight bytes.'],
    ],
  };
});

const gap = exercise('theory.gap', 'From theory to the peak', (chance) => {
  const k = chance.between(3, 6);
  const layers = k * chance.between(3, 6);
  const point = segmentCurve(layers).points[k - 1]!;
  const { input, checkpoints, segment, gradients } = peakParts(layers, k);
  const value = point.peak - point.paperCost;
  return {
    text: `A chain of ${layers} layers keeps one tensor in every ${k}: ${point.checkpoints} checkpoints and segments with ${k - 1} tensors inside. By how many pebbles does the peak exceed Eq. 1?`,
    hint: 'Eq. 1 counts neither the input nor the gradients, nor the target.',
    unit: 'pebbles',
    value,
    because: `Eq. 1 says ${point.checkpoints} + ${point.paperCost - point.checkpoints} = ${point.paperCost}; the peak is ${point.peak}: ${input === 1 ? 'the input, ' : ''}${counted(checkpoints, 'checkpoint')}, ${counted(segment, 'tensor')} of a segment and ${counted(gradients, 'gradient')}.`,
    slips: [
      [point.peak, 'that is the peak itself; subtract Eq. 1.'],
      [point.paperCost, 'that is Eq. 1 itself; find the difference from the peak.'],
      [gradients, 'those are the gradients; the theory leaves out more than these.'],
      [0, 'the theory leaves out the gradients, at least.'],
      [
        gradients + input,
        'that is the gradients and the input; one more tensor is neither a checkpoint nor inside a segment.',
      ],
    ],
  };
});

export const THEORY_EXERCISES = [gap, indices, stationary];
