import { BadInputError } from '../errors.ts';
import { paperCost } from '../paper/paper-cost.ts';
import { checkpointSegments } from '../schedule/checkpoint-segments.ts';
import { type Checkpointing, segmentSchedule } from '../schedule/checkpointing.ts';
import { regular } from '../strategies/regular.ts';
import { NO_CONTROL, type Problem } from '../strategies/strategy/strategy.ts';
import { CVPR_TABLE_2, type CvprRow } from './paper-tables.ts';
import { protocolPeak } from './protocol-peak.ts';
import { checkpointsOf, MEASURED_STRATEGIES, type MeasuredStrategy, rowProblem } from './row-plans.ts';
import {
  type Cell,
  type Column,
  differencePct,
  megabytes,
  type ReproducedTable,
  type TableRow,
} from './table.ts';

export const MEASURED_OUTCOMES = ['ok', 'out-of-memory', 'failed'] as const;

/** One measurement of zigzag-measurements/1 (SPEC, file formats). */
export interface MeasuredRow {
  readonly network: string;
  readonly strategy: MeasuredStrategy;
  /** Seed of `random`. */
  readonly seed: number | null;
  /** Checkpointing of the segments; null of `regular`. */
  readonly checkpointing: Checkpointing | null;
  readonly batch: number;
  /** Pixels a side. */
  readonly input: number;
  readonly checkpoints: readonly string[];
  readonly outcome: (typeof MEASURED_OUTCOMES)[number];
  /** Why there are no figures; null where there are. */
  readonly message: string | null;
  readonly peakBytes: number | null;
  /** Allocated before the step: weights, their gradients, the input and its gradient. */
  readonly startBytes: number | null;
  readonly stepMs: { readonly median: number; readonly lower: number; readonly upper: number } | null;
  /** The largest difference of a parameter's gradient from regular training's, relative to its largest entry. */
  readonly gradientDifference: number | null;
}

export interface Measurements {
  readonly device: string;
  readonly torch: string;
  readonly rows: readonly MeasuredRow[];
}

/** Columns that measurements add to CVPR Table 2. */
export interface MeasuredColumns {
  readonly device: string;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
  /** Cells of the columns, by network. */
  readonly cells: Readonly<Record<string, TableRow>>;
}

const NAMES: Readonly<Record<MeasuredStrategy, string>> = {
  regular: 'Regular',
  random: 'Random',
  chen: 'Chen',
  optimal: 'Optimal',
};

const TITLES: Readonly<Record<MeasuredStrategy, string>> = {
  regular: 'regular',
  random: 'random',
  chen: 'Chen greedy',
  optimal: 'optimal',
};

/**
 * Measured memory and time as columns, each beside what is predicted for the very plan, batch and input that were
 * measured, in the terms of the measurement (`protocolPeak`). Of a network that was measured at several sizes the
 * paper's is taken, else the largest; of both ways to checkpoint the reentrant one, which is the authors'. The
 * paper's own figure is compared only where batch and input are the paper's.
 *
 * @throws BadInputError with the path of a row that speaks of another network's vertices, or of a size that the
 *   network does not admit
 */
export function measuredColumns(measurements: Measurements): MeasuredColumns {
  const { device, torch, rows } = measurements;
  const notes: string[] = [
    `${device}: measured with PyTorch ${torch}, bytes above what was allocated before the step, and the input batch, which the paper's figures hold; predicted for the same plans, batch and input.`,
  ];
  const elsewhere: string[] = [];
  const left: string[] = [];
  const cells: Record<string, TableRow> = {};
  for (const paper of CVPR_TABLE_2) {
    const own = rows.filter(({ network }) => network === paper.network);
    const size = sizeShown(own, paper);
    if (size === null) continue;
    const shown = own.filter((row) => isShown(row, size));
    if (shown.length < own.length) left.push(paper.network);
    if (!isPapersSize(size, paper)) elsewhere.push(`${paper.network} ${size.batch} x ${size.input}`);
    for (const { outcome, strategy, message } of shown) {
      if (outcome === 'failed') notes.push(`${paper.network}, ${NAMES[strategy]}: ${message ?? outcome}.`);
    }
    cells[paper.network] = cellsOf(paper, size, shown, rows);
  }
  if (elsewhere.length > 0) {
    notes.push(
      `Measured at a batch and an input of their own, so not compared with the paper's: ${elsewhere.join(', ')}.`,
    );
  }
  if (left.length > 0) notes.push(`Other sizes or checkpointing were measured too, of ${left.join(', ')}.`);
  return { device, columns: columnsOf(device), notes, cells };
}

/** The table with these columns at its end; a row of a network that was not measured has none of them. */
export function withColumns(table: ReproducedTable, measured: MeasuredColumns): ReproducedTable {
  const none = Object.fromEntries(measured.columns.map(({ key }) => [key, null]));
  return {
    ...table,
    notes: [...table.notes, ...measured.notes],
    columns: [...table.columns, ...measured.columns],
    rows: table.rows.map((row) => ({ ...row, ...none, ...measured.cells[String(row['network'])] })),
  };
}

interface Size extends Pick<MeasuredRow, 'batch' | 'input' | 'checkpointing'> {}

function isPapersSize(size: Size, paper: CvprRow): boolean {
  return size.batch === paper.batch && size.input === paper.input;
}

function isShown(row: MeasuredRow, size: Size): boolean {
  const isSame = row.batch === size.batch && row.input === size.input;
  return isSame && (row.checkpointing === null || row.checkpointing === size.checkpointing);
}

function sizeShown(rows: readonly MeasuredRow[], paper: CvprRow): Size | null {
  const rank = (row: MeasuredRow): readonly number[] => [
    Number(isPapersSize(row, paper)),
    row.batch * row.input ** 2,
    // Rows of regular training only do not decide.
    row.checkpointing === 'reentrant' ? 2 : row.checkpointing === 'non-reentrant' ? 1 : 0,
  ];
  const [best] = rows.toSorted((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    const at = x.findIndex((value, i) => value !== y[i]);
    return at < 0 ? 0 : (y[at] ?? 0) - (x[at] ?? 0);
  });
  return best ?? null;
}

function cellsOf(
  paper: CvprRow,
  size: Size,
  shown: readonly MeasuredRow[],
  all: readonly MeasuredRow[],
): TableRow {
  const problemOf = problemsAt(paper.network, size, all.indexOf(shown[0] as MeasuredRow));
  const cells: Record<string, Cell> = { deviceBatch: size.batch, deviceInput: size.input };
  const medians = new Map<MeasuredStrategy, MeasuredRow>();
  for (const strategy of MEASURED_STRATEGIES) {
    const own = shown.filter((row) => row.strategy === strategy);
    const done = own
      .filter(({ outcome }) => outcome === 'ok')
      .toSorted((a, b) => stepBytes(a) - stepBytes(b));
    // The median of the seeds, with the prediction for that very seed.
    const middle = done[(done.length - 1) >> 1];
    const name = NAMES[strategy];
    if (middle !== undefined) medians.set(strategy, middle);
    cells[`device${name}MB`] =
      middle === undefined ? unmeasured(own) : megabytes(stepBytes(middle) + sourceOf(problemOf()));
    const row = middle ?? own[0];
    const predicted = row === undefined ? null : predictedBytes(problemOf(), row, all.indexOf(row));
    cells[`devicePredicted${name}MB`] = megabytes(predicted);
    cells[`device${name}Ms`] = middle?.stepMs?.median ?? null;
  }
  const ms = (strategy: MeasuredStrategy): number | null => medians.get(strategy)?.stepMs?.median ?? null;
  for (const strategy of MEASURED_STRATEGIES) {
    if (strategy !== 'regular')
      cells[`device${NAMES[strategy]}OverheadPct`] = differencePct(ms(strategy), ms('regular'));
  }
  const compared = (key: string, printed: number): number | null => {
    const cell = cells[key];
    return isPapersSize(size, paper) && typeof cell === 'number' ? differencePct(cell, printed) : null;
  };
  cells['deviceRegularDifferencePct'] = compared('deviceRegularMB', paper.regularMB);
  cells['deviceOptimalDifferencePct'] = compared('deviceOptimalMB', paper.oursMB);
  const gradients = shown.flatMap(({ gradientDifference }) => gradientDifference ?? []);
  cells['deviceGradientDifference'] = gradients.length === 0 ? null : Math.max(...gradients).toExponential(1);
  return cells;
}

/** Above what was allocated before the step, the input batch among it. */
function stepBytes({ peakBytes, startBytes }: MeasuredRow): number {
  return (peakBytes ?? 0) - (startBytes ?? 0);
}

/** The paper's figures have the input batch: VGG-11's optimum is 43.45 MiB a sample with it. */
const sourceOf = ({ memory }: Problem): number => memory.outputBytes[0] ?? 0;

function unmeasured(rows: readonly MeasuredRow[]): string | null {
  if (rows.length === 0) return null;
  return rows.some(({ outcome }) => outcome === 'out-of-memory') ? 'out of memory' : 'failed';
}

/** Built once, when it is first asked for. */
function problemsAt(network: string, { batch, input }: Size, index: number): () => Problem {
  let problem: Problem | undefined;
  return () => {
    try {
      problem ??= rowProblem(network, batch, input);
    } catch (error) {
      if (error instanceof BadInputError) throw new BadInputError(error.message, `rows[${index}]`);
      throw error;
    }
    return problem;
  };
}

function predictedBytes(problem: Problem, row: MeasuredRow, index: number): number | null {
  const options = { seed: 0, checkpointing: row.checkpointing ?? 'non-reentrant' } as const;
  if (row.strategy === 'regular') {
    const plan = regular.plan(problem, options, NO_CONTROL);
    return plan.applicable ? protocolPeak(problem, plan.schedule) : null;
  }
  const { graph, memory, view } = problem;
  const tensors = chosen(problem, row, index);
  const plan = checkpointSegments(graph, memory, view, tensors);
  return protocolPeak(problem, segmentSchedule(graph, memory, plan, options.checkpointing));
}

function chosen(problem: Problem, { network, checkpoints }: MeasuredRow, index: number): readonly number[] {
  const tensors = checkpointsOf(problem, checkpoints);
  if (tensors !== null && paperCost(problem.view.tensors, tensors).ok) return tensors;
  throw new BadInputError(
    tensors === null
      ? `there are others than ${network}'s vertices`
      : `they do not cut ${network} into segments`,
    `rows[${index}].checkpoints`,
  );
}

function columnsOf(device: string): Column[] {
  const column = (key: string, title: string, digits = 0): Column => ({
    key: `device${key}`,
    title: `${title}, ${device}`,
    from: 'both',
    digits,
  });
  const memory = MEASURED_STRATEGIES.flatMap((strategy) => {
    const name = NAMES[strategy];
    return [
      column(`${name}MB`, `${TITLES[strategy]} MB measured`, 1),
      column(`Predicted${name}MB`, `${TITLES[strategy]} MB predicted`, 1),
    ];
  });
  return [
    column('Batch', 'batch'),
    column('Input', 'input'),
    ...memory,
    ...MEASURED_STRATEGIES.map((strategy) => column(`${NAMES[strategy]}Ms`, `${TITLES[strategy]} ms`, 1)),
    column('RandomOverheadPct', 'random overhead %', 1),
    column('ChenOverheadPct', 'Chen greedy overhead %', 1),
    column('OptimalOverheadPct', 'optimal overhead %', 1),
    column('RegularDifferencePct', 'regular against the paper %', 1),
    column('OptimalDifferencePct', 'optimal against the paper %', 1),
    column('GradientDifference', 'largest gradient difference'),
  ];
}
