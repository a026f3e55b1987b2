import type { SourceKey } from '../../engine/sources/sources.ts';
import type { TableName } from '../../engine/tables/table.ts';

/** One column of a printed table: the engine's column, what stands over it, and other decimals than the engine's. */
export interface LatexCell {
  readonly key: string;
  /** Empty where the heading of the group says it all. */
  readonly title: string;
  readonly digits?: number;
}

/** Columns under one heading, as the papers group them. */
export interface LatexGroup {
  readonly title: string;
  readonly cells: readonly LatexCell[];
}

export interface LatexLayout {
  /** Heading of the first column; networks have that of their section instead, linear or not. */
  readonly first: string;
  readonly cites: SourceKey;
  readonly groups: readonly LatexGroup[];
  /** Columns of which the least figure of a row is set in bold, as the papers do. */
  readonly least?: readonly (readonly string[])[];
  /** Points on each side of a column, of tables that just fit the width of a page; else 3. */
  readonly gap?: number;
  /** Font size of the largest tables; else `footnotesize`. */
  readonly size?: 'scriptsize';
  /** Matches notes on columns that are not printed. */
  readonly unsaid?: RegExp;
}

const cell = (key: string, title = '', digits?: number): LatexCell => ({
  key,
  title,
  ...(digits === undefined ? {} : { digits }),
});
const paper = (key: string): LatexCell => cell(key, 'paper');
const ours = (key: string): LatexCell => cell(key, 'Zigzag');
const group = (title: string, ...cells: readonly LatexCell[]): LatexGroup => ({ title, cells });
const both = (title: string, theirKey: string, ourKey: string): LatexGroup =>
  group(title, paper(theirKey), ours(ourKey));

const CHEN = group(
  'Chen (MB)',
  paper('paperChenMB'),
  cell('chenMB', 'greedy'),
  cell('chenMemongerMB', 'mem.'),
);
const RANDOM = group(
  'Random (MB)',
  paper('paperRandomMB'),
  ours('randomMB'),
  cell('randomLiteralLowMB', 'lit. ≥'),
  cell('randomLiteralHighMB', '≤'),
);
const REGULAR = both('Regular (MB)', 'paperRegularMB', 'regularMB');
const OPTIMAL = both('Optimal (MB)', 'paperOursMB', 'optimalMB');
const CUTOFF = both('Cut-off (%)', 'paperCutoffPct', 'cutoffPct');
const OVERHEAD = group(
  'Overhead (%)',
  paper('paperOverheadPct'),
  cell('overheadPct', 'pred.'),
  cell('measuredOverheadPct', 'meas.'),
);
const times = (key: string): LatexGroup =>
  group('Time (s)', cell('paperRegularTimeS', 'regular'), cell(key, 'GCP'));

const SAVED = /^saved: [^.]*\. /;
const UNDRAWN = /^saved: [^.]*\. |^Random: .*$/;

/** The tables as the papers print them: their columns in their order, ours beside each. */
export const LATEX_LAYOUTS: Readonly<Record<TableName, LatexLayout>> = {
  cvpr: {
    first: '',
    cites: 'feng2021optimal',
    groups: [REGULAR, RANDOM, CHEN, OPTIMAL, CUTOFF, times('paperGcpTimeS'), OVERHEAD],
    least: [
      ['paperRandomMB', 'paperChenMB', 'paperOursMB'],
      ['randomMB', 'chenMB', 'chenMemongerMB', 'optimalMB'],
    ],
    gap: 1,
    size: 'scriptsize',
    unsaid: SAVED,
  },
  iclr: {
    first: '',
    cites: 'reforwarding',
    groups: [REGULAR, CHEN, OPTIMAL, CUTOFF, times('paperReforwardTimeS'), OVERHEAD],
    least: [
      ['paperChenMB', 'paperOursMB'],
      ['chenMB', 'chenMemongerMB', 'optimalMB'],
    ],
    gap: 1.8,
    unsaid: UNDRAWN,
  },
  theory: {
    first: '',
    cites: 'reforwarding',
    groups: [
      group('Vertices', paper('paperVertices'), ours('earlyVertices'), cell('vertices', 'CVPR')),
      group('Solver (s)', paper('paperSolverS'), cell('solverS', 'Zigzag', 4)),
      group('Measured', paper('paperMeasuredCutoffPct')),
      group(
        'Theoretical cut-off (%)',
        paper('paperTheoreticalCutoffPct'),
        ours('theoreticalCutoffPct'),
        cell('cvprCutoffPct', 'CVPR'),
      ),
    ],
  },
  capabilities: {
    first: 'Strategy',
    cites: 'feng2021optimal',
    groups: [
      group('Paper’s row', cell('paperApproach')),
      both('Equal chains', 'paperEqualChain', 'equalChain'),
      both('Unequal chains', 'paperUnequalChain', 'unequalChain'),
      group(
        'Arbitrary graphs',
        paper('paperAcg'),
        cell('nonLinear', 'non-lin.'),
        cell('arbitrary', 'no sep.'),
      ),
      both('Automatic', 'paperAutomatic', 'automatic'),
      both('Budget', 'paperBudget', 'budget'),
    ],
    gap: 1,
    size: 'scriptsize',
  },
  figure1: {
    first: 'Size',
    cites: 'feng2021optimal',
    groups: [
      group('Images', cell('perDevice', 'a device')),
      group('Paper: fits', cell('paperRegular', 'regular'), cell('paperGcp', 'GCP')),
      group('Regular', cell('regularGiB', 'GiB'), cell('regularFits', 'fits')),
      group('Optimal', cell('optimalGiB', 'GiB'), cell('optimalFits', 'fits')),
      group('Live', cell('liveGiB', 'GiB'), cell('liveFits', 'fits')),
    ],
  },
  depth: {
    first: 'Network',
    cites: 'bulatov2018fitting',
    groups: [
      group(
        'Regular (GB)',
        paper('paperRegularGB'),
        ours('regularGB'),
        cell('regularGrowth', 'growth'),
        cell('plainRegularGB', 'no norm'),
      ),
      group(
        'Automatic (GB)',
        paper('paperAutomaticGB'),
        ours('articulationGB'),
        cell('articulationGrowth', 'growth'),
        cell('plainArticulationGB', 'no norm'),
      ),
      group('√n (GB)', ours('sqrtGB'), cell('sqrtGrowth', 'growth')),
      group('Speed (GB)', ours('speedGB')),
      both('Overhead (%)', 'paperOverheadPct', 'overheadPct'),
    ],
    gap: 2,
  },
  layers: {
    first: 'Case',
    cites: 'fortylayers',
    groups: [
      group('After the forward (MB)', paper('paperMB'), ours('afterForwardMB')),
      group('Peak (MB)', ours('peakMB'), cell('againMB', 'again')),
      group('Saved (%)', ours('peakSavedPct')),
      group('Overhead (%)', cell('overheadPct', 'pred.')),
    ],
  },
  treewidth: {
    first: 'Network',
    cites: 'bulatov2018fitting',
    groups: [
      group('Graph', cell('vertices', 'vertices'), cell('edges', 'edges')),
      group('Treewidth', paper('paperWidth')),
      group('Largest bag', cell('largestBag', 'all'), cell('mergedBag', 'merged')),
      group('Width', ours('width'), cell('widthBound', 'at least')),
      group('As the article counts', cell('convention')),
    ],
    gap: 2,
    size: 'scriptsize',
  },
  claims: {
    first: 'Claim',
    cites: 'feng2021optimal',
    groups: [
      group('Paper', cell('printed', 'says')),
      group('Zigzag', cell('computed', 'computed'), cell('holds', 'holds')),
    ],
  },
};

/** Columns of `--measured`, a table of their own: side by side they are wider than a page. */
export const MEASURED_GROUPS: readonly LatexGroup[] = [
  group('Measured at', cell('deviceBatch', 'batch'), cell('deviceInput', 'px')),
  ...['Regular', 'Random', 'Chen', 'Optimal'].map((name) =>
    group(`${name} (MB)`, cell(`device${name}MB`, 'meas.', 0), cell(`devicePredicted${name}MB`, 'pred.', 0)),
  ),
  group('Time (ms)', cell('deviceRegularMs', 'regular'), cell('deviceOptimalMs', 'optimal')),
  group('Overhead (%)', cell('deviceOptimalOverheadPct', 'optimal')),
];
