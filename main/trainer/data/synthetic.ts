import type { Shape } from '../../../engine/ops/definition.ts';
import { createRng } from '../../../engine/rng.ts';
import { imageShape, type Shape4 } from '../layout.ts';
import { fillNormal, mixSeed } from '../random.ts';
import type { Batch, BatchSource } from './batch.ts';

export const CLASSES = 10;
export const NOISE = 0.5;
const PATTERN = 1.5;
/** Batches repeat after this many, so that short runs see samples again and the loss falls. */
export const PERIOD = 8;

/**
 * Learnable images: every class has its own plaid (a wave down the rows times one along the columns, for each channel),
 * with noise. All derived from the seed.
 */
export class SyntheticImages implements BatchSource {
  readonly name: string;
  readonly #shape: Shape4;
  readonly #classes: number;
  readonly #seed: number;
  /** [class][channel]: a wave down the rows and one along the columns. */
  readonly #waves: readonly (readonly Plaid[])[];

  /**
   * @param shape the engine's shape of the source, [N, C, H, W] or [N, features]
   * @param outputs logits per sample; labels are below it
   */
  constructor(shape: Shape, outputs: number, seed: number) {
    this.#shape = imageShape(shape);
    this.#classes = Math.max(1, Math.min(CLASSES, outputs));
    this.#seed = seed;
    this.name = `synthetic images of ${this.#classes} classes, seed ${seed}`;
    const [, height, width, channels] = this.#shape;
    this.#waves = plaids(this.#classes, [height, width, channels], seed);
  }

  batch(iteration: number): Batch {
    const [n, height, width, channels] = this.#shape;
    const rng = createRng(mixSeed(this.#seed, 2, iteration % PERIOD));
    const inputs = new Float32Array(n * height * width * channels);
    fillNormal(inputs, NOISE, rng);
    const labels = new Int32Array(n);
    for (let sample = 0; sample < n; sample++) {
      const label = rng.below(this.#classes);
      labels[sample] = label;
      const waves = this.#waves[label] ?? [];
      addPlaids(inputs, this.#shape, sample, () => waves);
    }
    return { inputs, labels };
  }
}

export interface Plaid {
  readonly down: Float32Array;
  readonly along: Float32Array;
}

/** [class][channel]: a wave down the rows and one along the columns, to be multiplied. */
export function plaids(
  classes: number,
  [height, width, channels]: readonly [number, number, number],
  seed: number,
): readonly (readonly Plaid[])[] {
  return Array.from({ length: classes }, (_class, k) =>
    Array.from({ length: channels }, (_channel, c) => plaid(height, width, mixSeed(seed, 1, k, c))),
  );
}

/** Adds to every pixel of one image of a batch the plaids that stand there, one a channel. */
export function addPlaids(
  inputs: Float32Array,
  [, height, width, channels]: Shape4,
  image: number,
  plaidsAt: (y: number, x: number) => readonly Plaid[],
): void {
  let i = image * height * width * channels;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const { down, along } of plaidsAt(y, x))
        inputs[i++]! += PATTERN * (down[y] ?? 0) * (along[x] ?? 0);
    }
  }
}

function plaid(height: number, width: number, seed: number): Plaid {
  const rng = createRng(seed);
  const wave = (length: number): Float32Array => {
    const periods = 0.5 + 3 * rng.next();
    const phase = 2 * Math.PI * rng.next();
    return Float32Array.from({ length }, (_value, i) =>
      Math.cos((2 * Math.PI * periods * i) / length + phase),
    );
  };
  return { down: wave(height), along: wave(width) };
}
