import { InternalError } from '../errors.ts';
import { type Difference, explain } from './causes.ts';
import { measureRow, type RowFigures } from './measure-row.ts';
import { type CvprRow, CVPR_TABLE_2, ICLR_TABLE_1, type IclrRow } from './paper-tables.ts';
import {
  type Column,
  cutoffPct,
  differencePct,
  megabytes,
  type TableHead,
  type TableRecipe,
  type TableRow,
} from './table.ts';

/** Of the random baseline; few where the paper prints no figure of it to compare with. */
const SEEDS = 40;
const FEW_SEEDS = 3;

const NOTES = [
  'MB are 2^20 bytes, as in the papers. Ours: simulated at the same batch and input, float32, profile pytorch, weights excluded.',
  'saved: kept for backward at the end of the forward, input included. peak: largest live bytes of the step, gradients included.',
  `Random: the median over ${SEEDS} seeds and their range; ${FEW_SEEDS} where the paper prints no figure.`,
  "Chen: his Algorithm 3 with every budget, and with the nine that the authors' program (mxnet-memonger) searches; which the papers used is unknown.",
  "Differences over 5 % carry their cause; no number here was measured on the papers' devices.",
];

const REENTRANT =
  "Segments run reentrant, as in the authors' program: torch.utils.checkpoint of PyTorch 1.5 (SPEC, M12 to M17).";

/** Table 2 of the CVPR paper, ours beside it. */
export function cvprRecipe(): TableRecipe {
  const rowOf = (paper: CvprRow): TableRow => {
    const seeds = paper.randomMB === null ? FEW_SEEDS : SEEDS;
    const figures = measureRow(paper.network, paper.batch, paper.input, seeds, 'reentrant');
    const regular = { paperMB: paper.regularMB, oursMB: megabytes(figures.regularPeakBytes) };
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
      ...simulatedOf(figures),
      ...comparedOf(paper.network, 'cvpr', figures, regular, paper),
    };
  };
  return recipeFrom(CVPR_TABLE_2, rowOf, {
    name: 'cvpr',
    title: 'Training memory cut-off and time overhead',
    citation: 'Feng & Huang, CVPR 2021, Table 2',
    notes: [...NOTES, REENTRANT],
    columns: columns('paperRandomMB', 'paperGcpTimeS'),
  });
}

/** Table 1 of the Re-forwarding paper, ours beside it. */
export function iclrRecipe(): TableRecipe {
  const rowOf = (paper: IclrRow): TableRow => {
    const figures = measureRow(paper.network, paper.batch, paper.input, FEW_SEEDS, 'non-reentrant');
    // Its method, the difference of two batch sizes, sees what is kept and not the moment of the peak.
    const regular = { paperMB: paper.regularMB, oursMB: megabytes(figures.savedBytes) };
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
      ...comparedOf(paper.network, 'iclr', figures, regular, { ...paper, randomMB: null }),
    };
  };
  return recipeFrom(ICLR_TABLE_1, rowOf, {
    name: 'iclr',
    title: 'Training memory usage and time overhead',
    citation: 'Cutting Down Training Memory by Re-forwarding, Table 1',
    notes: NOTES,
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

function sizeOf(paper: CvprRow | IclrRow): TableRow {
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

function comparedOf(
  network: string,
  table: 'cvpr' | 'iclr',
  figures: RowFigures,
  regular: Omit<Difference, 'column'>,
  paper: { readonly randomMB: number | null; readonly chenMB: number | null; readonly oursMB: number },
): TableRow {
  const differences: Difference[] = [
    { column: 'regular', ...regular },
    { column: 'random', paperMB: paper.randomMB, oursMB: megabytes(figures.random.medianBytes) },
    { column: 'chen', paperMB: paper.chenMB, oursMB: megabytes(figures.chenPeakBytes) },
    { column: 'ours', paperMB: paper.oursMB, oursMB: megabytes(figures.optimalPeakBytes) },
  ];
  const of = (column: Difference['column']): number | null => {
    const difference = differences.find((d) => d.column === column);
    return difference === undefined ? null : differencePct(difference.oursMB, difference.paperMB);
  };
  return {
    regularDifferencePct: of('regular'),
    randomDifferencePct: of('random'),
    chenDifferencePct: of('chen'),
    chenMemongerDifferencePct: differencePct(megabytes(figures.chenMemongerPeakBytes), paper.chenMB),
    optimalDifferencePct: of('ours'),
    cause: explain(network, table, figures, differences),
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
    column('chenMB', 'Chen peak MB, every budget', 'ours'),
    column('chenMemongerMB', "by memonger's search", 'ours'),
    column('optimalMB', 'optimal peak MB', 'ours'),
    column('paperCostMB', 'Eq. 2 MB', 'ours'),
    column('cutoffPct', 'cut-off %', 'ours'),
    column('overheadPct', 'overhead % (predicted)', 'ours'),
    column('measuredOverheadPct', 'overhead % (measured)', 'ours'),
    column('regularDifferencePct', 'regular diff. %', 'both', 1),
    column('randomDifferencePct', 'random diff. %', 'both', 1),
    column('chenDifferencePct', 'Chen diff. %', 'both', 1),
    column('chenMemongerDifferencePct', 'memonger diff. %', 'both', 1),
    column('optimalDifferencePct', 'ours diff. %', 'both', 1),
    column('cause', 'cause of differences over 5 %', 'both'),
  ];
}
