import { describe, expect, it } from 'vitest';
import { openAtFirst } from '../../../../../renderer/screens/graph/state/blocks.ts';
import { anchored, fitted, isInView, zoomBand } from '../../../../../renderer/screens/graph/canvas/camera.ts';
import { drawingOf, edgeEnds, vertexKey } from '../../../../../renderer/screens/graph/state/drawing.ts';
import { drawingSvg, treeJson } from '../../../../../renderer/screens/graph/toolbar/export-graph.ts';
import { compoundLayout } from '../../../../../renderer/screens/graph/layout/compound.ts';
import { maxTermScale } from '../../../../../renderer/screens/graph/state/max-term.ts';
import { neighbour } from '../../../../../renderer/screens/graph/canvas/navigate.ts';
import { FIRST_VIEW, readView, writeView } from '../../../../../renderer/screens/graph/state/view-state.ts';
import { networkOf } from '../network.ts';

const { view, paper, blocks } = networkOf('tiny-residual');
const network = { key: 'k', paper, blocks, scale: maxTermScale(paper.tree, paper.optima) };
const drawing = drawingOf(view, blocks, new Set(blocks.byPath.keys()));
const layout = compoundLayout(drawing.boxes, edgeEnds(drawing.edges), 1.5);
const picture = { network, drawing, layout };

describe('the view in the address', () => {
  it('survives a round trip', () => {
    const shown = { ...FIRST_VIEW, panel: 'division' as const, current: vertexKey(3), maxTerm: 5000 };
    const written = writeView(shown, network);
    expect(written).toEqual({ panel: 'division', at: view.vertices[3]!.id, c: '5000' });
    const read = readView(written, network, openAtFirst(blocks));
    expect(read).toMatchObject({ panel: 'division', current: 'v3', maxTerm: 5000 });
  });

  it('names hidden strategies, the node of the tree, the optimum and the blocks opened by hand', () => {
    const first = openAtFirst(blocks);
    const open = new Set(blocks.byPath.keys());
    const closed = [...first][0];
    if (closed !== undefined) open.delete(closed);
    const shown = {
      ...FIRST_VIEW,
      open,
      node: 1,
      hidden: new Set(['live', 'random']),
      showsOptimum: true,
    };
    const written = writeView(shown, network);
    expect(written).toMatchObject({ node: '1', hide: 'live,random', optimum: '1' });
    expect(written['open']?.length).toBeLessThanOrEqual(200);
    expect(readView(written, network, first)).toEqual(shown);
    const wrong = { node: '99999', open: '+nowhere,-also', hide: '' };
    expect(readView(wrong, network, first)).toMatchObject({ node: null, open: first, hidden: new Set() });
  });

  it('finds the tensor that an operation shares or leads to', () => {
    view.vertices.forEach(({ operations }, vertex) => {
      for (const { id } of operations) {
        expect(readView({ at: id }, network, new Set()).current).toBe(vertexKey(vertex));
      }
    });
    for (const { operations, to } of view.edges) {
      for (const { id } of operations) {
        expect(readView({ at: id }, network, new Set()).current).toBe(vertexKey(to));
      }
    }
  });

  it('is empty for a first visit, and skips what does not fit', () => {
    expect(writeView(FIRST_VIEW, network)).toEqual({});
    const read = readView({ panel: 'nope', at: 'gone', c: 'x', color: 'red' }, network, new Set());
    expect(read).toEqual(FIRST_VIEW);
  });
});

it('arrow keys start at the source and follow edges down and up again', () => {
  const start = neighbour(drawing, layout, null, 'down');
  expect(start).toBe('v0');
  const next = neighbour(drawing, layout, start, 'down');
  expect(next).toBe('v1');
  expect(neighbour(drawing, layout, next, 'up')).toBe('v0');
  expect(neighbour(drawing, layout, 'v0', 'up')).toBe('v0');
});

describe('the camera', () => {
  it('shows everything without enlarging', () => {
    expect(fitted({ width: 100, height: 100 }, { width: 1000, height: 800 }).zoom).toBe(1);
    const far = fitted({ width: 4000, height: 100 }, { width: 1000, height: 800 });
    expect(far.x + 4000 * far.zoom).toBeLessThanOrEqual(1000);
    expect([1, 0.3, 0.05].map(zoomBand)).toEqual(['near', 'far', 'tiny']);
  });

  it('keeps the clicked block in place', () => {
    const closed = drawingOf(view, blocks, new Set());
    const after = {
      ...picture,
      drawing: closed,
      layout: compoundLayout(closed.boxes, edgeEnds(closed.edges), 1.5),
    };
    const viewport = { x: 10, y: 20, zoom: 0.5 };
    const key = closed.items.find(({ kind }) => kind === 'block')!.key;
    const moved = anchored(picture, after, key, viewport);
    const [from, to] = [picture, after].map((p) => p.layout.places[p.drawing.indexOf.get(key)!]!);
    expect(to!.x * 0.5 + moved.x).toBeCloseTo(from!.x * 0.5 + viewport.x);
    expect(anchored(picture, after, null, viewport)).toBe(viewport);
    expect(isInView({ x: 0, y: 0, width: 10, height: 10 }, viewport, { width: 50, height: 50 })).toBe(true);
  });
});

describe('exports', () => {
  it('draw every box and edge with resolved colours', () => {
    const svg = drawingSvg(picture, new Map(), () => '#123456');
    expect(svg.startsWith('<svg')).toBe(true);
    expect(svg).not.toContain('var(');
    for (const { id } of view.vertices.slice(0, 3)) expect(svg).toContain(id.split('.').at(-1));
  });

  it('name the segments of the division tree', () => {
    const file = JSON.parse(treeJson(paper)) as { format: string; root: { source: string; target: string } };
    expect(file.format).toBe('zigzag-division-tree');
    expect(file.root).toMatchObject({ source: view.vertices[0]!.id, target: view.vertices.at(-1)!.id });
  });
});
