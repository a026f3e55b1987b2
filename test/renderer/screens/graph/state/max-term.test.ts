import { describe, expect, it } from 'vitest';
import { evaluateUnderMaxTerm, solveTree } from '../../../../../engine/paper/solve-optimal.ts';
import {
  maxTermAt,
  maxTermScale,
  shareOf,
  stopAt,
} from '../../../../../renderer/screens/graph/state/max-term.ts';
import { stopAfter } from '../../../../../renderer/screens/graph/division/MaxTermSlider.tsx';
import {
  cutNodes,
  treeRows,
  verticesInside,
} from '../../../../../renderer/screens/graph/division/tree-rows.ts';
import { networkOf } from '../network.ts';

describe('the slider over the max term', () => {
  it.each(['alexnet', 'customnet', 'resnet50', 'densenet201', 'nasnet'])('has the optimum of %s', (model) => {
    const { tree, optima } = networkOf(model).paper;
    const scale = maxTermScale(tree, optima);
    expect(scale.stops[scale.best]!.cost).toBe(solveTree(tree).cost);
    expect(scale.stops.map(({ maxTerm }) => maxTerm)).toEqual(
      scale.stops.map(({ maxTerm }) => maxTerm).sort((a, b) => a - b),
    );
  });

  it('shows Algorithm 5’s answer at each stop', () => {
    const { tree, optima } = networkOf('customnet').paper;
    const { stops } = maxTermScale(tree, optima);
    for (const stop of stops) {
      const choice = evaluateUnderMaxTerm(tree, stop.maxTerm);
      expect(choice.cost).toBe(stop.cost);
      expect(choice.checkpoints).toHaveLength(stop.count);
    }
  });

  it('reads its own scale back', () => {
    const { tree, optima } = networkOf('resnet50').paper;
    const scale = maxTermScale(tree, optima);
    const { best, stops } = scale;
    expect(stopAt(scale, maxTermAt(scale, shareOf(scale, stops[best]!.maxTerm)) * 1.0001)).toBe(best);
    expect(shareOf(scale, stops.at(-1)!.maxTerm)).toBe(1);
    expect(shareOf(scale, 0)).toBe(0);
  });

  it('moves by keys within its range', () => {
    const { tree, optima } = networkOf('alexnet').paper;
    const scale = maxTermScale(tree, optima);
    expect(stopAfter('ArrowRight', 0, scale)).toBe(1);
    expect(stopAfter('ArrowLeft', 0, scale)).toBe(0);
    expect(stopAfter('End', 0, scale)).toBe(scale.stops.length - 1);
    expect(stopAfter('o', 0, scale)).toBe(scale.best);
    expect(stopAfter('x', 0, scale)).toBeNull();
  });
});

describe('the division tree as a list', () => {
  const { tree } = networkOf('customnet').paper;

  it('shows the children of open nodes and no edges', () => {
    const none = new Uint8Array(tree.nodeCount);
    expect(treeRows(tree, new Set(), none)).toHaveLength(1);
    const rows = treeRows(tree, new Set([0]), none);
    expect(rows).toHaveLength(1 + rows[0]!.segments);
    expect(rows.slice(1).every(({ depth }) => depth === 1)).toBe(true);
    const all = treeRows(tree, new Set(Array.from({ length: tree.nodeCount }, (_, i) => i)), none);
    expect(all.reduce((sum, { edges }) => sum + edges, 0)).toBe(tree.graph.edgeCount);
  });

  it('lists the segments that a checkpoint cuts', () => {
    const vertex = tree.owner.findIndex((node) => node > 0);
    const cut = cutNodes(tree, [vertex]);
    for (let node = 0; node < tree.nodeCount; node++) {
      expect(cut[node] === 1).toBe(verticesInside(tree, node).includes(vertex));
    }
  });
});
