import type { MilpModel } from './milp-solver.ts';

/** A column, or a constant 0 or 1 in the place of one. */
export interface Value {
  /** -1 for a constant. */
  readonly column: number;
  readonly constant: number;
}

export const ZERO: Value = { column: -1, constant: 0 };
export const ONE: Value = { column: -1, constant: 1 };
export type Term = readonly [coefficient: number, value: Value];

/** Collects columns and rows; constants are folded into the right-hand sides. */
export class LinearModel {
  readonly #cost: number[] = [];
  readonly #lower: number[] = [];
  readonly #upper: number[] = [];
  readonly #integer: number[] = [];
  readonly #starts: number[] = [0];
  readonly #indices: number[] = [];
  readonly #values: number[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];

  /** A column in [lower, upper]. */
  continuous(lower: number, upper: number): Value {
    return this.#column(lower, upper, 0);
  }

  binary(): Value {
    return this.#column(0, 1, 1);
  }

  /** Adds to the cost of a column; that of a constant changes nothing that is decided. */
  charge(value: Value, cost: number): void {
    if (value.column >= 0) this.#cost[value.column]! += cost;
  }

  /** sum of terms <= limit */
  atMost(terms: readonly Term[], limit: number): void {
    this.#row(terms, Number.NEGATIVE_INFINITY, limit);
  }

  /** value >= other */
  atLeast(value: Value, other: Value): void {
    if (other.column < 0 && other.constant <= 0) return;
    this.atMost(
      [
        [1, other],
        [-1, value],
      ],
      0,
    );
  }

  /** sum of terms = total */
  equal(terms: readonly Term[], total: number): void {
    this.#row(terms, total, total);
  }

  build(): MilpModel {
    return {
      columns: this.#cost.length,
      rows: this.#rowUpper.length,
      cost: Float64Array.from(this.#cost),
      lower: Float64Array.from(this.#lower),
      upper: Float64Array.from(this.#upper),
      integer: Uint8Array.from(this.#integer),
      starts: Int32Array.from(this.#starts),
      indices: Int32Array.from(this.#indices),
      values: Float64Array.from(this.#values),
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
    };
  }

  #column(lower: number, upper: number, integer: number): Value {
    this.#cost.push(0);
    this.#lower.push(lower);
    this.#upper.push(upper);
    this.#integer.push(integer);
    return { column: this.#cost.length - 1, constant: 0 };
  }

  #row(terms: readonly Term[], lower: number, upper: number): void {
    let constant = 0;
    const byColumn = new Map<number, number>();
    for (const [coefficient, value] of terms) {
      if (value.column < 0) constant += coefficient * value.constant;
      else byColumn.set(value.column, (byColumn.get(value.column) ?? 0) + coefficient);
    }
    // A row without columns has to be kept: it may say that there is no solution.
    for (const [column, coefficient] of byColumn) {
      if (coefficient === 0) continue;
      this.#indices.push(column);
      this.#values.push(coefficient);
    }
    this.#starts.push(this.#indices.length);
    this.#rowLower.push(lower - constant);
    this.#rowUpper.push(upper - constant);
  }
}

/** The value that a solution gives. */
export function valueIn(solution: Float64Array, value: Value): number {
  return value.column < 0 ? value.constant : (solution[value.column] ?? 0);
}
