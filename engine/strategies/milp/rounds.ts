import { predecessorsOf, successorsOf } from '../../graph/graph.ts';
import { reachedFrom } from '../../graph/reach.ts';
import { needsOf } from '../../ops/memory-model.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import type { Problem } from '../strategy/strategy.ts';
import { type LinearModel, ONE, type Value, valueIn, ZERO } from './linear-model.ts';

/**
 * A schedule as a table of rounds. A round forwards any vertices once each in topological order; every
 * `sweeps`-th round then runs one vertex backward. `extra` rounds come before all that, so that the first
 * forward may go in another order too. After Checkmate's stages, but with the backward order free and
 * several sweeps between two backward steps.
 */
export interface RoundShape {
  readonly extra: number;
  readonly sweeps: number;
}

/** The decisions; constants where there is nothing to decide. All indexed [round][vertex] unless said. */
export interface Rounds {
  readonly count: number;
  readonly shape: RoundShape;
  /** Vertex is forwarded in the round. */
  readonly forward: readonly (readonly Value[])[];
  /** Its activation, its auxiliary lives from the round before into the round; one more round than `count`. */
  readonly held: readonly (readonly Value[])[];
  readonly heldAux: readonly (readonly Value[])[];
  /** done[k][v]: v is among the first k that ran backward. */
  readonly done: readonly (readonly Value[])[];
}

/** Position of the backward step of a round, or -1. */
export function backwardOf({ extra, sweeps }: RoundShape, round: number): number {
  const after = round - extra;
  return after >= 0 && after % sweeps === sweeps - 1 ? Math.floor(after / sweeps) : -1;
}

/** Number of backward steps before the forwards of a round. */
export function backwardsBefore({ extra, sweeps }: RoundShape, round: number): number {
  return Math.max(0, Math.floor((round - extra) / sweeps));
}

export function declareRounds(model: LinearModel, { graph, memory }: Problem, shape: RoundShape): Rounds {
  const { size } = graph;
  const count = shape.extra + shape.sweeps * (size - 1);
  const table = (rows: number, value: (row: number, v: number) => Value): Value[][] =>
    Array.from({ length: rows }, (_, row) => Array.from({ length: size }, (__, v) => value(row, v)));
  const inner = (row: number, rows: number): boolean => row > 0 && row < rows - 1;
  const { ancestors, descendants } = relatives({ graph });
  return {
    count,
    shape,
    forward: table(count, (_, v) => (v === 0 ? ZERO : model.binary())),
    held: table(count + 1, (row, v) => (v === 0 ? ONE : inner(row, count + 1) ? model.binary() : ZERO)),
    heldAux: table(count + 1, (row, v) =>
      inner(row, count + 1) && (memory.auxBytes[v] ?? 0) > 0 ? model.binary() : ZERO,
    ),
    // Between the earliest (all descendants first) and the latest (all ancestors after) place of v.
    done: table(size, (k, v) => {
      if (v === 0 || k <= descendants[v]!) return ZERO;
      return k >= size - 1 - ancestors[v]! ? ONE : model.binary();
    }),
  };
}

/** Precedence rules: the simulator's rules on presence, without bytes. */
export function constrainRounds(model: LinearModel, { graph, memory }: Problem, rounds: Rounds): void {
  const { count, shape, forward, held, heldAux, done } = rounds;
  const target = graph.size - 1;
  for (let r = 0; r < count; r++) {
    const now = forward[r]!;
    const before = held[r]!;
    const after = held[r + 1]!;
    const k = backwardOf(shape, r);
    for (let v = 1; v <= target; v++) {
      for (const u of new Set(predecessorsOf(graph, v))) available(model, now[v]!, ZERO, before[u]!, now[u]!);
      available(model, after[v]!, ZERO, before[v]!, now[v]!);
      exclude(model, before[v]!, now[v]!);
      const taken = memory.takesOver[v] ?? -1;
      if (taken > 0) exclude(model, after[taken]!, now[v]!);
      for (let u = memory.viewOf[v] ?? -1; u > 0; u = memory.viewOf[u] ?? -1)
        exclude(model, before[v]!, now[u]!);
      if (k >= 0) {
        for (const u of needsOf(memory, v))
          available(model, done[k + 1]![v]!, done[k]![v]!, before[u]!, now[u]!);
      }
      if ((memory.auxBytes[v] ?? 0) === 0) continue;
      available(model, heldAux[r + 1]![v]!, ZERO, heldAux[r]![v]!, now[v]!);
      exclude(model, heldAux[r]![v]!, now[v]!);
      if (k >= 0) available(model, done[k + 1]![v]!, done[k]![v]!, heldAux[r]![v]!, now[v]!);
    }
  }
  for (let k = 0; k < target; k++) {
    model.equal(
      done[k + 1]!.map((value) => [1, value]),
      k + 1,
    );
    for (let v = 1; v <= target; v++) {
      model.atLeast(done[k + 1]![v]!, done[k]![v]!);
      for (const w of successorsOf(graph, v)) model.atLeast(done[k]![w]!, done[k + 1]![v]!);
    }
  }
  const first = shape.extra + shape.sweeps - 1;
  const before = forward.slice(0, first + 1).map((now): [number, Value] => [-1, now[target]!]);
  model.atMost(before, -1);
}

/** what - unless <= before + now: it happens only with the activation held or forwarded. */
function available(model: LinearModel, what: Value, unless: Value, before: Value, now: Value): void {
  if (before === ONE) return;
  model.atMost(
    [
      [1, what],
      [-1, unless],
      [-1, before],
      [-1, now],
    ],
    0,
  );
}

function exclude(model: LinearModel, a: Value, b: Value): void {
  if (a === ZERO || b === ZERO) return;
  model.atMost(
    [
      [1, a],
      [1, b],
    ],
    1,
  );
}

/** The forward and backward steps of a solution; frees follow from liveness. */
export function decode(rounds: Rounds, solution: Float64Array): Schedule {
  const builder = new ScheduleBuilder();
  const isOne = (value: Value): boolean => valueIn(solution, value) > 0.5;
  for (let r = 0; r < rounds.count; r++) {
    rounds.forward[r]!.forEach((value, v) => {
      if (v > 0 && isOne(value)) builder.push(FORWARD, v);
    });
    const k = backwardOf(rounds.shape, r);
    if (k < 0) continue;
    const v = rounds.done[k + 1]!.findIndex((value, u) => isOne(value) && !isOne(rounds.done[k]![u]!));
    builder.push(BACKWARD, v);
  }
  return builder.build();
}

/** Numbers of ancestors, the source left out, and of descendants of each vertex. */
function relatives({ graph }: Pick<Problem, 'graph'>): { ancestors: Int32Array; descendants: Int32Array } {
  const ancestors = new Int32Array(graph.size);
  const descendants = new Int32Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    const isBelow = reachedFrom(graph, v);
    for (let w = v + 1; w < graph.size; w++) {
      if (isBelow[w] === 0) continue;
      descendants[v]!++;
      ancestors[w]!++;
    }
  }
  return { ancestors, descendants };
}
