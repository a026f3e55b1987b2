import type { GraphView } from '../../../../app/contract/graph-view.ts';
import { type Blocks, shownAs } from './blocks.ts';
import type { Box } from '../layout/compound.ts';
import type { Edge } from '../layout/levels.ts';

export const VERTEX_SIZE = { width: 184, height: 44 } as const;
export const BLOCK_SIZE = { width: 200, height: 52 } as const;
const FRAME_WIDTH = 220;

export interface VertexItem {
  readonly kind: 'vertex';
  readonly key: string;
  readonly vertex: number;
}

export interface BlockItem {
  readonly kind: 'block' | 'frame';
  readonly key: string;
  readonly path: string;
}

export type Item = VertexItem | BlockItem;

/** An edge between two boxes; several edges between the same two are one. */
export interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Edge of the graph, where it is just one. */
  readonly edge: number | null;
}

export interface Drawing {
  readonly items: readonly Item[];
  readonly boxes: readonly Box[];
  readonly edges: readonly DrawnEdge[];
  readonly indexOf: ReadonlyMap<string, number>;
}

export const vertexKey = (vertex: number): string => `v${vertex}`;
export const blockKey = (path: string): string => `b:${path}`;

/** The boxes and edges to be drawn while some blocks are open. Time O(V + E). */
export function drawingOf(
  view: Pick<GraphView, 'vertices' | 'edges'>,
  blocks: Blocks,
  open: ReadonlySet<string>,
): Drawing {
  const items: Item[] = [];
  const boxes: Box[] = [];
  const indexOf = new Map<string, number>();
  const add = (item: Item, parentPath: string | null, box: Omit<Box, 'parent'>): void => {
    const parent = parentPath === null ? -1 : (indexOf.get(blockKey(parentPath)) ?? -1);
    indexOf.set(item.key, items.length);
    items.push(item);
    boxes.push({ parent, ...box });
  };
  view.vertices.forEach((_, vertex) => {
    for (const path of around(blocks, vertex)) {
      const key = blockKey(path);
      const parent = blocks.byPath.get(path)?.parent ?? null;
      if (!open.has(path)) {
        if (!indexOf.has(key)) add({ kind: 'block', key, path }, parent, { ...BLOCK_SIZE, isFrame: false });
        return;
      }
      if (indexOf.has(key)) continue;
      add({ kind: 'frame', key, path }, parent, { width: FRAME_WIDTH, height: 0, isFrame: true });
    }
    const item: Item = { kind: 'vertex', key: vertexKey(vertex), vertex };
    add(item, blocks.blockOf[vertex] ?? null, { ...VERTEX_SIZE, isFrame: false });
  });
  return { items, boxes, indexOf, edges: edgesOf(view, blocks, open, indexOf) };
}

function around(blocks: Blocks, vertex: number): string[] {
  const paths: string[] = [];
  for (let at = blocks.blockOf[vertex] ?? null; at !== null; at = blocks.byPath.get(at)?.parent ?? null) {
    paths.push(at);
  }
  return paths.reverse();
}

export function boxOf(blocks: Blocks, open: ReadonlySet<string>, vertex: number): string {
  const shown = shownAs(blocks, open, vertex);
  return typeof shown === 'number' ? vertexKey(shown) : blockKey(shown);
}

function edgesOf(
  view: Pick<GraphView, 'vertices' | 'edges'>,
  blocks: Blocks,
  open: ReadonlySet<string>,
  indexOf: ReadonlyMap<string, number>,
): DrawnEdge[] {
  const seenIn = view.vertices.map((_, v) => indexOf.get(boxOf(blocks, open, v)) ?? 0);
  const byEnds = new Map<string, DrawnEdge>();
  view.edges.forEach((edge, e) => {
    const from = seenIn[edge.from] ?? 0;
    const to = seenIn[edge.to] ?? 0;
    if (from === to) return;
    const key = `${from} ${to}`;
    const known = byEnds.get(key);
    byEnds.set(
      key,
      known === undefined
        ? { from, to, count: 1, edge: e }
        : { ...known, count: known.count + 1, edge: null },
    );
  });
  return [...byEnds.values()];
}

export const edgeEnds = (edges: readonly DrawnEdge[]): Edge[] => edges.map(({ from, to }) => [from, to]);
