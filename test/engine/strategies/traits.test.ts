import { describe, expect, it } from 'vitest';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { regular } from '../../../engine/strategies/regular.ts';
import { STRATEGIES, strategyOf } from '../../../engine/strategies/registry.ts';
import {
  isTold,
  NO_CONTROL,
  type Plan,
  type Problem,
  type Strategy,
  type StrategyOptions,
} from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesGraph, inBlocks, randomNetwork } from '../../support/problems.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';

const BATCHES = [1, 2, 7, 256];
/** The solver of `milp` is not the engine's, and needs no more than small graphs. */
const SOLVED = STRATEGIES.filter(({ needsMilpSolver }) => needsMilpSolver === undefined);

/** The same drawn graph at every batch: bytes alone, then networks that also keep bytes which are fixed. */
function* drawn(): Generator<[string, (batch: number) => Graph]> {
  for (let seed = 0; seed < 40; seed++) {
    const rng = createRng(seed);
    const kind = pick(rng, GRAPH_KINDS);
    const shape = randomStGraph(rng, { vertices: between(rng, 2, 12), kind });
    yield [
      `bytes ${seed}`,
      (batch) => bytesGraph({ ...shape, cost: shape.cost.map((bytes) => bytes * batch) }),
    ];
    yield [`network ${seed}`, (batch) => inBlocks(randomNetwork(createRng(seed), 12, batch))];
  }
  for (const model of ['tiny-residual', 'alexnet', 'vgg11', 'resnet18', 'chain-30', 'unet']) {
    yield [model, (batch) => buildModel(model, { batch })];
  }
}

/** Everything that any strategy can be told, for this very graph. */
function toldAll(problem: Problem): StrategyOptions {
  const { graph, memory } = problem;
  const plan = regular.plan(problem, { seed: 0 }, NO_CONTROL) as Plan;
  const timeline = simulate(graph, memory, plan.schedule);
  const { schedule } = plan;
  return {
    seed: 5,
    budgetBytes: Math.max(1, timeline.peakBytes),
    checkpoints: [graph.ids[Math.floor(graph.size / 2)] ?? ''],
    slots: 3,
    segments: 1,
    checkpointing: 'reentrant',
    link: {
      speed: { flopsPerSecond: 1e9, secondsPerOperation: 1e-6 },
      link: { bytesPerSecond: 1e9, overlaps: true },
    },
    plan: planFile(graph, { strategy: 'regular', options: {}, checkpoints: [], schedule, timeline }),
  };
}

/** Form in which plans are compared; a refusal is equal to any other refusal. */
function planOf({ plan }: Strategy, problem: Problem, options: StrategyOptions): unknown {
  const made = plan(problem, options, NO_CONTROL);
  if (!made.applicable) return null;
  const { checkpoints, schedule } = made;
  return { checkpoints, kinds: schedule.kinds, vertices: schedule.vertices };
}

describe('traits', () => {
  it.each(SOLVED.filter(({ scalesWithBatch }) => scalesWithBatch).map(({ name }) => name))(
    '%s: its plan at one batch is its plan at every other',
    (name) => {
      const strategy = strategyOf(name);
      for (const [graph, at] of drawn()) {
        const options = toldAll(createProblem(at(1), 'pytorch'));
        const [one, ...others] = BATCHES.map((batch) =>
          planOf(strategy, createProblem(at(batch), 'pytorch'), options),
        );
        for (const other of others) expect(other, graph).toEqual(one);
      }
    },
  );

  it.each(SOLVED.map(({ name }) => name))('%s: only what it reads changes its plan', (name) => {
    const strategy = strategyOf(name);
    const unread = (options: StrategyOptions) =>
      Object.fromEntries(
        Object.entries(options).filter(([option]) => option === 'seed' || option in strategy.reads),
      ) as unknown as StrategyOptions;
    for (const [graph, at] of drawn()) {
      const problem = createProblem(at(2), 'pytorch');
      if (problem.graph.size > 40) continue;
      const told = toldAll(problem);
      const least = unread(told);
      const other = 'seed' in strategy.reads ? least : { ...least, seed: 6 };
      expect(planOf(strategy, problem, other), graph).toEqual(planOf(strategy, problem, told));
    }
  });

  it.each(SOLVED.map(({ name }) => name))('%s: has no plan without its required options', (name) => {
    const strategy = strategyOf(name);
    const problem = createProblem(buildModel('tiny-residual', { batch: 2 }), 'pytorch');
    const told = toldAll(problem);
    expect(isTold(strategy, told)).toBe(true);
    for (const [option, how] of Object.entries(strategy.reads)) {
      if (how !== 'needs') continue;
      const { [option as keyof StrategyOptions]: _, ...rest } = told;
      expect(isTold(strategy, rest)).toBe(false);
      expect(planOf(strategy, problem, { seed: 0, ...rest })).toBeNull();
    }
  });

  it.each(SOLVED.map(({ name }) => name))('%s: declares correctly if it has a paper cost', (name) => {
    const strategy = strategyOf(name);
    const costs = new Set<boolean>();
    for (const [, at] of drawn()) {
      const problem = createProblem(at(2), 'pytorch');
      if (problem.graph.size > 40) continue;
      const plan = strategy.plan(problem, toldAll(problem), NO_CONTROL);
      if (plan.applicable) costs.add(plan.paperCostBytes !== null);
    }
    // A set of one's own need not cut the graph as Eq. 2 asks.
    expect([...costs]).toEqual(name === 'manual' ? [true, false] : [strategy.hasPaperCost]);
  });

  it.each([
    ['chain-dp', (batch: number) => buildModel('resnet50', { batch, input: 64 })],
    ['sequential', (batch: number) => buildModel('resnet50', { batch, input: 64 })],
    ['bptt', (batch: number) => randomNetwork(createRng(54), 14, batch)],
  ])('%s weighs bytes that are fixed, so that its plan at batch 1 is not the one at batch 64', (name, at) => {
    const [one, many] = [1, 64].map((batch) =>
      planOf(strategyOf(name), createProblem(at(batch), 'pytorch'), { seed: 0 }),
    );
    expect(one).not.toEqual(many);
  });
});
