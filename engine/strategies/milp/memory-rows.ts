import { successorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { Problem } from '../strategy/strategy.ts';
import { type LinearModel, type Term, type Value, ZERO } from './linear-model.ts';
import { backwardOf, backwardsBefore, type Rounds } from './rounds.ts';

/**
 * The rows that say: at every forward and every backward the live bytes are at most `peak`. Columns that
 * say whether something lives are continuous, because they only have to be at least some binary.
 *
 * Within round r a value u is live at the place of vertex i when it was held into the round and i comes
 * before u, or when it is there and something from place i on still uses it: a consumer forwarded in the
 * round, the round's backward, or the next round. A place where nothing is forwarded holds no more than
 * the place before it, so its row excludes nothing.
 *
 * @param unit bytes that count 1 in the rows
 */
export function limitMemory(
  model: LinearModel,
  problem: Problem,
  rounds: Rounds,
  peak: Value,
  unit: number,
): void {
  const { graph, memory } = problem;
  const source = (memory.outputBytes[0] ?? 0) / unit;
  for (let r = 0; r < rounds.count; r++) {
    const round = new Round(model, problem, rounds, r);
    const gradients = gradientTerms(model, problem, rounds, backwardsBefore(rounds.shape, r), unit);
    for (let i = 1; i < graph.size; i++) {
      const terms: Term[] = [
        ...gradients,
        [-1, peak],
        ...round.activations(i, unit),
        ...round.auxiliaries(i, unit),
      ];
      model.atMost(terms, -source);
    }
    const k = backwardOf(rounds.shape, r);
    if (k < 0) continue;
    const atBackward = backwardGradientTerms(model, problem, rounds, k, unit);
    const end = graph.size;
    model.atMost(
      [...atBackward, [-1, peak], ...round.activations(end, unit), ...round.auxiliaries(end, unit)],
      -source,
    );
  }
}

/** Live values in one round. Place `size` is the end: the backward, or the hand-over to the next round. */
class Round {
  readonly #model: LinearModel;
  readonly #problem: Problem;
  readonly #rounds: Rounds;
  readonly #r: number;
  /** For each vertex the values "used at its own place or later", "by consumer 1 or later", ..., "at the end". */
  readonly #usedFrom: Value[][];
  readonly #auxUsed: Value[];
  readonly #consumers: number[][];

  constructor(model: LinearModel, problem: Problem, rounds: Rounds, r: number) {
    this.#model = model;
    this.#problem = problem;
    this.#rounds = rounds;
    this.#r = r;
    const { graph, memory } = problem;
    this.#consumers = Array.from({ length: graph.size }, (_, u) => [...new Set(successorsOf(graph, u))]);
    const needers: number[][] = Array.from({ length: graph.size }, () => []);
    for (let v = 1; v < graph.size; v++) for (const u of needsOf(memory, v)) needers[u]!.push(v);
    const now = rounds.forward[r]!;
    this.#usedFrom = this.#consumers.map((consumers, u) => {
      if (u === 0) return [];
      const used = [this.#atEnd(rounds.held[r + 1]![u]!, needers[u]!)];
      for (const c of [...consumers].reverse()) used.unshift(this.#either(now[c]!, used[0]!));
      return [this.#either(now[u]!, used[0]!), ...used];
    });
    this.#auxUsed = Array.from({ length: graph.size }, (_, v) =>
      (memory.auxBytes[v] ?? 0) > 0 ? this.#atEnd(rounds.heldAux[r + 1]![v]!, [v]) : ZERO,
    );
  }

  /** Bytes of the activations live at place i; a viewed value and its views count once. */
  activations(i: number, unit: number): Term[] {
    const { graph, memory } = this.#problem;
    const families = new Map<number, Value[]>();
    for (let u = 1; u < graph.size; u++) {
      let root = u;
      while ((memory.viewOf[root] ?? -1) >= 0) root = memory.viewOf[root]!;
      if (root === 0) continue;
      const members = families.get(root);
      if (members === undefined) families.set(root, [this.#live(u, i)]);
      else members.push(this.#live(u, i));
    }
    const terms: Term[] = [];
    for (const [root, members] of families) {
      const live = members.length === 1 ? members[0]! : this.#any(members);
      terms.push([(memory.outputBytes[root] ?? 0) / unit, live]);
    }
    return terms;
  }

  auxiliaries(i: number, unit: number): Term[] {
    const { graph, memory } = this.#problem;
    const terms: Term[] = [];
    for (let v = 1; v < graph.size; v++) {
      const bytes = (memory.auxBytes[v] ?? 0) / unit;
      if (bytes === 0) continue;
      const used = this.#auxUsed[v]!;
      if (v > i) terms.push([bytes, this.#rounds.heldAux[this.#r]![v]!]);
      else if (v < i) terms.push([bytes, used]);
      else terms.push([bytes, this.#either(this.#rounds.forward[this.#r]![v]!, used)]);
    }
    return terms;
  }

  #live(u: number, i: number): Value {
    if (u > i) return this.#rounds.held[this.#r]![u]!;
    const used = this.#usedFrom[u]!;
    if (u === i) return used[0]!;
    const consumers = this.#consumers[u]!;
    let next = consumers.findIndex((c) => c >= i);
    if (next === -1) next = consumers.length;
    // An in-place operation's input becomes its own output from then on.
    if (consumers[next] === i && this.#problem.memory.takesOver[i] === u) next++;
    return used[next + 1]!;
  }

  /** Lives into the next round, or is used by the backward that ends this one. */
  #atEnd(handedOver: Value, needers: readonly number[]): Value {
    const k = backwardOf(this.#rounds.shape, this.#r);
    if (k < 0 || needers.length === 0) return handedOver;
    const used = this.#model.continuous(0, 1);
    this.#model.atLeast(used, handedOver);
    for (const v of needers) {
      this.#model.atMost(
        [
          [1, this.#rounds.done[k + 1]![v]!],
          [-1, this.#rounds.done[k]![v]!],
          [-1, used],
        ],
        0,
      );
    }
    return used;
  }

  #either(a: Value, b: Value): Value {
    return this.#any([a, b]);
  }

  #any(values: readonly Value[]): Value {
    const some = values.filter((value) => value !== ZERO);
    if (some.length === 0) return ZERO;
    if (some.length === 1) return some[0]!;
    const any = this.#model.continuous(0, 1);
    for (const value of some) this.#model.atLeast(any, value);
    return any;
  }
}

/** Gradients that live once k vertices have run backward: of those with a consumer among them, not themselves. */
function gradientTerms(
  model: LinearModel,
  problem: Problem,
  rounds: Rounds,
  k: number,
  unit: number,
): Term[] {
  const { graph, memory } = problem;
  const done = rounds.done[k]!;
  const terms: Term[] = [];
  for (let u = 1; u < graph.size; u++) {
    const bytes = (memory.gradientBytes[u] ?? 0) / unit;
    const live = exceeds(
      model,
      [...successorsOf(graph, u)].map((w) => done[w]!),
      done[u]!,
    );
    if (bytes > 0) terms.push([bytes, live]);
  }
  return terms;
}

/** Gradients at the k-th backward itself: those of the inputs are allocated, its own is not yet released. */
function backwardGradientTerms(
  model: LinearModel,
  problem: Problem,
  rounds: Rounds,
  k: number,
  unit: number,
): Term[] {
  const { graph, memory } = problem;
  const before = rounds.done[k]!;
  const after = rounds.done[k + 1]!;
  const target = graph.size - 1;
  const terms: Term[] = [];
  for (let u = 1; u < graph.size; u++) {
    const bytes = (memory.gradientBytes[u] ?? 0) / unit;
    if (bytes === 0) continue;
    const readers = [...successorsOf(graph, u)];
    const consumers = readers.map((w) => {
      // A view hands its gradient over, so that of its input does not count beside it yet; a sum of two it does not.
      const isOnly = readers.filter((other) => other === w).length === 1;
      const hands = memory.viewOf[w] === u && memory.gradientBytes[w] === memory.gradientBytes[u];
      return hands && isOnly ? before[w]! : after[w]!;
    });
    if (u === target) consumers.push(after[u]!);
    terms.push([bytes, exceeds(model, consumers, before[u]!)]);
  }
  return terms;
}

/** At least 1 when one of the values is 1 and `unless` is 0. */
function exceeds(model: LinearModel, values: readonly Value[], unless: Value): Value {
  const some = values.filter((value) => value !== ZERO);
  if (some.length === 0 || (unless.column < 0 && unless.constant === 1)) return ZERO;
  if (some.length === 1 && unless === ZERO) return some[0]!;
  const exceeding = model.continuous(0, 1);
  for (const value of some) {
    model.atMost(
      [
        [1, value],
        [-1, unless],
        [-1, exceeding],
      ],
      0,
    );
  }
  return exceeding;
}
