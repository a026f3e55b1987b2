import { describe, expect, it } from 'vitest';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { LinearModel } from '../../../../engine/strategies/milp/linear-model.ts';
import { limitMemory } from '../../../../engine/strategies/milp/memory-rows.ts';
import type { MilpModel } from '../../../../engine/strategies/milp/milp-solver.ts';
import { declareRounds, decode, type RoundShape } from '../../../../engine/strategies/milp/rounds.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem, measuredProblems } from '../../../support/measured-graphs.ts';
import { randomProblems } from '../../../support/problems.ts';
import { keeping } from '../../../support/stage-chains.ts';
import { createRng } from '../../../support/rng.ts';
import { type RoundTable, randomTable, solutionOf, sumOf } from '../../../support/round-tables.ts';

/**
 * The least value of the column `peak` when the decisions are given: all other columns have to be at least something,
 * so that raising them until every row holds gives their least values.
 */
function leastPeak(model: MilpModel, given: Float64Array, peak: number): number {
  const solution = given.slice();
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (let row = 0; row < model.rows; row++) {
      const excess = sumOf(model, solution, row) - model.rowUpper[row]!;
      if (excess <= 1e-9) continue;
      const places = [...model.indices.slice(model.starts[row]!, model.starts[row + 1]!)];
      const raised = places.find((column, i) => {
        const coefficient = model.values[model.starts[row]! + i]!;
        return coefficient === -1 && (column === peak || model.integer[column] === 0);
      });
      if (raised === undefined) throw new Error('a row cannot be kept to');
      solution[raised]! += excess;
      hasChanged = true;
    }
  }
  expect(solution.every((value, column) => value <= model.upper[column]!)).toBe(true);
  return solution[peak]!;
}

function peaksOf(problem: Problem, shape: RoundShape, table: RoundTable, unit: number): [number, number] {
  const { graph, memory } = problem;
  const model = new LinearModel();
  const peak = model.continuous(0, 1e9);
  const rounds = declareRounds(model, problem, shape);
  limitMemory(model, problem, rounds, peak, unit);
  const built = model.build();
  const solution = solutionOf(built, rounds, table);
  const { peakBytes } = simulate(graph, memory, insertFrees(graph, memory, decode(rounds, solution)));
  return [unit * leastPeak(built, solution, peak.column), peakBytes];
}

describe('the rows of memory', () => {
  it('count the gradient of a value beside that of a view that reads it twice, which is a sum', () => {
    const view = { ...keeping(), alias: 'view' } as const;
    const gradientsAt = (inputs: number[]): [number, number] => {
      const problem = measuredProblem([
        { bytes: 1, flops: 0, inputs: [] },
        { bytes: 6, flops: 0, inputs: [0], ...keeping() },
        { bytes: 6, flops: 0, inputs, ...view },
      ]);
      const shape = { extra: 1, sweeps: 1 };
      const never = (): boolean[] => [true, false, false];
      const table = {
        forward: [[false, true, true], ...[1, 2].map(() => new Array<boolean>(3).fill(false))],
        held: [0, 1, 2, 3].map(never),
        heldAux: [0, 1, 2, 3].map(() => new Array<boolean>(3).fill(false)),
        order: [2, 1],
      };
      return peaksOf(problem, shape, table, 1);
    };
    expect(gradientsAt([1])).toEqual([7, 7]);
    expect(gradientsAt([1, 1])).toEqual([13, 13]);
  });

  it('ask for the peak of the simulator, whatever is forwarded, shared and kept', () => {
    const rng = createRng(23);
    let tables = 0;
    for (const stream of [measuredProblems(100, 92, { least: 3, most: 7 }), randomProblems(30, 93, 8)]) {
      for (const [name, problem] of stream) {
        for (const shape of [
          { extra: 1, sweeps: 1 },
          { extra: 2, sweeps: 2 },
        ]) {
          const table = randomTable(rng, problem, shape);
          if (table === null) continue;
          tables++;
          // With all of its gradients a step peaks in backward; with less of them in what is recomputed.
          const gradientBytes = problem.memory.gradientBytes.map((bytes) => (bytes * (tables % 3)) / 4);
          const lighter = { ...problem, memory: { ...problem.memory, gradientBytes } };
          const given = tables % 2 === 0 ? problem : lighter;
          const [least, simulated] = peaksOf(given, shape, table, tables % 5 === 0 ? 2 : 1);
          expect(least, name).toBeCloseTo(simulated, 6);
        }
      }
    }
    expect(tables).toBeGreaterThan(20);
  });
});
