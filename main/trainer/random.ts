import { createRng, type Rng } from '../../engine/rng.ts';

/** One 32-bit seed out of several numbers; a change in any of them changes it (murmur3's finaliser). */
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

/** Fills with normal numbers of mean 0 (Box and Muller, both of each pair used). */
export function fillNormal(values: Float32Array, deviation: number, rng: Rng): void {
  for (let i = 0; i < values.length; i += 2) {
    // 1 - next() lies in (0, 1], where the logarithm is finite.
    const radius = deviation * Math.sqrt(-2 * Math.log(1 - rng.next()));
    const angle = 2 * Math.PI * rng.next();
    values[i] = radius * Math.cos(angle);
    if (i + 1 < values.length) values[i + 1] = radius * Math.sin(angle);
  }
}

/** A dropout mask: 0 with probability `rate`, else 1 / (1 - rate). The same for the same seed. */
export function dropoutMask(length: number, rate: number, seed: number): Float32Array {
  const rng = createRng(seed);
  const mask = new Float32Array(length);
  const scale = 1 / (1 - rate);
  for (let i = 0; i < length; i++) if (rng.next() >= rate) mask[i] = scale;
  return mask;
}
