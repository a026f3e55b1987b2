import { BadInputError } from '../../errors.ts';
import type { VertexHandle } from '../../graph/builder.ts';
import { conv2d } from '../../ops/make.ts';
import type { Image } from './model.ts';
import type { Sketch } from './sketch.ts';

/** Patches of an image, and the class token before them. */
export const positionsOf = ({ side, patch, hasClassToken }: Image): number =>
  Math.floor(side / patch) ** 2 + (hasClassToken ? 1 : 0);

/** @throws BadInputError for a side that the model's table of positions does not fit */
export function requireSide(name: string, image: Image, side = image.side): void {
  if (side === image.side) return;
  throw new BadInputError(
    `expected an image of ${image.side} pixels, the image_size of ${name}, got ${side}; change image_size, or leave the input out`,
    'input',
  );
}

/** The vectors of an image's patches (Dosovitskiy et al. 2021, section 3.1). */
export function drawPatches(s: Sketch, width: number, image: Image, pixels: VertexHandle): VertexHandle {
  const { patch, bias, hasClassToken } = image;
  let x = s.b.add('embed_patches', conv2d(width, patch, { stride: patch, bias }), [pixels]);
  x = s.b.add('patches', { kind: 'patches' }, [x]);
  return hasClassToken ? s.b.add('class_token', { kind: 'class-token' }, [x]) : x;
}
