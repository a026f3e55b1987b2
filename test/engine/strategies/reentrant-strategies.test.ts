import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD, HOLD_GRADIENT } from '../../../engine/schedule/schedule.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { fewest } from '../../support/draws.ts';
import { bytesChain, randomProblems } from '../../support/problems.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { between, createRng } from '../../support/rng.ts';

const MADE_OF_SEGMENTS = STRATEGIES.filter(({ reads }) => reads.checkpointing !== undefined);

describe('reentrant segments of strategies', () => {
  it('are complete schedules on random graphs of all kinds, for every strategy that is made of segments', () => {
    const applied = new Map<string, number>();
    let turn = 0;
    for (const [name, problem] of randomProblems(1500, 31, 14)) {
      const options = { seed: 3, checkpoints: [problem.graph.ids[1] ?? ''] };
      turn++;
      for (const { name: strategy } of MADE_OF_SEGMENTS) {
        // It draws for long on small graphs.
        if (strategy === 'random' && turn % 10 > 0) continue;
        const row = solveRow(problem, strategy, { ...options, checkpointing: 'reentrant' });
        if (row.schedule === null) continue;
        const label = `${strategy} on ${name}`;
        applied.set(strategy, (applied.get(strategy) ?? 0) + 1);
        expect(row.checkpointing, label).toBe('reentrant');
        const reference = referenceSimulate(problem.graph, problem.memory, row.schedule);
        expect(reference.fault, label).toBe(-1);
        expect(Math.max(...reference.live), label).toBe(row.peakBytes);
        const plain = solveRow(problem, strategy, options);
        expect(plain.checkpointing, label).toBe('non-reentrant');
        expect(plain.schedule?.kinds.includes(HOLD_GRADIENT), label).toBe(false);
        expect(row.paperCostBytes === null, label).toBe(plain.paperCostBytes === null);
      }
    }
    for (const { name } of MADE_OF_SEGMENTS)
      expect(applied.get(name) ?? 0, name).toBeGreaterThan(fewest(100));
  });

  it('keep to a given order', () => {
    for (const [name, { graph, ...problem }] of randomProblems(300, 33)) {
      const ordered: Problem = { ...problem, graph: { ...graph, keepsOrder: true } };
      const { schedule } = solveRow(ordered, 'optimal', { seed: 0, checkpointing: 'reentrant' });
      const backward = [...(schedule?.vertices ?? [])].filter((_, i) => schedule?.kinds[i] === BACKWARD);
      expect(backward, name).toEqual(Array.from({ length: graph.size - 1 }, (_, i) => graph.size - 1 - i));
    }
  });

  it('on a chain forward every segment twice that holds more than its end, and never peak lower than without reentrance', () => {
    const rng = createRng(35);
    for (let i = 0; i < 500; i++) {
      const cost = Array.from({ length: between(rng, 3, 12) }, () => between(rng, 1, 9));
      const problem = createProblem(bytesChain(cost), 'pytorch');
      const ids = problem.graph.ids.filter((_, v) => v > 0 && v < cost.length - 1 && rng.next() < 0.4);
      const options = { seed: 0, checkpoints: ids };
      const reentrant = solveRow(problem, 'manual', { ...options, checkpointing: 'reentrant' });
      const plain = solveRow(problem, 'manual', options);
      const ends = [0, ...ids.map((id) => problem.graph.ids.indexOf(id)), cost.length - 1];
      const lengths = ends.slice(1).map((end, s) => end - (ends[s] ?? 0));
      const again = lengths.filter((length) => length > 1).reduce((sum, length) => sum + length, 0);
      expect(reentrant.timeline?.recomputedVertices).toBe(again);
      expect(reentrant.peakBytes ?? 0).toBeGreaterThanOrEqual(plain.peakBytes ?? 0);
    }
  });
});
