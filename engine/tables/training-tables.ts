import { bytesPer } from '../bytes.ts';
import { InternalError } from '../errors.ts';
import { createProblem } from '../problem.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { solveRow } from '../strategies/solve.ts';
import { buildModel } from '../zoo/zoo.ts';
import { authorsFigures } from './authors/authors-figures.ts';
import { type Cause, countedRules, type Difference, drawnSets, explain } from './causes.ts';
import { literalRandomPeaks } from './literal-random.ts';
import { measureRow, type RowFigures } from './measure-row.ts';
import { ICLR_TABLE_1, type IclrRow } from './iclr-tables.ts';
import { type CvprRow, CVPR_TABLE_2 } from './paper-tables.ts';
import { protocolPeak } from './protocol-peak.ts';
import {
  type Column,
  cutoffPct,
  differencePct,
  megabytes,
  type TableHead,
  type TableRecipe,
  type TableRow,
} from './table.ts';

/** Seeds of the random baseline; few where the paper prints no figure of it to compare with. */
const SEEDS = 40;
const FEW_SEEDS = 3;

const NOTES = [
  'MB are 2^20 bytes, as in the papers. Ours: simulated at the same batch and input, float32, profile pytorch-1.5, weights excluded.',
  'saved: kept for backward at the end of the forward, input included. peak: largest live bytes of the step, gradients included.',
  `Random: the median over ${SEEDS} seeds and their range; ${FEW_SEEDS} where the paper prints no figure.`,
  "Chen greedy and Chen memonger: Chen's Algorithm 3 with every budget, and with the nine that the authors' program (mxnet-memonger) searches; which the papers used is unknown.",
  'Differences over 1 % (memory) name what accounts for them, the paper above ours as +, all computed; the rest is unexplained.',
  'Time is predicted from FLOPs alone: memory traffic, kernel launches and the Python program are left out. How much of the unexplained overhead is theirs is unknown; zigzag export --to reproduce measures both times of every CVPR row on a device.',
];

const AUTHORS =
  "Regular and optimal peak: the authors' program and its PyTorch 1.5 as a model, to the allocator's blocks (SPEC, E1 to E9). A cause that says counted is in our figure: how much less it would be without that rule.";

const WORKSPACE =
  "Workspace: cuDNN's for the weight gradients of 3 x 3 convolutions. Its size is computed; which convolutions take one is inferred from the printed figures (SPEC, E9). Other kernels' workspace is unknown and in no figure; whether it is what is left is unknown too.";

const LITERAL =
  "Random literal: each of the ten sets has its own number of checkpoints, as the paper's section 6 reads. Ours departs from it: one number for all ten sets of a seed. That choice is fitted: it has 12 of the 15 printed figures in its range, the literal reading 9. Neither has AlexNet, VGG-16 and VGG-19.";

const EVEN =
  "Segments run reentrant, PyTorch's only way in 2018 (SPEC, M12 to M17). Of the 47 printed memories 45 are even, as reserved memory in granules of 2 MiB is; ours are live bytes without granules. How much of a difference the granules are is unknown.";

const TWO_BATCHES =
  'The paper prints differences of two batch sizes. What they were differences of is unknown: those of our peaks agree with Regular, not with the other columns.';

const REENTRANT =
  'Random and Chen: segments run reentrant, as torch.utils.checkpoint of PyTorch 1.5 runs them (SPEC, M12 to M17).';

/** Table 2 of the CVPR paper, ours beside it. */
export function cvprRecipe(): TableRecipe {
  const rowOf = (paper: CvprRow): TableRow => {
    const seeds = paper.randomMB === null ? FEW_SEEDS : SEEDS;
    const figures = measureRow(paper.network, paper.batch, paper.input, seeds, 'reentrant');
    const { regular, optimal } = authorsFigures(figures.problem.graph);
    const literal = paper.randomMB === null ? [] : literalRandomPeaks(figures.problem, seeds, 'reentrant');
    const authors = { ...figures, regularPeakBytes: regular.bytes, optimalPeakBytes: optimal.bytes };
    return {
      ...sizeOf(paper),
      paperRegularMB: paper.regularMB,
      paperRandomMB: paper.randomMB,
      paperChenMB: paper.chenMB,
      paperOursMB: paper.oursMB,
      paperCutoffPct: paper.cutoffPct,
      paperRegularTimeS: paper.regularTimeS,
      paperGcpTimeS: paper.gcpTimeS,
      paperOverheadPct: paper.overheadPct,
      ...simulatedOf(authors),
      randomLiteralLowMB: megabytes(literal[0] ?? null),
      randomLiteralHighMB: megabytes(literal.at(-1) ?? null),
      ...comparedOf(paper, authors, {
        regular: { effects: [], counted: countedRules(regular, paper.regularMB) },
        ours: { effects: [], counted: countedRules(optimal, paper.oursMB) },
      }),
    };
  };
  return recipeFrom(CVPR_TABLE_2, rowOf, {
    name: 'cvpr',
    title: 'Training memory cut-off and time overhead',
    citation: 'Feng & Huang, CVPR 2021, Table 2',
    notes: [...NOTES, LITERAL, AUTHORS, WORKSPACE, REENTRANT],
    columns: columns('paperRandomMB', 'paperGcpTimeS'),
  });
}

/** Table 1 of the Re-forwarding paper, ours beside it. */
export function iclrRecipe(): TableRecipe {
  const rowOf = (paper: IclrRow): TableRow => {
    const figures = measureRow(paper.network, paper.batch, paper.input, FEW_SEEDS, 'reentrant');
    const twice = createProblem(
      buildModel(paper.network, { ...sizeOf(paper), batch: 2 * paper.batch }),
      'pytorch-1.5',
    );
    const effects = (schedule: Schedule, peakBytes: number): Difference['effects'] => {
      const [once, both] = [figures.problem, twice].map((p) => protocolPeak(p, schedule));
      return [{ kind: 'two-batches', megabytes: ((both ?? 0) - (once ?? 0) - peakBytes) / bytesPer('MiB') }];
    };
    const { peakBytes: withoutReentry } = solveRow(figures.problem, 'optimal', {
      seed: 0,
      checkpointing: 'non-reentrant',
    });
    const reentry = (figures.optimalPeakBytes - (withoutReentry ?? Number.NaN)) / bytesPer('MiB');
    return {
      ...sizeOf(paper),
      paperRegularMB: paper.regularMB,
      paperChenMB: paper.chenMB,
      paperOursMB: paper.oursMB,
      paperCutoffPct: paper.cutoffPct,
      paperRegularTimeS: paper.regularTimeS,
      paperReforwardTimeS: paper.reforwardTimeS,
      paperOverheadPct: paper.overheadPct,
      ...simulatedOf(figures),
      ...comparedOf({ ...paper, randomMB: null }, figures, {
        regular: { effects: effects(figures.regularSchedule, figures.regularPeakBytes) },
        ours: {
          effects: effects(figures.optimalSchedule, figures.optimalPeakBytes),
          counted: [{ kind: 'reentrant', megabytes: reentry }],
        },
      }),
    };
  };
  return recipeFrom(ICLR_TABLE_1, rowOf, {
    name: 'iclr',
    title: 'Training memory usage and time overhead',
    citation: 'Cutting Down Training Memory by Re-forwarding, Table 1',
    notes: [...NOTES, TWO_BATCHES, EVEN],
    columns: columns(null, 'paperReforwardTimeS'),
  });
}

function recipeFrom<Paper extends { readonly network: string }>(
  papers: readonly Paper[],
  rowOf: (paper: Paper) => TableRow,
  head: TableHead,
): TableRecipe {
  return {
    head,
    networks: papers.map(({ network }) => network),
    rowOf: (index) => {
      const paper = papers[index];
      if (paper === undefined) throw new InternalError(`${head.name} has no row ${index}`);
      return rowOf(paper);
    },
  };
}

function sizeOf(paper: CvprRow | IclrRow): Pick<CvprRow, 'network' | 'batch' | 'input'> {
  return { network: paper.network, batch: paper.batch, input: paper.input };
}

function simulatedOf(figures: RowFigures): TableRow {
  return {
    savedMB: megabytes(figures.savedBytes),
    regularMB: megabytes(figures.regularPeakBytes),
    randomMB: megabytes(figures.random.medianBytes),
    randomLowMB: megabytes(figures.random.lowBytes),
    randomHighMB: megabytes(figures.random.highBytes),
    chenMB: megabytes(figures.chenPeakBytes),
    chenMemongerMB: megabytes(figures.chenMemongerPeakBytes),
    optimalMB: megabytes(figures.optimalPeakBytes),
    paperCostMB: megabytes(figures.optimalPaperCost),
    cutoffPct: cutoffPct(figures.optimalPeakBytes, figures.regularPeakBytes),
    overheadPct: Math.round(figures.optimalOverhead * 1000) / 10,
    // Filled where the trainer has run the row (the Tables screen); nothing is invented here.
    measuredOverheadPct: null,
  };
}

interface Printed {
  readonly network: string;
  readonly regularMB: number;
  readonly randomMB: number | null;
  readonly chenMB: number | null;
  readonly oursMB: number;
  readonly overheadPct: number;
}

function comparedOf(
  paper: Printed,
  figures: RowFigures,
  { regular, ours }: Readonly<Record<'regular' | 'ours', Pick<Difference, 'effects' | 'counted'>>>,
): TableRow {
  const { random } = figures;
  const [low, median, high] = [random.lowBytes, random.medianBytes, random.highBytes].map(megabytes);
  const chenMB = megabytes(figures.chenPeakBytes);
  const memongerMB = megabytes(figures.chenMemongerPeakBytes);
  const fewBudgets: Difference['effects'] =
    chenMB === null || memongerMB === null ? [] : [{ kind: 'few-budgets', megabytes: memongerMB - chenMB }];
  const regularMB = megabytes(figures.regularPeakBytes);
  const oursMB = megabytes(figures.optimalPeakBytes);
  const differences: readonly Difference[] = [
    { column: 'regular', paperMB: paper.regularMB, oursMB: regularMB, ...regular },
    {
      column: 'random',
      paperMB: paper.randomMB,
      oursMB: median ?? null,
      effects: drawnSets(paper.randomMB, [low ?? null, median ?? null, high ?? null]),
    },
    { column: 'chen', paperMB: paper.chenMB, oursMB: chenMB, effects: fewBudgets },
    { column: 'ours', paperMB: paper.oursMB, oursMB, ...ours },
  ];
  const cause: Cause[] = differences.flatMap(explain);
  cause.push({ kind: 'unexplained-time', points: paper.overheadPct - figures.optimalOverhead * 100 });
  if (paper.network === 'customnet') cause.push({ kind: 'own-design' });
  return {
    regularDifferencePct: differencePct(regularMB, paper.regularMB),
    randomDifferencePct: differencePct(median ?? null, paper.randomMB),
    chenDifferencePct: differencePct(chenMB, paper.chenMB),
    chenMemongerDifferencePct: differencePct(memongerMB, paper.chenMB),
    optimalDifferencePct: differencePct(oursMB, paper.oursMB),
    cause,
  };
}

function columns(random: string | null, gcpTime: string): Column[] {
  const column = (key: string, title: string, from: Column['from'], digits = 0): Column => ({
    key,
    title,
    from,
    digits,
  });
  return [
    column('network', 'network', 'both'),
    column('batch', 'batch', 'both'),
    column('input', 'input', 'both'),
    column('paperRegularMB', 'regular MB', 'paper'),
    ...(random === null ? [] : [column(random, 'random MB', 'paper')]),
    column('paperChenMB', 'Chen MB', 'paper'),
    column('paperOursMB', 'ours MB', 'paper'),
    column('paperCutoffPct', 'cut-off %', 'paper'),
    column('paperRegularTimeS', 'regular s', 'paper', 3),
    column(gcpTime, 'GCP s', 'paper', 3),
    column('paperOverheadPct', 'overhead %', 'paper'),
    column('savedMB', 'saved MB', 'ours'),
    column('regularMB', 'regular peak MB', 'ours'),
    column('randomMB', 'random peak MB, median', 'ours'),
    column('randomLowMB', 'lowest', 'ours'),
    column('randomHighMB', 'highest', 'ours'),
    ...(random === null
      ? []
      : [
          column('randomLiteralLowMB', 'random literal, lowest', 'ours'),
          column('randomLiteralHighMB', 'highest', 'ours'),
        ]),
    column('chenMB', 'Chen greedy peak MB', 'ours'),
    column('chenMemongerMB', 'Chen memonger peak MB', 'ours'),
    column('optimalMB', 'optimal peak MB', 'ours'),
    column('paperCostMB', 'Eq. 2 MB', 'ours'),
    column('cutoffPct', 'cut-off %', 'ours'),
    column('overheadPct', 'overhead % (predicted)', 'ours'),
    column('measuredOverheadPct', 'overhead % (measured)', 'ours'),
    column('regularDifferencePct', 'regular diff. %', 'both', 1),
    column('randomDifferencePct', 'random diff. %', 'both', 1),
    column('chenDifferencePct', 'Chen greedy diff. %', 'both', 1),
    column('chenMemongerDifferencePct', 'Chen memonger diff. %', 'both', 1),
    column('optimalDifferencePct', 'ours diff. %', 'both', 1),
    column('cause', 'causes, and what is unexplained', 'both'),
  ];
}
