import { describe, expect, it } from 'vitest';
import { dropUntilItFits } from '../../../../engine/strategies/search/drop-until-it-fits.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import {
  KEEP_ALL,
  KEEP_AUX,
  KEEP_VALUE,
  keepUntil,
} from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { curveOf, modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { between, createRng, pick } from '../../../support/rng.ts';

const everything = (problem: Problem): ByteCurve =>
  curveOf(problem, new Array<number>(modelOf(problem).items).fill(KEEP_ALL));

function squeezed(problem: Problem, limit: number): number[] | null {
  const curve = everything(problem);
  return dropUntilItFits(curve, limit, unlimited()) ? [...curve.keep] : null;
}

/** `dropUntilItFits` by the letter of its description, every choice from scratch. */
function droppedPlainly(model: LiveModel, start: Int32Array, limit: number) {
  const from = (choices: readonly number[]) => {
    const curve = new ByteCurve(model, Int32Array.from(choices));
    const overflow = curve.measure(limit);
    return { curve, overflow };
  };
  const price = (item: number): number =>
    (model.work[item]! + 1) / (model.bytes[item]! + model.auxBytes[item]! + 1);
  const cheapest = [...start.keys()].slice(1).sort((a, b) => price(a) - price(b) || b - a);
  let keep = [...start];
  while (true) {
    const { curve, overflow } = from(keep);
    const { peakPosition: at, peakInForward, until, peak, work } = curve;
    if (peak <= limit) return { keep, fits: true };
    const isAbsent = (item: number): boolean =>
      keep[item] === 0 ||
      model.created[item]! > at ||
      until[item]! >= (peakInForward ? model.order.length : at);
    const isNeeded = (item: number): boolean =>
      !peakInForward && model.maxNeed[item]! >= at && model.auxBytes[item] === 0;
    let tried = 0;
    let best = { keep, ratio: 0 };
    for (const item of cheapest.filter((one) => !isAbsent(one) && !isNeeded(one))) {
      // A handful.
      if (tried >= 6) break;
      for (const choice of model.auxBytes[item]! > 0 ? [0, KEEP_VALUE] : [0]) {
        if (choice === keep[item]) continue;
        tried++;
        const less = keep.with(item, choice);
        const then = from(less);
        const ratio = (overflow - then.overflow) / (Math.max(0, then.curve.work - work) + 1);
        if (ratio > best.ratio) best = { keep: less, ratio };
      }
    }
    if (best.ratio === 0) return { keep, fits: false };
    keep = best.keep;
  }
}

describe('dropUntilItFits', () => {
  // Everything kept: 1 + 4 * 8 + 8 + 1 = 42 in backward v5.
  const chain = (flops: readonly number[]): Problem => workChain([1, 8, 8, 8, 8, 1], flops);

  it('drops what takes most away for its work', () => {
    const cheapFirst = chain([0, 1, 9, 9, 9, 9]);
    const { peak } = everything(cheapFirst);
    expect(squeezed(cheapFirst, peak)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(squeezed(cheapFirst, peak - 8)).toEqual([3, 0, 3, 3, 3, 3]);
    expect(squeezed(chain([0, 9, 1, 9, 9, 9]), peak - 8)).toEqual([3, 3, 0, 3, 3, 3]);
    // Backward v4 needs v3, however cheap that is.
    expect(squeezed(chain([0, 9, 9, 1, 9, 9]), peak - 8)).toEqual([3, 3, 0, 3, 3, 3]);
    // Equal work: the larger one is kept.
    const larger = workChain([1, 8, 12, 8, 8, 8, 1], [0, 5, 5, 5, 5, 5, 5]);
    expect(squeezed(larger, everything(larger).peak - 8)).toEqual([3, 3, 0, 3, 3, 3, 3]);
  });

  it('ends where nothing is left that helps, and where it may not go on', () => {
    const problem = chain([0, 1, 1, 1, 1, 1]);
    expect(squeezed(problem, 1)).toBeNull();
    const curve = everything(problem);
    expect(dropUntilItFits(curve, curve.peak - 8, ended())).toBe(false);
    expect([...curve.keep]).toEqual([3, 3, 3, 3, 3, 3]);
    expect(dropUntilItFits(curve, curve.peak, ended())).toBe(true);
  });

  it('ends where it recomputes as much as is given', () => {
    const problem = workChain([1, 8, 8, 8, 8, 8, 8, 8, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    const limit = everything(problem).peak - 16;
    const dropped = (most?: number): unknown[] => {
      const curve = everything(problem);
      return [dropUntilItFits(curve, limit, unlimited(), most), curve.work];
    };
    expect([dropped(), dropped(3), dropped(2), dropped(1)]).toEqual([
      [true, 2],
      [true, 2],
      [true, 2],
      [false, 1],
    ]);
  });

  it('drops as its description says: at the peak, cheapest first, the best of a handful', () => {
    const rng = createRng(105);
    let [dropped, refused] = [0, 0];
    for (let i = 0; i < 250; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 4, 24), denser: i % 3 }));
      const model = modelOf(problem);
      const choices = [3, 3, 3, 3, 0, KEEP_VALUE, KEEP_AUX, keepUntil(2), keepUntil(4) ^ KEEP_AUX];
      const start = Int32Array.from({ length: model.items }, (_, item) =>
        item === 0 || i % 2 === 0 ? KEEP_ALL : pick(rng, choices),
      );
      const { peak } = curveOf(problem, start);
      for (const limit of [peak - 1, Math.floor(0.85 * peak), Math.floor(0.6 * peak)]) {
        const curve = new ByteCurve(model, start);
        const fits = dropUntilItFits(curve, limit, unlimited());
        const plain = droppedPlainly(model, start, limit);
        expect({ keep: [...curve.keep], fits }).toEqual(plain);
        if (fits) dropped++;
        else refused++;
      }
    }
    expect(Math.min(dropped, refused)).toBeGreaterThan(100);
  });

  it('never leaves what does not fit, and does no more than it must on little graphs', () => {
    const rng = createRng(103);
    let met = 0;
    let least = 0;
    let asked = 0;
    for (let i = 0; i < 80; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 4, 7) }));
      const { peak, model } = everything(problem);
      const all = Array.from({ length: 2 ** (model.items - 1) }, (_, code) =>
        curveOf(
          problem,
          Array.from({ length: model.items }, (__, item) => (((code << 1) >> item) & 1 ? 3 : 0)),
        ),
      );
      const lowest = Math.min(...all.map((one) => one.peak));
      for (const limit of new Set([lowest, Math.floor((lowest + peak) / 2), peak - 1])) {
        if (limit < lowest) continue;
        asked++;
        const curve = everything(problem);
        if (!dropUntilItFits(curve, limit, unlimited())) continue;
        met++;
        expect(curve.peak).toBeLessThanOrEqual(limit);
        const work = Math.min(...all.filter((one) => one.peak <= limit).map((one) => one.work));
        if (curve.work <= work) least++;
      }
    }
    expect(met / asked).toBeGreaterThan(0.95);
    expect(least / met).toBeGreaterThan(0.9);
  });
});
