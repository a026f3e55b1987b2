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
import { keepMoreInBlocks } from '../../../../engine/strategies/search/keep-more-in-blocks.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { curveOf, modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng, pick } from '../../../support/rng.ts';

const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
// All but v5 and v6 recomputed: v2 is worth most a byte, then v4, v3, v1.
const chain = workChain([1, 8, 8, 8, 8, 8, 1], [0, 2, 9, 4, 7, 3, 1]);
const nothing = [3, 0, 0, 0, 0, 3, 3];
const everything = [3, 3, 3, 3, 3, 3, 3];

const WAYS = [
  ['one by one', (curve: ByteCurve, limit: number) => keepMoreWithin(curve, limit, unlimited())],
  ['in blocks', (curve: ByteCurve, limit: number) => keepMoreInBlocks(curve, limit, unlimited())],
] as const;

describe('spending', () => {
  it.each(WAYS)(
    '%s keeps all where there is room for all, and nothing where there is none',
    (_way, spent) => {
      const full = curveOf(chain, everything).peak;
      const roomy = curveOf(chain, nothing);
      spent(roomy, full);
      expect([...roomy.keep]).toEqual(everything);
      expect(roomy.work).toBe(0);
      const tight = curveOf(chain, nothing);
      spent(tight, 1);
      expect([...tight.keep]).toEqual(nothing);
    },
  );

  it.each(WAYS)('%s keeps what is worth most a byte first', (_way, spent) => {
    // There is room for one of v1 and v2.
    const one = (flops: readonly number[]): number[] => {
      const problem = workChain([1, 8, 8, 8, 8, 8, 1], flops);
      const curve = curveOf(problem, [3, 0, 0, 3, 3, 3, 3]);
      spent(curve, curveOf(problem, everything).peak - 8);
      return [...curve.keep];
    };
    expect(one([0, 2, 9, 4, 7, 3, 1])).toEqual([3, 0, 3, 3, 3, 3, 3]);
    expect(one([0, 9, 2, 4, 7, 3, 1])).toEqual([3, 3, 0, 3, 3, 3, 3]);
  });

  it.each(WAYS)('%s never ends above the limit or with more work', (_way, spent) => {
    const rng = createRng(121);
    let less = 0;
    for (let i = 0; i < 150; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 12) }));
      const model = modelOf(problem);
      const curve = new ByteCurve(
        model,
        Int32Array.from({ length: model.items }, () => rng.below(4)),
      );
      curve.measure(0);
      const limit = curve.peak;
      const { work } = curve;
      spent(curve, limit);
      curve.measure(limit);
      expect(curve.peak).toBeLessThanOrEqual(limit);
      expect(curve.work).toBeLessThanOrEqual(work);
      if (curve.work < work) less++;
      const scratch = new ByteCurve(model, curve.keep);
      scratch.measure(0);
      expect([scratch.peak, scratch.work]).toEqual([curve.peak, expect.closeTo(curve.work, 6)]);
      // A second time nothing is left to be spent on one at a time.
      if (_way === 'one by one') {
        const kept = [...curve.keep];
        keepMoreWithin(curve, limit, unlimited(), 10);
        keepMoreWithin(curve, limit, unlimited(), 10);
        const settled = [...curve.keep];
        keepMoreWithin(curve, limit, unlimited(), 1);
        expect([...curve.keep]).toEqual(settled);
        expect(kept).toHaveLength(settled.length);
      }
    }
    expect(less).toBeGreaterThan(20);
  });
});

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

  it('looks at four numbers an item for each value', () => {
    // Seven items: the third value is one too many.
    const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
    search.look(1e6 - 3 * 28);
    const curve = curveOf(chain, nothing);
    keepMoreWithin(curve, curveOf(chain, everything).peak, search);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'values', tried: 2, of: 4 }]);
    expect([...curve.keep]).toEqual([3, 0, 3, 0, 3, 3, 3]);
  });

  it('keeps value and auxiliary where both fit', () => {
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 9, inputs: [0], keeps: { ...none, output: true } },
      { bytes: 10, flops: 9, inputs: [1], keeps: { ...none, output: true, auxBytes: 40 } },
      { bytes: 60, flops: 9, inputs: [2], keeps: none },
      { bytes: 60, flops: 9, inputs: [3], keeps: none },
      { bytes: 1, flops: 9, inputs: [4], keeps: none },
    ]);
    const full = curveOf(problem, [3, 3, 3, 3, 3, 3]);
    const curve = curveOf(problem, [3, 3, 0, 3, 3, 3]);
    keepMoreWithin(curve, full.peak, unlimited());
    expect([...curve.keep]).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('says how many values were left where it may not go on', () => {
    const search = ended();
    const curve = curveOf(chain, nothing);
    keepMoreWithin(curve, curveOf(chain, everything).peak, search);
    expect([...curve.keep]).toEqual(nothing);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'values', tried: 0, of: 4 }]);
  });

  it('spends as many rounds as it is told', () => {
    // Nothing that one round leaves is taken by none.
    const curve = curveOf(chain, nothing);
    keepMoreWithin(curve, 1e9, unlimited(), 0);
    expect([...curve.keep]).toEqual(nothing);
    keepMoreWithin(curve, 1e9, unlimited(), 1);
    expect([...curve.keep]).toEqual(everything);
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
