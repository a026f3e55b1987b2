import { describe, expect, it } from 'vitest';
import { decompositionFileText } from '../../../../../engine/exchange/decomposition-file.ts';
import { faultOfDecomposition } from '../../../../../engine/decomposition/tree-decomposition.ts';
import { createProblem } from '../../../../../engine/problem.ts';
import { buildModel } from '../../../../../engine/zoo/zoo.ts';
import { bagRows, bagTones } from '../../../../../renderer/screens/graph/bags/bag-rows.ts';
import { decompositionJson } from '../../../../../renderer/screens/graph/toolbar/export-graph.ts';
import { maxTermScale } from '../../../../../renderer/screens/graph/state/max-term.ts';
import { FIRST_VIEW, readView, writeView } from '../../../../../renderer/screens/graph/state/view-state.ts';
import { networkOf } from '../network.ts';

describe('the tree of bags as rows', () => {
  it('goes straight on with the largest subtree and ends each other branch first', () => {
    // 6 is the root of 5 and 2; below 5 hang 4 and 3, below 4 hangs 1, below 2 hangs 0.
    const rows = bagRows({ parent: [2, 4, 6, 5, 5, 6, -1] });
    expect(rows.map(({ bag, lane, parentRow }) => [bag, lane, parentRow])).toEqual([
      [6, 0, -1],
      [2, 1, 0],
      [0, 1, 1],
      [5, 0, 0],
      [3, 1, 3],
      [4, 0, 3],
      [1, 0, 5],
    ]);
  });

  it.each(['resnet50', 'inceptionv3', 'nasnet', 'two-towers-crossed'])(
    '%s: every bag once, below its parent',
    (model) => {
      const { view } = networkOf(model);
      const { decomposition, edges } = view;
      const pairs = edges.map(({ from, to }): [number, number] => [from, to]);
      const whole = { ...decomposition, parent: Int32Array.from(decomposition.parent) };
      expect(faultOfDecomposition(view.vertices.length, pairs, whole)).toBeNull();
      const rows = bagRows(decomposition);
      expect(rows.map(({ bag }) => bag).sort((a, b) => a - b)).toEqual(decomposition.bags.map((_, i) => i));
      rows.forEach(({ bag, parentRow }, i) => {
        expect(parentRow).toBeLessThan(i);
        expect(rows[parentRow]?.bag ?? -1).toBe(decomposition.parent[bag]);
      });
      const most = Math.max(...rows.map(({ lane }) => lane));
      expect(most).toBeLessThanOrEqual(Math.log2(decomposition.bags.length));
    },
  );

  it('colours every tensor, those of few largest bags apart', () => {
    const residual = networkOf('resnet18').view;
    expect(new Set(bagTones(residual.vertices.length, residual.decomposition))).toEqual(
      new Set(['even', 'odd']),
    );
    const { view } = networkOf('nasnet');
    const tones = bagTones(view.vertices.length, view.decomposition);
    expect(new Set(tones)).toEqual(new Set(['even', 'odd', 'largest']));
    const { bags, width } = view.decomposition;
    const inLargest = new Set(bags.filter((bag) => bag.length === width + 1).flat());
    tones.forEach((tone, v) => {
      expect(tone === 'largest').toBe(inLargest.has(v));
    });
  });
});

describe('a tree decomposition', () => {
  it('is exported alike by the page and the command line', () => {
    const { paper } = networkOf('resnet18');
    const problem = createProblem(buildModel('resnet18', { batch: 1 }), 'pytorch');
    const file = JSON.parse(decompositionFileText(problem));
    expect(JSON.parse(decompositionJson(paper))).toEqual(file);
    // 002's table: "Resnet, treewidth=3", which is the size of the largest bag.
    expect(file).toMatchObject({ format: 'zigzag-tree-decomposition', version: 1, width: 2, largestBag: 3 });
    expect(file.bags.at(-1).parent).toBeNull();
  });

  it('keeps the bag in front in the link', () => {
    const { paper, blocks } = networkOf('tiny-residual');
    const network = { key: 'k', paper, blocks, scale: maxTermScale(paper.tree, paper.optima) };
    const written = writeView({ ...FIRST_VIEW, panel: 'bags', bag: 2 }, network);
    expect(written).toEqual({ panel: 'bags', bag: '2' });
    expect(readView(written, network, new Set())).toMatchObject({ panel: 'bags', bag: 2 });
    expect(readView({ panel: 'bags', bag: '999' }, network, new Set()).bag).toBeNull();
  });
});
