import { InternalError } from '../errors.ts';
import { solveOptimal } from '../paper/solve-optimal.ts';
import { createProblem } from '../problem.ts';
import { buildModel, modelInfo } from '../zoo/zoo.ts';
import type { Cause } from './causes.ts';
import { ICLR_TABLE_2 } from './paper-tables.ts';
import { cutoffPct, type TableHead, type TableRecipe, type TableRow } from './table.ts';

/** Sizes of the printed table's measurements, which fix no batch: cut-offs do not depend on it. */
const BATCH = 1;

/**
 * Table 2 of the Re-forwarding paper: vertices, solver time and the cut-off that theory promises, which is
 * 1 - (Eq. 2 of the optimum) / (sum over all vertices but source and target).
 *
 * @param now a clock in milliseconds; the engine has none
 */
export function theoryRecipe(now: () => number): TableRecipe {
  const rowOf = (index: number): TableRow => {
    const paper = ICLR_TABLE_2[index];
    if (paper === undefined) throw new InternalError(`the theory table has no row ${index}`);
    const { defaultInput } = modelInfo(paper.network);
    const graph = buildModel(paper.network, { batch: BATCH, input: defaultInput });
    const { tensors } = createProblem(graph, 'pytorch').view;
    const start = now();
    const optimum = solveOptimal(tensors);
    const seconds = (now() - start) / 1000;
    let inner = 0;
    for (let v = 1; v < tensors.size - 1; v++) inner += tensors.cost[v] ?? 0;
    const theoretical = cutoffPct(optimum.cost, inner);
    return {
      network: paper.network,
      paperVertices: paper.vertices,
      vertices: tensors.size,
      paperSolverS: paper.solverRuntimeS,
      solverS: Math.round(seconds * 1e6) / 1e6,
      speedup: seconds > 0 ? Math.round(paper.solverRuntimeS / seconds) : null,
      paperMeasuredCutoffPct: paper.measuredCutoffPct,
      paperTheoreticalCutoffPct: paper.theoreticalCutoffPct,
      theoreticalCutoffPct: theoretical,
      difference:
        theoretical === null ? null : Math.round((theoretical - paper.theoreticalCutoffPct) * 10) / 10,
      cause: causesOf(paper.network, tensors.size, paper.vertices, theoretical, paper.theoreticalCutoffPct),
    };
  };
  return { head: HEAD, networks: ICLR_TABLE_2.map(({ network }) => network), rowOf };
}

const HEAD: TableHead = {
  name: 'theory',
  title: 'Runtime of the solver and theoretical cut-off',
  citation: 'Cutting Down Training Memory by Re-forwarding, Table 2 (appendix C)',
  notes: [
    'Theirs: one core of an i7-8700, Python. Ours: this machine, now; the ratio compares two programs on two machines.',
    'Theoretical cut-off: 1 - Eq. 2 of the optimum / sum of all vertices but source and target.',
  ],
  columns: [
    { key: 'network', title: 'network', from: 'both', digits: 0 },
    { key: 'paperVertices', title: 'vertices', from: 'paper', digits: 0 },
    { key: 'vertices', title: 'vertices', from: 'ours', digits: 0 },
    { key: 'paperSolverS', title: 'solver s', from: 'paper', digits: 2 },
    { key: 'solverS', title: 'solver s', from: 'ours', digits: 6 },
    { key: 'speedup', title: 'times faster', from: 'both', digits: 0 },
    { key: 'paperMeasuredCutoffPct', title: 'measured cut-off %', from: 'paper', digits: 0 },
    { key: 'paperTheoreticalCutoffPct', title: 'theoretical cut-off %', from: 'paper', digits: 0 },
    { key: 'theoreticalCutoffPct', title: 'theoretical cut-off %', from: 'ours', digits: 1 },
    { key: 'difference', title: 'difference (points)', from: 'both', digits: 1 },
    { key: 'cause', title: 'cause', from: 'both', digits: 0 },
  ],
};

const EXPLAINED_ABOVE_POINTS = 5;

function causesOf(
  network: string,
  vertices: number,
  paperVertices: number,
  ours: number | null,
  paper: number,
): readonly Cause[] {
  if (ours === null || Math.abs(ours - paper) <= EXPLAINED_ABOVE_POINTS) return [];
  if (network === 'customnet') return [{ kind: 'figure-only' }];
  if (vertices !== paperVertices) return [{ kind: 'vertices-drawn', paper: paperVertices, ours: vertices }];
  return [{ kind: 'ends-counted' }];
}
