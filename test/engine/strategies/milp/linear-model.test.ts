import { describe, expect, it } from 'vitest';
import { LinearModel, ONE, valueIn, ZERO } from '../../../../engine/strategies/milp/linear-model.ts';

/** A model with plain lists. */
function listed(model: LinearModel): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(model.build()).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'number' ? value : [...(value as Float64Array)],
    ]),
  );
}

describe('a linear model', () => {
  it('lists its columns with their bounds and costs', () => {
    const model = new LinearModel();
    const x = model.continuous(-2, 7);
    const b = model.binary();
    expect([x, b]).toEqual([
      { column: 0, constant: 0 },
      { column: 1, constant: 0 },
    ]);
    model.charge(b, 3);
    model.charge(b, 0.5);
    model.charge(ONE, 100);
    expect(listed(model)).toEqual({
      columns: 2,
      rows: 0,
      cost: [0, 3.5],
      lower: [-2, 0],
      upper: [7, 1],
      integer: [0, 1],
      starts: [0],
      indices: [],
      values: [],
      rowLower: [],
      rowUpper: [],
    });
  });

  it('lists its rows, with constants on the right and equal columns added up', () => {
    const model = new LinearModel();
    const [x, y] = [model.continuous(0, 9), model.binary()];
    model.atMost(
      [
        [2, x],
        [3, y],
        [-5, x],
        [4, ONE],
        [7, ZERO],
      ],
      10,
    );
    model.equal(
      [
        [1, y],
        [1, ONE],
      ],
      3,
    );
    // Terms that cancel are not part of the row.
    model.atMost(
      [
        [1, x],
        [-1, x],
      ],
      -1,
    );
    model.atLeast(x, y);
    model.atLeast(x, ZERO);
    model.atLeast(y, ONE);
    expect(listed(model)).toMatchObject({
      rows: 5,
      starts: [0, 2, 3, 3, 5, 6],
      indices: [0, 1, 1, 1, 0, 1],
      values: [-3, 3, 1, 1, -1, -1],
      rowLower: [Number.NEGATIVE_INFINITY, 2, ...new Array<number>(3).fill(Number.NEGATIVE_INFINITY)],
      rowUpper: [6, 2, -1, 0, -1],
    });
  });

  it('reads a solution', () => {
    const solution = Float64Array.of(0.25, 1);
    expect(valueIn(solution, { column: 1, constant: 0 })).toBe(1);
    expect(valueIn(solution, { column: 0, constant: 0 })).toBe(0.25);
    expect([valueIn(solution, ZERO), valueIn(solution, ONE)]).toEqual([0, 1]);
  });
});
