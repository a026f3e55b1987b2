import type { NetworkTable, TableName } from '../../../../engine/tables/table.ts';

/** How a figure is written; `milliseconds` of a figure in seconds, `ms` of one in milliseconds. */
export type Kind =
  | 'count'
  | 'percent'
  | 'change'
  | 'points'
  | 'seconds'
  | 'milliseconds'
  | 'ms'
  | 'times'
  | 'measured';

export interface CellSpec {
  readonly key: string;
  readonly title: string;
  readonly from: 'paper' | 'ours' | 'difference';
  readonly kind: Kind;
}

export interface Group {
  readonly title: string;
  readonly note: string;
  readonly cells: readonly CellSpec[];
}

const paper = (key: string, kind: Kind, title = 'paper'): CellSpec => ({ key, title, from: 'paper', kind });
const ours = (key: string, kind: Kind, title = 'ours'): CellSpec => ({ key, title, from: 'ours', kind });
const difference = (key: string, kind: Kind = 'change'): CellSpec => ({
  key,
  title: 'diff.',
  from: 'difference',
  kind,
});

const REGULAR_PEAK = 'Regular training; ours is the largest sum of live bytes of a step, gradients included';
const CHEN =
  'Chen’s algorithm 3; on non-linear networks, over the chain of splitting vertices. Chen greedy tries every budget, Chen memonger those that his program tries';
const RANDOM =
  'Lowest peak of ten valid draws of one to five checkpoints. Ours: the median over seeds, with the same number of checkpoints in all ten draws. The row shows the range, also for the paper’s way, a new number for each draw';
const OPTIMAL =
  'The paper’s own algorithm, the optimum of its Eq. 2; ours is the simulated peak of that plan';
const CUTOFF = 'Memory saved against regular training, in percent';
const OVERHEAD = 'Extra time of an iteration: predicted from FLOPs, measured by training on this device';

const CVPR: readonly Group[] = [
  {
    title: 'Regular, MB',
    note: REGULAR_PEAK,
    cells: [paper('paperRegularMB', 'count'), ours('regularMB', 'count'), difference('regularDifferencePct')],
  },
  {
    title: 'Random, MB',
    note: RANDOM,
    cells: [paper('paperRandomMB', 'count'), ours('randomMB', 'count', 'median')],
  },
  {
    title: 'Chen greedy, MB',
    note: CHEN,
    cells: [
      paper('paperChenMB', 'count'),
      ours('chenMB', 'count'),
      ours('chenMemongerMB', 'count', 'memonger'),
    ],
  },
  {
    title: 'Optimal, MB',
    note: OPTIMAL,
    cells: [paper('paperOursMB', 'count'), ours('optimalMB', 'count'), difference('optimalDifferencePct')],
  },
  {
    title: 'Cut-off',
    note: CUTOFF,
    cells: [paper('paperCutoffPct', 'percent'), ours('cutoffPct', 'percent')],
  },
  {
    title: 'Time overhead',
    note: OVERHEAD,
    cells: [
      paper('paperOverheadPct', 'percent'),
      ours('overheadPct', 'percent', 'predicted'),
      ours('measuredOverheadPct', 'measured', 'measured here'),
    ],
  },
];

// Its cut-offs and differences are those of peaks, as in the other table; what its method of two batches sees is a cause.
const ICLR: readonly Group[] = CVPR.filter(({ title }) => title !== 'Random, MB');

const THEORY: readonly Group[] = [
  {
    title: 'Vertices',
    note: 'Size of the papers’ computation graph, as the earlier version counts it and as the CVPR program draws it',
    cells: [
      paper('paperVertices', 'count'),
      ours('earlyVertices', 'count'),
      ours('vertices', 'count', 'CVPR view'),
    ],
  },
  {
    title: 'Solver',
    note: 'Theirs: Python on one core of an i7-8700. Ours: this machine, now',
    cells: [
      paper('paperSolverS', 'seconds'),
      ours('solverS', 'milliseconds'),
      { key: 'speedup', title: 'faster', from: 'difference', kind: 'times' },
    ],
  },
  {
    title: 'Theoretical cut-off',
    note: 'One minus the source and the optimum’s Eq. 2, over all vertices except the target. CVPR view: without the source in both',
    cells: [
      paper('paperTheoreticalCutoffPct', 'percent'),
      ours('theoreticalCutoffPct', 'percent'),
      difference('difference', 'points'),
      ours('cvprCutoffPct', 'percent', 'CVPR view'),
    ],
  },
  {
    title: 'Measured cut-off',
    note: 'As the paper measured it',
    cells: [paper('paperMeasuredCutoffPct', 'percent')],
  },
];

export const LAYOUTS: Readonly<Record<NetworkTable, readonly Group[]>> = {
  cvpr: CVPR,
  iclr: ICLR,
  theory: THEORY,
};

export function deviceGroups(device: string): readonly Group[] {
  const memory = (name: string, title: string): Group => ({
    title: `${title}, MB measured`,
    note: `On ${device}, above the memory allocated before the step; predicted for the same plan, batch and input`,
    cells: [
      ours(`device${name}MB`, 'count', 'measured'),
      { key: `devicePredicted${name}MB`, title: 'predicted', from: 'difference', kind: 'count' },
    ],
  });
  const time = `On ${device}: median time of an iteration, and its extra time against regular training`;
  return [
    {
      title: 'Measured at',
      note: `On ${device}; only a row at the paper’s own size is compared with the paper`,
      cells: [ours('deviceBatch', 'count', 'batch'), ours('deviceInput', 'count', 'px')],
    },
    memory('Regular', 'Regular'),
    memory('Random', 'Random'),
    memory('Chen', 'Chen greedy'),
    memory('Optimal', 'Optimal'),
    {
      title: 'Time measured',
      note: time,
      cells: [
        ours('deviceRegularMs', 'ms', 'regular'),
        ours('deviceOptimalMs', 'ms', 'optimal'),
        ours('deviceOptimalOverheadPct', 'change', 'overhead'),
      ],
    },
    {
      title: 'Against the paper',
      note: `On ${device}, if batch and input are the paper’s`,
      cells: [difference('deviceRegularDifferencePct'), difference('deviceOptimalDifferencePct')].map(
        (cell, i) => ({ ...cell, title: i === 0 ? 'regular' : 'optimal' }),
      ),
    },
  ];
}

export const PICTURED: Readonly<Record<NetworkTable, { readonly paper: string; readonly ours: string }>> = {
  cvpr: { paper: 'paperCutoffPct', ours: 'cutoffPct' },
  iclr: { paper: 'paperCutoffPct', ours: 'cutoffPct' },
  theory: { paper: 'paperTheoreticalCutoffPct', ours: 'theoreticalCutoffPct' },
};

/** Over the paper's columns; the full citation is in the caption and on hover. */
export const CITED_AS: Readonly<Record<NetworkTable, string>> = {
  cvpr: 'CVPR ’21',
  iclr: 'Re-forw.',
  theory: 'Re-forw.',
};

export const SHORT_TITLES: Readonly<Record<TableName, string>> = {
  cvpr: 'CVPR 2021, Table 2',
  iclr: 'Re-forwarding, Table 1',
  theory: 'Re-forwarding, Table 2',
  capabilities: 'CVPR 2021, Table 1',
  figure1: 'CVPR 2021, Figure 1',
  depth: 'Memory against depth',
  layers: '40 layers in segments',
  treewidth: 'Bulatov, treewidths',
  claims: 'CVPR 2021, claims',
};
