import { expect, it } from 'vitest';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { isTold } from '../../../engine/strategies/strategy/strategy.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { randomProblems } from '../../support/problems.ts';

it('the claim of a row says where a plan peaks above regular training or saves nothing, and only there', () => {
  const seen = { above: 0, nothing: 0, less: 0 };
  const options = { seed: 1, checkpointing: 'reentrant' } as const;
  const asked = STRATEGIES.filter((one) => isTold(one, options) && one.needsMilpSolver !== true);
  for (const [name, problem] of randomProblems(12, 3, 7)) {
    const regular = regularFigures(problem).peakBytes;
    for (const { name: strategy } of asked) {
      const { peakBytes, recomputeFlops, claim } = solveRow(problem, strategy, options);
      if (peakBytes === null) continue;
      const isAbove = peakBytes > regular;
      const isNothing = peakBytes === regular && recomputeFlops !== 0;
      seen[isAbove ? 'above' : isNothing ? 'nothing' : 'less'] += 1;
      expect(claim?.kind === 'above-regular', `${name} ${strategy}`).toBe(isAbove);
      expect(claim?.kind === 'saves-nothing', `${name} ${strategy}`).toBe(isNothing);
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
