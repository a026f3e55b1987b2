import { describe, expect, it } from 'vitest';
import { annealPeak, annealWork } from '../../../../engine/strategies/search/anneal.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { curveOf, modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';

// All but v5 and v6 recomputed: v2 is worth most a byte, then v4, v3, v1.
const chain = workChain([1, 8, 8, 8, 8, 8, 1], [0, 2, 9, 4, 7, 3, 1]);
const nothing = [3, 0, 0, 0, 0, 3, 3];
const everything = [3, 3, 3, 3, 3, 3, 3];

describe('annealing', () => {
  const options = (moves: number, seed = 1, ticks: number[] = []) => ({
    moves,
    rng: createRng(seed),
    search: unlimited(),
    tick: (done: number) => void ticks.push(done),
  });

  /** The least peak, and the least work within a limit, of all that is kept to its end. */
  function leastOf(problem: Problem, limit = Number.POSITIVE_INFINITY): { peak: number; work: number } {
    const model = modelOf(problem);
    let peak = Number.POSITIVE_INFINITY;
    let work = Number.POSITIVE_INFINITY;
    for (let code = 0; code < 2 ** (model.items - 1); code++) {
      const curve = curveOf(
        problem,
        Array.from({ length: model.items }, (_, i) => (((2 * code + 1) >> i) & 1 ? 3 : 0)),
      );
      peak = Math.min(peak, curve.peak);
      if (curve.peak <= limit) work = Math.min(work, curve.work);
    }
    return { peak, work };
  }

  it('reaches the least peak of little graphs and leaves it in the curve', () => {
    const rng = createRng(122);
    let reached = 0;
    const graphs = 25;
    for (let i = 0; i < graphs; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 9) }));
      const curve = curveOf(problem, new Array<number>(modelOf(problem).items).fill(KEEP_ALL));
      const before = curve.peak;
      const peak = annealPeak(curve, options(1500, i));
      const scratch = new ByteCurve(curve.model, curve.keep);
      scratch.measure(0);
      expect(scratch.peak).toBe(peak);
      expect(curve.peak).toBe(peak);
      expect(peak).toBeLessThanOrEqual(before);
      if (peak <= leastOf(problem).peak) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(graphs - 1);
  });

  it('does the least work within a limit on little graphs', () => {
    const rng = createRng(123);
    let reached = 0;
    let asked = 0;
    for (let i = 0; i < 25; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 9) }));
      const model = modelOf(problem);
      const full = curveOf(problem, new Array<number>(model.items).fill(KEEP_ALL));
      const limit = Math.floor((leastOf(problem).peak + full.peak) / 2);
      // From the least peak.
      const curve = curveOf(problem, full.keep);
      annealPeak(curve, options(1500, i));
      if (curve.peak > limit) continue;
      const before = curve.work;
      expect(annealWork(curve, limit, options(1500, i))).toBe(true);
      expect(curve.peak).toBeLessThanOrEqual(limit);
      expect(curve.work).toBeLessThanOrEqual(before);
      asked++;
      if (curve.work <= leastOf(problem, limit).work) reached++;
    }
    expect(asked).toBeGreaterThan(20);
    expect(reached).toBeGreaterThanOrEqual(17);
  });

  it('stays where no move is allowed, and where there is nothing to move', () => {
    const curve = curveOf(chain, nothing);
    const { peak, work } = curve;
    expect(annealPeak(curve, options(0))).toBe(peak);
    expect([...curve.keep]).toEqual(nothing);
    expect(annealWork(curve, peak, options(0))).toBe(true);
    expect(annealWork(curve, peak - 1, options(0))).toBe(false);
    expect(curve.work).toBe(work);
    const free = curveOf(chain, everything);
    expect(annealWork(free, free.peak, options(10))).toBe(true);
    expect([...free.keep]).toEqual(everything);
  });

  it('comes within a limit from above', () => {
    const curve = curveOf(chain, everything);
    const { peak } = leastOf(chain);
    const start = curveOf(chain, [3, 0, 3, 3, 3, 3, 3]);
    expect(start.peak).toBeGreaterThan(peak);
    expect(annealWork(start, peak, options(4000))).toBe(true);
    expect(start.work).toBe(leastOf(chain, peak).work);
    expect(curve.work).toBe(0);
  });

  it('tells the share done every 64 moves, and ends where the search does', () => {
    for (const anneal of [
      (curve: ByteCurve, how: ReturnType<typeof options>) => annealPeak(curve, how),
      (curve: ByteCurve, how: ReturnType<typeof options>) => annealWork(curve, curve.peak, how),
    ]) {
      const ticks: number[] = [];
      anneal(curveOf(chain, nothing), options(256, 1, ticks));
      expect(ticks).toEqual([0, 0.25, 0.5, 0.75]);
      const search = ended();
      const curve = curveOf(chain, nothing);
      anneal(curve, { ...options(256), search });
      expect([...curve.keep]).toEqual(nothing);
      expect(search.ending.stopped?.unfinished).toEqual([{ what: 'moves', tried: 0, of: 256 }]);
    }
  });

  it('is the same for the same stream of numbers', () => {
    const keeps = [1, 1, 2].map((seed) => {
      const curve = curveOf(chain, everything);
      annealPeak(curve, options(40, seed));
      return curve.keep.join();
    });
    expect(keeps[0]).toBe(keeps[1]);
  });
});
