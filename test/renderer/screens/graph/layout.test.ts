import { describe, expect, it } from 'vitest';
import { drawingOf, edgeEnds } from '../../../../renderer/screens/graph/state/drawing.ts';
import { arrowPath, edgePath } from '../../../../renderer/screens/graph/canvas/edge-path.ts';
import { type Box, compoundLayout } from '../../../../renderer/screens/graph/layout/compound.ts';
import { layered } from '../../../../renderer/screens/graph/layout/layered.ts';
import type { Edge } from '../../../../renderer/screens/graph/layout/levels.ts';
import { networkOf } from './network.ts';

const NODE = { width: 100, height: 40 };
const nodes = (count: number) => Array.from({ length: count }, () => NODE);

function overlaps(boxes: readonly { x: number; y: number; width: number; height: number }[]): number {
  let count = 0;
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const apart =
        a.x + a.width <= b.x + 0.01 ||
        b.x + b.width <= a.x + 0.01 ||
        a.y + a.height <= b.y + 0.01 ||
        b.y + b.height <= a.y + 0.01;
      if (!apart) count++;
    }
  });
  return count;
}

describe('a layered drawing', () => {
  it('puts a chain into one straight line', () => {
    const { corners } = layered(nodes(4), [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(new Set(corners.map(({ x }) => x)).size).toBe(1);
    expect(corners.map(({ y }) => y)).toEqual([...corners.map(({ y }) => y)].sort((a, b) => a - b));
  });

  it('routes a long edge around vertices', () => {
    const edges: Edge[] = [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 3],
    ];
    const { corners, routes } = layered(nodes(4), edges);
    for (const { x, y } of routes[3]!.slice(1, -1)) {
      for (const corner of corners.slice(1, 3)) {
        const isInside = x > corner.x && x < corner.x + 100 && y > corner.y && y < corner.y + 40;
        expect(isInside).toBe(false);
      }
    }
  });

  it('breaks a long chain into columns that fill the page', () => {
    const count = 1500;
    const edges = Array.from({ length: count - 1 }, (_, i): Edge => [i, i + 1]);
    const { width, height, corners } = layered(nodes(count), edges, { aspect: 1.5 });
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(2.2);
    expect(overlaps(corners.slice(0, 200).map((corner) => ({ ...corner, ...NODE })))).toBe(0);
  });

  it('is deterministic and handles 1,500 vertices', () => {
    const { view, blocks } = networkOf('nasnet');
    const drawing = drawingOf(view, blocks, new Set());
    const flat = drawingOf(view, { ...blocks, blockOf: blocks.blockOf.map(() => null) }, new Set());
    const first = compoundLayout(flat.boxes, edgeEnds(flat.edges), 1.5);
    expect(compoundLayout(flat.boxes, edgeEnds(flat.edges), 1.5)).toEqual(first);
    expect(drawing.items.length).toBeLessThan(flat.items.length);
  });
});

describe('a drawing with frames', () => {
  const box = (parent: number, isFrame = false): Box => ({ ...NODE, parent, isFrame });

  it('keeps children inside their frames and apart from each other', () => {
    for (const model of ['customnet', 'resnet50', 'inceptionv3', 'nasnet']) {
      const { view, blocks } = networkOf(model);
      const { items, boxes, edges } = drawingOf(view, blocks, new Set(blocks.byPath.keys()));
      const { places, routes } = compoundLayout(boxes, edgeEnds(edges), 1.5);
      boxes.forEach(({ parent }, i) => {
        if (parent < 0) return;
        const [outer, inner] = [places[parent]!, places[i]!];
        expect(inner.x).toBeGreaterThanOrEqual(outer.x);
        expect(inner.y).toBeGreaterThan(outer.y);
        expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width + 0.01);
        expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 0.01);
      });
      const vertices = places.filter((_, i) => items[i]!.kind === 'vertex');
      if (vertices.length < 300) expect(overlaps(vertices)).toBe(0);
      expect(routes).toHaveLength(edges.length);
    }
  });

  it('routes an edge from box to box across frames', () => {
    const boxes = [box(-1), box(-1, true), box(1), box(1), box(-1)];
    const edges: Edge[] = [
      [0, 2],
      [2, 3],
      [3, 4],
    ];
    const { places, routes } = compoundLayout(boxes, edges, 1.5);
    edges.forEach(([from, to], e) => {
      const route = routes[e]!;
      expect(route[0]!.y).toBeCloseTo(places[from]!.y + 40);
      expect(route.at(-1)!.y).toBeCloseTo(places[to]!.y);
      expect(route[0]!.x).toBeCloseTo(places[from]!.x + 50);
    });
  });

  it('draws an edge that goes back up', () => {
    const { routes, places } = compoundLayout([box(-1), box(-1)], [[1, 0]], 1.5);
    expect(routes[0]![0]!.y).toBeGreaterThanOrEqual(routes[0]!.at(-1)!.y);
    expect(places).toHaveLength(2);
  });
});

it('an edge is a curve between neighbouring points and has round corners in a gutter', () => {
  expect(
    edgePath([
      { x: 0, y: 0 },
      { x: 10, y: 20 },
    ]),
  ).toBe('M0 0C0 10 10 10 10 20');
  const corner = edgePath([
    { x: 0, y: 0 },
    { x: 0, y: 40 },
    { x: 40, y: 40 },
  ]);
  expect(corner).toContain('Q0 40');
  expect(arrowPath([{ x: 1, y: 2 }])).toBe('M1 2l-3.5 -6h7z');
  expect(edgePath([])).toBe('');
});
