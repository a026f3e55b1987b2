import type { Graph } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import type { MilpModel } from '../strategies/milp/milp-solver.ts';
import { lowerBound } from './lower-bound.ts';
import type { LpAnswer, LpSolver } from './lp-solver.ts';
import { heaviestMoments, type Moments } from './moments.ts';
import { type OnceRows, onceRows, type Row } from './once-rows.ts';
import { stagePeakBound } from './stage-bound.ts';
import { isWhole } from './stage-choices.ts';
import { stagesOf } from './stages.ts';
import { withOwnGradients } from './values.ts';

const MOMENTS = 9;
/** Iterations of a linear program; those of the zoo need some thousands. */
const MAX_ITERATIONS = 40_000;
/** Peaks tried between the bound for any schedule and the best known. */
const STEPS = 6;
/** Parts into which columns that are 0 or 1 divide what has to be shown of one peak. */
const MAX_PARTS = 400;
/** Solutions this close to 0 or 1 are. */
const WHOLE = 1e-6;
/** Effort guards: columns of the linear program, and where the stages say all that they can. */
const MAX_COLUMNS = 12_000;
const MAX_COLUMNS_OF_STAGES = 1_000;
/** Sizes by which a moment's row is rounded, and the least of them as a part of the room. */
const MAX_ROUNDINGS = 8;
const LEAST_PART = 40;

/**
 * A proved lower bound on the peak of any schedule that forwards no vertex more than twice: that of the network's stages
 * (stage-bound.ts), and from there the least peak of which a linear program could not be shown to have no solution, of some
 * peaks up to the best known. Networks of which the stages leave nothing out ask the program only where it is small: it sees
 * a few moments, they all.
 *
 * Proof that no schedule has peak P: the rows of once-rows.ts, and at every moment the live bytes within P. As columns
 * are 0 or 1, the sum of floor(bytes / g) x column is at most floor(room / g) for any size g too; these rows cut off
 * most of what a linear program would have in parts. Where that is not enough, a column is set to 0 and to 1, and each
 * half is shown. Multipliers of the rows, rounded to integers, show that no numbers from 0 to 1 obey all rows: the
 * weighted sum of the left sides is more than that of the limits. The sums are those of whole numbers without limit
 * (BigInt), so that nothing is lost to rounding; what the solver says beside its multipliers is not believed.
 *
 * Time: up to some hundred linear programs for each of a few peaks, of twice as many columns as moments x vertices, each from
 * the solution before; on graphs that are too large it is the bound of the stages, or that for any schedule. No clock.
 */
export function oncePeakBound(
  { graph, memory: model }: { graph: Graph; memory: MemoryModel },
  knownPeakBytes: number,
  solver: LpSolver,
): number {
  const any = lowerBound({ graph, memory: model }).bytes;
  if (graph.size < 3 || knownPeakBytes <= any) return any;
  const memory = withOwnGradients(graph, model);
  const stages = stagesOf(graph, memory);
  let proved = stagePeakBound(stages, any, knownPeakBytes);
  if (knownPeakBytes <= proved) return proved;
  const moments = heaviestMoments(graph, memory, MOMENTS);
  const once = onceRows(graph, memory, moments);
  if (once.columns > (stages.every(isWhole) ? MAX_COLUMNS_OF_STAGES : MAX_COLUMNS)) return proved;
  for (let step = 0, possible = knownPeakBytes; step < STEPS && proved < possible; step++) {
    const peak = Math.floor((proved + possible - 1) / 2);
    if (isImpossible(once, moments, peak, solver)) proved = peak + 1;
    else possible = peak;
  }
  return proved;
}

/** True if it is shown that no schedule of the class has a peak of at most so many bytes. */
export function isImpossible(once: OnceRows, moments: Moments, peak: number, solver: LpSolver): boolean {
  const limits = once.live.flatMap((live, i) => memoryRows(live, peak - moments.base[i]!));
  const rows = [...once.rows, ...limits];
  const scales = rows.map(({ coefficients }) =>
    coefficients.reduce((most, c) => Math.max(most, Math.abs(c)), 1),
  );
  const bytes = new Float64Array(once.columns);
  for (const [column, held] of once.live.flat()) bytes[column] = Math.max(bytes[column]!, held);
  return solver.withProgram(violationModel(once.columns, rows, scales), MAX_ITERATIONS, (solve) => {
    // Halves of what is left to show, the deepest first.
    const open: ReadonlyMap<number, number>[] = [new Map()];
    for (let seen = 0; seen < MAX_PARTS; seen++) {
      const fixed = open.pop();
      if (fixed === undefined) return true;
      const answer = solve(fixed);
      if (answer === null) return false;
      if (contradicts({ rows, scales, fixed }, answer.duals)) continue;
      const column = mostDivided(answer, bytes);
      // A solution in whole numbers: nothing speaks against this peak.
      if (column === -1) return false;
      open.push(new Map([...fixed, [column, 1]]), new Map([...fixed, [column, 0]]));
    }
    return open.length === 0;
  });
}

/** The column whose part of a byte count is farthest from all or nothing; -1 where none is divided. */
function mostDivided({ values }: LpAnswer, bytes: Float64Array): number {
  let column = -1;
  let most = 0;
  for (let c = 0; c < bytes.length; c++) {
    const apart = Math.min(values[c]!, 1 - values[c]!);
    if (apart <= WHOLE || apart * bytes[c]! <= most) continue;
    column = c;
    most = apart * bytes[c]!;
  }
  return column;
}

function memoryRows(live: readonly (readonly [column: number, bytes: number])[], room: number): Row[] {
  const columns = live.map(([column]) => column);
  const rounded = (size: number): Row => {
    const kept = live.filter(([, bytes]) => bytes >= size);
    return {
      columns: kept.map(([column]) => column),
      coefficients: kept.map(([, bytes]) => Math.floor(bytes / size)),
      limit: Math.floor(room / size),
    };
  };
  const sizes = [...new Set(live.map(([, bytes]) => bytes))]
    .filter((size) => size <= room && size * LEAST_PART > room)
    .sort((a, b) => b - a)
    .slice(0, MAX_ROUNDINGS);
  return [{ columns, coefficients: live.map(([, bytes]) => bytes), limit: room }, ...sizes.map(rounded)];
}

/** Minimise by how much rows are violated; each row divided by its largest coefficient. */
function violationModel(columns: number, rows: readonly Row[], scales: readonly number[]): MilpModel {
  const starts = [0];
  const indices: number[] = [];
  const values: number[] = [];
  rows.forEach((row, r) => {
    row.columns.forEach((column, k) => {
      indices.push(column);
      values.push(row.coefficients[k]! / scales[r]!);
    });
    indices.push(columns);
    values.push(-1);
    starts.push(indices.length);
  });
  const cost = new Float64Array(columns + 1);
  cost[columns] = 1;
  const upper = new Float64Array(columns + 1).fill(1);
  upper[columns] = Number.POSITIVE_INFINITY;
  return {
    columns: columns + 1,
    rows: rows.length,
    cost,
    lower: new Float64Array(columns + 1),
    upper,
    integer: new Uint8Array(columns + 1),
    starts: Int32Array.from(starts),
    indices: Int32Array.from(indices),
    values: Float64Array.from(values),
    rowLower: new Float64Array(rows.length).fill(Number.NEGATIVE_INFINITY),
    rowUpper: Float64Array.from(rows, (row, r) => row.limit / scales[r]!),
  };
}

/** Duals are rounded to this part of the largest; smaller ones than the other count as none. */
const FINE = 2 ** 30;
const NOTHING = 2 ** -34;

/** True if multipliers of the rows, 0 or more, show that no numbers from 0 to 1 obey all of them. Exact. */
function contradicts(
  {
    rows,
    scales,
    fixed,
  }: {
    readonly rows: readonly Row[];
    readonly scales: readonly number[];
    readonly fixed: ReadonlyMap<number, number>;
  },
  duals: Float64Array,
): boolean {
  // A row divided by its scale; whole numbers for the row itself, as all are multiplied by the largest scale.
  const largest = scales.reduce((a, b) => Math.max(a, b), 1);
  const most = duals.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (most === 0 || !Number.isFinite(most)) return false;
  const sums = new Map<number, bigint>();
  let limit = 0n;
  rows.forEach((row, r) => {
    const share = Math.max(0, -(duals[r] ?? 0)) / most;
    if (share < NOTHING) return;
    const multiplier = BigInt(Math.round(share * FINE * (largest / scales[r]!)));
    limit += multiplier * BigInt(row.limit);
    row.columns.forEach((column, k) => {
      sums.set(column, (sums.get(column) ?? 0n) + multiplier * BigInt(row.coefficients[k]!));
    });
  });
  // The least that the left sides can be together.
  let least = 0n;
  for (const [column, sum] of sums) {
    const value = fixed.get(column);
    if (value === undefined ? sum < 0n : value === 1) least += sum;
  }
  return least > limit;
}
