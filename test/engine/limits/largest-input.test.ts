import { describe, expect, it } from 'vitest';
import { largestInput } from '../../../engine/limits/largest-input.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { planOf } from '../../support/plans.ts';

const square = (side: number): number => side * side;

describe('largestInput', () => {
  it('finds the largest admitted side that fits', () => {
    const range = { least: 5, multiple: 4, most: 8192 };
    expect(largestInput(range, square(100), square)).toMatchObject({ input: 100, peakBytes: 10000 });
    expect(largestInput(range, square(104) - 1, square)).toMatchObject({ input: 100, capped: false });
    expect(largestInput(range, square(8), square).input).toBe(8);
  });

  it('says what the smallest side needs if it does not fit', () => {
    const limit = largestInput({ least: 5, multiple: 4, most: 64 }, 63, square);
    expect(limit).toEqual({ input: 0, capped: false, peakBytes: null, leastBytes: 64 });
  });

  it('stops at the largest admitted side', () => {
    const limit = largestInput({ least: 1, multiple: 4, most: 66 }, 1e9, square);
    expect(limit).toMatchObject({ input: 64, capped: true });
    expect(largestInput({ least: 64, multiple: 1, most: 64 }, 1e9, square)).toMatchObject({ input: 64 });
  });

  it('agrees with trying every side of a network under its plan', () => {
    const problemAt = (input: number) =>
      createProblem(buildModel('resnet18', { batch: 2, input }), 'pytorch');
    const at = problemAt(64);
    const plan = planOf(strategyOf('optimal'), at);
    const peakOf = (input: number): number => {
      const { graph, memory } = problemAt(input);
      return simulate(graph, memory, plan.schedule).peakBytes;
    };
    const sides = Array.from({ length: 60 }, (_, i) => i + 40);
    const peaks = sides.map(peakOf);
    for (const bytes of [peaks[7] ?? 0, (peaks[30] ?? 0) - 1]) {
      const slow = sides.filter((_, i) => (peaks[i] ?? 0) <= bytes).at(-1);
      expect(largestInput({ least: 1, multiple: 1, most: 99 }, bytes, peakOf).input).toBe(slow);
    }
  });

  it('may use one schedule for all sides, because no network changes its operations with the input', () => {
    for (const { name, minInput, inputMultiple } of MODELS) {
      const small = Math.ceil(minInput / inputMultiple) * inputMultiple;
      const ids = [small, small + 3 * inputMultiple].map(
        (input) => buildModel(name, { batch: 1, input }).ids,
      );
      expect(ids[0], name).toEqual(ids[1]);
    }
  });
});
