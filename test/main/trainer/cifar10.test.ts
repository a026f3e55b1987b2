import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { Cifar10 } from '../../../main/trainer/data/cifar10.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const RECORD = 3073;
const folder = freshFolder();

/** Every file full of records whose label is the record's number modulo 10 and whose pixels say which they are. */
beforeAll(() => {
  for (let file = 0; file < 5; file++) writeFileSync(fileOf(file), records());
});

function fileOf(file: number): string {
  return join(folder, `data_batch_${file + 1}.bin`);
}

function records(): Uint8Array {
  const bytes = new Uint8Array(10_000 * RECORD);
  for (let i = 0; i < 10_000; i++) {
    bytes[i * RECORD] = i % 10;
    // Red holds the row, green the column, blue the label.
    for (let p = 0; p < 1024; p++) {
      bytes[i * RECORD + 1 + p] = p >> 5;
      bytes[i * RECORD + 1 + 1024 + p] = p & 31;
      bytes[i * RECORD + 1 + 2048 + p] = i % 10;
    }
  }
  return bytes;
}

test('reads planes of pixels into [N, H, W, C], normalised, with their labels', () => {
  const { inputs, labels } = new Cifar10(folder, [4, 3, 32, 32], 1).batch(0);
  expect(inputs).toHaveLength(4 * 32 * 32 * 3);
  const pixel = (n: number, y: number, x: number): number[] => {
    const at = ((n * 32 + y) * 32 + x) * 3;
    const [r = 0, g = 0, b = 0] = inputs.subarray(at, at + 3);
    return [r * 63.0 + 125.3, g * 62.1 + 123.0, b * 66.7 + 113.9].map(Math.round);
  };
  for (let n = 0; n < 4; n++) expect(pixel(n, 3, 17)).toEqual([3, 17, labels[n]]);
});

test('uses the nearest pixel for another size', () => {
  const { inputs } = new Cifar10(folder, [1, 3, 64, 64], 1).batch(0);
  const at = (7 * 64 + 9) * 3;
  expect(Math.round(inputs[at]! * 63.0 + 125.3)).toBe(3);
  expect(Math.round(inputs[at + 1]! * 62.1 + 123.0)).toBe(4);
});

test('draws batches by the seed: the same for equal seeds, others for another', () => {
  const labelsOf = (seed: number, iteration: number) => [
    ...new Cifar10(folder, [32, 3, 8, 8], seed).batch(iteration).labels,
  ];
  expect(labelsOf(1, 3)).toEqual(labelsOf(1, 3));
  expect(labelsOf(1, 3)).not.toEqual(labelsOf(2, 3));
  expect(labelsOf(1, 3)).not.toEqual(labelsOf(1, 4));
});

test('refuses gray networks, missing and damaged files by name', () => {
  const read = (from = folder) => new Cifar10(from, [1, 3, 32, 32], 1);
  expect(() => new Cifar10(folder, [1, 1, 32, 32], 1)).toThrow(BadInputError);
  expect(() => read(join(folder, 'nowhere'))).toThrow(/there is no .*data_batch_1\.bin; name the folder/);
  const wrong = records();
  wrong[17 * RECORD] = 10;
  writeFileSync(fileOf(3), wrong);
  expect(() => read()).toThrow(/data_batch_4\.bin is damaged: image 17 has the label 10/);
  truncateSync(fileOf(3), 1000);
  expect(() => read()).toThrow(/data_batch_4\.bin is damaged: it has 1000 bytes instead of 30730000/);
});
