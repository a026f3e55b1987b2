import { predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';

interface State {
  /** Forwards so far. */
  readonly count: number[];
  /** The storage that holds the value, named by a number; -1 where it is not live. */
  readonly storage: number[];
  readonly aux: boolean[];
  readonly done: boolean[];
}

interface Next {
  readonly state: State;
  readonly peak: number;
  readonly work: number;
}

/**
 * The least peak, and the least recompute at it, over all schedules that forward each vertex at most
 * `times` times: every forward, backward and free at any time, without a thought. Graphs of up to about seven
 * vertices, six with auxiliaries.
 */
export function exhaustiveLeast(problem: Problem, times = 2): { peak: number; work: number } {
  const game = new Game(problem, times);
  const peak = least(game, true, Number.POSITIVE_INFINITY);
  return { peak, work: least(game, false, peak) };
}

class Game {
  readonly start: State;
  readonly #problem: Problem;
  readonly #times: number;
  readonly #work: Float64Array;

  constructor(problem: Problem, times: number) {
    const n = problem.graph.size;
    const { flops, bytes } = problem.graph;
    this.#problem = problem;
    this.#times = times;
    this.#work = flops.some((value) => value > 0) ? flops : bytes;
    this.start = {
      count: Array.from({ length: n }, (_, v) => (v === 0 ? 1 : 0)),
      storage: Array.from({ length: n }, (_, v) => (v === 0 ? 0 : -1)),
      aux: new Array<boolean>(n).fill(false),
      done: Array.from({ length: n }, (_, v) => v === 0),
    };
  }

  get sourceBytes(): number {
    return this.#problem.memory.outputBytes[0]!;
  }

  next(state: State): Next[] {
    const { size } = this.#problem.graph;
    const found: Next[] = [];
    for (let v = 1; v < size; v++) {
      if (state.storage[v]! >= 0) found.push(step(changed(state, { storage: [v, -1] }), 0));
      if (state.aux[v]) found.push(step(changed(state, { aux: [v, false] }), 0));
      const forward = this.#forward(state, v);
      if (forward !== null) found.push(forward);
      const backward = this.#backward(state, v);
      if (backward !== null) found.push(backward);
    }
    return found;
  }

  #forward(state: State, v: number): Next | null {
    const { graph, memory } = this.#problem;
    const isLive = state.storage[v]! >= 0 || state.aux[v] === true;
    if (isLive || state.count[v]! >= this.#times) return null;
    if ([...predecessorsOf(graph, v)].some((u) => state.storage[u]! < 0)) return null;
    const taken = memory.takesOver[v]!;
    const viewed = memory.viewOf[v]!;
    const storage = [...state.storage];
    if (taken >= 0) {
      storage[v] = storage[taken]!;
      storage[taken] = -1;
      if (storage.filter((s) => s === storage[v]).length > 1) return null;
    } else if (viewed >= 0) storage[v] = storage[viewed]!;
    else storage[v] = v + graph.size * state.count[v]!;
    const count = [...state.count];
    const work = count[v] === 0 ? 0 : this.#work[v]!;
    count[v]!++;
    const aux = [...state.aux];
    aux[v] = memory.auxBytes[v]! > 0;
    const after = { ...state, count, storage, aux };
    return step(after, this.#held(after), work);
  }

  #backward(state: State, v: number): Next | null {
    const { graph, memory } = this.#problem;
    const isReady =
      !state.done[v] &&
      [...successorsOf(graph, v)].every((w) => state.done[w]) &&
      [...needsOf(memory, v)].every((u) => state.storage[u]! >= 0) &&
      (memory.auxBytes[v] === 0 || state.aux[v] === true) &&
      (v < graph.size - 1 || state.count[v]! > 0);
    if (!isReady) return null;
    const isLast = v === graph.size - 1;
    let held = this.#held(state) + (isLast ? memory.gradientBytes[v]! : 0);
    for (const u of new Set(predecessorsOf(graph, v))) {
      if (u === 0 || [...successorsOf(graph, u)].some((w) => state.done[w])) continue;
      const reads = [...predecessorsOf(graph, v)].filter((w) => w === u).length;
      const isHanded = memory.viewOf[v] === u && memory.gradientBytes[u] === memory.gradientBytes[v];
      if (!isHanded || reads > 1) held += memory.gradientBytes[u]!;
    }
    return step(changed(state, { done: [v, true], aux: [v, false] }), held);
  }

  /** Between two steps. */
  #held({ storage, aux, done }: State): number {
    const { graph, memory } = this.#problem;
    let sum = 0;
    for (const name of new Set(storage)) if (name >= 0) sum += memory.outputBytes[name % graph.size]!;
    for (let v = 1; v < graph.size; v++) {
      if (aux[v]) sum += memory.auxBytes[v]!;
      if (!done[v] && [...successorsOf(graph, v)].some((w) => done[w])) sum += memory.gradientBytes[v]!;
    }
    return sum;
  }
}

function step(state: State, peak: number, work = 0): Next {
  return { state, peak, work };
}

function changed(
  state: State,
  change: { storage?: [number, number]; aux?: [number, boolean]; done?: [number, boolean] },
): State {
  const copy = { ...state, storage: [...state.storage], aux: [...state.aux], done: [...state.done] };
  if (change.storage) copy.storage[change.storage[0]] = change.storage[1];
  if (change.aux) copy.aux[change.aux[0]] = change.aux[1];
  if (change.done) copy.done[change.done[0]] = change.done[1];
  return copy;
}

/** The same text for equal states alone: a character for each number in them. */
function keyOf({ count, storage, aux, done }: State): string {
  return String.fromCharCode(
    ...count,
    ...storage.map((name) => name + 1),
    ...aux.map(Number),
    ...done.map(Number),
  );
}

/** Least cost of reaching the end, steps above `limit` forbidden; cost by peak or by work. */
function least(game: Game, byPeak: boolean, limit: number): number {
  const known = new Set<string>();
  // Costs are few, so buckets by cost replace a heap.
  const buckets = new Map<number, State[]>([[byPeak ? game.sourceBytes : 0, [game.start]]]);
  for (;;) {
    const cost = Math.min(...buckets.keys());
    const bucket = buckets.get(cost) ?? [];
    const state = bucket.pop();
    if (bucket.length === 0) buckets.delete(cost);
    if (state === undefined) throw new Error('no schedule');
    const key = keyOf(state);
    if (known.has(key)) continue;
    known.add(key);
    if (state.done.every(Boolean)) return cost;
    for (const { state: after, peak, work } of game.next(state)) {
      if (peak > limit) continue;
      const reached = byPeak ? Math.max(cost, peak) : cost + work;
      const list = buckets.get(reached);
      if (list === undefined) buckets.set(reached, [after]);
      else list.push(after);
    }
  }
}
