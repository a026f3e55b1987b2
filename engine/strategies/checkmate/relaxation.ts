import { LinearModel, ONE, type Term, type Value, ZERO } from '../milp/linear-model.ts';
import type { MilpModel } from '../milp/milp-solver.ts';
import type { Stage, Stages } from './stages.ts';

/** Sizes are told the solver as parts of the budget, this many to the whole. */
const PARTS = 1000;
/** Cost of free operations, as a share of one forward, so that nothing is recomputed needlessly. */
const LITTLE = 1e-9;

/** By stage and item; what is not decided is a constant. */
export interface Decisions {
  /** Value, auxiliary is there when the stage begins. */
  readonly held: readonly (readonly Value[])[];
  readonly heldAux: readonly (readonly Value[])[];
}

export interface Relaxation extends Decisions {
  readonly model: MilpModel;
}

/**
 * The linear program: Checkmate's constraints (section 4) with every decision a number from 0 to 1. Stage t may
 * recompute an item (R) and holds items into the next stage (S). What is computed needs its inputs computed or held in
 * the same stage, what is held needs to be computed or held in the stage before, what a backward step needs is there.
 * Recompute is least within the budget.
 *
 * Memory is counted item by item within a stage. Where the paper has a product, freed after the last use that is
 * computed, there is a column for each use: live before it if that use or a later one is computed or if it is held,
 * which relaxes less. First forwards run once through; live bytes at each of them are a row. Auxiliaries of fixed size
 * and values that must stay are left out, so that the least cost is no more than that of any schedule of these stages.
 *
 * Columns and rows O(stages x (storages + edges)).
 *
 * @param budgetBytes the most live bytes, the paper's (1 - epsilon) x budget
 */
export function relaxation(stages: Stages, budgetBytes: number): Relaxation {
  return new Relaxed(stages, budgetBytes).build();
}

class Relaxed {
  readonly #stages: Stages;
  readonly #linear = new LinearModel();
  readonly #unit: number;
  readonly #room: number;
  readonly #held: Value[][];
  readonly #heldAux: Value[][];

  constructor(stages: Stages, budgetBytes: number) {
    this.#stages = stages;
    const { model } = stages;
    this.#unit = budgetBytes / PARTS;
    this.#room = (budgetBytes - model.bytes[0]!) / this.#unit;
    const table = (isOpen: (stage: number, item: number) => boolean): Value[][] =>
      Array.from({ length: stages.stages.length + 1 }, (_, stage) =>
        Array.from({ length: model.items }, (__, item) =>
          stages.pinned[item] === 1
            ? ONE
            : stage < stages.stages.length && isOpen(stage, item)
              ? this.#linear.continuous(0, 1)
              : ZERO,
        ),
      );
    const useful = stages.useful.map((items) => new Set(items));
    this.#held = table((stage, item) => useful[stage]!.has(item));
    const last = new Int32Array(model.items).fill(-1);
    stages.stages.forEach(({ auxiliaries }, stage) => {
      for (const item of auxiliaries.keys()) last[item] = stage;
    });
    this.#heldAux = table((stage, item) => stage <= last[item]!);
  }

  build(): Relaxation {
    this.#firstForwards();
    const { model, stages } = this.#stages;
    const once = model.work.reduce((sum, work) => sum + work, 0) || 1;
    stages.forEach((stage, t) => {
      const again = this.#recomputed(stage, t);
      for (const item of this.#stages.useful[t]!)
        this.#linear.charge(again[item]!, model.work[item]! / once + LITTLE);
      const end = this.#whileRecomputing(stage, t, again);
      this.#whileBackward(stage, t, end);
    });
    return { model: this.#linear.build(), held: this.#held, heldAux: this.#heldAux };
  }

  #bytes(item: number): number {
    return this.#stages.pinned[item] === 1 ? 0 : this.#stages.model.bytes[item]! / this.#unit;
  }

  #auxBytes(item: number): number {
    return this.#stages.pinned[item] === 1 ? 0 : this.#stages.model.auxBytes[item]! / this.#unit;
  }

  #firstForwards(): void {
    const { model } = this.#stages;
    const held = this.#held[0]!;
    const heldAux = this.#heldAux[0]!;
    for (let p = 1; p < model.order.length; p++) {
      const terms: Term[] = [];
      let sure = (model.besideBytes?.[p] ?? 0) / this.#unit;
      let most = sure;
      for (let item = 1; item < model.items; item++) {
        if (model.created[item]! > p) continue;
        most += this.#bytes(item) + this.#auxBytes(item);
        if (model.lastHeld[item]! >= p) sure += this.#bytes(item);
        else terms.push([this.#bytes(item), held[item]!]);
        if (model.auxPosition[item]! >= 0 && model.auxPosition[item]! <= p)
          terms.push([this.#auxBytes(item), heldAux[item]!]);
      }
      if (most > this.#room) this.#linear.atMost(terms, this.#room - sure);
    }
  }

  /** The columns of a stage's recomputes, by item, with what they need. */
  #recomputed({ values, auxiliaries }: Stage, t: number): Value[] {
    const { model, useful } = this.#stages;
    const { ins, inOffsets } = model;
    const linear = this.#linear;
    const again: Value[] = new Array<Value>(model.items).fill(ZERO);
    for (const item of useful[t]!) again[item] = linear.continuous(0, 1);
    /** what <= computed here or there before */
    const requires = (what: Value, item: number, before: Value): void => {
      if (what === ZERO || before === ONE) return;
      linear.atMost(
        [
          [1, what],
          [-1, again[item]!],
          [-1, before],
        ],
        0,
      );
    };
    for (const item of useful[t]!) {
      for (let k = inOffsets[item]!; k < inOffsets[item + 1]!; k++)
        requires(again[item]!, ins[k]!, this.#held[t]![ins[k]!]!);
      requires(values.has(item) ? ONE : this.#held[t + 1]![item]!, item, this.#held[t]![item]!);
      requires(auxiliaries.has(item) ? ONE : this.#heldAux[t + 1]![item]!, item, this.#heldAux[t]![item]!);
      // Values both carried on and needed: the row above has the larger of both.
    }
    return again;
  }

  /** Live bytes while a stage recomputes, item by item; what lives at its end. */
  #whileRecomputing({ positions, values, auxiliaries }: Stage, t: number, again: readonly Value[]): Value {
    const { model, useful } = this.#stages;
    const linear = this.#linear;
    const isUseful = new Set(useful[t]!);
    const room = this.#room - model.gradientsBefore[positions[0]!]! / this.#unit;
    const held = this.#held[t]!;
    const heldAux = this.#heldAux[t]!;
    let live = linear.continuous(0, Math.max(0, room));
    linear.equal(
      [
        [-1, live],
        ...useful[t]!.flatMap((item): Term[] => [
          [this.#bytes(item), held[item]!],
          [this.#auxBytes(item), heldAux[item]!],
        ]),
      ],
      0,
    );
    // Row by row the constraint, so that a stage without room says so.
    linear.atMost([[1, live]], room);
    /** By item, what is live of it before each of its uses that are left. */
    const lives = new Map<number, Value[]>();
    for (const item of useful[t]!) {
      const after = values.has(item) ? ONE : this.#held[t + 1]![item]!;
      const uses = this.#uses(item).filter((user) => isUseful.has(user));
      lives.set(
        item,
        this.#livesBefore(
          uses.map((user) => again[user]!),
          after,
        ),
      );
    }
    for (const item of useful[t]!) {
      const own = this.#bytes(item);
      const aux = this.#auxBytes(item);
      linear.atMost(
        [
          [1, live],
          [own + aux, again[item]!],
        ],
        room,
      );
      const next = linear.continuous(0, Math.max(0, room));
      const terms: Term[] = [
        [-1, next],
        [1, live],
        [own, lives.get(item)![0]!],
        [-own, held[item]!],
        [aux, auxiliaries.has(item) ? ONE : this.#heldAux[t + 1]![item]!],
        [-aux, heldAux[item]!],
      ];
      for (const input of this.#inputs(item)) {
        const before = lives.get(input);
        if (before === undefined) continue;
        const now = before.shift()!;
        terms.push([-this.#bytes(input), now], [this.#bytes(input), before[0]!]);
      }
      linear.equal(terms, 0);
      live = next;
    }
    return live;
  }

  /** Columns: before the first use, the second, ..., after the last. */
  #livesBefore(uses: readonly Value[], after: Value): Value[] {
    const lives: Value[] = [after];
    if (after === ONE) return [...uses.map(() => ONE), after];
    for (const use of uses.toReversed()) {
      const later = lives[0]!;
      if (later === ZERO) {
        lives.unshift(use);
        continue;
      }
      const now = this.#linear.continuous(0, 1);
      this.#linear.atLeast(now, later);
      this.#linear.atLeast(now, use);
      lives.unshift(now);
    }
    return lives;
  }

  #whileBackward({ positions, values, auxiliaries }: Stage, t: number, end: Value): void {
    const { model, useful } = this.#stages;
    const linear = this.#linear;
    const roomAt = (p: number): number => this.#room - model.gradientsAfter[p]! / this.#unit;
    linear.atMost([[1, end]], roomAt(positions[0]!));
    for (const p of positions.slice(1)) {
      const terms: Term[] = [];
      for (const item of useful[t]!) {
        const isNeeded = (values.get(item) ?? Number.POSITIVE_INFINITY) <= p;
        const wantsAux = (auxiliaries.get(item) ?? Number.POSITIVE_INFINITY) <= p;
        terms.push(
          [this.#bytes(item), isNeeded ? ONE : this.#held[t + 1]![item]!],
          [this.#auxBytes(item), wantsAux ? ONE : this.#heldAux[t + 1]![item]!],
        );
      }
      linear.atMost(terms, roomAt(p));
    }
  }

  #inputs(item: number): Int32Array {
    const { ins, inOffsets } = this.#stages.model;
    return ins.subarray(inOffsets[item], inOffsets[item + 1]);
  }

  /** Rising. */
  #uses(item: number): number[] {
    const { outs, outOffsets } = this.#stages.model;
    return [...outs.subarray(outOffsets[item], outOffsets[item + 1])].sort((a, b) => a - b);
  }
}
