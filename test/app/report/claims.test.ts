import { describe, expect, it } from 'vitest';
import { rowClaimSchema } from '../../../app/contract/claim.ts';
import { claimText } from '../../../app/report/claims.ts';
import { createProblem } from '../../../engine/problem.ts';
import type { RowClaim } from '../../../engine/strategies/strategy/claim.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const CLAIMS: readonly (readonly [RowClaim, string])[] = [
  [{ kind: 'least-paper-cost', equation: 2 }, 'minimum of Eq. 2 over all sets of checkpoints'],
  [{ kind: 'given', strategy: 'live', model: 'vgg16' }, 'made by live for vgg16'],
  [{ kind: 'given', strategy: '', model: '' }, 'made by an unknown strategy for this network'],
  [
    { kind: 'equal-segments', segments: 5, stages: 13, all: true },
    'lowest peak with 5 segments, of all up to 13',
  ],
  [
    { kind: 'equal-segments', segments: 5, stages: 13, all: false },
    'lowest peak with 5 segments, of the nearest to the square root up to 13',
  ],
  [
    { kind: 'saves-nothing', besides: { kind: 'least-paper-cost', equation: 2 } },
    'saves nothing here: regular training has no higher peak and no recompute; minimum of Eq. 2 over all sets of checkpoints',
  ],
  [
    { kind: 'above-regular', besides: { kind: 'best-found' } },
    'worse than nothing here: regular training peaks lower; The best found with each tensor recomputed at most once; not proved optimal',
  ],
  [{ kind: 'asked-segments', segments: 1, stages: 7 }, '7 stages in 1 equal segment, as asked'],
  [{ kind: 'stages-in-slots', stages: 7, slots: 3 }, '7 stages with 3 checkpoints held at once'],
  [
    { kind: 'stages-and-tapes-in-slots', stages: 7, slots: 3, tape: 2 },
    '7 stages within 3 slots, 2 for a tape',
  ],
  [
    { kind: 'chain-within-budget', budgetBytes: 1000, unitBytes: 2 },
    'least recompute of its class within 0.977 KiB, sizes rounded up to multiples of 2 B',
  ],
  [{ kind: 'peak-at-bound' }, 'No lower peak exists'],
  [
    { kind: 'annealed-from-cuts', orders: 1 },
    'The best found with each tensor recomputed at most once: the best path of cuts in 1 topological order, improved by annealing; not proved optimal',
  ],
  [
    { kind: 'annealed-from-lower-sets', lowerSets: 40 },
    'The best found with each tensor recomputed at most once: the best of all sequences of the 40 lower sets, improved by annealing; not proved optimal',
  ],
  [
    { kind: 'recompute-found', nested: false },
    'The least recompute found with each tensor recomputed at most once; not proved optimal',
  ],
  [
    { kind: 'milp-peak', sweeps: 1, peakProved: true, recomputeProved: false },
    'lowest peak of schedules with one sweep between two backward steps, its recompute not proved optimal',
  ],
  [
    { kind: 'milp-within-budget', sweeps: 2, budgetBytes: 9, proved: false },
    'time limit before the least recompute was proved of schedules with 2 sweeps between two backward steps within 9 B',
  ],
];

const PROOF = 'proved optimal: the peak meets the lower bound';

describe('claimText', () => {
  it.each(CLAIMS)('words %j', (claim, text) => {
    expect(claimText({ claim, peakBytes: 2, lowerBoundBytes: 1 })).toBe(text);
    expect(rowClaimSchema.parse(claim)).toEqual(claim);
  });

  it('adds the proof if the peak meets the lower bound, and is empty if nothing is known', () => {
    expect(claimText({ claim: null, peakBytes: 1, lowerBoundBytes: 1 })).toBe(PROOF);
    expect(claimText({ claim: { kind: 'peak-at-bound' }, peakBytes: 1, lowerBoundBytes: 1 })).toBe(
      `No lower peak exists; ${PROOF}`,
    );
    expect(claimText({ claim: null, peakBytes: null, lowerBoundBytes: 1 })).toBeNull();
  });

  it('says of a plan that recomputes for the peak of regular training that it saves nothing, optimal or not', () => {
    const problem = createProblem(buildModel('vgg11', { batch: 4 }), 'tfjs');
    const { peakBytes } = solveRow(problem, 'regular', { seed: 0 });
    const optimal = solveRow(problem, 'optimal', { seed: 0 });
    expect([optimal.peakBytes, optimal.lowerBoundBytes]).toEqual([peakBytes, peakBytes]);
    expect(claimText(optimal)).toMatch(/^saves nothing here: .*; minimum of Eq\. 2.*; proved optimal/);
    // Regular training itself costs no time, and what saves is praised.
    expect(claimText(solveRow(problem, 'regular', { seed: 0 }))).toBe(PROOF);
    const saving = createProblem(buildModel('vgg11', { batch: 4 }), 'pytorch');
    expect(claimText(solveRow(saving, 'optimal', { seed: 0 }))).not.toContain('saves nothing');
  });

  it('covers every strategy’s claim, also after a round trip through JSON', () => {
    const problem = createProblem(buildModel('vgg11', { batch: 1 }), 'pytorch');
    const claims = STRATEGIES.flatMap(({ name }) => solveRow(problem, name, { seed: 0 }).claim ?? []);
    expect(claims.length).toBeGreaterThan(5);
    for (const claim of claims)
      expect(rowClaimSchema.parse(JSON.parse(JSON.stringify(claim)))).toEqual(claim);
  });
});
