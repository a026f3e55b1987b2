import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  openAtFirst,
  revealing,
  shortName,
  shownAs,
  toggled,
} from '../../../../../renderer/screens/graph/state/blocks.ts';
import { drawingOf } from '../../../../../renderer/screens/graph/state/drawing.ts';
import { networkOf } from '../network.ts';

const vertex = (id: string) => {
  const dot = id.lastIndexOf('.');
  return { id, block: dot < 0 ? '' : id.slice(0, dot) };
};

describe('blocks', () => {
  it('come from the beginnings of ids; one vertex is not a block', () => {
    const blocks = blocksOf({
      vertices: ['in', 'a.0.x', 'a.0.y', 'a.1.x', 'b.x', 'out'].map(vertex),
      edges: [0, 1, 2, 3, 4].map((from) => ({ from, to: from + 1, operations: [] })),
    });
    expect([...blocks.byPath.keys()]).toEqual(['a', 'a.0']);
    expect(blocks.byPath.get('a.0')).toEqual({ path: 'a.0', title: 'a.0', parent: 'a', vertices: [1, 2] });
    expect(blocks.blockOf).toEqual([null, 'a.0', 'a.0', 'a', null, null]);
  });

  it('that a path leaves and enters again are dissolved', () => {
    const blocks = blocksOf({
      vertices: ['in', 'a.x', 'b', 'a.y', 'out'].map(vertex),
      edges: [0, 1, 2, 3].map((from) => ({ from, to: from + 1, operations: [] })),
    });
    expect(blocks.byPath.size).toBe(0);
  });

  it('with equal contents are merged', () => {
    const { blocks } = networkOf('vgg16');
    expect([...blocks.byPath.keys()].sort()).toEqual(['classifier', 'features']);
  });

  it('have the shortest distinct names', () => {
    expect(shortName('layer1.0.conv1', 'layer1.0')).toBe('conv1');
    expect(shortName('layer1.0', 'layer1')).toBe('layer1.0');
    expect(shortName('conv1', null)).toBe('conv1');
  });

  it('start open in small networks, and closed in large ones as far as needed to stay legible', () => {
    const small = networkOf('customnet').blocks;
    expect(openAtFirst(small).size).toBe(small.byPath.size);
    for (const model of ['resnet50', 'densenet201', 'nasnet']) {
      const { view, blocks } = networkOf(model);
      expect(drawingOf(view, blocks, openAtFirst(blocks)).items.length).toBeLessThanOrEqual(45);
    }
  });

  it('hide their vertices while closed, and close inner blocks too', () => {
    const { view, blocks } = networkOf('resnet50');
    const inner = view.vertices.findIndex(({ id }) => id === 'layer1.0.conv1');
    expect(shownAs(blocks, new Set(), inner)).toBe('layer1');
    expect(shownAs(blocks, new Set(['layer1']), inner)).toBe('layer1.0');
    const open = revealing(blocks, new Set(), inner);
    expect(shownAs(blocks, open, inner)).toBe(inner);
    expect(revealing(blocks, open, inner)).toBe(open);
    expect([...toggled(open, 'layer1')]).toEqual([]);
    expect([...toggled(new Set(), 'layer1')]).toEqual(['layer1']);
  });
});

describe('the drawing', () => {
  it('of a network with all blocks open has every vertex and every edge', () => {
    const { view, blocks } = networkOf('customnet');
    const drawing = drawingOf(view, blocks, new Set(blocks.byPath.keys()));
    expect(drawing.items.filter(({ kind }) => kind === 'vertex')).toHaveLength(view.vertices.length);
    expect(drawing.edges.reduce((sum, { count }) => sum + count, 0)).toBe(view.edges.length);
  });

  it('joins the edges between two closed blocks', () => {
    const { view, blocks } = networkOf('nasnet');
    const drawing = drawingOf(view, blocks, new Set(['cells']));
    const between = drawing.edges.filter(({ count }) => count > 1);
    expect(between.every(({ edge }) => edge === null)).toBe(true);
    expect(drawing.boxes.every(({ parent }, i) => parent < i)).toBe(true);
  });
});
