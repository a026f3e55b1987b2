import { solveOptimal } from '../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../engine/problem.ts';
import { CVPR_TABLE_2, ICLR_TABLE_2 } from '../../engine/tables/paper-tables.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';

/**
 * Build and solve (Algorithm 6) every network of the CVPR paper's table: cold, as a command line pays it,
 * and the median of nine warm runs. Theirs: the earlier paper's table 2, where it has the row.
 */
interface Sample {
  readonly buildMs: number;
  readonly solveMs: number;
}

function once(network: string, input: number): Sample {
  const start = performance.now();
  const { view } = createProblem(buildModel(network, { batch: 1, input }), 'pytorch');
  const built = performance.now();
  solveOptimal(view.tensors);
  return { buildMs: built - start, solveMs: performance.now() - built };
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

const cold = CVPR_TABLE_2.map((row) => once(row.network, row.input));
const sum = (samples: readonly Sample[]): number => samples.reduce((t, s) => t + s.buildMs + s.solveMs, 0);

console.log('network        build ms   solve ms   cold ms   theirs s    theirs / ours (solve)');
const warm = CVPR_TABLE_2.map((row, i) => {
  const samples = Array.from({ length: 9 }, () => once(row.network, row.input));
  const buildMs = median(samples.map((s) => s.buildMs));
  const solveMs = median(samples.map((s) => s.solveMs));
  const theirs = ICLR_TABLE_2.find((theory) => theory.network === row.network)?.solverRuntimeS;
  const first = cold[i];
  console.log(
    [
      row.network.padEnd(12),
      buildMs.toFixed(2).padStart(10),
      solveMs.toFixed(2).padStart(10),
      ((first?.buildMs ?? 0) + (first?.solveMs ?? 0)).toFixed(1).padStart(9),
      (theirs?.toFixed(2) ?? '-').padStart(10),
      (theirs === undefined ? '-' : Math.round((theirs * 1000) / solveMs).toString()).padStart(14),
    ].join(' '),
  );
  return { buildMs, solveMs };
});
console.log(
  `all ${warm.length}: cold ${sum(cold).toFixed(0)} ms, warm ${sum(warm).toFixed(0)} ms (limit 500)`,
);
