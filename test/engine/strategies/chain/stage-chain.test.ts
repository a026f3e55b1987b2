import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import { predecessorsOf, workOf } from '../../../../engine/graph/graph.ts';
import { ADD, batchNorm, conv2d, FLATTEN, linear, RELU, RELU_INPLACE } from '../../../../engine/ops/make.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { needsOfStage, stageChain } from '../../../../engine/strategies/chain/stage-chain.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../../support/problems.ts';
import {
  chainOf,
  chainOfBytes,
  chainOfShared,
  chainWithAuxiliaries,
  keeping,
} from '../../../support/stage-chains.ts';

describe('the chain of stages', () => {
  it('has a stage for each vertex of a chain, whose work is its bytes where there are no FLOPs', () => {
    const chain = chainOfBytes([2, 3, 4, 5]);
    expect(chain.stages).toEqual([[1], [2], [3]]);
    expect([...chain.boundaries]).toEqual([0, 1, 2, 3]);
    expect([...chain.work]).toEqual([3, 4, 5]);
    expect([...workOf(chainOfBytes([2, 3, 4, 5]).problem.graph)]).toEqual([2, 3, 4, 5]);
  });

  it('ends a stage where no edge jumps over', () => {
    const chain = chainOf(bytesProblem([1, 2, 3, 4, 5, 6], '0>1 1>2 1>3 2>4 3>4 4>5'));
    expect(chain.stages).toEqual([[1], [2, 3, 4], [5]]);
    expect([...chain.boundaries]).toEqual([0, 1, 4, 5]);
    expect([...chain.work]).toEqual([2, 12, 6]);
  });

  it('counts FLOPs where there are any', () => {
    const { work, problem } = chainWithAuxiliaries();
    expect([...work]).toEqual([7, 11, 13, 17]);
    expect([...workOf(problem.graph)]).toEqual([0, 7, 11, 13, 17]);
  });

  it('holds of the vertices that share a storage the last, and none in that of the source', () => {
    const chain = chainOfShared();
    expect(chain.stages).toEqual([[1, 2], [3, 4], [5]]);
    expect([...chain.boundaries]).toEqual([0, 2, 4, 5]);
    const ofSource = measuredProblem([
      { bytes: 4, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], ...keeping(), alias: 'view' },
      { bytes: 3, flops: 0, inputs: [1] },
      { bytes: 2, flops: 0, inputs: [2] },
    ]);
    expect([...chainOf(ofSource).boundaries]).toEqual([0, 2, 3]);
    expect(chainOf(ofSource).stages).toEqual([[1, 2], [3]]);
  });

  it('puts what lies on an edge of the paper graph to the stage that reads it', () => {
    const b = new GraphBuilder('edges');
    b.input('x', [1, 2, 4, 4]);
    const conv = conv2d(2, 3, { padding: 1 });
    b.add('first', conv, ['x']);
    b.add('norm', batchNorm(), ['first'], 'edge');
    b.add('relu', RELU, ['norm']);
    b.add('branch', conv, ['relu']);
    b.add('norm of branch', batchNorm(), ['branch'], 'edge');
    b.add('sum', ADD, ['norm of branch', 'relu']);
    b.add('out', RELU_INPLACE, ['sum'], 'join');
    b.add('last', conv, ['out']);
    const { stages, boundaries } = chainOf(createProblem(b.build(), 'pytorch'));
    expect(stages).toEqual([[1], [2, 3], [4, 5, 6, 7], [8]]);
    expect([...boundaries]).toEqual([0, 1, 3, 7, 8]);
  });

  it('begins with what shares the vertex of the source', () => {
    const b = new GraphBuilder('flat');
    b.input('x', [1, 2, 2, 2]);
    b.add('flat', FLATTEN, ['x'], 'join');
    b.add('first', linear(4), ['flat']);
    b.add('second', linear(3), ['first']);
    const { stages, boundaries } = chainOf(createProblem(b.build(), 'pytorch'));
    expect(stages).toEqual([[1, 2], [3]]);
    expect([...boundaries]).toEqual([0, 2, 3]);
  });

  it('says why there is just one stage', () => {
    expect(stageChain(bytesProblem([1, 1, 1, 1], '0>1 0>2 1>3 2>3'))).toBe(
      'no splitting vertex: every vertex can be bypassed, v1 by the edge from v0 to v2',
    );
    const views = measuredProblem([
      { bytes: 4, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], ...keeping(), alias: 'view' },
      { bytes: 3, flops: 0, inputs: [1] },
    ]);
    expect(stageChain(views)).toBe('no splitting vertex has its own storage');
    const allViews = measuredProblem([
      { bytes: 4, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], ...keeping(), alias: 'view' },
      { bytes: 4, flops: 0, inputs: [1], ...keeping(), alias: 'view' },
    ]);
    expect(stageChain(allViews)).toBe('no splitting vertex has its own storage');
  });

  it('lists everything that the backward of a stage reads', () => {
    const branch = chainOf(bytesProblem([1, 2, 3, 4, 5, 6], '0>1 1>2 1>3 2>4 3>4 4>5'));
    const needs = branch.stages.map((_, i) => [...needsOfStage(branch, i)].sort((a, b) => a - b));
    expect(needs).toEqual([
      [0, 1],
      [1, 2, 3, 4],
      [4, 5],
    ]);
  });

  it('cuts every graph into parts that meet at their boundaries alone', () => {
    let chains = 0;
    for (const [name, problem] of randomProblems(120, 41)) {
      const chain = stageChain(problem);
      if (typeof chain === 'string') continue;
      chains++;
      const { stages, boundaries } = chain;
      const { graph } = problem;
      const all = stages.flat();
      expect(
        [...all].sort((a, b) => a - b),
        name,
      ).toEqual(Array.from({ length: graph.size - 1 }, (_, i) => i + 1));
      expect(boundaries.length, name).toBe(stages.length + 1);
      expect(boundaries.at(-1), name).toBe(graph.size - 1);
      stages.forEach((stage, i) => {
        expect(stage.at(-1), name).toBe(boundaries[i + 1]);
        // An operation that shares its vertex of the papers' graph may be read from outside.
        if (problem.view.tensors.size < graph.size) return;
        for (const v of stage) {
          for (const u of predecessorsOf(graph, v)) expect([boundaries[i], ...stage], name).toContain(u);
        }
      });
    }
    expect(chains).toBeGreaterThan(2);
  });
});
