import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesChain } from '../../support/problems.ts';
import { between, createRng } from '../../support/rng.ts';
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

  it('is regular training with one segment, which PyTorch does not recompute', () => {
    const { peakBytes, recomputeFraction } = cut(1);
    expect([peakBytes, recomputeFraction]).toEqual([solveRow(chain, 'regular', { seed: 0 }).peakBytes, 0]);
  });

  it('has the lowest peak of all numbers; of equals the least recompute, then the fewest segments', () => {
    const rng = createRng(31);
    let ties = 0;
    for (let run = 0; run < 60; run++) {
      const bytes = Array.from({ length: between(rng, 3, 11) }, () => between(rng, 0, 2));
      const problem = createProblem(bytesChain(bytes), 'pytorch');
      const { claim, checkpoints } = cut(undefined, problem);
      const all = bytes.slice(1).map((_, i) => {
        const { peakBytes, recomputeFlops, checkpoints: ids } = cut(i + 1, problem);
        return { segments: i + 1, peak: peakBytes ?? 0, work: recomputeFlops ?? 0, ids };
      });
      const [best] = all.toSorted((a, b) => a.peak - b.peak || a.work - b.work || a.segments - b.segments);
      if (best === undefined) throw new Error('no segments');
      if (all.filter(({ peak, work }) => peak === best.peak && work === best.work).length > 1) ties++;
      const expected = {
        kind: 'equal-segments',
        segments: best.segments,
        stages: bytes.length - 1,
        all: true,
      };
      const known = claim !== null && 'besides' in claim ? claim.besides : claim;
      expect(known, bytes.join(' ')).toEqual(expected);
      expect(checkpoints).toEqual(best.ids);
    }
    expect(ties).toBeGreaterThan(5);
  });

  it('tries first what is nearest to the square root, and on large graphs no more than can be simulated', () => {
    let now = 0;
    const options = { seed: 0, timeLimitSeconds: 1, now: () => (now += 700) };
    const problem = createProblem(bytesChain(new Array<number>(1500).fill(1)), 'pytorch');
    const shares: number[] = [];
    const row = solveRow(problem, 'sequential', options, { tick: (done) => void shares.push(done) });
    // √1499 is 38.7; two million vertices are simulated at most.
    expect(row.claim).toEqual({ kind: 'equal-segments', segments: 39, stages: 1499, all: false });
    expect(row.stopped).toEqual({
      limitSeconds: 1,
      by: 'clock',
      unfinished: [{ what: 'numbers-of-segments', tried: 1, of: 1333 }],
    });
    expect(shares).toEqual([0, 1 / 1333]);
    expect(row.checkpointing).toBe('non-reentrant');
    // The second is on the other side of the root.
    now = -400;
    const second = solveRow(problem, 'sequential', { ...options, timeLimitSeconds: 2 });
    expect(second.stopped?.unfinished).toEqual([{ what: 'numbers-of-segments', tried: 2, of: 1333 }]);
    const [one, other] = [39, 38].map((segments) => cut(segments, problem).peakBytes ?? 0);
    expect(second.peakBytes).toBe(Math.min(one ?? 0, other ?? 0));
  });
});
