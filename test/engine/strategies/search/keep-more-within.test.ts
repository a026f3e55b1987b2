import { describe, expect, it } from 'vitest';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import {
  KEEP_ALL,
  KEEP_AUX,
  KEEP_VALUE,
  keepUntil,
} from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { keepMoreWithin } from '../../../../engine/strategies/search/keep-more-within.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { curveOf, modelOf, workChain } from '../../../support/live-models.ts';
import { unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng, pick } from '../../../support/rng.ts';

// All but v5 and v6 recomputed: v2 is worth most a byte, then v4, v3, v1.
const chain = workChain([1, 8, 8, 8, 8, 8, 1], [0, 2, 9, 4, 7, 3, 1]);
const nothing = [3, 0, 0, 0, 0, 3, 3];
const everything = [3, 3, 3, 3, 3, 3, 3];

/** `spend` by the letter, every choice from scratch. */
function spentPlainly(model: LiveModel, keep: Int32Array, limit: number, rounds: number): number[] {
  const kept = [...keep];
  const from = (choices: readonly number[]): ByteCurve => {
    const curve = new ByteCurve(model, Int32Array.from(choices));
    curve.measure(0);
    return curve;
  };
  const density = (item: number): number =>
    model.work[item]! / (model.bytes[item]! + model.auxBytes[item]! + 1);
  const start = from(kept);
  const dropped = kept
    .flatMap((_, item) => (item > 0 && start.again[item]! >= 0 ? [item] : []))
    .toSorted((a, b) => density(b) - density(a) || a - b);
  for (let round = 0; round < rounds; round++)
    for (const item of dropped) {
      const now = from(kept);
      const before = kept[item]!;
      if (before === KEEP_ALL || now.again[item]! < 0) continue;
      // Whatever may be kept of it that saves work: all of it, or with an auxiliary its value alone.
      const fits = (model.auxBytes[item]! > 0 ? [KEEP_ALL, KEEP_VALUE] : [KEEP_ALL]).find((choice) => {
        const then = from(kept.with(item, choice));
        return then.peak <= limit && then.work < now.work - 1e-9;
      });
      if (fits !== undefined) kept[item] = fits;
    }
  return kept;
}

describe('keepMoreWithin', () => {
  it('takes of all choices, densest first, those that fit and save work, round after round', () => {
    const rng = createRng(124);
    let more = 0;
    for (let i = 0; i < 200; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 14) }));
      const model = modelOf(problem);
      const start = Int32Array.from({ length: model.items }, () =>
        pick(rng, [0, 0, 1, 2, 3, keepUntil(2), keepUntil(3) ^ KEEP_AUX]),
      );
      const tight = new ByteCurve(model, start);
      tight.measure(0);
      for (const room of [0, 3, 8, 20]) {
        const [none, once, twice] = [0, 1, 2].map((rounds) => {
          const curve = new ByteCurve(model, start);
          keepMoreWithin(curve, tight.peak + room, unlimited(), rounds);
          const kept = [...curve.keep];
          expect(kept).toEqual(spentPlainly(model, start, tight.peak + room, rounds));
          return kept;
        });
        expect(none).toEqual([...start]);
        if (once!.join() !== twice!.join()) more++;
        // Two rounds where nobody says.
        const usual = new ByteCurve(model, start);
        keepMoreWithin(usual, tight.peak + room, unlimited());
        expect([...usual.keep]).toEqual(twice);
      }
    }
    expect(more).toBeGreaterThan(3);
  });

  it('ends with the first round that changes nothing', () => {
    const search = new SearchLimit({ timeLimitSeconds: 0.01 }, NO_CONTROL);
    const curve = curveOf(chain, nothing);
    keepMoreWithin(curve, curveOf(chain, everything).peak, search, 1e6);
    expect([...curve.keep]).toEqual(everything);
    expect(search.isReached).toBe(false);
    // Nothing fits at all.
    keepMoreWithin(curveOf(chain, nothing), 1, search, 1e6);
    expect(search.isReached).toBe(false);
  });

  it('tries as many values as the work that is left allows', () => {
    const ends = Array.from({ length: 100 }, (_, i) => {
      const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
      search.look(1e6 - 10 * i);
      const curve = curveOf(chain, nothing);
      keepMoreWithin(curve, curveOf(chain, everything).peak, search);
      return { unfinished: search.ending.stopped?.unfinished, keep: [...curve.keep] };
    });
    expect(ends).toContainEqual({
      unfinished: [{ what: 'values', tried: 2, of: 4 }],
      keep: [3, 0, 3, 0, 3, 3, 3],
    });
  });

  it('spends large graphs in blocks, as well as one by one on a chain', () => {
    const size = 2100;
    const bytes = Array.from({ length: size }, (_, v) => (v === 0 ? 1 : 8));
    const problem = workChain(bytes, new Array<number>(size).fill(1));
    const model = modelOf(problem);
    // Every 46th is kept; there is room for a hundred more.
    const keep = Int32Array.from({ length: model.items }, (_, item) => (item % 46 === 0 ? 3 : 0));
    const curve = new ByteCurve(model, keep);
    curve.measure(0);
    const limit = curve.peak + 800;
    const { work } = curve;
    keepMoreWithin(curve, limit, unlimited());
    expect(curve.fits(limit)).toBe(true);
    expect(work - curve.work).toBeGreaterThanOrEqual(100);
    expect(limit - curve.peak).toBeLessThan(8);
    // Looked at before it begins: nearly all that it may look at.
    const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
    search.look(950_000);
    const early = new ByteCurve(model, keep);
    keepMoreWithin(early, limit, search);
    expect(early.fits(limit)).toBe(true);
    const { unfinished } = search.ending.stopped!;
    expect(unfinished).toEqual([{ what: 'values', tried: expect.any(Number), of: size - 1 - 45 }]);
    expect(unfinished[0]!.tried).toBeGreaterThan(0);
    expect(unfinished[0]!.tried).toBeLessThan(size - 46);
  });
});
