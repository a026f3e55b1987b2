import { createRng, type Rng } from '../../engine/rng.ts';

/** One 32-bit seed from several numbers; a change in any of them changes it (murmur3's finaliser). */
export function mixSeed(...parts: readonly number[]): number {
  let hash = 0x9747b28c;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part >>> 0), 0xcc9e2d51);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
    hash ^= hash >>> 16;
    hash = Math.imul(hash, 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

/** Normal numbers to draw from; a power of two, so that bits index it. */
const TABLE_SIZE = 1 << 16;
let table: Float32Array | null = null;

/** Standard normal numbers by Box and Muller, both of each pair, scaled to variance 1 exactly. */
function normalTable(): Float32Array {
  const rng = createRng(1958);
  const values = new Float64Array(TABLE_SIZE);
  for (let i = 0; i < TABLE_SIZE; i += 4) {
    // 1 - next() lies in (0, 1], where the logarithm is finite.
    const radius = Math.sqrt(-2 * Math.log(1 - rng.next()));
    const angle = 2 * Math.PI * rng.next();
    values[i] = radius * Math.cos(angle);
    values[i + 1] = radius * Math.sin(angle);
    // Each number also with its negative, so that the mean is 0.
    values[i + 2] = -values[i]!;
    values[i + 3] = -values[i + 1]!;
  }
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / TABLE_SIZE);
  return Float32Array.from(values, (value) => value / deviation);
}

/**
 * Fills with normal numbers of mean 0 from a table: computing logarithms for a hundred million parameters would take
 * longer than an iteration.
 */
export function fillNormal(values: Float32Array, deviation: number, rng: Rng): void {
  table ??= normalTable();
  const normals = table;
  for (let i = 0; i < values.length; i++) values[i] = deviation * normals[rng.below(TABLE_SIZE)]!;
}

/** A dropout mask: 0 with probability `rate`, else 1 / (1 - rate). The same for the same seed. */
export function dropoutMask(length: number, rate: number, seed: number): Float32Array {
  const rng = createRng(seed);
  const mask = new Float32Array(length);
  const scale = 1 / (1 - rate);
  for (let i = 0; i < length; i++) if (rng.next() >= rate) mask[i] = scale;
  return mask;
}
