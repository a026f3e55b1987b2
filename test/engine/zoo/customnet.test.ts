import { describe, expect, it } from 'vitest';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import { buildDivisionTree } from '../../../engine/paper/build-division-tree.ts';
import { kindOf } from '../../../engine/paper/division-tree.ts';
import { outEdgesOf } from '../../../engine/paper/tensor-graph.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const { tensors } = tensorView(buildModel('customnet', { batch: 1 }));

describe('customnet', () => {
  it("has the 35 vertices of paper 001's network of this name", () => {
    expect(tensors.size).toBe(35);
  });

  it('has no vertex that splits it, so that Chen et al. have nothing to work on', () => {
    for (let removed = 1; removed < tensors.size - 1; removed++) {
      const reached = new Uint8Array(tensors.size);
      reached[0] = 1;
      for (let v = 0; v < tensors.size; v++) {
        if (v === removed || reached[v] === 0) continue;
        for (const edge of outEdgesOf(tensors, v)) reached[tensors.edgeTo[edge] ?? 0] = 1;
      }
      expect(reached[tensors.size - 1], `without vertex ${removed}`).toBe(1);
    }
  });

  it('nests linear, branch and complicate segments', () => {
    const tree = buildDivisionTree(tensors);
    const nestings = new Set<string>();
    for (let node = 1; node < tree.nodeCount; node++) {
      if (kindOf(tree, node) === 'leaf') continue;
      nestings.add(`${kindOf(tree, node)} in ${kindOf(tree, tree.parent[node] ?? 0)}`);
    }
    expect(kindOf(tree, 0)).toBe('branch');
    expect([...nestings].sort()).toEqual([
      'branch in linear',
      'complicate in linear',
      'linear in branch',
      'linear in complicate',
    ]);
  });
});
