import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { createRng } from '../../../engine/rng.ts';
import { imageShape, type Shape4 } from '../layout.ts';
import { mixSeed } from '../random.ts';
import type { Batch, BatchSource } from './batch.ts';

/** The binary version of CIFAR-10: five files of 10,000 records, a label and 32x32 pixels in red, green and blue planes. */
const FILES = [1, 2, 3, 4, 5].map((i) => `data_batch_${i}.bin`);
const SIDE = 32;
const PLANE = SIDE * SIDE;
const RECORD = 1 + 3 * PLANE;
const RECORDS = 10_000;
const CLASSES = 10;
/** Mean and deviation of the training images' channels. */
const MEAN = [125.3, 123.0, 113.9];
const DEVIATION = [63.0, 62.1, 66.7];

/**
 * CIFAR-10 from the user's folder, shuffled by the seed, each image once per epoch. Sizes other than 32 use the nearest
 * pixel.
 */
export class Cifar10 implements BatchSource {
  readonly name = 'CIFAR-10';
  readonly #records: Uint8Array;
  readonly #shape: Shape4;
  readonly #seed: number;
  #epoch = -1;
  #order: Uint32Array = new Uint32Array(0);

  /**
   * @param shape the engine's shape of the source, [N, 3, H, W]
   * @throws BadInputError naming a file that is missing, or has a wrong size or label
   */
  constructor(folder: string, shape: Shape, seed: number) {
    if (shape.length !== 4 || shape[1] !== 3) {
      throw new BadInputError(`CIFAR-10 has colour images, and the network takes [${shape.join(', ')}]`);
    }
    this.#shape = imageShape(shape);
    this.#seed = seed;
    this.#records = new Uint8Array(FILES.length * RECORDS * RECORD);
    for (const [i, file] of FILES.entries()) {
      this.#records.set(readRecords(join(folder, file)), i * RECORDS * RECORD);
    }
  }

  batch(iteration: number): Batch {
    const [n, height, width] = this.#shape;
    const inputs = new Float32Array(n * height * width * 3);
    const labels = new Int32Array(n);
    for (let sample = 0; sample < n; sample++) {
      const record = this.#recordAt(iteration * n + sample) * RECORD;
      labels[sample] = this.#records[record]!;
      let to = sample * height * width * 3;
      for (let y = 0; y < height; y++) {
        const row = record + 1 + Math.floor((y * SIDE) / height) * SIDE;
        for (let x = 0; x < width; x++) {
          const pixel = row + Math.floor((x * SIDE) / width);
          for (let c = 0; c < 3; c++) {
            inputs[to++] = (this.#records[pixel + c * PLANE]! - MEAN[c]!) / DEVIATION[c]!;
          }
        }
      }
    }
    return { inputs, labels };
  }

  #recordAt(index: number): number {
    const count = FILES.length * RECORDS;
    const epoch = Math.floor(index / count);
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#order = shuffledIndices(count, mixSeed(this.#seed, 5, epoch));
    }
    return this.#order[index % count]!;
  }
}

function readRecords(file: string): Uint8Array {
  // Not opened if it is a pipe: opening would wait.
  const info = statSync(file, { throwIfNoEntry: false });
  if (info?.isFile() !== true) {
    throw new BadInputError(
      `${info === undefined ? `there is no ${file}` : `${file} is no file`}; name the folder that holds data_batch_1.bin to data_batch_5.bin of CIFAR-10's binary version`,
    );
  }
  const { size } = info;
  if (size !== RECORDS * RECORD) {
    throw new BadInputError(`${file} is damaged: it has ${size} bytes instead of ${RECORDS * RECORD}`);
  }
  const records = readFileSync(file);
  for (let i = 0; i < RECORDS; i++) {
    const label = records[i * RECORD]!;
    if (label >= CLASSES) {
      throw new BadInputError(
        `${file} is damaged: image ${i} has the label ${label}, and there are ${CLASSES} classes`,
      );
    }
  }
  return records;
}

/** Fisher and Yates. */
function shuffledIndices(count: number, seed: number): Uint32Array {
  const rng = createRng(seed);
  const order = Uint32Array.from({ length: count }, (_value, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
  return order;
}

/**
 * CIFAR-10 for a network with logits of this shape, [N, classes].
 *
 * @throws BadInputError for fewer classes than CIFAR-10, for labels other than per image, or from the constructor
 */
export function readCifar10(folder: string, source: Shape, target: Shape, seed: number): Cifar10 {
  if (target.length !== 2) {
    const what = target.length === 4 ? 'pixel' : 'position';
    throw new BadInputError(
      `CIFAR-10 has one class an image, and the network one a ${what}; leave the folder out`,
      'dataFolder',
    );
  }
  const [, outputs = 1] = target;
  if (outputs < CLASSES) {
    throw new BadInputError(`CIFAR-10 has ${CLASSES} classes, and the network tells ${outputs} apart`);
  }
  return new Cifar10(folder, source, seed);
}
