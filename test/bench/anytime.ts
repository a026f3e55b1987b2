import { createProblem } from '../../engine/problem.ts';
import { DEFAULT_LIMIT_SECONDS } from '../../engine/strategies/search/search-limit.ts';
import { type SolvedStrategy, solveRow } from '../../engine/strategies/solve.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';
import { bytesChain, bytesGraph } from '../support/problems.ts';
import { randomStGraph } from '../support/random-graphs.ts';
import { createRng } from '../support/rng.ts';

/**
 * `live` and `budget` (half of regular's peak) on graphs known by their bytes: the time they take at the default limit
 * against the limit, and what the limit costs against a run of four times as long. Times are processor time, and the limit's clock
 * counts it too, so that a busy machine changes nothing. Exits 1 where a target is missed. Kept in
 * test/bench/results/anytime.md; cancelling is measured apart (anytime-cancel.ts).
 */
const LONG_SECONDS = 4 * DEFAULT_LIMIT_SECONDS;
/** Building and simulating what was found comes besides the search. */
const MAX_OF_LIMIT = 1.5;
const MAX_LOSS = 0.02;
/** Seconds, by vertices, of `live` on a chain. */
const CHAIN_SECONDS = new Map([
  [20_000, 5],
  [100_000, 30],
]);

/** Milliseconds of the processor. */
const now = (): number => process.cpuUsage().user / 1000;

function* graphs(): Generator<[string, number, Problem]> {
  for (const size of CHAIN_SECONDS.keys()) {
    yield ['chain', size, createProblem(bytesChain(new Array<number>(size).fill(1000)), 'pytorch')];
  }
  for (const kind of ['mixed', 'dag'] as const) {
    const graph = randomStGraph(createRng(1), { vertices: 20_000, kind, maxCost: 1_000_000 });
    yield [kind, 20_000, createProblem(bytesGraph(graph), 'pytorch')];
  }
}

interface Timed {
  readonly row: SolvedStrategy;
  readonly seconds: number;
}

function run(problem: Problem, name: string, budgetBytes: number, timeLimitSeconds?: number): Timed {
  const start = now();
  const limit = timeLimitSeconds === undefined ? {} : { timeLimitSeconds };
  const row = solveRow(problem, name, { seed: 0, budgetBytes, now, ...limit });
  return { row, seconds: (now() - start) / 1000 };
}

/** The share of peak (`live`) or of work of a step (`budget`) that the limit costs; negative where it is better. */
function lossOf(name: string, short: SolvedStrategy, long: SolvedStrategy): number {
  if (name === 'live') return (short.peakBytes ?? 0) / (long.peakBytes ?? 1) - 1;
  return (1 + (short.recomputeFraction ?? 0)) / (1 + (long.recomputeFraction ?? 0)) - 1;
}

let missed = 0;
const rows: Record<string, string | number>[] = [];
for (const [kind, size, problem] of graphs()) {
  const budgetBytes = Math.floor((solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? 0) / 2);
  for (const name of ['live', 'budget']) {
    const short = run(problem, name, budgetBytes);
    const long = run(problem, name, budgetBytes, LONG_SECONDS);
    const loss = lossOf(name, short.row, long.row);
    const ofLimit = short.seconds / DEFAULT_LIMIT_SECONDS;
    const target = name === 'live' && kind === 'chain' ? (CHAIN_SECONDS.get(size) ?? 0) : null;
    const isMissed = ofLimit > MAX_OF_LIMIT || loss > MAX_LOSS || (target !== null && short.seconds > target);
    if (isMissed) missed++;
    rows.push({
      graph: `${kind} ${size}`,
      strategy: name,
      seconds: short.seconds.toFixed(1),
      'target, s': target ?? '',
      [`of the limit (${MAX_OF_LIMIT})`]: ofLimit.toFixed(2),
      'stopped early': short.row.stopped === undefined ? '' : 'yes',
      peak: short.row.peakBytes ?? 0,
      again: (short.row.recomputeFraction ?? 0).toFixed(4),
      'long run s': long.seconds.toFixed(1),
      [`loss % (${100 * MAX_LOSS})`]: (100 * loss).toFixed(2),
      target: isMissed ? 'missed' : 'met',
    });
  }
}
console.table(rows);
keepResult('anytime', 'Searches and their limit', [
  `Seconds are the processor's. Targets: ${MAX_OF_LIMIT} of the limit of ${DEFAULT_LIMIT_SECONDS} s, the seconds named, and a loss of ${100 * MAX_LOSS} % against ${LONG_SECONDS} s. Missed: ${missed} of ${rows.length}.`,
  '',
  ...markdownTable(rows),
]);
if (missed > 0) process.exitCode = 1;
