import { type Graph, predecessorsOf } from '../../engine/graph/graph.ts';
import type { Shape } from '../../engine/ops/definition.ts';
import type { OperationKind } from '../../engine/ops/operation.ts';

/**
 * The engine describes images as [N, C, H, W]; TensorFlow.js computes in [N, H, W, C]. Attention heads, [N, heads, L,
 * each], are stored as [N, L, heads, each], the order in a sequence, so splitting and merging them moves nothing. Bytes
 * are equal; only the order inside a flattened vector differs, and it only needs to be consistent. Only tensors of four
 * axes differ from the engine's.
 */
export type Layout = 'image' | 'heads' | 'plain';

export type Shape4 = [number, number, number, number];

const LAYOUTS: Partial<Record<OperationKind, Layout>> = {
  'split-heads': 'heads',
  attention: 'heads',
  'attention-values': 'heads',
  'attention-scores': 'plain',
};

/** Shape in which the executor holds a tensor that the engine knows as `shape`. */
export function executionShape(shape: Shape, layout: Layout = 'image'): number[] {
  const [n, second, third, fourth] = shape;
  if (shape.length !== 4 || n === undefined || second === undefined) return [...shape];
  if (third === undefined || fourth === undefined || layout === 'plain') return [...shape];
  return layout === 'image' ? [n, third, fourth, second] : [n, third, second, fourth];
}

const shapesOfGraphs = new WeakMap<Graph, readonly (readonly number[])[]>();

/** Shapes in which the executor holds the tensors of a graph, by vertex. Time and space O(V + E), once a graph. */
export function executionShapes(graph: Graph): readonly (readonly number[])[] {
  const known = shapesOfGraphs.get(graph);
  if (known !== undefined) return known;
  const layouts: Layout[] = [];
  const shapes = graph.operations.map((op, v) => {
    const shape = graph.shapes[v] ?? [];
    const [first = -1] = predecessorsOf(graph, v);
    // An operation that keeps the shape leaves every element in place; heads keep their layout until they are merged.
    const kept = sameShape(shape, graph.shapes[first] ?? []) ? layouts[first] : undefined;
    const layout = LAYOUTS[op.kind] ?? kept ?? 'image';
    layouts.push(layout);
    return executionShape(shape, layout);
  });
  shapesOfGraphs.set(graph, shapes);
  return shapes;
}

/** The execution shape of a tensor that must be an image; [N, C] counts as an image of 1x1. */
export function imageShape(shape: Shape): Shape4 {
  const [n = 1, c = 1, h = 1, w = 1] = shape;
  return [n, h, w, c];
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}
