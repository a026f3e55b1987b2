import { predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import type { Value } from '../../engine/strategies/milp/linear-model.ts';
import type { MilpModel } from '../../engine/strategies/milp/milp-solver.ts';
import { backwardOf, type RoundShape, type Rounds } from '../../engine/strategies/milp/rounds.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { chance, pick, type Rng } from './rng.ts';

/** Decisions of `milp`'s rounds, as plain tables; all indexed [round][vertex], `order` by place. */
export interface RoundTable {
  readonly forward: boolean[][];
  readonly held: boolean[][];
  readonly heldAux: boolean[][];
  /** The vertices in the order of their backward. */
  readonly order: number[];
}

/**
 * A random schedule in rounds: whatever the backward of a round needs is forwarded in it, and anything else that can
 * be, at random; held is what is used later before it is recomputed. Null where it forwards a value while a view of it
 * is held, which rounds leave out.
 */
export function randomTable(rng: Rng, problem: Problem, shape: RoundShape): RoundTable | null {
  const { graph, memory } = problem;
  const { size } = graph;
  const count = shape.extra + shape.sweeps * (size - 1);
  const forward: boolean[][] = [];
  const order: number[] = [];
  const rate = pick(rng, [0, 0.2, 0.5]);
  for (let r = 0; r < count; r++) {
    const k = backwardOf(shape, r);
    const now = new Array<boolean>(size).fill(false);
    for (let v = 1; v < size; v++) {
      if ([...predecessorsOf(graph, v)].every((u) => u === 0 || now[u])) now[v] = chance(rng, rate);
    }
    if (k >= 0) {
      const isReady = (v: number): boolean =>
        !order.includes(v) && [...successorsOf(graph, v)].every((w) => order.includes(w));
      const v = pick(
        rng,
        [...Array(size).keys()].filter((u) => u > 0 && isReady(u)),
      );
      const want = (u: number): void => {
        if (u === 0 || now[u]) return;
        now[u] = true;
        for (const w of predecessorsOf(graph, u)) want(w);
      };
      for (const u of needsOf(memory, v)) want(u);
      if (memory.auxBytes[v]! > 0) want(v);
      if (k === 0) want(size - 1);
      order.push(v);
    }
    forward.push(now);
  }
  return thinned(problem, shape, forward, order);
}

/** Leaves out forwards of what is there already: a value that an earlier round made stays with some luck. */
function thinned(
  problem: Problem,
  shape: RoundShape,
  forward: boolean[][],
  order: number[],
): RoundTable | null {
  const { graph } = problem;
  const never = (): boolean[][] => [...forward, []].map(() => new Array<boolean>(graph.size).fill(false));
  const table = { forward, held: never(), heldAux: never(), order };
  for (let r = 0; r < forward.length; r++) {
    for (let v = graph.size - 1; v > 0; v--) {
      if (!forward[r]![v] || r === 0) continue;
      forward[r]![v] = false;
      if (!holding(problem, shape, table)) forward[r]![v] = true;
    }
  }
  return holding(problem, shape, table) ? table : null;
}

/** Fills in what has to be held; false where the forwards do not do or a rule of rounds is broken. */
function holding(problem: Problem, shape: RoundShape, table: RoundTable): boolean {
  const { size } = problem.graph;
  const { forward, held, heldAux } = table;
  for (const rows of [held, heldAux]) for (const row of rows) row.fill(false);
  for (let r = forward.length - 1; r >= 0; r--) {
    const { values, auxiliaries } = usedIn(problem, shape, table, r);
    for (let u = 1; u < size; u++) {
      const later = held[r + 1]![u]!;
      held[r]![u] = values.before.has(u) || ((later || values.after.has(u)) && !forward[r]![u]);
      heldAux[r]![u] = (heldAux[r + 1]![u]! || auxiliaries.has(u)) && !forward[r]![u];
    }
    for (let u = 0; u < size; u++) held[r]![0] = true;
  }
  held.at(-1)![0] = true;
  const [first, firstAux] = [held[0]!, heldAux[0]!];
  return !first.some((is, v) => is && v > 0) && !firstAux.includes(true) && isAllowed(problem, shape, table);
}

/** Values that a round uses from before it, and those present at its end. */
function usedIn(problem: Problem, shape: RoundShape, { forward, order }: RoundTable, r: number) {
  const { graph, memory } = problem;
  const values = { before: new Set<number>(), after: new Set<number>() };
  const auxiliaries = new Set<number>();
  for (let v = 1; v < graph.size; v++) {
    if (!forward[r]![v]) continue;
    for (const u of predecessorsOf(graph, v)) if (u > 0 && !forward[r]![u]) values.before.add(u);
  }
  const k = backwardOf(shape, r);
  const v = k < 0 ? 0 : order[k]!;
  if (v > 0) {
    for (const u of needsOf(memory, v)) values.after.add(u);
    if (memory.auxBytes[v]! > 0) auxiliaries.add(v);
  }
  return { values, auxiliaries };
}

/** True when a table can be executed, by the rules of the simulator and of rounds, step by step. */
export function isAllowed(
  problem: Problem,
  shape: RoundShape,
  { forward, held, heldAux, order }: RoundTable,
): boolean {
  const { graph, memory } = problem;
  const target = graph.size - 1;
  const done = new Set<number>();
  let reached = false;
  if (held[0]!.some((is, v) => is && v > 0) || heldAux[0]!.includes(true)) return false;
  for (let r = 0; r < forward.length; r++) {
    const [now, before, beforeAux] = [forward[r]!, held[r]!, heldAux[r]!];
    const there = new Set([0, ...before.keys()].filter((v) => v === 0 || before[v]));
    for (let v = 1; v < graph.size; v++) {
      if (!now[v]) continue;
      if (before[v] || beforeAux[v]) return false;
      if ([...predecessorsOf(graph, v)].some((u) => !before[u] && !now[u] && u > 0)) return false;
      if (before.some((is, w) => is && isViewOf(problem, w, v))) return false;
      there.add(v);
      if (v === target) reached = true;
    }
    const k = backwardOf(shape, r);
    if (k >= 0) {
      const v = order[k]!;
      if (!reached || [...successorsOf(graph, v)].some((w) => !done.has(w))) return false;
      if ([...needsOf(memory, v)].some((u) => !there.has(u))) return false;
      if (memory.auxBytes[v]! > 0 && !beforeAux[v] && !now[v]) return false;
      done.add(v);
    }
    for (let v = 1; v < graph.size; v++) {
      if (held[r + 1]![v] && !there.has(v)) return false;
      if (heldAux[r + 1]![v] && (memory.auxBytes[v] === 0 || (!beforeAux[v] && !now[v]))) return false;
      const taken = memory.takesOver[v]!;
      if (now[v] && taken > 0 && held[r + 1]![taken]) return false;
    }
  }
  return !held.at(-1)!.some((is, v) => is && v > 0) && !heldAux.at(-1)!.includes(true);
}

function isViewOf({ memory }: Problem, view: number, value: number): boolean {
  for (let u = memory.viewOf[view]!; u > 0; u = memory.viewOf[u]!) if (u === value) return true;
  return false;
}

/** The columns of a table; columns that are not decisions stay 0. */
export function solutionOf(model: MilpModel, rounds: Rounds, table: RoundTable): Float64Array {
  const solution = new Float64Array(model.columns);
  const set = (value: Value, is: boolean): void => {
    if (value.column >= 0) solution[value.column] = is ? 1 : 0;
    else if (value.constant !== (is ? 1 : 0)) throw new Error('a constant says otherwise');
  };
  const fill = (rows: readonly (readonly Value[])[], is: (row: number, v: number) => boolean): void => {
    for (const [row, values] of rows.entries())
      for (const [v, value] of values.entries()) set(value, is(row, v));
  };
  fill(rounds.forward, (r, v) => table.forward[r]![v]!);
  fill(rounds.held, (r, v) => table.held[r]![v]!);
  fill(rounds.heldAux, (r, v) => table.heldAux[r]![v]!);
  fill(rounds.done, (k, v) => table.order.slice(0, k).includes(v));
  return solution;
}

/** True when a solution satisfies every row and the bounds of the columns. */
export function satisfies(model: MilpModel, solution: Float64Array): boolean {
  for (let column = 0; column < model.columns; column++) {
    const value = solution[column]!;
    if (value < model.lower[column]! || value > model.upper[column]!) return false;
  }
  for (let row = 0; row < model.rows; row++) {
    const sum = sumOf(model, solution, row);
    if (sum < model.rowLower[row]! - 1e-9 || sum > model.rowUpper[row]! + 1e-9) return false;
  }
  return true;
}

export function sumOf(model: MilpModel, solution: Float64Array, row: number): number {
  let sum = 0;
  for (let i = model.starts[row]!; i < model.starts[row + 1]!; i++) {
    sum += model.values[i]! * solution[model.indices[i]!]!;
  }
  return sum;
}
