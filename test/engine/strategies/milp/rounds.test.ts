import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { LinearModel } from '../../../../engine/strategies/milp/linear-model.ts';
import {
  backwardOf,
  backwardsBefore,
  constrainRounds,
  declareRounds,
  decode,
  type RoundShape,
} from '../../../../engine/strategies/milp/rounds.ts';
import { fewest } from '../../../support/draws.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { createRng } from '../../../support/rng.ts';
import {
  isAllowed,
  type RoundTable,
  randomTable,
  satisfies,
  solutionOf,
} from '../../../support/round-tables.ts';
import { drawn } from '../../../support/schedule-text.ts';

const ONCE: RoundShape = { extra: 1, sweeps: 1 };
const TWICE: RoundShape = { extra: 2, sweeps: 2 };

describe('rounds', () => {
  it('run one vertex backward at the end of every sweep, after some of their own', () => {
    const rounds = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(rounds.map((r) => backwardOf(ONCE, r))).toEqual([-1, 0, 1, 2, 3, 4, 5, 6]);
    expect(rounds.map((r) => backwardOf(TWICE, r))).toEqual([-1, -1, -1, 0, -1, 1, -1, 2]);
    expect(rounds.map((r) => backwardsBefore(ONCE, r))).toEqual([0, 0, 1, 2, 3, 4, 5, 6]);
    expect(rounds.map((r) => backwardsBefore(TWICE, r))).toEqual([0, 0, 0, 0, 1, 1, 2, 2]);
  });

  it('decide nothing where there is nothing to decide', () => {
    const problem = bytesProblem([1, 2, 3, 4], '0>1 1>2 0>3 2>3');
    const drawnOf = (rows: readonly (readonly { column: number; constant: number }[])[]): string[] =>
      rows.map((row) => row.map(({ column, constant }) => (column < 0 ? constant : '?')).join(''));
    const { count, forward, held, heldAux, done } = declareRounds(new LinearModel(), problem, ONCE);
    expect(count).toBe(4);
    expect(drawnOf(forward)).toEqual(['0???', '0???', '0???', '0???']);
    expect(drawnOf(held)).toEqual(['1000', '1???', '1???', '1???', '1000']);
    expect(drawnOf(heldAux)).toEqual(new Array(5).fill('0000'));
    // A chain but for the source: 3, then 2, then 1.
    expect(drawnOf(done)).toEqual(['0000', '0001', '0011', '0111']);
    const fork = bytesProblem([1, 2, 3, 4, 5], '0>1 0>2 1>3 2>3 3>4');
    expect(drawnOf(declareRounds(new LinearModel(), fork, ONCE).done)).toEqual(
      ['00000', '00001', '00011', '0??11', '01111'].slice(0, 5),
    );
  });

  it('are read as steps, the forwards of a round before its backward', () => {
    const problem = bytesProblem([1, 2, 3, 4], '0>1 1>2 2>3');
    const model = new LinearModel();
    const rounds = declareRounds(model, problem, ONCE);
    const table: RoundTable = {
      forward: ['0110', '0001', '0000', '0100'].map(bits),
      held: ['1000', '1110', '1110', '1000', '1000'].map(bits),
      heldAux: new Array(5).fill('0000').map(bits),
      order: [3, 2, 1],
    };
    const solution = solutionOf(model.build(), rounds, table);
    expect(drawn(decode(rounds, solution))).toBe('F1 F2 F3 B3 B2 F1 B1');
    constrainRounds(model, problem, rounds);
    expect(satisfies(model.build(), solution)).toBe(true);
  });

  it('allow what can be executed, and nothing else: each single decision changed', () => {
    const rng = createRng(17);
    const seen = { allowed: 0, forbidden: 0 };
    for (const [name, problem] of measuredProblems(100, 91, { least: 3, most: 6 })) {
      for (const shape of [ONCE, TWICE]) {
        const table = randomTable(rng, problem, shape);
        if (table === null) continue;
        const model = new LinearModel();
        const rounds = declareRounds(model, problem, shape);
        constrainRounds(model, problem, rounds);
        const built = model.build();
        const check = (): void => {
          const isIn = isAllowed(problem, shape, table);
          if (satisfies(built, solutionOf(built, rounds, table)) !== isIn) {
            throw new Error(`${name}: ${isIn ? 'forbidden, though it runs' : 'allowed, and does not run'}`);
          }
          seen[isIn ? 'allowed' : 'forbidden']++;
        };
        expect(isAllowed(problem, shape, table), name).toBe(true);
        check();
        const schedule = decode(rounds, solutionOf(built, rounds, table));
        const complete = insertFrees(problem.graph, problem.memory, schedule);
        expect(() => simulate(problem.graph, problem.memory, complete), name).not.toThrow();
        for (const [rows, decisions] of [
          [table.forward, rounds.forward],
          [table.held, rounds.held],
          [table.heldAux, rounds.heldAux],
        ] as const) {
          decisions.forEach((row, r) => {
            row.forEach(({ column }, v) => {
              if (column < 0) return;
              rows[r]![v] = !rows[r]![v];
              check();
              rows[r]![v] = !rows[r]![v];
            });
          });
        }
      }
    }
    expect(seen.allowed).toBeGreaterThan(fewest(100));
    expect(seen.forbidden).toBeGreaterThan(fewest(100));
  });

  it('run each vertex backward once, after all that read it', () => {
    const problem = bytesProblem([1, 1, 1, 1, 1, 1], '0>1 0>2 0>3 1>4 2>4 3>5 4>5');
    const model = new LinearModel();
    const rounds = declareRounds(model, problem, ONCE);
    constrainRounds(model, problem, rounds);
    const built = model.build();
    const all = ['011111', ...new Array<string>(5).fill('000000')].map(bits);
    const held = ['100000', ...new Array<string>(5).fill('111111'), '100000'].map(bits);
    const heldAux = new Array(7).fill('000000').map(bits);
    const orders: number[][] = [];
    for (const order of permutations([1, 2, 3, 4, 5])) {
      const table = { forward: all, held, heldAux, order };
      let solution: Float64Array;
      try {
        solution = solutionOf(built, rounds, table);
      } catch {
        continue;
      }
      if (satisfies(built, solution)) orders.push(order);
    }
    // 5 first; 4 before 1 and 2.
    const expected = permutations([1, 2, 3, 4]).filter(
      (order) => order.indexOf(4) < order.indexOf(1) && order.indexOf(4) < order.indexOf(2),
    );
    expect(orders).toEqual(expected.map((order) => [5, ...order]));
    // Two at once, or one again, is no order.
    const solution = solutionOf(built, rounds, { forward: all, held, heldAux, order: [5, 4, 3, 2, 1] });
    for (const row of rounds.done) {
      for (const { column } of row) {
        if (column < 0) continue;
        const changed = solution.slice();
        changed[column] = 1 - changed[column]!;
        expect(satisfies(built, changed)).toBe(false);
      }
    }
  });
});

function bits(row: string): boolean[] {
  return [...row].map((bit) => bit === '1');
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
