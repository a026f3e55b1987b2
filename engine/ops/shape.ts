import { BadInputError } from '../errors.ts';
import type { Padding, Pair, Shape } from './definition.ts';

/** Number of elements of a tensor. */
export function elementsOf(shape: Shape): number {
  let product = 1;
  for (const extent of shape) product *= extent;
  return product;
}

/** `[2, 64, 56, 56]`, for messages. */
export function formatShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

/** The first input, checked to be an image tensor [N, C, H, W]. */
export function imageInput(
  kind: string,
  inputs: readonly Shape[],
): readonly [number, number, number, number] {
  const [n, c, h, w] = inputs[0] ?? [];
  if (inputs[0]?.length !== 4 || n === undefined || c === undefined || h === undefined || w === undefined) {
    throw new BadInputError(`${kind} expects an input [N, C, H, W], got ${formatShape(inputs[0] ?? [])}`);
  }
  return [n, c, h, w];
}

/** The first input, checked to be a sequence [N, L, features]. */
export function sequenceInput(kind: string, inputs: readonly Shape[]): readonly [number, number, number] {
  const [n, length, width] = inputs[0] ?? [];
  if (inputs[0]?.length !== 3 || n === undefined || length === undefined || width === undefined) {
    throw new BadInputError(`${kind} expects an input [N, L, features], got ${formatShape(inputs[0] ?? [])}`);
  }
  return [n, length, width];
}

/** @throws BadInputError when there is not at least one */
export function requireCount(kind: string, what: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new BadInputError(`${kind} expects at least 1 ${what}, got ${count}`);
}

export interface Window {
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly dilation: Pair;
  readonly ceilMode: boolean;
}

/**
 * Height and width after sliding a window over an image. In ceil mode a last window that would start
 * in the bottom or right padding is dropped, as PyTorch does.
 */
export function slide(kind: string, window: Window, height: number, width: number): Pair {
  const { kernel, stride, padding, dilation } = window;
  for (const extent of [...kernel, ...stride, ...dilation]) {
    if (!Number.isSafeInteger(extent) || extent < 1) {
      throw new BadInputError(`${kind} expects kernel, stride and dilation of at least 1, got ${extent}`);
    }
  }
  for (const extent of padding) {
    if (!Number.isSafeInteger(extent) || extent < 0) {
      throw new BadInputError(`${kind} expects a non-negative integer as padding, got ${extent}`);
    }
  }
  const output = [0, 1].map((axis) => {
    const size = axis === 0 ? height : width;
    const before = padding[axis === 0 ? 0 : 2];
    const after = padding[axis === 0 ? 1 : 3];
    const step = stride[axis]!;
    const reach = dilation[axis]! * (kernel[axis]! - 1) + 1;
    const span = size + before + after - reach;
    if (span < 0) return 0;
    if (!window.ceilMode) return Math.floor(span / step) + 1;
    const count = Math.ceil(span / step) + 1;
    return (count - 1) * step >= size + before ? count - 1 : count;
  });
  const [outHeight = 0, outWidth = 0] = output;
  if (outHeight < 1 || outWidth < 1) {
    throw new BadInputError(
      `${kind} with a ${kernel.join('x')} window does not fit an image of ${height}x${width}`,
    );
  }
  return [outHeight, outWidth];
}
