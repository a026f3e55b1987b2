import { threeDigits } from '../../../../shared/format/numbers.ts';
import { correctedMomentum, maskPair, runningMean } from '../mistakes.ts';
import { exercise } from './question.ts';

const twice = exercise('mistakes.twice', 'Counted twice', (chance) => {
  const momentum = chance.oneOf([0.1, 0.2, 0.25, 0.5]);
  const mean = chance.between(2, 10);
  const [once, naive] = [1, 2].map((times) => runningMean([mean], momentum, times)[0]!) as [number, number];
  return {
    text: `The running mean of a batch norm is 0 and its momentum ${momentum}. A batch with mean ${mean} arrives, and a naive recompute counts it a second time. What is the running mean now?`,
    hint: `Each count moves the mean by ${momentum} of its distance to the mean of the batch.`,
    unit: 'plain',
    tolerance: 0.005,
    value: naive,
    because: `The first count moves it to ${threeDigits(once)}, the second by ${momentum} × (${mean} − ${threeDigits(once)}) more, to ${threeDigits(naive)}.`,
    slips: [
      [once, 'that is the mean after one count, as it should be; the recompute counts again.'],
      [2 * once, 'the second count starts nearer to the batch mean, and moves less than the first.'],
      [mean, 'each count moves only part of the way.'],
    ],
  };
});

const corrected = exercise('mistakes.corrected', 'The corrected momentum', (chance) => {
  const percent = chance.oneOf([19, 36, 51, 64, 75]);
  const momentum = percent / 100;
  const value = correctedMomentum(momentum);
  return {
    text: `Every batch will be counted twice. Which momentum has the same effect as ${momentum} counted once?`,
    hint: 'After one count with momentum m, the share 1 − m of the old mean is left. After two it is (1 − m)².',
    unit: 'plain',
    tolerance: 0.01,
    value,
    because: `1 − √(1 − ${momentum}) = ${Number(value.toFixed(4))}: twice that leaves ${Number(((1 - value) ** 2).toFixed(4))} of the old mean.`,
    slips: [
      [
        momentum / 2,
        'half the momentum twice moves a little less far: the second count starts nearer to the batch mean.',
      ],
      [
        Math.sqrt(1 - momentum),
        'that is the share of the old mean after one count; the momentum is the rest.',
      ],
      [Math.sqrt(momentum), 'take the root of the share that is left, 1 − m.'],
      [momentum * momentum, 'take the square of the share that is left, 1 − m.'],
      [momentum, 'counted twice, that moves further than once.'],
    ],
  };
});

const ELEMENTS = 12;
const shown = (mask: readonly boolean[]): string => mask.map((kept) => (kept ? '1' : '0')).join(' ');

const masks = exercise('mistakes.masks', 'Two masks', (chance) => {
  const rate = chance.oneOf([0.25, 0.5]);
  const pair = maskPair(ELEMENTS, rate, chance.between(1, 2 ** 31), false);
  const passed = pair.first.filter((kept, i) => kept && pair.again[i]).length;
  const zeros = pair.first.filter((kept) => !kept).length;
  return {
    text: `A dropout of rate ${rate} drew the mask ${shown(pair.first)} in the first forward, and ${shown(pair.again)} in the recompute. For how many elements do the gradient and the loss belong to different forwards?`,
    hint: 'Compare both masks place by place.',
    unit: 'elements',
    value: pair.different,
    because: `The masks differ in ${pair.different} of ${ELEMENTS} places.`,
    slips: [
      [ELEMENTS - pair.different, 'those are the elements that both masks treat alike.'],
      [passed, 'those pass both times, and their gradient is correct.'],
      [zeros, 'those are dropped in the first forward; count where both masks differ.'],
    ],
  };
});

export const MISTAKES_EXERCISES = [twice, corrected, masks];
