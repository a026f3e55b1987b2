import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { intsAt, withScratch } from './heap.ts';
import { COLUMNS, ROWS, simd } from './simd.ts';
import { writeRows } from './linear.ts';

/** A convolution by a 3x3 filter at stride 1, [C] channels to [K], or a gradient of one; addresses of tensors. */
export interface Small {
  readonly images: number;
  /** Extents of the padded images and of the outputs, which are even. */
  readonly paddedWidth: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly outChannels: number;
}

/** Products of the transformed tiles for every place of a tile. */
const PLACES = 16;
/** Tiles below which transforming the filter costs more than products save. */
const LEAST_TILES = 32;
/** Bytes of transformed tiles that stay in a processor's second cache. */
const CACHE = 1024 * 1024;

/** True if transforming pays: whole tiles, whole vectors, and enough tiles for the filter's own transform. */
export function isWorthTransforming({ images, height, width, channels, outChannels }: Small): boolean {
  const whole = height % 2 === 0 && width % 2 === 0 && channels % 4 === 0 && outChannels % 4 === 0;
  return whole && channels >= 16 && outChannels >= 16 && (images * height * width) / 4 >= LEAST_TILES;
}

/** Images whose transformed tiles fit the cache, at least 16 tiles. */
export function imagesAtOnce({ images, height, width, channels, outChannels }: Small): number {
  const tiles = (height * width) / 4;
  const most = Math.max(CACHE / (4 * PLACES * tiles * (channels + outChannels)), 16 / tiles);
  return Math.max(1, Math.min(images, Math.floor(most)));
}

const tilesOf = ({ images, height, width }: Small): number => (images * height * width) / 4;

export const transformedFilterBytes = ({ channels, outChannels }: Small): number =>
  4 * PLACES * channels * outChannels;

/** The filter [3, 3, first, second] as 16 matrices [first, second]. */
export function transformFilter(backend: BackendWasm, filter: number, to: number, size: number): void {
  const plane = 4 * size;
  simd(backend).filtersOf(
    ...[filter, 0, 0, 0, 3 * plane, plane, to, 0, 0, 0, 4 * plane, plane],
    ...[1, 1, 1, size],
  );
}

/** Bytes that `convolveTransformed` works in. */
export const convolutionBytes = (small: Small): number =>
  4 * (PLACES * tilesOf(small) * (small.channels + small.outChannels) + 2 * tilesOf(small)) +
  8 +
  4 * (1 + small.channels) * COLUMNS;

/**
 * Outputs of padded images by a transformed filter.
 * @param flipped the filter comes from the convolution whose input gradient this computes: it is flipped and transposed
 */
export function convolveTransformed(
  backend: BackendWasm,
  small: Small,
  padded: number,
  filters: number,
  out: number,
  work: number,
  flipped: boolean,
): void {
  const { height, width, channels, outChannels } = small;
  const kernels = simd(backend);
  const tiles = tilesOf(small);
  const [seen, made] = [4 * tiles * channels, 4 * tiles * outChannels];
  const results = work + PLACES * seen;
  const rows = results + PLACES * made;
  const outRows = rows + 4 * tiles;
  const taps = outRows + 4 * tiles;
  intsAt(backend, taps, 2).fill(0);
  writeRows(backend, rows, tiles, 4 * channels);
  writeRows(backend, outRows, tiles, 4 * outChannels);
  transformTiles(backend, small, padded, work);
  for (let place = 0; place < PLACES; place++) {
    const filter = filters + 4 * channels * outChannels * (flipped ? turned(place) : place);
    kernels.product(
      ...[work + place * seen, rows, tiles, taps, 1, channels, filter],
      ...[4 * (flipped ? channels : outChannels), flipped ? 1 : 0, 0, outChannels],
      ...[taps + 8, results + place * made, outRows],
    );
  }
  const row = 4 * width * outChannels;
  const along = width / 2;
  kernels.outputsOf(
    ...[results, made / small.images, 4 * along * outChannels, 4 * outChannels, 4 * made, made],
    ...[out, height * row, 2 * row, 8 * outChannels, row, 4 * outChannels],
    ...[small.images, height / 2, along, outChannels],
  );
}

/** Index into the transform of a flipped filter: outer rows and columns swap sides. */
function turned(place: number): number {
  const swapped = (i: number): number => (i === 0 ? 3 : i === 3 ? 0 : i);
  return 4 * swapped(Math.floor(place / 4)) + swapped(place % 4);
}

function transformTiles(backend: BackendWasm, small: Small, padded: number, to: number): void {
  const { height, width, paddedWidth, channels, images } = small;
  const row = 4 * paddedWidth * channels;
  const plane = 4 * tilesOf(small) * channels;
  const along = width / 2;
  simd(backend).tilesOf(
    ...[padded, (height + 2) * row, 2 * row, 8 * channels, row, 4 * channels],
    ...[to, plane / images, 4 * along * channels, 4 * channels, 4 * plane, plane],
    ...[images, height / 2, along, channels],
  );
}

/** Bytes that `gatherTransformed` works in. */
export const gradientBytes = (small: Small): number =>
  4 * PLACES * tilesOf(small) * (small.channels + small.outChannels) +
  4 * tilesOf(small) * (1 + COLUMNS * Math.ceil(small.outChannels / COLUMNS) + ROWS) +
  8;

/** Adds the share of some images to the gradient of the transformed filter; the first ones initialize it. */
export function gatherTransformed(
  backend: BackendWasm,
  small: Small,
  padded: number,
  dy: number,
  gradients: number,
  work: number,
  isFirst: boolean,
): void {
  const { height, width, channels, outChannels, images } = small;
  const kernels = simd(backend);
  const tiles = tilesOf(small);
  const [seen, made] = [4 * tiles * channels, 4 * tiles * outChannels];
  const results = work + PLACES * seen;
  const taps = results + PLACES * made;
  const rows = taps + 8;
  intsAt(backend, taps, 2).fill(0);
  writeRows(backend, rows, tiles, 4 * channels);
  transformTiles(backend, small, padded, work);
  const row = 4 * width * outChannels;
  const along = width / 2;
  kernels.outputGradientsOf(
    ...[dy, height * row, 2 * row, 8 * outChannels, row, 4 * outChannels],
    ...[results, made / images, 4 * along * outChannels, 4 * outChannels, 4 * made, made],
    ...[images, height / 2, along, outChannels],
  );
  for (let place = 0; place < PLACES; place++) {
    kernels.outerProduct(
      ...[work + place * seen, rows, tiles, taps, 1, channels, results + place * made, 4 * outChannels],
      ...[outChannels, rows + 4 * tiles, gradients + 4 * place * channels * outChannels, 4 * outChannels],
      isFirst ? 1 : 0,
    );
  }
}

/** Gradient of a filter [3, 3, C, K] from that of its transform. */
export function finishGradient(backend: BackendWasm, gradients: number, to: number, size: number): void {
  const plane = 4 * size;
  simd(backend).filterGradientsOf(
    ...[gradients, 0, 0, 0, 4 * plane, plane, to, 0, 0, 0, 3 * plane, plane],
    ...[1, 1, 1, size],
  );
}

/** Allocates the transformed filter while the function runs. */
export function withFilter(backend: BackendWasm, small: Small, use: (at: number) => void): void {
  withScratch(backend, transformedFilterBytes(small), use);
}
