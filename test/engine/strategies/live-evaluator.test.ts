import { describe, expect, it } from 'vitest';
import { judgeKeep } from '../../../engine/strategies/live/candidate.ts';
import { Evaluator } from '../../../engine/strategies/live/evaluator.ts';
import { liveModel } from '../../../engine/strategies/live/live-model.ts';
import { Profile } from '../../../engine/strategies/live/profile.ts';
import { candidateOrders } from '../../../engine/strategies/live/orders.ts';
import { randomProblems } from '../../support/problems.ts';
import { createRng } from '../../support/rng.ts';

describe('the profile of kept items', () => {
  it('says after any sequence of changes what the evaluator says from scratch', () => {
    const rng = createRng(6);
    for (const [name, problem] of randomProblems(800, 32, 16)) {
      const model = liveModel(problem.graph, problem.memory, candidateOrders(problem.graph)[0]!);
      const evaluator = new Evaluator(model);
      const keep = Uint8Array.from({ length: model.items }, () => rng.below(4));
      const profile = new Profile(model, keep);
      for (let trial = 0; trial < 8 && model.items > 1; trial++) {
        profile.set(1 + rng.below(model.items - 1), rng.below(4));
        profile.measure(0);
        expect(profile.peak, name).toBe(evaluator.evaluate(profile.keep));
        expect(profile.work, name).toBeCloseTo(evaluator.work, 6);
      }
    }
  });
});

describe('the evaluator of kept items', () => {
  it('agrees with the simulator, or says slightly more', () => {
    const rng = createRng(5);
    let equal = 0;
    let all = 0;
    for (const [name, problem] of randomProblems(2000, 31)) {
      const orders = candidateOrders(problem.graph);
      const model = liveModel(problem.graph, problem.memory, orders[rng.below(orders.length)]!);
      const evaluator = new Evaluator(model);
      for (let trial = 0; trial < 3; trial++) {
        const keep = Uint8Array.from({ length: model.items }, () => rng.below(4));
        const peak = evaluator.evaluate(keep);
        const judged = judgeKeep(problem, model, keep);
        expect(peak, name).toBeGreaterThanOrEqual(judged.peakBytes);
        all++;
        if (peak === judged.peakBytes) equal++;
      }
    }
    expect(equal / all).toBeGreaterThan(0.8);
  });
});
