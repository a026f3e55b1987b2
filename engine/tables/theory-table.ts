import { InternalError } from '../errors.ts';
import { tensorView } from '../graph/tensor-view.ts';
import { buildModel, modelInfo } from '../zoo/zoo.ts';
import type { Cause } from './causes.ts';
import { type CutoffSums, cutoffSums, earlyView, percentOf } from './early-view.ts';
import { ICLR_TABLE_2 } from './iclr-tables.ts';
import type { TableHead, TableRecipe, TableRow } from './table.ts';

/** Sizes of the printed table's measurements, which fix no batch: cut-offs do not depend on it. */
const BATCH = 1;
/** Solutions that are timed, after one that is not. */
const RUNS = 5;

/**
 * Table 2 of the Re-forwarding paper: vertices, solver time and the cut-off that theory promises. What stands beside
 * the printed figures is the early view with the source counted in both sums (`theoreticalCutoffPct`): (Eq. 2 of the
 * optimum + source) of (all vertices but the target). `cvprCutoffPct` is that of the CVPR program's view, source left out.
 *
 * @param now a clock in milliseconds; the engine has none
 */
export function theoryRecipe(now: () => number): TableRecipe {
  const rowOf = (index: number): TableRow => {
    const paper = ICLR_TABLE_2[index];
    if (paper === undefined) throw new InternalError(`the theory table has no row ${index}`);
    const { defaultInput, family } = modelInfo(paper.network);
    const graph = buildModel(paper.network, { batch: BATCH, input: defaultInput });
    const early = earlyView(graph, family);
    const counted = cutoffSums(early, 'counted');
    const seconds = fastest(now, () => cutoffSums(early, 'counted'));
    const { tensors } = tensorView(graph);
    const cvpr = cutoffSums(tensors, 'left-out');
    const printed = paper.theoreticalCutoffPct;
    const theoretical = hundredths(counted);
    return {
      network: paper.network,
      paperVertices: paper.vertices,
      earlyVertices: early.size,
      vertices: tensors.size,
      paperSolverS: paper.solverRuntimeS,
      solverS: Math.round(seconds * 1e6) / 1e6,
      speedup: seconds > 0 ? Math.round(paper.solverRuntimeS / seconds) : null,
      paperMeasuredCutoffPct: paper.measuredCutoffPct,
      paperTheoreticalCutoffPct: printed,
      theoreticalCutoffPct: theoretical,
      difference: Math.round((theoretical - printed) * 10) / 10,
      cvprCutoffPct: hundredths(cvpr),
      cause: causesOf(paper.network, printed, percentOf(counted)),
    };
  };
  return { head: HEAD, networks: ICLR_TABLE_2.map(({ network }) => network), rowOf };
}

/** Seconds of the fastest of several runs: the first ones run before the program is compiled. */
function fastest(now: () => number, work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = now();
    work();
    return now() - start;
  });
  return Math.min(...times) / 1000;
}

/** Two decimals, so that a figure can be rounded to the printed integer once more. */
const hundredths = (sums: CutoffSums): number => Math.round(percentOf(sums) * 100) / 100;

/** No convention is known that gives every printed cut-off, so one that differs has no cause. */
function causesOf(network: string, printedPct: number, percent: number): readonly Cause[] {
  if (network === 'customnet') return [{ kind: 'own-design' }];
  return Math.round(percent) === printedPct
    ? []
    : [{ kind: 'unexplained-cutoff', points: printedPct - percent }];
}

const HEAD: TableHead = {
  name: 'theory',
  title: 'Runtime of the solver and theoretical cut-off',
  citation: 'Cutting Down Training Memory by Re-forwarding, Table 2 (appendix C)',
  notes: [
    `Theirs: one core of an i7-8700, Python. Ours: this machine, now, the fastest of ${RUNS} runs; the ratio compares two programs on two machines.`,
    "Vertices and theoretical cut-off: the earlier version's view, which gives a block's last batch norm and a downsample's a vertex, the average pool none (DenseNet's one), and counts the source: 1 - (source + Eq. 2 of the optimum) / all vertices but the target.",
    'VGG-13 and VGG-16 are 1 point below the printed figures; the cause is unknown. Without the source in both sums they are as printed, but then AlexNet and VGG-11 are not.',
    "CVPR view: the CVPR program's vertices, the source left out of both sums.",
  ],
  columns: [
    { key: 'network', title: 'network', from: 'both', digits: 0 },
    { key: 'paperVertices', title: 'vertices', from: 'paper', digits: 0 },
    { key: 'earlyVertices', title: 'vertices', from: 'ours', digits: 0 },
    { key: 'vertices', title: 'vertices, CVPR view', from: 'ours', digits: 0 },
    { key: 'paperSolverS', title: 'solver s', from: 'paper', digits: 2 },
    { key: 'solverS', title: 'solver s', from: 'ours', digits: 6 },
    { key: 'speedup', title: 'times faster', from: 'both', digits: 0 },
    { key: 'paperMeasuredCutoffPct', title: 'measured cut-off %', from: 'paper', digits: 0 },
    { key: 'paperTheoreticalCutoffPct', title: 'theoretical cut-off %', from: 'paper', digits: 0 },
    { key: 'theoreticalCutoffPct', title: 'theoretical cut-off %', from: 'ours', digits: 1 },
    { key: 'difference', title: 'difference (points)', from: 'both', digits: 1 },
    { key: 'cvprCutoffPct', title: 'cut-off %, CVPR view', from: 'ours', digits: 1 },
    { key: 'cause', title: 'cause', from: 'both', digits: 0 },
  ],
};
