import type { MilpSolver } from '../strategies/milp/milp-solver.ts';
import { STRATEGIES } from '../strategies/registry.ts';
import { solveRow } from '../strategies/solve.ts';
import { isTold, type Strategy, type StrategyOptions } from '../strategies/strategy/strategy.ts';
import {
  CHAIN_LENGTHS,
  largerProbes,
  type Probe,
  PROBE_CLASSES,
  PROBES,
  type ProbeClass,
} from './probe-graphs.ts';
import {
  environmentOf,
  type ProbeResult,
  probeLarger,
  probeStrategy,
  type Yardstick,
  yardstickOf,
} from './probe-strategy.ts';
import type { Column, TableRecipe, TableRow } from './table.ts';

/** Ticks for "applies" and "is optimal": ✓✓, ✓✗ or ✗✗ as the paper prints them. */
type Ticks = '✓✓' | '✓✗' | '✗✗';

/** A row of Table 1 of paper 000, with the strategies that stand for it. */
interface PaperRow {
  readonly approach: string;
  readonly strategies: readonly string[];
  readonly equalChain: Ticks;
  readonly unequalChain: Ticks;
  readonly acg: Ticks;
  readonly automatic: boolean;
  readonly budget: boolean;
}

export const CVPR_TABLE_1: readonly PaperRow[] = [
  row('manual input', ['manual'], ['✓✗', '✓✗', '✓✗'], false, false),
  row("Griewank & Walther's", ['revolve'], ['✓✓', '✗✗', '✗✗'], true, false),
  row("Chen's", ['chen-sqrt', 'chen-greedy', 'chen-memonger'], ['✓✓', '✓✗', '✗✗'], true, false),
  row("Gruslys's", ['bptt'], ['✓✓', '✗✗', '✗✗'], true, true),
  row('ours', ['optimal'], ['✓✓', '✓✓', '✓✓'], true, false),
];

function row(
  approach: string,
  strategies: readonly string[],
  [equalChain, unequalChain, acg]: readonly [Ticks, Ticks, Ticks],
  automatic: boolean,
  budget: boolean,
): PaperRow {
  return { approach, strategies, equalChain, unequalChain, acg, automatic, budget };
}

const CLASS_TITLES: Readonly<Record<ProbeClass, string>> = {
  equalChain: 'equal chains',
  unequalChain: 'unequal chains',
  nonLinear: 'non-linear graphs',
  arbitrary: 'graphs without separator',
};

const YARDSTICKS: Readonly<Record<Yardstick, { readonly name: string; readonly unit: string }>> = {
  'eq-2': { name: 'Eq. 2', unit: 'bytes of Eq. 2' },
  recompute: { name: 'recompute', unit: 'FLOPs again' },
  peak: { name: 'peak', unit: 'bytes at the peak' },
};

/**
 * Table 1 of paper 000 computed: every strategy runs on small graphs of each class with all that it can be told, and
 * an exhaustive search over checkpoint sets or over schedules says if anything is better. The measure follows from the
 * strategy's traits: Eq. 2 where it chooses checkpoints on the papers' graph, the recompute at its memory where it is
 * told how much memory there is, else the lowest peak of all schedules. Eq. 2 is also counted on larger graphs.
 *
 * @param milpSolver without it the row of `milp` says that it did not run
 */
export function capabilitiesRecipe(milpSolver?: MilpSolver): TableRecipe {
  const brought = milpSolver === undefined ? {} : { milpSolver };
  let larger: Larger | undefined;
  return {
    head: {
      name: 'capabilities',
      title: 'What each approach applies to, and where it is optimal',
      citation: 'Feng & Huang, CVPR 2021, Table 1',
      notes: [
        `First sign: applies to all graphs of the class, or to how many; second: nothing better exists on any. Solved on ${PROBE_CLASSES.map((name) => `${PROBES[name].length} ${CLASS_TITLES[name]}`).join(', ')} of at most nine tensors, against exhaustive search.`,
        `Eq. 2 also on larger graphs, against the optimum of the papers’ algorithms. These are equal chains of every length from ${CHAIN_LENGTHS.from} to ${CHAIN_LENGTHS.to}, 20 unequal chains of 10 to 86 tensors, ResNet-18, -34 and -50, DenseNet-121, Inception v3, NASNet and DARTS.`,
        '✓?: applies; unknown if a better schedule with transfers exists, because no search covers all of them.',
        'Measured by Eq. 2 for strategies that choose checkpoints; by the recompute that any schedule needs at their memory for those that are told it; else by the lowest peak of all schedules. Paper: arbitrary graphs are one class.',
      ],
      columns: COLUMNS,
    },
    networks: STRATEGIES.map(({ title }) => title),
    rowOf(index) {
      const strategy = STRATEGIES[index];
      larger ??= largerProbes();
      return strategy === undefined
        ? {}
        : rowOf(strategy, { ...brought, ...environmentOf(strategy) }, larger);
    },
  };
}

type Larger = Readonly<Record<ProbeClass, readonly Probe[]>>;

function rowOf(strategy: Strategy, brought: Partial<StrategyOptions>, larger: Larger): TableRow {
  const { name, title, needsMilpSolver } = strategy;
  const paper = CVPR_TABLE_1.find(({ strategies }) => strategies.includes(name)) ?? null;
  const yardstick = yardstickOf(strategy);
  const head = {
    strategy: title,
    name,
    paperApproach: paper?.approach ?? null,
    ...paperCells(paper),
    yardstick: YARDSTICKS[yardstick].name,
  };
  if (needsMilpSolver === true && brought.milpSolver === undefined) {
    const unknown = Object.fromEntries(PROBE_CLASSES.map((kind) => [kind, 'unknown']));
    return {
      ...head,
      ...unknown,
      automatic: 'unknown',
      budget: 'unknown',
      cause: 'No MILP solver was loaded',
    };
  }
  const found = PROBE_CLASSES.map((kind) => ({
    kind,
    results: [
      ...PROBES[kind].map((probe) => probeStrategy(strategy, probe, brought)),
      ...(isLargerProbed(strategy) ? larger[kind].map((probe) => probeLarger(strategy, probe)) : []),
    ],
  }));
  const isJudged = strategy.reads.link === undefined;
  const cells = found.flatMap(({ kind, results }): [string, string | number][] => [
    [kind, ticksOf(results, isJudged)],
    [`${kind}Applies`, results.filter(({ applies }) => applies).length],
    [`${kind}Optimal`, results.filter(({ optimal }) => optimal).length],
    [`${kind}Probes`, results.length],
  ]);
  const all = found.flatMap(({ results }) => results);
  const automatic = isAutomatic(strategy, brought);
  const budget = budgetOf(strategy, all);
  const of = (...kinds: ProbeClass[]): ProbeResult[] =>
    found.filter(({ kind }) => kinds.includes(kind)).flatMap(({ results }) => results);
  return {
    ...head,
    ...Object.fromEntries(cells),
    automatic: automatic ? '✓' : '✗',
    budget,
    cause:
      paper === null
        ? ''
        : [
            differenceOf('equal chains', paper.equalChain, of('equalChain'), yardstick),
            differenceOf('unequal chains', paper.unequalChain, of('unequalChain'), yardstick),
            differenceOf('arbitrary graphs', paper.acg, of('nonLinear', 'arbitrary'), yardstick),
            budgetDifference(paper.budget, budget, all),
            paper.automatic === automatic
              ? ''
              : `automatic: paper ${mark(paper.automatic)}, here ${mark(automatic)}`,
          ]
            .filter((text) => text !== '')
            .join('. '),
  };
}

function paperCells(paper: PaperRow | null): TableRow {
  return {
    paperEqualChain: paper?.equalChain ?? null,
    paperUnequalChain: paper?.unequalChain ?? null,
    paperAcg: paper?.acg ?? null,
    paperAutomatic: paper === null ? null : mark(paper.automatic),
    paperBudget: paper === null ? null : mark(paper.budget),
  };
}

const mark = (yes: boolean): string => (yes ? '✓' : '✗');

/** Eq. 2 of a strategy that chooses by itself is also counted on larger graphs. */
const isLargerProbed = (strategy: Strategy): boolean =>
  yardstickOf(strategy) === 'eq-2' && strategy.reads.checkpoints === undefined;

/** As the paper's two signs; where it applies to some graphs of a class only, how many stands for the first. */
function ticksOf(results: readonly ProbeResult[], isJudged = true): string {
  const applied = results.filter(({ applies }) => applies);
  if (applied.length === 0) return '✗✗';
  const best = applied.every(({ missed, optimal }) => (isJudged ? optimal : missed === null));
  const optimal = best && !isJudged ? '?' : mark(best);
  return applied.length === results.length ? `✓${optimal}` : `${applied.length}/${results.length} ${optimal}`;
}

/** True if it chooses by itself, told no more than how much memory and which link there is. */
function isAutomatic(strategy: Strategy, brought: Partial<StrategyOptions>): boolean {
  const [probe] = PROBES.equalChain;
  const told = { seed: 0, budgetBytes: Number.MAX_SAFE_INTEGER, ...brought };
  if (probe === undefined || !isTold(strategy, told)) return false;
  return solveRow(probe.problem, strategy.name, told).applicable;
}

/** `bytes` where it never held more than it was given, `slots` where a number of checkpoints decides. */
function budgetOf(strategy: Strategy, results: readonly ProbeResult[]): string {
  const told = results.filter(({ withinBudget }) => withinBudget !== null);
  if (told.length > 0) return told.every(({ withinBudget }) => withinBudget === true) ? '✓ bytes' : '✗';
  return strategy.reads.slots !== undefined && results.some(({ peaks }) => peaks > 1) ? '✓ slots' : '✗';
}

/** Difference between the paper's signs and ours: the counts, and the first graph that shows it. */
function differenceOf(
  what: string,
  paper: Ticks,
  results: readonly ProbeResult[],
  yardstick: Yardstick,
): string {
  const ours = ticksOf(results);
  if (ours === paper) return '';
  const applied = results.filter(({ applies }) => applies).length;
  const refused = results.find(({ applies, reason }) => !applies && reason !== null);
  const missed = results.find((result) => result.missed !== null);
  const facts = [
    `applies to ${applied} of ${results.length}`,
    ...(refused === undefined ? [] : [`not to "${refused.probe}" (${refused.reason})`]),
    ...(missed?.missed == null
      ? []
      : [
          `on "${missed.probe}" ${formatted(missed.missed.reached)} ${YARDSTICKS[yardstick].unit} where ${formatted(missed.missed.best)} are possible`,
        ]),
  ];
  return `${what}: paper ${paper}, here ${ours}: ${facts.join('; ')}`;
}

const formatted = (value: number): string => (Number.isFinite(value) ? String(Math.round(value)) : 'no cost');

function budgetDifference(paper: boolean, ours: string, results: readonly ProbeResult[]): string {
  if (ours.startsWith('✓') === paper) return '';
  const most = results.reduce((best, { peaks }) => Math.max(best, peaks), 0);
  return `budget: paper ${mark(paper)}, here ${ours}: what it is told gives up to ${most} different peaks on one graph`;
}

const COLUMNS: readonly Column[] = [
  { key: 'strategy', title: 'strategy', from: 'both', digits: 0 },
  { key: 'paperApproach', title: 'approach', from: 'paper', digits: 0 },
  { key: 'paperEqualChain', title: 'equal chains', from: 'paper', digits: 0 },
  { key: 'equalChain', title: 'equal chains', from: 'ours', digits: 0 },
  { key: 'paperUnequalChain', title: 'unequal chains', from: 'paper', digits: 0 },
  { key: 'unequalChain', title: 'unequal chains', from: 'ours', digits: 0 },
  { key: 'paperAcg', title: 'arbitrary graphs', from: 'paper', digits: 0 },
  { key: 'nonLinear', title: 'non-linear', from: 'ours', digits: 0 },
  { key: 'arbitrary', title: 'without separator', from: 'ours', digits: 0 },
  { key: 'paperAutomatic', title: 'automatic', from: 'paper', digits: 0 },
  { key: 'automatic', title: 'automatic', from: 'ours', digits: 0 },
  { key: 'paperBudget', title: 'budget', from: 'paper', digits: 0 },
  { key: 'budget', title: 'budget', from: 'ours', digits: 0 },
  { key: 'yardstick', title: 'measured by', from: 'ours', digits: 0 },
  { key: 'cause', title: 'where the signs differ', from: 'both', digits: 0 },
];
