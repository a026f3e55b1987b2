import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../engine/ops/definition.ts';
import { createProblem } from '../../../engine/problem.ts';
import { lowestOf } from '../../support/lowest-peak.ts';
import { isTwiceAtMost } from '../../../engine/strategies/search/candidate.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { unlimited } from '../../support/search-limits.ts';

function network(name: string, profile: Profile): Problem {
  return createProblem(buildModel(name, { batch: 1 }), profile);
}

describe('live from plans by stages', () => {
  it.each([
    // MiB by annealing of cuts alone: 21.63, 21.25, 28.33, 18.95, 12.83.
    ['densenet201', 'pytorch', 19.93],
    ['densenet201', 'tfjs', 19.93],
    ['densenet161', 'pytorch', 27],
    ['mobilenet-v2', 'tfjs', 15.13],
    ['resnet34', 'tfjs', 9.77],
  ] as const)('goes on from stages where they lead lower: %s, %s', (name, profile, mebibytes) => {
    const problem = network(name, profile);
    const found = lowestOf(problem, unlimited());
    expect(found.peakBytes / 2 ** 20).toBeLessThan(mebibytes);
    expect(isTwiceAtMost(found.schedule, problem.graph.size)).toBe(true);
    // Larger budgets are searched from where cuts led to, too.
    expect(found.choices[0]).not.toBe(found.fromCuts);
    expect(found.choices).toContain(found.fromCuts);
    expect(found.fromCuts.peak).toBeGreaterThan(found.choices[0]!.peak);
  });

  it.each([
    // Before: 7.19, 6.06, 6.63.
    ['nasnet', 6.63],
    ['amoebanet', 5.5],
    ['darts', 6.49],
  ] as const)('copies what cells keep where no stages are: %s', (name, mebibytes) => {
    const problem = network(name, 'pytorch');
    const found = lowestOf(problem, unlimited());
    expect(found.peakBytes / 2 ** 20).toBeLessThan(mebibytes);
    expect(isTwiceAtMost(found.schedule, problem.graph.size)).toBe(true);
    // The start, seven runs, and two that copy.
    expect(found.choices).toHaveLength(10);
  });

  it.each([
    // Shares of a forward that were recomputed before: 0.555, 1.156, 0.271.
    ['mobilenet-v2', 'tfjs', 0.3, 0.34],
    ['densenet161', 'tfjs', 0.12, 0.48],
    ['resnet152', 'pytorch', 0.25, 0.22],
  ] as const)('gives budget less to recompute: %s, %s at %d', (name, profile, share, most) => {
    const problem = network(name, profile);
    const regular = solveRow(problem, 'regular', { seed: 0 }).peakBytes!;
    const row = solveRow(problem, 'budget', { seed: 0, budgetBytes: Math.round(share * regular) });
    expect(row.recomputeFraction).toBeLessThan(most);
  });
});
