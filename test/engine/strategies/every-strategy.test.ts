import { describe, expect, it } from 'vitest';
import { InfeasibleError } from '../../../engine/errors.ts';
import { type PlanFile, planFile } from '../../../engine/exchange/plan-file.ts';
import { BACKWARD, FORWARD } from '../../../engine/schedule/schedule.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem, StrategyOptions } from '../../../engine/strategies/strategy/strategy.ts';
import { draws, fewest } from '../../support/draws.ts';
import { measuredGraph, measuredProblem } from '../../support/measured-graphs.ts';
import { randomProblems, asCaptured } from '../../support/problems.ts';
import { GRAPH_KINDS } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';
import { orNull } from '../../support/plans.ts';

const rowOf = (problem: Problem, name: string, options: StrategyOptions) =>
  orNull(() => solveRow(problem, name, options));

/** Regular training as a file that somebody brings along. */
function planOf({ graph }: Problem, { strategy, checkpoints, schedule, timeline }: SolvedStrategy): PlanFile {
  if (schedule === null || timeline === null) throw new Error(`${strategy} always applies`);
  return planFile(graph, { strategy, options: {}, checkpoints, schedule, timeline });
}

/** They search for longer and have property tests of their own: here they take every tenth problem. */
const SLOW = ['live', 'budget', 'offload'];

const LINK = {
  speed: { flopsPerSecond: 1e6, secondsPerOperation: 1e-6 },
  link: { bytesPerSecond: 1e6, overlaps: true },
};

describe('every strategy', () => {
  it('makes schedules that the simulator accepts, on random graphs of all kinds', () => {
    const applied = new Map<string, number>();
    let turn = 0;
    for (const [name, problem] of randomProblems(1200, 21)) {
      const regular = solveRow(problem, 'regular', { seed: 1 });
      const regularPeak = regular.peakBytes ?? 0;
      const options: StrategyOptions = {
        seed: 7,
        budgetBytes: Math.max(1, Math.ceil(regularPeak * 0.8)),
        checkpoints: [problem.graph.ids[1] ?? ''],
        slots: 2,
        plan: planOf(problem, regular),
        link: LINK,
      };
      const names = STRATEGIES.map((strategy) => strategy.name).filter(
        (strategy) => turn % 10 === 0 || !SLOW.includes(strategy),
      );
      const rows = names.map((strategy) => rowOf(problem, strategy, options));
      turn++;
      for (const row of rows) {
        if (row?.applicable !== true) continue;
        const label = `${row.strategy} on ${name}`;
        applied.set(row.strategy, (applied.get(row.strategy) ?? 0) + 1);
        expect(row.peakBytes, label).toBeGreaterThanOrEqual(row.lowerBoundBytes);
        if (row.strategy === 'regular') expect(row.recomputeFlops, label).toBe(0);
        for (const id of row.checkpoints) expect(problem.graph.ids, label).toContain(id);
      }
      const optimum = rows.find((row) => row?.strategy === 'optimal')?.paperCostBytes ?? 0;
      for (const row of rows) {
        if (row?.paperCostBytes != null) {
          expect(optimum, `[A6] ${row.strategy} on ${name}`).toBeLessThanOrEqual(row.paperCostBytes);
        }
      }
    }
    // A strategy that is never applicable would pass unseen. (HiGHS is not installed.)
    for (const { name, needsMilpSolver } of STRATEGIES) {
      // Two thirds state no FLOPs, without which copies cannot be weighed.
      const least = name === 'offload' ? 15 : 50;
      if (needsMilpSolver !== true) expect(applied.get(name) ?? 0, name).toBeGreaterThan(fewest(least));
    }
  });

  it('runs the forward pass once and backward in reverse order if the executor keeps to the given one', () => {
    const applied = new Map<string, number>();
    for (const [name, { graph, ...problem }] of randomProblems(150, 23)) {
      const ordered: Problem = { ...problem, graph: { ...graph, keepsOrder: true } };
      const regular = solveRow(ordered, 'regular', { seed: 1 });
      const options = { seed: 7, checkpoints: [graph.ids[1] ?? ''], slots: 2 };
      const of = (strategy: string, share: number) =>
        rowOf(ordered, strategy, {
          ...options,
          budgetBytes: Math.max(1, Math.ceil((regular.peakBytes ?? 0) * share)),
        });
      for (const { name: strategy } of STRATEGIES) {
        const schedule = (of(strategy, 0.65) ?? of(strategy, 0.8))?.schedule;
        if (schedule == null) continue;
        applied.set(strategy, (applied.get(strategy) ?? 0) + 1);
        const backward = [...schedule.vertices].filter((_, i) => schedule.kinds[i] === BACKWARD);
        const reversed = Array.from({ length: graph.size - 1 }, (_, i) => graph.size - 1 - i);
        expect(backward, `${strategy} on ${name}`).toEqual(reversed);
        const forward = [...schedule.vertices].filter((_, i) => schedule.kinds[i] === FORWARD);
        expect(forward.slice(0, graph.size - 1), `${strategy} on ${name}`).toEqual(reversed.toReversed());
      }
    }
    for (const strategy of ['optimal', 'live', 'budget', 'random', 'chen-greedy']) {
      expect(applied.get(strategy) ?? 0, strategy).toBeGreaterThan(fewest(30));
    }
  });

  it('is deterministic', () => {
    for (const [name, problem] of randomProblems(30, 22)) {
      for (const strategy of STRATEGIES) {
        const first = rowOf(problem, strategy.name, { seed: 3 });
        const second = rowOf(problem, strategy.name, { seed: 3 });
        expect(second, `${strategy.name} on ${name}`).toEqual(first);
      }
    }
  });

  it('has a name, a title, a source, a guarantee and a use of its own', () => {
    for (const key of ['name', 'title', 'takeFor'] as const) {
      const values = STRATEGIES.map((strategy) => strategy[key]);
      expect(new Set(values).size).toBe(values.length);
    }
    for (const { source, guarantee } of STRATEGIES)
      expect(source.length * guarantee.length).toBeGreaterThan(0);
  });
});

/** Searches with a budget have tests against exhaustive search; those with HiGHS too. */
const BUDGETED = STRATEGIES.filter(
  ({ reads, needsMilpSolver }) => reads.budgetBytes === 'takes' && needsMilpSolver !== true,
).map(({ name }) => name);

it.each(BUDGETED)(
  'every strategy that takes a budget %s keeps to each that it does not refuse, and names one that it keeps to',
  (name) => {
    const rng = createRng(41);
    let [kept, refused, recomputed] = [0, 0, 0];
    for (let i = 0; i < draws(1500); i++) {
      // Half are chains, to which some strategies apply alone.
      const kind = i % 2 === 0 ? 'chain' : pick(rng, GRAPH_KINDS);
      const measured = measuredGraph(rng, { vertices: between(rng, 3, 12), kind });
      const plain = measuredProblem(measured);
      const problem = i % 6 < 4 ? plain : asCaptured(rng, plain);
      const regular = solveRow(problem, 'regular', { seed: 1 }).peakBytes ?? 0;
      const label = `${name} on ${JSON.stringify(measured)}`;
      const at = (budgetBytes: number): SolvedStrategy => solveRow(problem, name, { seed: 1, budgetBytes });
      for (const share of [2, 0.85, 0.7, 0.5]) {
        const budget = Math.max(1, Math.ceil(share * regular));
        try {
          const { applicable, peakBytes, recomputeFlops } = at(budget);
          if (!applicable) break;
          expect(peakBytes, label).toBeLessThanOrEqual(budget);
          if (share === 2) expect(recomputeFlops, label).toBe(0);
          if (recomputeFlops !== 0) recomputed++;
          kept++;
        } catch (error) {
          if (!(error instanceof InfeasibleError)) throw error;
          const least = Number(/ (?:found|reaches) is (\d+) bytes/.exec(error.message)?.[1]);
          expect(least, label).toBeGreaterThan(budget);
          expect(at(least).peakBytes, label).toBeLessThanOrEqual(least);
          refused++;
        }
      }
      // Costs of stages can exceed what the simulator counts.
      if (regular > 0 && name !== 'chain-dp')
        expect(solveRow(problem, name, { seed: 1 }).peakBytes ?? 0, label).toBeLessThanOrEqual(regular);
    }
    expect(Math.min(kept, refused, recomputed)).toBeGreaterThan(fewest(150));
  },
);
