import { InfeasibleError } from '../../engine/errors.ts';
import { createProblem } from '../../engine/problem.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { regularFigures } from '../../engine/strategies/regular.ts';
import { SEARCH_SHARE } from '../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../engine/strategies/strategy/strategy.ts';
import { CVPR_TABLE_2 } from '../../engine/tables/paper-tables.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { keepResult, markdownTable, median } from '../support/bench-results.ts';
import { improvements, now } from '../support/planner-improvements.ts';

/**
 * Quality against time: the recompute of `budget` after so many seconds of the processor, beside that of the peers that have
 * answered by then, on 29 networks at four budgets. One run of the planner a cell: its improvements say what it would answer
 * at every time. Exits 1 where a target is missed; kept in test/bench/results/quality.md. Arguments of the environment:
 * `ZIGZAG_QUALITY=resnet18,unet` takes these networks alone and keeps nothing.
 */
const SHARES = [0.35, 0.5, 0.65, 0.8] as const;
const TIMES = [0.05, 0.5, 2, 10] as const;
const PEER_NAMES = ['dtr', 'knapsack', 'chain-dp'] as const;
/** Points of a forward. */
const SAME = 0.1;
const WORSE = 5;
const MAX_MEDIAN_SECONDS = 0.2;
const MAX_FIRST_SECONDS = 0.02;
const OTHERS =
  'cifar-resnet-110 unet unet-group-norm tiny-unet tiny-residual gpt2 bert-base bert-base-fused vit-b-16 mobilenet-v2 chain-64'.split(
    ' ',
  );

interface Found {
  readonly seconds: number;
  /** Per cent of a forward. */
  readonly recompute: number;
}

interface Cell {
  readonly network: string;
  readonly share: number;
  readonly ours: readonly Found[];
  readonly peers: readonly Found[];
  readonly seconds: number;
}

function peerAt(problem: Problem, name: string, budgetBytes: number): Found[] {
  const start = now();
  try {
    const plan = strategyOf(name).plan(problem, { seed: 0, budgetBytes }, NO_CONTROL);
    if (!plan.applicable) return [];
    const seconds = now() - start;
    const { recomputeFraction } = simulate(problem.graph, problem.memory, plan.schedule);
    return [{ seconds, recompute: 100 * recomputeFraction }];
  } catch (error) {
    if (error instanceof InfeasibleError) return [];
    throw error;
  }
}

function measure(network: string): Cell[] {
  const problem = createProblem(buildModel(network, { batch: 1 }), 'pytorch');
  const { peakBytes } = regularFigures(problem);
  return SHARES.map((share) => {
    const budget = Math.floor(share * peakBytes);
    const peers = PEER_NAMES.flatMap((name) => peerAt(problem, name, budget));
    const { found: ours, seconds } = improvements(problem, budget);
    return { network, share, peers, ours, seconds };
  });
}

const bestBy = (found: readonly Found[], seconds: number): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...found.filter((one) => one.seconds <= seconds).map((one) => one.recompute),
  );

const wanted = process.env['ZIGZAG_QUALITY'];
const networks = wanted?.split(',') ?? [...CVPR_TABLE_2.map(({ network }) => network), ...OTHERS];
// The first of a process waits for the compiler.
measure('resnet18');
const cells = networks.flatMap((network) => {
  console.error(network);
  return measure(network);
});
const met = cells.filter(({ ours, peers }) => ours.length > 0 || peers.length > 0);
const rows = TIMES.map((seconds) => {
  // Plans found after this share of the search do not count.
  const behind = (points: number): number =>
    met.filter(({ ours, peers }) => bestBy(ours, SEARCH_SHARE * seconds) > bestBy(peers, seconds) + points)
      .length;
  return {
    'processor s': seconds,
    [`worse than a peer by more than ${SAME} points`]: behind(SAME),
    [`by more than ${WORSE}`]: behind(WORSE),
    'without a plan': met.filter(
      ({ ours }) => bestBy(ours, SEARCH_SHARE * seconds) === Number.POSITIVE_INFINITY,
    ).length,
  };
});
const firsts = met.flatMap(({ ours }) => ours.slice(0, 1).map(({ seconds }) => seconds));
const nears = met.flatMap(({ ours }) => {
  const last = ours.at(-1)?.recompute ?? 0;
  return ours
    .filter(({ recompute }) => recompute <= last + SAME)
    .slice(0, 1)
    .map(({ seconds }) => seconds);
});
const middle = median(nears);
const total = cells.reduce((sum, { seconds }) => sum + seconds, 0);
const most = Math.max(0, ...firsts);
const grows = networks.flatMap((network) => {
  const last = met.filter((cell) => cell.network === network).map(({ ours }) => ours.at(-1)?.recompute ?? 0);
  return last.slice(1).filter((recompute, i) => recompute > last[i]!);
}).length;
const lines = [
  `${met.length} of ${cells.length} cells can be met: ${networks.length} networks at ${SHARES.map((share) => 100 * share).join(', ')} % of regular's peak, one sample. Peers: ${PEER_NAMES.join(', ')}, each as soon as it has answered.`,
  '',
  ...markdownTable(rows),
  '',
  `Seconds to within ${SAME} points of the last answer: median ${middle.toFixed(3)} (target ${MAX_MEDIAN_SECONDS}), most ${Math.max(0, ...nears).toFixed(2)}. First plan: most ${most.toFixed(3)} s (target ${MAX_FIRST_SECONDS}). All cells to the end: ${total.toFixed(1)} s. A larger budget recomputes more in ${grows} cells.`,
  '',
  ...markdownTable(
    met.map(({ network, share, ours, peers, seconds }) => ({
      network,
      budget: `${100 * share} %`,
      ...Object.fromEntries(TIMES.map((time) => [`${time} s`, text(bestBy(ours, SEARCH_SHARE * time))])),
      peers: text(bestBy(peers, 10)),
      'all s': seconds.toFixed(2),
    })),
  ),
];
console.log(lines.join('\n'));
if (wanted === undefined) keepResult('quality', 'Quality against time', lines);
const isMissed =
  rows.some((row) => Number(row[`worse than a peer by more than ${SAME} points`]) > 0) ||
  middle > MAX_MEDIAN_SECONDS ||
  most > MAX_FIRST_SECONDS;
if (isMissed) process.exitCode = 1;

function text(recompute: number): string {
  return Number.isFinite(recompute) ? recompute.toFixed(2) : '–';
}
