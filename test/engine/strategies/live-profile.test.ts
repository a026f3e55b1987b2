import { describe, expect, it } from 'vitest';
import { judgeKeep } from '../../../engine/strategies/search/candidate.ts';
import { type LiveModel, liveModel } from '../../../engine/strategies/search/live-model.ts';
import { candidateOrders } from '../../../engine/strategies/search/orders.ts';
import { ByteCurve } from '../../../engine/strategies/search/byte-curve.ts';
import { randomProblems } from '../../support/problems.ts';
import { createRng, type Rng } from '../../support/rng.ts';

/** Any choice at all: bits and, half of the time, an expiry. */
function anyChoice(rng: Rng, model: LiveModel): number {
  return rng.below(4) + (rng.below(2) === 0 ? 0 : rng.below(model.order.length) << 2);
}

describe('the profile of what is kept', () => {
  it('agrees with the simulator, or says slightly more', () => {
    const rng = createRng(5);
    let equal = 0;
    let all = 0;
    for (const [name, problem] of randomProblems(2000, 31)) {
      const orders = [...candidateOrders(problem.graph)];
      const model = liveModel(problem.graph, problem.memory, orders[rng.below(orders.length)]!);
      for (let trial = 0; trial < 3; trial++) {
        const keep = Int32Array.from({ length: model.items }, () => anyChoice(rng, model));
        const profile = new ByteCurve(model, keep);
        profile.measure(0);
        const judged = judgeKeep(problem, model, keep);
        if (profile.peak < judged.peakBytes)
          expect(profile.peak, name).toBeGreaterThanOrEqual(judged.peakBytes);
        all++;
        if (profile.peak === judged.peakBytes) equal++;
      }
    }
    expect(equal / all).toBeGreaterThan(0.8);
  });

  it('says after any sequence of changes what it says from scratch', () => {
    const rng = createRng(6);
    for (const [name, problem] of randomProblems(800, 32, 16)) {
      const model = liveModel(problem.graph, problem.memory, [...candidateOrders(problem.graph)][0]!);
      const profile = new ByteCurve(
        model,
        Int32Array.from({ length: model.items }, () => anyChoice(rng, model)),
      );
      for (let trial = 0; trial < 8 && model.items > 1; trial++) {
        profile.set(1 + rng.below(model.items - 1), anyChoice(rng, model));
        profile.measure(0);
        const scratch = new ByteCurve(model, profile.keep);
        scratch.measure(0);
        expect([profile.peak, Math.round(profile.work)], name).toEqual([
          scratch.peak,
          Math.round(scratch.work),
        ]);
      }
    }
  });
});
