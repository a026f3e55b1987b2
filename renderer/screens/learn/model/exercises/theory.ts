import { GraphBuilder } from '../../../../../engine/graph/builder.ts';
import { memoryModel } from '../../../../../engine/ops/memory-model.ts';
import { linear, maxPool } from '../../../../../engine/ops/make.ts';
import { optimizerOf } from '../../../../../engine/training-memory/optimizers.ts';
import { USUAL_SETUP } from '../../../../../engine/training-memory/setup.ts';
import { stationaryOf, weightsOf } from '../../../../../engine/training-memory/weights.ts';
import { formatCount } from '../../../../shared/format/numbers.ts';
import { peakParts, segmentCurve } from '../segment-length.ts';
import { chanceOf } from './chance.ts';
import { numberQuestion } from './number-question.ts';
import { counted, type Exercise } from './question.ts';

const stationary: Exercise = {
  id: 'stationary',
  title: 'What no strategy saves',
  make: (seed) => {
    const chance = chanceOf('theory.stationary', seed);
    const features = chance.oneOf([1024, 2048, 4096, 8192]);
    const used = chance.oneOf(['momentum', 'adam', 'adamw'] as const);
    const optimizer = optimizerOf(used);
    const b = new GraphBuilder('one layer');
    b.add('linear', linear(features, false), [b.input('input', [1, features])]);
    const terms = weightsOf(b.build(), { ...USUAL_SETUP, optimizer: used });
    const value = stationaryOf(terms);
    const sets = value / terms.weights;
    return numberQuestion({
      text: `A linear layer from ${formatCount(features)} to ${formatCount(features)} features without bias is trained with ${optimizer.title} in float32. How much memory do its weights take with all that belongs to them?`,
      hint: 'The weights, a gradient for each of them, and what the optimizer keeps for each. Four bytes a number.',
      unit: 'bytes',
      tolerance: 0.01,
      value,
      because: `Weights, gradients and ${optimizer.says}: ${sets} numbers of four bytes for each of ${formatCount(features * features)} weights.`,
      slips: [
        { value: terms.weights, why: 'those are the weights alone.' },
        {
          value: terms.weights + terms.gradients,
          why: `you forgot what ${optimizer.title} keeps: ${optimizer.says}.`,
        },
        { value: terms.weights + terms.optimizer, why: 'you forgot the gradients of the weights.' },
        { value: value / 4, why: 'that is the number of numbers; each takes four bytes.' },
        { value: value / 2, why: 'that would be two bytes a number.' },
        { value: value * 1.048576, why: 'MB and MiB differ by 5 %.' },
        { value: value / 1.048576, why: 'MB and MiB differ by 5 %.' },
        { value: value * 1.073741824, why: 'GB and GiB differ by 7 %.' },
        { value: value / 1.073741824, why: 'GB and GiB differ by 7 %.' },
      ],
    });
  },
};

const indices: Exercise = {
  id: 'indices',
  title: 'The indices of a max pool',
  make: (seed) => {
    const chance = chanceOf('theory.indices', seed);
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
    return numberQuestion({
      text: `A 2 × 2 max pool with stride 2 reads ${batch} × ${channels} × ${side} × ${side}. In PyTorch it keeps for backward where each maximum was. How much memory do these indices take?`,
      hint: 'One index for each output, in whole numbers of 64 bits.',
      unit: 'bytes',
      tolerance: 0.01,
      value,
      because: `${formatCount(outputs)} outputs with ${value / outputs} bytes each, twice as much as the output itself.`,
      slips: [
        { value: graph.bytes[1]!, why: 'that is four bytes an index; PyTorch’s indices have eight.' },
        { value: 8 * (graph.bytes[0]! / 4), why: 'that is an index for each input; only outputs have one.' },
        { value: graph.bytes[0]!, why: 'that is the input of the pool; an index belongs to an output.' },
        { value: outputs, why: 'that is the number of indices; each takes eight bytes.' },
        { value: value * 1.048576, why: 'MB and MiB differ by 5 %.' },
        { value: value / 1.048576, why: 'MB and MiB differ by 5 %.' },
      ],
    });
  },
};

const gap: Exercise = {
  id: 'gap',
  title: 'From theory to peak',
  make: (seed) => {
    const chance = chanceOf('theory.gap', seed);
    const k = chance.between(3, 6);
    const layers = k * chance.between(3, 6);
    const point = segmentCurve(layers).points[k - 1]!;
    const { input, checkpoints, segment, gradients } = peakParts(layers, k);
    const value = point.peak - point.paperCost;
    return numberQuestion({
      text: `A chain of ${layers} layers keeps one tensor in every ${k}: ${point.checkpoints} checkpoints and segments with ${k - 1} tensors inside. How many pebbles is the peak above what Eq. 1 says?`,
      hint: 'Eq. 1 counts neither the input nor gradients, and nothing of the target.',
      unit: 'pebbles',
      value,
      because: `Eq. 1 says ${point.checkpoints} + ${point.paperCost - point.checkpoints} = ${point.paperCost}; the peak is ${point.peak}: ${input === 1 ? 'the input, ' : ''}${counted(checkpoints, 'checkpoint')}, ${counted(segment, 'tensor')} of a segment and ${counted(gradients, 'gradient')}.`,
      slips: [
        { value: point.peak, why: 'that is the peak itself; take Eq. 1 away.' },
        { value: point.paperCost, why: 'that is Eq. 1 itself; the distance to the peak is asked for.' },
        { value: gradients, why: 'those are the gradients; theory leaves out more than these.' },
        { value: 0, why: 'theory leaves out the gradients, at least.' },
        {
          value: gradients + input,
          why: 'the gradients and the input; something else is there that is no checkpoint and inside no segment.',
        },
      ],
    });
  },
};

export const THEORY_EXERCISES: readonly Exercise[] = [gap, indices, stationary];
