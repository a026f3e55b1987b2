import { planFromCheckpoints } from '../../../../../engine/strategies/strategy/from-checkpoints.ts';
import { threeDigits } from '../../../../shared/format/numbers.ts';
import { chainGame } from '../games.ts';
import { memoize } from '../memoize.ts';
import { playOf } from '../play.ts';
import { peakParts, segmentCurve } from '../segment-length.ts';
import { exercise, counted, listed, right, wrong, chainDrawing, layerName } from './question.ts';

const peak = exercise('sqrt.peak', 'The peak with segments of k', (chance) => {
  const k = chance.between(3, 6);
  const layers = k * chance.between(3, 6);
  const parts = peakParts(layers, k);
  const point = segmentCurve(layers).points[k - 1]!;
  const value = point.peak;
  const { checkpoints, segment, gradients, input } = parts;
  return {
    text: `A chain of ${layers} layers keeps one tensor in every ${k}. How many pebbles are on the board at the peak, including gradients and the input?`,
    hint: 'Count at the first backward: the checkpoints, the tensors of the last segment, and the gradients in memory.',
    unit: 'pebbles',
    value,
    because: `${input === 1 ? 'The input, ' : ''}${counted(checkpoints, 'checkpoint')}, ${counted(segment, 'tensor')} of a segment and ${counted(gradients, 'gradient')}.`,
    slips: [
      [
        value - gradients,
        `with k = ${k} that is the peak without gradients: ${counted(gradients, 'gradient')} come on top.`,
      ],
      [value - input, 'you forgot the input, which is stored throughout.'],
      [
        value - gradients - input,
        'that is the checkpoints and a segment; the input and the gradients are on the board too.',
      ],
      [point.paperCost, 'that is Eq. 1, checkpoints plus the largest segment; it counts no gradients.'],
      [
        Math.round(point.formula),
        `that is about k + N/k = ${threeDigits(point.formula)}, a rule of thumb; count the tensors that are really in memory.`,
      ],
      [layers + 3, 'that is regular training; here most tensors are freed.'],
    ],
  };
});

const length = exercise('sqrt.length', 'The best length', (chance) => {
  const layers = chance.between(16, 64);
  const { points, least } = segmentCurve(layers);
  const lowest = least[0]!.peak;
  const names = listed(least.map(({ k }) => String(k)));
  const root = Math.sqrt(layers).toFixed(1);
  const because = `The minimum is ${lowest} pebbles, with k = ${names}; √${layers} is ${root}.`;
  return {
    kind: 'number',
    unit: 'layers',
    text: `A chain of ${layers} layers is cut into segments of k layers. Find a k with the lowest peak.`,
    hint: `Begin near √${layers} and try its neighbours on the lesson’s curve.`,
    solution: () => because,
    judge: (k) => {
      const point = points[k - 1];
      if (point === undefined) return wrong(`A segment has a whole number of layers, from 1 to ${layers}.`);
      if (point.peak === lowest) return right(because);
      const side =
        k < Math.sqrt(layers)
          ? `${counted(point.checkpoints, 'checkpoint')} are too many`
          : `a segment of ${k} is too large`;
      return wrong(
        `With k = ${k} the peak is ${point.peak} pebbles, ${point.peak - lowest} above the minimum: ${side}.`,
      );
    },
  };
});

const peakWith = memoize((layers: number, kept: string): number => {
  const { problem } = chainGame(layers);
  const checkpoints = kept === '' ? [] : kept.split(',').map(Number);
  return playOf(problem, planFromCheckpoints(problem, { seed: 0 }, checkpoints).schedule).timeline.peakBytes;
}, 2048);

/** The lowest peak with so many checkpoints at most, by trying all. */
export const leastPeak = memoize((layers: number, most: number): { peak: number; kept: string } => {
  let best = { peak: peakWith(layers, ''), kept: '' };
  const extend = (kept: readonly number[]): void => {
    const from = (kept.at(-1) ?? 0) + 1;
    for (let v = from; v < layers && kept.length < most; v++) {
      const next = [...kept, v];
      const peakHere = peakWith(layers, next.join(','));
      if (peakHere < best.peak) best = { peak: peakHere, kept: next.join(',') };
      extend(next);
    }
  };
  extend([]);
  return best;
});

const place = exercise('sqrt.place', 'Place the checkpoints', (chance) => {
  const layers = chance.between(9, 12);
  const most = chance.between(1, 2);
  const best = leastPeak(layers, most);
  const names = Array.from({ length: layers + 1 }, (_, v) => layerName(v));
  const open = Array.from({ length: layers - 1 }, (_, i) => i + 1);
  const bestNames = listed(best.kept.split(',').map((v) => `f${v}`));
  return {
    kind: 'placing',
    text: `Keep ${most === 1 ? 'one tensor' : `${most} tensors at most`} of this chain of ${layers} layers, so that the peak is as low as it can be.`,
    hint: 'Besides the checkpoints, the segment being recomputed is in memory. Keep the largest segment small.',
    drawing: chainDrawing(
      `A chain of ${layers} layers, all tensors of one size.`,
      names,
      names.map(() => ''),
    ),
    isOrdered: false,
    open,
    solution: () => `Keep ${bestNames}: ${best.peak} pebbles at the peak, the minimum.`,
    judge: (marked) => {
      if (marked.length > most)
        return wrong(
          `You keep ${marked.length}, and ${most} ${most === 1 ? 'is' : 'are'} allowed. Remove ${marked.length - most}.`,
        );
      const reached = peakWith(layers, marked.join(','));
      const said = marked.length === 0 ? 'Nothing kept' : `Keeping ${listed(marked.map(layerName))}`;
      if (reached === best.peak) return right(`${said} takes ${reached} pebbles, the minimum.`);
      return wrong(`${said} takes ${reached} pebbles; another choice needs ${reached - best.peak} fewer.`);
    },
  };
});

export const SQRT_EXERCISES = [peak, length, place];
