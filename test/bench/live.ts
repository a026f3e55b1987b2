import { createProblem } from '../../engine/problem.ts';
import { simulate, type Timeline } from '../../engine/simulate/simulate.ts';
import { paretoFront } from '../../engine/strategies/budget/pareto-front.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { NO_CONTROL, type Problem } from '../../engine/strategies/strategy/strategy.ts';
import { buildModel, MODELS } from '../../engine/zoo/zoo.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';
import { bytesGraph } from '../support/problems.ts';
import { randomStGraph } from '../support/random-graphs.ts';
import { createRng } from '../support/rng.ts';
import { viewGraph } from '../support/view-graph.ts';

/**
 * Peaks and recompute of `live` and `budget` beside `regular` and `optimal`, batch 1: every network with
 * its operations and as the papers' computation graph (bytes only), then the front of three networks and
 * `live` on random graphs of 5,000 vertices. Times are processor time. Exits 1 when `live` takes over
 * 1 s on a network or over 30 s on a large graph. Times are warm: all
 * strategies have run before on another network. Kept in test/bench/results/live.md.
 */
const NETWORK_MS = 1_000;
const LARGE_MS = 30_000;
const kept: string[] = [];

interface Run {
  readonly timeline: Timeline;
  readonly ms: number;
}

function run(problem: Problem, name: string, budgetBytes?: number): Run | null {
  const options = budgetBytes === undefined ? { seed: 1 } : { seed: 1, budgetBytes };
  const before = process.cpuUsage();
  const plan = strategyOf(name).plan(problem, options, NO_CONTROL);
  const ms = Math.round(process.cpuUsage(before).user / 1000);
  return plan.applicable ? { timeline: simulate(problem.graph, problem.memory, plan.schedule), ms } : null;
}

const mega = (bytes: number | undefined): string => (bytes === undefined ? '' : (bytes / 1e6).toFixed(2));
const share = (fraction: number | undefined): string => (fraction === undefined ? '' : fraction.toFixed(3));

function warmUp(): void {
  const problem = createProblem(buildModel('resnet34', { batch: 2 }), 'pytorch');
  for (const name of ['regular', 'optimal', 'live']) run(problem, name);
  run(problem, 'budget', (run(problem, 'regular')?.timeline.peakBytes ?? 0) / 2);
}

function networks(): number {
  let slowest = 0;
  const rows = [];
  for (const { name } of MODELS) {
    const full = buildModel(name, { batch: 1 });
    for (const [view, graph] of [
      ['operations', full],
      ['bytes only', viewGraph(full)],
    ] as const) {
      const problem = createProblem(graph, 'pytorch');
      const regular = run(problem, 'regular');
      const optimal = run(problem, 'optimal');
      const live = run(problem, 'live');
      const budget = optimal === null ? null : run(problem, 'budget', optimal.timeline.peakBytes);
      slowest = Math.max(slowest, live?.ms ?? 0);
      rows.push({
        network: name,
        graph: view,
        'regular MB': mega(regular?.timeline.peakBytes),
        'optimal MB': mega(optimal?.timeline.peakBytes),
        'live MB': mega(live?.timeline.peakBytes),
        'optimal again': share(optimal?.timeline.recomputeFraction),
        'live again': share(live?.timeline.recomputeFraction),
        'budget again': share(budget?.timeline.recomputeFraction),
        'live ms': live?.ms ?? '',
        'budget ms': budget?.ms ?? '',
      });
    }
  }
  console.table(rows);
  kept.push(...markdownTable(rows), '');
  return slowest;
}

function fronts(): void {
  for (const name of ['resnet50', 'nasnet', 'unet']) {
    const before = process.cpuUsage();
    const points = paretoFront(createProblem(buildModel(name, { batch: 1 }), 'pytorch'), NO_CONTROL);
    const ms = Math.round(process.cpuUsage(before).user / 1000);
    const text = points
      .map((point) => `${mega(point.peakBytes)}:${share(point.recomputeFraction)}`)
      .join(' ');
    const line = `front of ${name}, MB:recompute (${ms} ms): ${text}`;
    console.log(line);
    kept.push(`- ${line}`);
  }
}

function large(): number {
  let slowest = 0;
  for (const kind of ['chain', 'mixed', 'dag'] as const) {
    const graph = bytesGraph(randomStGraph(createRng(1), { vertices: 5000, kind, maxCost: 1_000_000 }));
    const problem = createProblem(graph, 'pytorch');
    const regular = run(problem, 'regular');
    const live = run(problem, 'live');
    slowest = Math.max(slowest, live?.ms ?? 0);
    const line = `${kind} of 5,000 vertices: regular ${mega(regular?.timeline.peakBytes)} MB, live ${mega(live?.timeline.peakBytes)} MB in ${live?.ms} ms`;
    console.log(line);
    kept.push(`- ${line}`);
  }
  return slowest;
}

warmUp();
const slowestNetwork = networks();
fronts();
const slowestLarge = large();
const isMissed = slowestNetwork > NETWORK_MS || slowestLarge > LARGE_MS;
const sums =
  `Slowest network ${slowestNetwork} ms (target ${NETWORK_MS}), slowest large graph ${slowestLarge} ms ` +
  `(target ${LARGE_MS}), processor time: ${isMissed ? 'missed' : 'met'}.`;
console.log(sums);
keepResult('live', '`live` and `budget` beside the papers', [sums, '', ...kept]);
if (isMissed) process.exitCode = 1;
