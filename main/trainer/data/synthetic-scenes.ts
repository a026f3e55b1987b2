import type { Shape } from '../../../engine/ops/definition.ts';
import { createRng, type Rng } from '../../../engine/rng.ts';
import { imageShape, type Shape4 } from '../layout.ts';
import { fillNormal, mixSeed } from '../random.ts';
import type { Batch, BatchSource } from './batch.ts';
import { addPlaids, CLASSES, NOISE, PERIOD, type Plaid, plaids } from './synthetic.ts';

/**
 * Images with a class per pixel: a disc before a background, each in the plaid of its class, with noise. All derived
 * from the seed.
 */
export class SyntheticScenes implements BatchSource {
  readonly name: string;
  readonly #shape: Shape4;
  readonly #target: Shape4;
  readonly #classes: number;
  readonly #seed: number;
  readonly #waves: readonly (readonly Plaid[])[];

  /**
   * @param source the engine's shape of the source, [N, C, H, W]
   * @param target of the logits, [N, classes, height, width]
   */
  constructor(source: Shape, target: Shape, seed: number) {
    this.#shape = imageShape(source);
    this.#target = imageShape(target);
    this.#classes = Math.min(CLASSES, target[1] ?? 1);
    this.#seed = seed;
    this.name = `synthetic scenes of ${this.#classes} classes, seed ${seed}`;
    const [, height, width, channels] = this.#shape;
    this.#waves = plaids(this.#classes, [height, width, channels], seed);
  }

  batch(iteration: number): Batch {
    const [n, height, width, channels] = this.#shape;
    const [, rows, columns] = this.#target;
    const rng = createRng(mixSeed(this.#seed, 2, iteration % PERIOD));
    const inputs = new Float32Array(n * height * width * channels);
    fillNormal(inputs, NOISE, rng);
    const labels = new Int32Array(n * rows * columns);
    let pixel = 0;
    for (let sample = 0; sample < n; sample++) {
      const classAt = drawScene(rng, this.#classes);
      const wavesAt = (y: number, x: number): readonly Plaid[] =>
        this.#waves[classAt((y + 0.5) / height, (x + 0.5) / width)] ?? [];
      addPlaids(inputs, this.#shape, sample, wavesAt);
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) labels[pixel++] = classAt((y + 0.5) / rows, (x + 0.5) / columns);
      }
    }
    return { inputs, labels };
  }
}

/** The class at a place of a fresh scene; places from 0 to 1. */
function drawScene(rng: Rng, classes: number): (y: number, x: number) => number {
  const background = rng.below(classes);
  // A class other than the background's, if one exists.
  const disc = (background + 1 + rng.below(Math.max(1, classes - 1))) % classes;
  const [centreY, centreX] = [rng.next(), rng.next()];
  const radius = 0.2 + 0.3 * rng.next();
  return (y, x) => ((y - centreY) ** 2 + (x - centreX) ** 2 < radius ** 2 ? disc : background);
}
