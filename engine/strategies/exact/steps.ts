import type { StepGraph } from './step-graph.ts';

/** Between two steps. Sets of vertices as bit masks; what has run backward is in none but `done`. */
export interface State {
  /** Activations and auxiliaries that live. */
  readonly live: number;
  readonly aux: number;
  readonly done: number;
  /** Forwarded so far, and more than once so far; where forwards are not counted, the target alone and none. */
  readonly once: number;
  readonly twice: number;
}

/** Hears what may come next: the step (vertex, or vertex + BACKWARD_STEP), its live bytes and its repeated work. */
export type StepListener = (next: State, step: number, bytes: number, work: number) => void;

export const BACKWARD_STEP = 32;
export const START: State = { live: 0, aux: 0, done: 0, once: 0, twice: 0 };

/**
 * Successors of a state, over all schedules that the simulator accepts, in a normal form that loses nothing:
 *
 * - Whatever lives is freed right after its last use, or when it is made where only its auxiliary is wanted. So frees
 *   are chosen among what a step has used, and a value that lives will be used.
 * - A value is not recomputed while a view of it lives: keeping it would have held nothing more.
 * - A value whose storage has no bytes is never freed, but may be recomputed for its auxiliary.
 * - A backward that fits, and after which no more is live than before, goes at once. It only moves to an earlier
 *   place, since it is the next use of all that it lets go of; until its old place no more is live than was, and the
 *   gradients that it allocates are at most those that count here.
 *
 * With `counted` no vertex is forwarded more than twice, and a state from which something would have to be is left out.
 */
export class Steps {
  readonly #graph: StepGraph;
  readonly #counted: boolean;
  /** Vertices whose backward needs their own output. */
  readonly #needSelf: number;
  /** Vertices whose storage has no bytes. */
  readonly #hollow: number;
  readonly #weight: Float64Array;

  constructor(graph: StepGraph, counted: boolean) {
    this.#graph = graph;
    this.#counted = counted;
    let needSelf = 0;
    let hollow = 0;
    for (let v = 1; v < graph.size; v++) {
      needSelf |= graph.needs[v]! & (1 << v);
      if (graph.bytes[1 << v] === 0) hollow |= 1 << v;
    }
    this.#needSelf = needSelf;
    this.#hollow = hollow;
    this.#weight = new Float64Array(2 ** graph.size);
    for (let set = 2; set < this.#weight.length; set += 2) {
      const v = 31 - Math.clz32(set);
      this.#weight[set] = this.#weight[set & ~(1 << v)]! + 10 ** (v - 1);
    }
  }

  /** A state as a number: a digit for each vertex. Not counted: of the state without its counts. */
  keyOf({ live, aux, done, once, twice }: State, counted = this.#counted): number {
    const weight = this.#weight;
    const base = 9 * weight[done]! + weight[live]! + 2 * weight[aux]!;
    if (counted) return base + weight[once & ~done]! + 4 * weight[twice & ~done]!;
    return (once & this.#graph.target) === 0 ? base : base + 10 ** (this.#graph.size - 1);
  }

  /**
   * @param limit steps of more live bytes than this are left out
   * @param calm backwards within this, that leave no more live than was, go at once
   */
  next(state: State, limit: number, calm: number, give: StepListener): void {
    const { size, inputs, target, views, hasAux } = this.#graph;
    const { live, aux, done, once, twice } = state;
    const started = (once & target) !== 0;
    if (started && this.#goesAtOnce(state, limit, calm, give)) return;
    const blocked = (live & ~(this.#hollow & hasAux)) | aux | (this.#counted ? twice : 0);
    for (let v = 1; v < size; v++) {
      const bit = 1 << v;
      if ((done & bit) !== 0) continue;
      const isShown = (views[v]! & live) !== 0 && (this.#hollow & bit) === 0;
      if ((blocked & bit) === 0 && !isShown && (inputs[v]! & ~live) === 0)
        this.#forward(state, v, limit, give);
      if (started && this.#mayRun(state, v)) this.#backward(state, v, limit, give);
    }
  }

  #goesAtOnce(state: State, limit: number, calm: number, give: StepListener): boolean {
    const { size, bytes, auxBytes, gradients } = this.#graph;
    const { live, aux, done } = state;
    const held = bytes[live]! + auxBytes[aux]! + gradients[done]!;
    for (let v = 1; v < size; v++) {
      if (!this.#mayRun(state, v) || this.#bytesAt(state, v) > Math.min(limit, calm)) continue;
      const after = done | (1 << v);
      const left = live & ~this.#useless(after);
      if (bytes[left]! + auxBytes[aux & ~(1 << v)]! + gradients[after]! > held) continue;
      this.#backward(state, v, limit, give);
      return true;
    }
    return false;
  }

  #mayRun({ live, aux, done }: State, v: number): boolean {
    const { needs, outputs, hasAux } = this.#graph;
    const bit = 1 << v;
    return (
      (done & bit) === 0 &&
      (outputs[v]! & ~done) === 0 &&
      (hasAux & bit & ~aux) === 0 &&
      (needs[v]! & ~live) === 0
    );
  }

  /** Live bytes while backward v runs. */
  #bytesAt({ live, aux, done }: State, v: number): number {
    const { sourceBytes, bytes, auxBytes, gradients, ownGradient, handed, viewed, outputs } = this.#graph;
    let held = sourceBytes + bytes[live]! + auxBytes[aux]! + gradients[done | (1 << v)]! + ownGradient[v]!;
    if (viewed[v] !== 0 && (outputs[31 - Math.clz32(viewed[v]!)]! & done) === 0) held -= handed[v]!;
    return held;
  }

  /** Values that no step to come uses, those that live among others. */
  #useless(done: number): number {
    const { size, outputs } = this.#graph;
    let useless = done;
    for (let u = 1; u < size; u++) {
      const bit = 1 << u;
      if ((outputs[u]! & ~done) === 0 && (this.#needSelf & bit) === 0) useless |= bit;
    }
    return useless;
  }

  #forward(state: State, v: number, limit: number, give: StepListener): void {
    const { inputs, takes, hasAux, target, sourceBytes, bytes, auxBytes, gradients, work } = this.#graph;
    const bit = 1 << v;
    const { done } = state;
    const live = (state.live | bit) & ~takes[v]!;
    const aux = state.aux | (bit & hasAux);
    const held = sourceBytes + bytes[live]! + auxBytes[aux]! + gradients[done]!;
    if (held > limit) return;
    const counted = this.#counted;
    const again = (state.once & bit) !== 0;
    const once = counted || bit === target ? state.once | bit : state.once;
    const twice = counted && again ? state.twice | bit : state.twice;
    // Without counts every forward is work, the first ones too.
    const spent = !counted || again ? work[v]! : 0;
    const opens = bit === target && !again;
    const used = inputs[v]! & live;
    for (const auxAfter of (bit & hasAux) === 0 ? [aux] : [aux, state.aux]) {
      const wanted = auxAfter !== state.aux || opens;
      this.#branch(live, wanted ? used | bit : used, auxAfter, done, once, twice, v, held, spent, give);
    }
  }

  #backward(state: State, v: number, limit: number, give: StepListener): void {
    const { needs } = this.#graph;
    const bit = 1 << v;
    const held = this.#bytesAt(state, v);
    if (held > limit) return;
    const done = state.done | bit;
    this.#branch(
      state.live,
      needs[v]!,
      state.aux & ~bit,
      done,
      state.once,
      state.twice,
      v + BACKWARD_STEP,
      held,
      0,
      give,
    );
  }

  /** Every subset of the values just used is freed; what is useless goes. */
  #branch(
    live: number,
    used: number,
    aux: number,
    done: number,
    once: number,
    twice: number,
    step: number,
    held: number,
    work: number,
    give: StepListener,
  ): void {
    const left = live & ~this.#useless(done);
    const optional = used & left & ~this.#hollow;
    for (let freed = optional; ; freed = (freed - 1) & optional) {
      const next = { live: left & ~freed, aux, done, once, twice };
      if (!this.#counted || !this.#isLost(next)) give(next, step, held, work);
      if (freed === 0) break;
    }
  }

  /** True when an operation that was forwarded twice would have to run once more. */
  #isLost({ live, aux, done, once, twice }: State): boolean {
    const { size, needs, inputs, hasAux, target } = this.#graph;
    const spent = twice & ~live;
    const spentAux = twice & hasAux & ~aux & ~done;
    if (spentAux !== 0) return true;
    if ((spent & ~done) === 0) return false;
    let wanted = (once & target) === 0 ? target : 0;
    for (let v = 1; v < size; v++) {
      const bit = 1 << v;
      if ((done & bit) !== 0) continue;
      wanted |= needs[v]! & ~live;
      if ((hasAux & bit & ~aux) !== 0) wanted |= bit;
    }
    // Inputs of a later vertex are earlier ones.
    for (let v = size - 1; v > 0; v--) if (((wanted >> v) & 1) !== 0) wanted |= inputs[v]! & ~live;
    return (wanted & spent) !== 0;
  }
}
