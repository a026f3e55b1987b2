import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const STAGES = 11;
const chain = createProblem(buildModel('chain-12', { batch: 1 }), 'pytorch');
const cut = (segments?: number, problem: Problem = chain): SolvedStrategy =>
  solveRow(problem, 'sequential', { seed: 0, ...(segments === undefined ? {} : { segments }) });

describe('sequential with a chosen number of segments', () => {
  it('cuts as checkpoint_sequential does: equal lengths, the last takes the remainder', () => {
    expect(cut().claim).toMatchObject({ kind: 'equal-segments', stages: STAGES, all: true });
    for (let segments = 1; segments <= STAGES; segments++) {
      const { checkpoints, claim } = cut(segments);
      expect(claim).toEqual({ kind: 'asked-segments', segments, stages: STAGES });
      // torch.utils.checkpoint: segment_size = len(functions) // segments, starts at 0, segment_size, ...
      const length = Math.floor(STAGES / segments);
      const ends = Array.from({ length: segments - 1 }, (_, i) => (i + 1) * length);
      expect(checkpoints, `${segments} segments`).toEqual(ends.map((end) => chain.graph.ids[end]));
    }
  });

  it('has its best among them where none is asked for', () => {
    const vgg = createProblem(buildModel('vgg11', { batch: 8 }), 'pytorch');
    const best = cut(undefined, vgg);
    if (best.claim?.kind !== 'equal-segments') throw new Error('no claim');
    const { stages, segments } = best.claim;
    const peaks = Array.from({ length: stages }, (_, i) => cut(i + 1, vgg).peakBytes ?? 0);
    expect(Math.min(...peaks)).toBe(best.peakBytes);
    expect(peaks[segments - 1]).toBe(best.peakBytes);
    expect(cut(segments, vgg)).toEqual({ ...best, claim: { kind: 'asked-segments', segments, stages } });
    expect(new Set(peaks).size).toBeGreaterThan(3);
  });

  it('is regular training with one segment, which PyTorch does not recompute', () => {
    const { peakBytes, recomputeFraction } = cut(1);
    expect([peakBytes, recomputeFraction]).toEqual([solveRow(chain, 'regular', { seed: 0 }).peakBytes, 0]);
  });

  it.each([0, -1, 1.5, Number.NaN, STAGES + 1])('refuses %d segments in one sentence', (segments) => {
    expect(() => cut(segments)).toThrow(BadInputError);
    expect(() => cut(segments)).toThrow(
      `segments: expected a whole number from 1 to 11, as many as there are stages, got ${segments}`,
    );
  });
});
