import type { Shape } from '../../engine/ops/operation.ts';

/**
 * The engine speaks of [N, C, H, W]; TensorFlow.js computes in [N, H, W, C]. Bytes are equal, and so is
 * everything else but the order inside a flattened vector, which only has to be consistent.
 */
export type Shape4 = [number, number, number, number];

/** Shape in which the executor holds a tensor that the engine knows as `shape`. */
export function executionShape(shape: Shape): number[] {
  const [n, c, h, w] = shape;
  if (shape.length !== 4 || n === undefined || c === undefined || h === undefined || w === undefined) {
    return [...shape];
  }
  return [n, h, w, c];
}

/** The same for a tensor that must be an image; [N, C] counts as an image of 1x1. */
export function imageShape(shape: Shape): Shape4 {
  const [n = 1, c = 1, h = 1, w = 1] = shape;
  return [n, h, w, c];
}

export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}
