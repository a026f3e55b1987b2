import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { createHighsSolver } from '../../../app/bridges/highs.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { StrategyOptions } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const busy: ChildProcess[] = [];
afterEach(() => {
  for (const child of busy.splice(0)) child.kill('SIGKILL');
});

/** Processes that only take time, twice as many as there are cores. */
async function keepBusy(): Promise<void> {
  for (let i = 0; i < 2 * availableParallelism(); i++)
    busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  await Promise.all(busy.map((child) => once(child, 'spawn')));
}

interface Question extends Partial<StrategyOptions> {
  readonly strategy: string;
  readonly model: string;
  readonly batch: number;
  /** Share of what regular training needs, or bytes; the strategy's own choice where absent. */
  readonly budget?: number;
}

/** The plan's file, to the byte, and how its search ended. */
async function planText({ strategy, model, batch, budget, ...others }: Question): Promise<string> {
  const problem = createProblem(buildModel(model, { batch }), 'pytorch');
  const regularBytes = solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? 0;
  const budgetBytes =
    budget === undefined ? undefined : Math.floor(budget < 1 ? budget * regularBytes : budget);
  const options: StrategyOptions = {
    seed: 0,
    ...(budgetBytes === undefined ? {} : { budgetBytes }),
    // The clock of the lab, on which nothing may depend.
    now: () => performance.now(),
    milpSolver: await createHighsSolver(),
    ...others,
  };
  const { schedule, timeline, checkpoints, stopped, peakBytes, claim } = solveRow(problem, strategy, options);
  if (schedule === null || timeline === null) throw new Error(`${strategy} has no plan`);
  expect(peakBytes).toBeLessThanOrEqual(budgetBytes ?? regularBytes);
  const file = planFile(problem.graph, { strategy, options: {}, checkpoints, schedule, timeline });
  return JSON.stringify({ file, stopped, claim });
}

const QUESTIONS: readonly (Question & { readonly ends: 'whole' | 'work' })[] = [
  { strategy: 'budget', model: 'gpt2', batch: 8, budget: 5 * 2 ** 30, ends: 'whole' },
  {
    strategy: 'checkmate-rounding',
    model: 'resnet18',
    batch: 2,
    ends: 'work',
    exactSeconds: 0.08,
  },
  {
    strategy: 'milp',
    model: 'chain-12',
    batch: 2,
    budget: 0.5,
    ends: 'work',
    exactSeconds: 1,
  },
];

it.each(QUESTIONS)(
  'the same question beside a busy machine gives the same plan to the byte: $strategy of $model',
  async ({ ends, ...question }) => {
    const quiet = await planText(question);
    const { stopped } = JSON.parse(quiet) as { stopped?: { by: string } };
    // Searches that work ends are those that a clock would end elsewhere.
    expect(stopped?.by).toBe(ends === 'work' ? 'work' : undefined);
    await keepBusy();
    expect(await planText(question)).toBe(quiet);
    expect(await planText(question)).toBe(quiet);
  },
);
