import { expect, it } from 'vitest';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import { type ParetoEvent, paretoEventSchema, paretoRequestSchema } from '../../../app/contract/pareto.ts';
import { leastFraction } from '../../../engine/bounds/recompute-bound.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { frontPlan, paretoEvents } from '../../../main/solver/pareto.ts';
import { solvedRowSchema } from '../../../app/contract/results.ts';
import { heldAt, needsAt } from '../../../engine/training-memory/held.ts';

it('reports after the front what is proved at its batch, also for a cached front', () => {
  const { strategies: _, ...network } = experimentSchema.parse({
    model: 'tiny-residual',
    batch: 4,
    strategies: ['regular'],
  });
  const memory = new SolverMemory();
  const events = (): ParetoEvent[] => {
    const told: ParetoEvent[] = [];
    const emit = (event: ParetoEvent): void => {
      told.push(paretoEventSchema.parse(event));
    };
    paretoEvents(paretoRequestSchema.parse(network), { memory, control: NO_CONTROL, emit });
    return told;
  };
  const first = events();
  const kinds = first.map(({ type }) => type).filter((type) => type !== 'progress');
  expect(kinds.slice(-3)).toEqual(['front', 'bound', 'bargain']);
  const front = first.findLast((event) => event.type === 'front');
  const proved = first.find((event) => event.type === 'bound');
  expect(front?.points.length).toBeGreaterThan(1);
  for (const { peakBytes, recomputeFraction } of front?.points ?? [])
    expect(leastFraction(proved!.bound, peakBytes)).toBeLessThanOrEqual(recomputeFraction);
  expect(events().find((event) => event.type === 'bound')).toEqual(proved);

  // Each point of it is a plan, which is answered as a row of the comparison.
  const request = paretoRequestSchema.parse(network);
  const context = { memory, control: NO_CONTROL, emit: () => undefined };
  for (const { peakBytes, recomputeFraction, held } of front!.points) {
    const plan = solvedRowSchema.parse(frontPlan({ ...request, peakBytes }, context));
    expect(plan.row).toMatchObject({ strategy: 'budget', peakBytes, recomputeFraction });
    expect(needsAt(held, 4, 7)).toBe(heldAt(plan.held, 4, 7).totalBytes);
  }
  expect(frontPlan({ ...request, peakBytes: 1 }, context)).toBeNull();
  expect(frontPlan({ ...request, batch: 5, peakBytes: front!.points[0]!.peakBytes }, context)).toBeNull();
});
