import { describe, expect, test } from 'vitest';
import { type CostsFile, parseCostsFile, timesOfGraph } from '../../../app/bridges/costs-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { timedGraph } from '../../../engine/graph/timed-graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { predictedOverhead, simulate } from '../../../engine/simulate/simulate.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const graph = buildModel('tiny-residual', { batch: 4, input: 8 });

function costsOf(forwardMs: (id: string) => number): CostsFile {
  return {
    format: 'zigzag-costs',
    version: 1,
    model: graph.name,
    input: 8,
    batch: 4,
    backend: 'wasm',
    device: 'a device',
    iterations: 5,
    operations: graph.ids.slice(1).map((id) => ({ id, forwardMs: forwardMs(id), backwardMs: 2 })),
  };
}

describe('zigzag-costs/1', () => {
  test('is read back unchanged', () => {
    const file = costsOf(() => 1.25);
    expect(parseCostsFile(JSON.stringify(file))).toEqual(file);
  });

  test('is the cost model of strategies: slow operations are not recomputed', () => {
    const problem = createProblem(graph, 'tfjs');
    const options = { seed: 0, budgetBytes: 140_000 };
    const recomputed = (slow: string): boolean => {
      const times = timesOfGraph(
        costsOf((id) => (id === slow ? 1000 : 1)),
        graph,
      );
      const timed = { ...problem, graph: timedGraph(graph, times) };
      const { schedule } = solveRow(timed, 'budget', options);
      const v = graph.ids.indexOf(slow);
      expect(predictedOverhead(simulate(timed.graph, problem.memory, schedule!))).toBeLessThan(1);
      return Array.from(schedule!.vertices).filter((u, t) => u === v && schedule!.kinds[t] === 0).length > 1;
    };
    const { schedule } = solveRow(problem, 'budget', options);
    const counts = new Map<number, number>();
    for (const [t, v] of schedule!.vertices.entries()) {
      if (schedule!.kinds[t] === 0) counts.set(v, (counts.get(v) ?? 0) + 1);
    }
    const again = [...counts].filter(([, count]) => count > 1).map(([v]) => graph.ids[v]!);
    expect(again.length).toBeGreaterThan(0);
    for (const id of again) expect(recomputed(id), id).toBe(false);
  });

  test('counts costs of the first forward only as work that is not repeated', () => {
    const file = costsOf(() => 1);
    const first = { ...file, operations: file.operations.map((entry) => ({ ...entry, firstForwardMs: 3 })) };
    const timed = timedGraph(graph, timesOfGraph(first, graph));
    expect(timed.flops[1]).toBe(1e6);
    expect(timed.backwardFlops[1]).toBe(4e6);
    expect(timed.flops[0]).toBe(0);
  });

  test('serves another batch size and another input', () => {
    const other = buildModel('tiny-residual', { batch: 64, input: 32 });
    expect(
      timesOfGraph(
        costsOf(() => 1),
        other,
      ).againMs[3],
    ).toBe(1);
  });

  test.each([
    [
      'another network',
      buildModel('tiny-dropout', { batch: 4 }),
      costsOf(() => 1),
      /^the costs are of tiny-residual, not of tiny-dropout; measure/,
    ],
    [
      'a vertex less',
      graph,
      { ...costsOf(() => 1), operations: costsOf(() => 1).operations.slice(1) },
      /they have no time of stem\.conv; measure them again$/,
    ],
    [
      'a vertex twice',
      graph,
      {
        ...costsOf(() => 1),
        operations: [...costsOf(() => 1).operations, { id: 'stem.conv', forwardMs: 1, backwardMs: 1 }],
      },
      /it has 29 operations, they have 30;/,
    ],
    ['nothing measured', graph, costsOf(() => 0), /all costs are 0/],
  ])('of %s is refused in one sentence', (_what, of, file, sentence) => {
    expect(() => timesOfGraph(file, of)).toThrow(BadInputError);
    expect(() => timesOfGraph(file, of)).toThrow(sentence);
  });

  test.each([
    ['no JSON', '{', /^the costs are not JSON/],
    ['another format', '{"format":"zigzag-plan"}', /^format: not a zigzag-costs\/1 file/],
    ['another version', JSON.stringify({ ...costsOf(() => 1), version: 2 }), /^version: /],
    ['a negative time', JSON.stringify(costsOf(() => -1)), /^operations\[0\]\.forwardMs: /],
    ['no list', JSON.stringify({ ...costsOf(() => 1), operations: {} }), /^operations: .*expected array/],
  ])('%s is refused with its place', (_what, text, sentence) => {
    expect(() => parseCostsFile(text)).toThrow(BadInputError);
    expect(() => parseCostsFile(text)).toThrow(sentence);
  });
});
