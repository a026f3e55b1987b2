import { describe, expect, it } from 'vitest';
import { createRng } from '../support/rng.ts';
import { type Bound, judge, type Sample, WARM_UP } from './bounds.ts';

const MIB = 2 ** 20;
const MEMORY: Bound = { name: 'memory', unit: 'bytes', level: { share: 0.15, slack: 32 * MIB } };
const SECONDS = 600;

/** One sample a second. */
const series = (name: string, at: (second: number) => number): Sample[] =>
  Array.from({ length: SECONDS }, (_, second) => ({ ms: 1000 * second, values: { [name]: at(second) } }));

const rng = createRng(14);
/** Memory as it is: grown in the warm-up, then a saw with noise. */
const saw = (second: number): number => {
  const warm = Math.min(1, second / (SECONDS * WARM_UP));
  return MIB * (120 + 80 * warm + 3 * (second % 20) + 10 * rng.next());
};

describe('the bounds of a soak', () => {
  it('accept a saw-tooth that grew in the warm-up, and single peaks', () => {
    expect(judge(MEMORY, series('memory', saw)).isKept).toBe(true);
    const peaks = series('memory', (second) => (second % 50 === 0 ? 900 * MIB : saw(second)));
    expect(judge(MEMORY, peaks).isKept).toBe(true);
  });

  it('reject a leak below the saw-tooth: a quarter of a MiB per second', () => {
    const leak = series('memory', (second) => saw(second) + (second * MIB) / 4);
    const { isKept, first, last } = judge(MEMORY, leak);
    expect(isKept).toBe(false);
    // The middles of the two quarters are three quarters of the 480 s after the warm-up apart.
    expect((last - first) / MIB).toBeGreaterThan(80);
    expect((last - first) / MIB).toBeLessThan(100);
  });

  it('reject one sample above the maximum, even in the warm-up', () => {
    const most: Bound = { name: 'processes', unit: 'count', most: 4 };
    const at = (when: number) => series('processes', (second) => (second === when ? 5 : 3));
    expect(
      [judge(most, at(-1)), judge(most, at(3)), judge(most, at(599))].map(({ isKept }) => isKept),
    ).toEqual([true, false, false]);
  });

  it('reject missing measurements', () => {
    expect(judge(MEMORY, series('other', saw)).isKept).toBe(false);
    expect(judge(MEMORY, []).isKept).toBe(false);
    expect(judge({ name: 'memory', unit: 'count', most: 4 }, series('other', saw)).isKept).toBe(false);
    const early = series('memory', saw).map((sample, second) =>
      second < 400 ? sample : { ms: sample.ms, values: {} },
    );
    expect(judge(MEMORY, early).isKept).toBe(false);
  });
});
