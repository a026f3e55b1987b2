import { createProblem } from '../../engine/problem.ts';
import { Planner } from '../../engine/strategies/planner/planner.ts';
import { SearchLimit } from '../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';
import { now } from '../support/planner-improvements.ts';
import { bytesChain } from '../support/problems.ts';

/**
 * Seconds of the processor until a long chain has its first plan within half of regular's peak, until `budget` has its
 * answer, and of a search of the front; memory of the process by then. Exits 1 where the longest misses its targets. Kept in
 * test/bench/results/scale.md.
 */
const SIZES = [100_000, 300_000, 1_000_000];
const MAX_FIRST_SECONDS = 5;
const MAX_FRONT_SECONDS = 60;
const MAX_MIB = 2048;

function rowOf(size: number): Record<string, string | number> {
  const began = now();
  const graph = bytesChain(Array.from({ length: size }, (_, i) => 1000 + 37 * (i % 11)));
  const problem = createProblem(graph, 'pytorch');
  const built = now();
  let first: number | null = null;
  let budget = 0;
  const planner = new Planner(problem, new SearchLimit({}, NO_CONTROL), 0, (front) => {
    if (budget > 0 && first === null && front.within(budget) !== null) first = now();
  });
  budget = Math.floor(planner.regular.peakBytes / 2);
  const { recomputeWork } = planner.within(budget);
  const ended = now();
  const whole = new Planner(problem, new SearchLimit({}, NO_CONTROL), 0);
  whole.explore();
  const frontSeconds = now() - ended;
  const mib = process.resourceUsage().maxRSS / 1024;
  const firstSeconds = (first ?? ended) - built;
  const isMissed = firstSeconds > MAX_FIRST_SECONDS || frontSeconds > MAX_FRONT_SECONDS || mib > MAX_MIB;
  if (size === SIZES.at(-1) && isMissed) process.exitCode = 1;
  return {
    vertices: String(size),
    'built, s': (built - began).toFixed(1),
    'first plan, s': firstSeconds.toFixed(1),
    'answer, s': (ended - built).toFixed(1),
    'recompute, % of a forward': ((100 * recomputeWork) / planner.front.forwardWork).toFixed(1),
    'front, s': frontSeconds.toFixed(1),
    'its plans': whole.front.plans.length,
    'memory so far, MiB': mib.toFixed(0),
    'within targets': isMissed ? 'no' : 'yes',
  };
}

keepResult('scale', 'Long chains at half of regular’s peak', [
  `Targets at the longest: the first plan in ${MAX_FIRST_SECONDS} s of processor time, the front in ${MAX_FRONT_SECONDS} s, ${MAX_MIB} MiB.`,
  '',
  ...markdownTable(SIZES.map(rowOf)),
]);
