import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { addressOf, withScratch } from './heap.ts';
import { simd } from './simd.ts';

/** Workspace of one call, in bytes; larger batches are split, with at least one image per call. */
const WORKSPACE = 32 * 1024 * 1024;

/** Images to read, before and after padding, [top, bottom, left, right]. */
export interface Source {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly padding: readonly [number, number, number, number];
}

const isPadded = ({ padding }: Source): boolean => padding.some((extent) => extent > 0);

export const paddedWidth = ({ width, padding: [, , left, right] }: Source): number => left + width + right;

/** Bytes of the padded copy of an image; 0 without padding. */
export function imageBytes(source: Source): number {
  const [top, bottom] = source.padding;
  if (!isPadded(source)) return 0;
  return 4 * (top + source.height + bottom) * paddedWidth(source) * source.channels;
}

/** A regular grid of pixels. */
export interface Places {
  readonly rows: { readonly first: number; readonly step: number; readonly count: number };
  readonly columns: { readonly first: number; readonly step: number; readonly count: number };
}

export function placesFrom(
  firstRow: number,
  rowStep: number,
  rows: number,
  firstColumn: number,
  columnStep: number,
  columns: number,
): Places {
  return {
    rows: { first: firstRow, step: rowStep, count: rows },
    columns: { first: firstColumn, step: columnStep, count: columns },
  };
}

/** Byte offsets of the grid's pixels in this many padded images. */
export function writePlaces(to: Int32Array, images: number, source: Source, { rows, columns }: Places): void {
  const width = paddedWidth(source);
  const height = source.padding[0] + source.height + source.padding[1];
  const pixel = 4 * source.channels;
  let at = 0;
  for (let n = 0; n < images; n++) {
    for (let i = 0; i < rows.count; i++) {
      let place = pixel * ((n * height + rows.first + i * rows.step) * width + columns.first);
      for (let j = 0; j < columns.count; j++) {
        to[at++] = place;
        place += pixel * columns.step;
      }
    }
  }
}

export function inParts(
  images: number,
  bytesEach: number,
  run: (first: number, count: number) => void,
): void {
  inRuns(images, Math.max(1, Math.floor(WORKSPACE / Math.max(1, bytesEach))), run);
}

export function inRuns(images: number, most: number, run: (first: number, count: number) => void): void {
  for (let first = 0; first < images; first += most) run(first, Math.min(most, images - first));
}

/** Runs with the address of some padded images, and of blocks with these lengths. */
export function withImages(
  backend: BackendWasm,
  x: TensorInfo,
  source: Source,
  first: number,
  images: number,
  sizes: readonly number[],
  run: (images: number, blocks: [number, number, number, number]) => void,
): void {
  const { height, width, channels, padding } = source;
  const bytes = images * imageBytes(source);
  const total = sizes.reduce((all, size) => all + 4 * size, bytes);
  withScratch(backend, total, (at) => {
    let next = at + bytes;
    const blocks = sizes.map((size) => {
      const block = next;
      next += 4 * size;
      return block;
    });
    const from = addressOf(backend, x) + 4 * first * height * width * channels;
    if (bytes > 0) {
      const [top, bottom, left, right] = padding;
      const pixel = 4 * channels;
      const row = pixel * paddedWidth(source);
      simd(backend).pad(
        ...[from, at, images, height, pixel * width, row * top, row * bottom, pixel * left, pixel * right],
      );
    }
    run(bytes > 0 ? at : from, blocks as [number, number, number, number]);
  });
}
