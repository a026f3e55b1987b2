import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { InfeasibleError } from '../../../engine/errors.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import { parsePlanFile } from '../../../engine/exchange/read-plan.ts';
import { createProblem } from '../../../engine/problem.ts';
import type { Schedule } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { isTwiceAtMost, portfolioFor } from '../../../engine/strategies/portfolio.ts';
import { STRATEGIES, strategyOf } from '../../../engine/strategies/registry.ts';
import { NO_CONTROL, type Problem, type StrategyOptions } from '../../../engine/strategies/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { measuredProblems } from '../../support/measured-graphs.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';

interface Run {
  readonly name: string;
  readonly schedule: Schedule;
  readonly checkpoints: readonly number[];
  readonly peak: number;
  readonly work: number;
}

function run(problem: Problem, name: string, options: Partial<StrategyOptions> = {}): Run | null {
  try {
    const plan = strategyOf(name).plan(problem, { seed: 3, ...options }, NO_CONTROL);
    if (!plan.applicable) return null;
    const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, plan.schedule);
    const { schedule, checkpoints } = plan;
    return { name, schedule, checkpoints, peak: peakBytes, work: recomputeWork };
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}

/** What each strategy does that is told nothing, `live` last. */
function runs(problem: Problem): Run[] {
  const names = STRATEGIES.filter(({ name, reads }) => name !== 'milp' && reads.budgetBytes !== 'needs');
  return names.flatMap(({ name }) => run(problem, name) ?? []);
}

describe('graphs of everything that a file can state', () => {
  it('have plans that both simulators accept, above the bound, that come back from their file', () => {
    for (const [name, problem] of measuredProblems(150, 91, { least: 2, most: 14 })) {
      const { graph, memory } = problem;
      const bound = lowerBound(problem).bytes;
      for (const found of runs(problem)) {
        const timeline = simulate(graph, memory, found.schedule);
        const { live, fault } = referenceSimulate(graph, memory, found.schedule);
        expect(fault, `${found.name} on ${name}`).toBe(-1);
        expect(live, `${found.name} on ${name}`).toEqual([...timeline.live]);
        expect(found.peak, `${found.name} on ${name}`).toBeGreaterThanOrEqual(bound);
        const chosen = {
          strategy: found.name,
          options: {},
          checkpoints: found.checkpoints.map((v) => graph.ids[v]!),
          schedule: found.schedule,
          timeline,
        };
        const file = JSON.stringify(planFile(graph, chosen));
        const back = strategyOf('plan').plan(problem, { seed: 0, plan: parsePlanFile(file) }, NO_CONTROL);
        if (!back.applicable) throw new Error(back.reason);
        expect(back.schedule, `${found.name} on ${name}`).toEqual(found.schedule);
      }
    }
  });

  it('are never held in less by another strategy that forwards nothing more than twice than by live', () => {
    for (const [name, problem] of measuredProblems(60, 92, { least: 3, most: 20 })) {
      const found = runs(problem);
      const live = found.find((one) => one.name === 'live')!;
      for (const other of found.filter(({ schedule }) => isTwiceAtMost(schedule, problem.graph.size))) {
        expect(live.peak, `${other.name} on ${name}`).toBeLessThanOrEqual(other.peak);
        if (other.peak === live.peak)
          expect(live.work, `${other.name} on ${name}`).toBeLessThanOrEqual(other.work);
      }
    }
  });

  it('cost budget no more than any other that fits, and no more for more bytes', () => {
    for (const [name, problem] of measuredProblems(20, 93, { least: 3, most: 17 })) sweep(problem, name, 5);
  });

  it('cost budget exactly the least where they are little, and are refused below the least peak alone', () => {
    for (const [name, problem] of measuredProblems(60, 94, { most: 8 })) {
      const every = new ExhaustiveSchedules(problem);
      const least = every.lowestPeak();
      const regular = run(problem, 'regular')!.peak;
      for (const budgetBytes of [least, Math.floor((least + regular) / 2), regular]) {
        if (budgetBytes === 0) continue;
        expect(run(problem, 'budget', { budgetBytes })?.work, name).toBe(every.leastRecompute(budgetBytes));
      }
      if (least > 1) expect(run(problem, 'budget', { budgetBytes: least - 1 }), name).toBeNull();
    }
  });
});

/** Budgets from below the lowest peak to above regular's, with the peaks of all others. */
function sweep(problem: Problem, name: string, steps: number): void {
  const others = runs(problem);
  const peaks = others.map(({ peak }) => peak);
  const [low, high] = [Math.min(...peaks), Math.max(...peaks)];
  const between = Array.from({ length: steps }, (_, i) => Math.floor(low + ((high - low) * i) / (steps - 1)));
  const budgets = [...new Set([...between, ...peaks])].filter((bytes) => bytes > 0).sort((a, b) => a - b);
  let least = Number.POSITIVE_INFINITY;
  for (const budgetBytes of budgets) {
    const found = run(problem, 'budget', { budgetBytes });
    const at = `${budgetBytes} bytes on ${name}`;
    expect(found?.peak, at).toBeLessThanOrEqual(budgetBytes);
    expect(found!.work, at).toBeLessThanOrEqual(least);
    least = found!.work;
    const chain = run(problem, 'chain-dp', { budgetBytes });
    for (const other of chain === null ? others : [...others, chain]) {
      if (other.peak <= budgetBytes)
        expect(found!.work, `${other.name} within ${at}`).toBeLessThanOrEqual(other.work);
    }
  }
}

describe('a network', () => {
  it('costs budget no more for more bytes', () => {
    sweep(createProblem(buildModel('tiny-residual', { batch: 8 }), 'pytorch'), 'tiny-residual', 6);
  });
});

describe('the portfolio', () => {
  it('has every strategy that needs nothing but the graph', () => {
    const alone = STRATEGIES.filter(
      ({ reads, needsMilpSolver }) =>
        needsMilpSolver === undefined && Object.values(reads).every((how) => how !== 'needs'),
    );
    const names = portfolioFor(100).map(({ name }) => name);
    expect([...names, 'live'].sort()).toEqual(alone.map(({ name }) => name).sort());
  });
});
