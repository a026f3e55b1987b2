import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { conv2d, dropout, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { type LazyPlan, lazyCompute, lazySchedule } from '../../../engine/schedule/lazy.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { createRng } from '../../support/rng.ts';
import { drawn } from '../../support/schedule-text.ts';

interface Choice {
  readonly kept?: readonly number[];
  readonly keptAux?: readonly number[];
  /** Vertex and place. */
  readonly expiry?: readonly (readonly [number, number])[];
  readonly order?: readonly number[];
}

function planOf({ graph }: Problem, { kept = [], keptAux = [], expiry = [], order }: Choice): LazyPlan {
  const flags = (list: readonly number[]): Uint8Array =>
    Uint8Array.from({ length: graph.size }, (_, v) => (list.includes(v) ? 1 : 0));
  const places = new Int32Array(graph.size);
  for (const [v, place] of expiry) places[v] = place;
  return {
    order: order ?? Array.from({ length: graph.size - 1 }, (_, i) => i + 1),
    kept: flags(kept),
    keptAux: flags(keptAux),
    expiry: places,
  };
}
const compute = (problem: Problem, choice: Choice): string =>
  drawn(lazyCompute(problem.graph, problem.memory, planOf(problem, choice)));

describe('lazySchedule', () => {
  const chain = bytesProblem([1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4');

  it('recomputes as late as a backward step asks for it, and once', () => {
    expect(compute(chain, { kept: [2, 4] })).toBe('F1 F2 F3 F4 F3 B4 B3 F1 B2 B1');
    expect(compute(chain, {})).toBe('F1 F2 F3 F4 F1 F2 F3 F4 B4 B3 B2 B1');
    expect(compute(chain, { kept: [1, 2, 3, 4] })).toBe('F1 F2 F3 F4 B4 B3 B2 B1');
    const schedule = lazySchedule(chain.graph, chain.memory, planOf(chain, { kept: [2, 4] }));
    expect(drawn(schedule)).toBe('F1 F2 X1 F3 F4 X3 F3 B4 X4 B3 X3 F1 B2 X2 B1 X1');
  });

  it('drops expired tensors, and recomputes them for later steps', () => {
    // v2 serves backward v4 and v3, at the places 4 and 3, and not v2 itself.
    expect(compute(chain, { kept: [1, 2, 3, 4], expiry: [[2, 2]] })).toBe('F1 F2 F3 F4 B4 B3 F2 B2 B1');
    expect(compute(chain, { kept: [1, 2, 3, 4], expiry: [[2, 3]] })).toBe('F1 F2 F3 F4 B4 F2 B3 B2 B1');
    // A value that is not kept cannot expire, and a recomputed one stays.
    expect(compute(chain, { kept: [1, 3, 4], expiry: [[2, 2]] })).toBe('F1 F2 F3 F4 B4 F2 B3 B2 B1');
    const twice: Choice = {
      kept: [1, 2, 3, 4],
      expiry: [
        [2, 3],
        [3, 4],
      ],
    };
    expect(compute(chain, twice)).toBe('F1 F2 F3 F4 F3 B4 F2 B3 B2 B1');
  });

  it('runs backward in the reverse of the order, and recomputes in it', () => {
    const fork = bytesProblem([1, 1, 1, 1], '0>1 0>2 1>3 2>3');
    expect(compute(fork, { kept: [3], order: [2, 1, 3] })).toBe('F2 F1 F3 F2 F1 B3 B1 B2');
    expect(compute(fork, { kept: [3] })).toBe('F1 F2 F3 F1 F2 B3 B2 B1');
  });

  it('forwards an operation again for its auxiliary, unless that is kept or does not grow', () => {
    const keeps = { inputs: [], output: false, auxBytes: 2, fixedAuxBytes: 0 };
    const fixed = { ...keeps, auxBytes: 0, fixedAuxBytes: 2 };
    const problem = measuredProblem([
      { bytes: 1, flops: 1, inputs: [] },
      { bytes: 1, flops: 1, inputs: [0], keeps },
      { bytes: 1, flops: 1, inputs: [1], keeps: fixed },
      { bytes: 1, flops: 1, inputs: [2], keeps: { ...keeps, auxBytes: 0 } },
    ]);
    expect(compute(problem, { kept: [1, 2, 3] })).toBe('F1 F2 F3 B3 B2 F1 B1');
    expect(compute(problem, { keptAux: [1] })).toBe('F1 F2 F3 B3 B2 B1');
  });

  it('never has the input of an in-place operation', () => {
    const b = new GraphBuilder('in place');
    b.input('x', [2, 1, 4, 4]);
    b.add('c', conv2d(1, 1), ['x']);
    b.add('r', RELU_INPLACE, ['c']);
    b.add('d', conv2d(1, 1), ['r']);
    b.add('p', dropout(0.5), ['d']);
    const problem = createProblem(b.build(), 'pytorch');
    expect(compute(problem, { kept: [1] })).toBe('F1 F2 F3 F4 F1 F2 F3 F4 B4 B3 B2 B1');
    expect(compute(problem, { kept: [1, 2], keptAux: [4] })).toBe('F1 F2 F3 F4 B4 B3 B2 B1');
    // Recomputed for r, c is gone again: d asks for it again where r has been given up.
    expect(compute(problem, { kept: [1, 2], keptAux: [4], expiry: [[2, 2]] })).toBe(
      'F1 F2 F3 F4 B4 B3 F1 F2 B2 B1',
    );
  });

  it('is legal for any choice: at most two forwards, and one for kept tensors', () => {
    const rng = createRng(8);
    for (const [name, problem] of randomProblems(600, 43, 12)) {
      const { graph, memory } = problem;
      const any = (): number[] =>
        Array.from({ length: graph.size }, (_, v) => v).filter(() => rng.below(2) === 0);
      const choice = { kept: any(), keptAux: any() };
      const expiry = any().map((v): [number, number] => [v, rng.below(graph.size)]);
      const schedule = lazySchedule(graph, memory, planOf(problem, { ...choice, expiry }));
      expect(referenceSimulate(graph, memory, schedule).fault, name).toBe(-1);
      const times = new Int32Array(graph.size);
      schedule.kinds.forEach((kind, t) => {
        if (kind === FORWARD) times[schedule.vertices[t]!]!++;
      });
      expect(Math.max(...times), name).toBeLessThanOrEqual(2);
      const all = lazySchedule(
        graph,
        memory,
        planOf(problem, { kept: [...times.keys()], keptAux: [...times.keys()] }),
      );
      expect(
        all.kinds.filter((kind) => kind === FORWARD),
        name,
      ).toHaveLength(graph.size - 1);
    }
  });
});
