import { describe, expect, it } from 'vitest';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { keepUntil } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { asCaptured } from '../../../support/problems.ts';
import { between, createRng, type Rng } from '../../../support/rng.ts';

function anyChoice(rng: Rng, model: LiveModel): number {
  return rng.below(4) + (rng.below(2) === 0 ? 0 : rng.below(model.order.length) << 2);
}

function* drawn(
  seed: number,
  count: number,
): Generator<{ problem: Problem; model: LiveModel; rng: Rng; text: string }> {
  const rng = createRng(seed);
  for (let i = 0; i < count; i++) {
    const measured = measuredGraph(rng, { vertices: between(rng, 3, 9) });
    const plain = measuredProblem(measured);
    const problem = i % 2 === 0 ? plain : asCaptured(createRng(i), plain);
    yield { problem, model: modelOf(problem), rng, text: JSON.stringify(measured) };
  }
}

function filled(model: LiveModel, keep: Iterable<number>): ByteCurve {
  const curve = new ByteCurve(model, Int32Array.from(keep));
  curve.measure(0);
  return curve;
}

/** Figures of a curve, once it was asked for its peak. */
function figures(curve: ByteCurve) {
  curve.measure(0);
  const { peak, peakPosition, peakInForward, forward, backward, again, until } = curve;
  const lists = { forward: [...forward], backward: [...backward], again: [...again], until: [...until] };
  return { peak, peakPosition, peakInForward, ...lists };
}

describe('ByteCurve', () => {
  it('says by position what lives, by hand', () => {
    // Sizes 2, 5, 7 and 3 after a source of 1.
    const model = modelOf(workChain([1, 2, 5, 7, 3], [0, 1, 2, 3, 4]));
    const all = filled(model, [3, 3, 3, 3, 3]);
    expect([...all.forward]).toEqual([1, 3, 8, 15, 18]);
    // Backward: what is kept and not yet used for the last time, and two gradients.
    expect([...all.backward].slice(1)).toEqual([1 + 2 + 2, 1 + 7 + 7, 1 + 14 + 12, 1 + 17 + 10]);
    expect([all.peak, all.peakPosition, all.peakInForward, all.work]).toEqual([28, 4, false, 0]);
    // v2 is dropped after v3 has read it, and recomputed before backward v3.
    const some = filled(model, [3, 3, 0, 3, 3]);
    expect([...some.forward]).toEqual([1, 3, 8, 15, 13]);
    expect([...some.backward].slice(1)).toEqual([5, 15, 27, 1 + 12 + 10]);
    expect([some.peak, some.peakPosition, some.work, some.again[2], some.until[2]]).toEqual([27, 3, 2, 3, 5]);
    // v2 serves backward v3 alone and is recomputed before backward v2.
    const until = filled(model, [3, 3, keepUntil(2), 3, 3]);
    expect([until.again[2], until.until[2], until.work]).toEqual([2, 3, 2]);
    expect([...until.forward]).toEqual([...all.forward]);
    const forward = filled(modelOf(workChain([9, 1, 1], [])), [3, 0, 0]);
    expect([forward.peak, forward.peakPosition]).toEqual([9 + 1 + 1 + 2, 2]);
  });

  it('says after any changes what it says from scratch', () => {
    for (const { model, rng, text } of drawn(131, 300)) {
      if (model.items < 2) continue;
      const curve = filled(
        model,
        Int32Array.from({ length: model.items }, () => anyChoice(rng, model)),
      );
      for (let change = 0; change < 12; change++) {
        const item = 1 + rng.below(model.items - 1);
        const other = 1 + rng.below(model.items - 1);
        if (change % 2 === 0 || item === other) curve.set(item, anyChoice(rng, model));
        else curve.setTwo(item, anyChoice(rng, model), other, anyChoice(rng, model));
        const scratch = filled(model, curve.keep);
        expect(figures(curve), text).toEqual(figures(scratch));
        expect(curve.work, text).toBeCloseTo(scratch.work, 6);
      }
      const other = Int32Array.from({ length: model.items }, () => anyChoice(rng, model));
      other[0] = curve.keep[0]!;
      const some = Array.from({ length: model.items - 1 }, (_, i) => i + 1).filter(() => rng.below(3) === 0);
      const choice = anyChoice(rng, model);
      curve.setEach(
        some,
        some.map(() => choice),
      );
      expect(
        some.every((item) => curve.keep[item] === choice),
        text,
      ).toBe(true);
      expect(figures(curve), text).toEqual(figures(filled(model, curve.keep)));
      curve.setAll(other);
      expect([...curve.keep], text).toEqual([...other]);
      curve.measure(0);
      expect(curve.peak, text).toBe(filled(model, other).peak);
    }
  });

  it('takes a change back, and brings it again', () => {
    for (const { model, rng, text } of drawn(134, 300)) {
      if (model.items < 2) continue;
      const any = (): Int32Array => Int32Array.from({ length: model.items }, () => anyChoice(rng, model));
      const curve = filled(model, any());
      // Its bytes may be those of before a change when it is taken back, or not.
      const maybe = (): unknown => rng.below(2) === 0 && curve.measure(0);
      for (let change = 0; change < 6; change++) {
        const before = filled(model, curve.keep);
        const item = 1 + rng.below(model.items - 1);
        if (change % 3 === 0) curve.set(item, anyChoice(rng, model));
        else if (change % 3 === 1 && item > 1) curve.setTwo(item, anyChoice(rng, model), item - 1, 0);
        else curve.setAll(any().with(0, curve.keep[0]!));
        const after = filled(model, curve.keep);
        maybe();
        curve.undo();
        maybe();
        if (rng.below(2) === 0) expect(figures(curve), text).toEqual(figures(before));
        expect([[...curve.keep], curve.work], text).toEqual([
          [...before.keep],
          expect.closeTo(before.work, 6),
        ]);
        curve.undo();
        maybe();
        expect([[...curve.keep], curve.work], text).toEqual([[...after.keep], expect.closeTo(after.work, 6)]);
        if (rng.below(2) === 0) curve.undo();
      }
      expect(figures(curve), text).toEqual(figures(filled(model, curve.keep)));
    }
  });

  it('changes nothing where the choice is the same', () => {
    const curve = filled(modelOf(workChain([1, 2, 5, 7, 3], [])), [3, 3, 3, 3, 3]);
    curve.set(2, 0);
    curve.set(2, 0);
    expect([...curve.keep]).toEqual([3, 3, 0, 3, 3]);
    curve.measure(0);
    expect(curve.peak).toBe(27);
    // The last change is the one that changed nothing.
    curve.undo();
    expect([...curve.keep]).toEqual([3, 3, 0, 3, 3]);
  });

  it('is the peak and the work of the schedule, or slightly more', () => {
    let same = 0;
    let all = 0;
    for (const { problem, model, rng, text } of drawn(132, 300)) {
      // A view that reads more than what it looks at is recomputed with what the curve does not follow.
      if (problem.memory.viewOf.some((u) => u >= 0)) continue;
      const keep = Int32Array.from({ length: model.items }, () => anyChoice(rng, model));
      const curve = filled(model, keep);
      const judged = judgeKeep(problem, model, keep);
      expect(curve.peak, text).toBeGreaterThanOrEqual(judged.peakBytes);
      expect(curve.work, text).toBeCloseTo(judged.recomputeWork, 6);
      all++;
      if (curve.peak === judged.peakBytes) same++;
    }
    expect(all).toBeGreaterThan(150);
    expect(same / all).toBeGreaterThan(0.9);
  });

  it('costs the squares of the bytes above a limit', () => {
    for (const { model, rng } of drawn(133, 60)) {
      const curve = filled(
        model,
        Int32Array.from({ length: model.items }, () => anyChoice(rng, model)),
      );
      const limit = Math.floor(curve.peak * rng.next());
      const above = [...curve.forward, ...curve.backward.slice(1)].map(
        (live) => Math.max(0, live - limit) ** 2,
      );
      const cost = above.reduce((sum, one) => sum + one, 0);
      expect(curve.measure(limit)).toBe(cost);
      expect(curve.peak).toBe(Math.max(model.bytes[0]!, ...curve.forward, ...curve.backward));
      if (curve.peak > model.bytes[0]!)
        expect((curve.peakInForward ? curve.forward : curve.backward)[curve.peakPosition]).toBe(curve.peak);
      expect([curve.fits(curve.peak), curve.fits(curve.peak - 1)]).toEqual([true, false]);
      if (cost === 0) continue;
      // It ends as soon as that is known, and the figures stay those of before.
      const { peak, peakPosition } = curve;
      const early = curve.measure(limit, cost - 0.5);
      expect(early).toBeGreaterThan(cost - 0.5);
      expect(early).toBeLessThanOrEqual(cost);
      expect([curve.peak, curve.peakPosition]).toEqual([peak, peakPosition]);
      expect(curve.measure(limit, cost)).toBe(cost);
      const first = above.find((one) => one > 0)!;
      expect(curve.measure(limit, 0)).toBe(
        [...curve.forward].some((live) => live > limit)
          ? first
          : Math.max(0, curve.backward.findLast((live) => live > limit)! - limit) ** 2,
      );
    }
  });

  it('counts what it looks at', () => {
    const curve = filled(modelOf(workChain([1, 2, 5, 7, 3], [])), [3, 3, 3, 3, 3]);
    // One block of 16 positions each way, looked at once for its highest point and once for what is above the limit.
    expect([curve.takeLooks(), curve.takeLooks()]).toEqual([2 * (1 + 16 + 16), 0]);
    curve.measure(curve.peak);
    expect(curve.takeLooks()).toBe(2);
    // Its own lifetime and that of its input, which it needs once more.
    curve.set(2, 0);
    expect(curve.takeLooks()).toBe(2 * 16);
  });

  it('follows no edge from what is made after an item to a view of it', () => {
    // v3 looks at v1 and reads v2, which is made of v1.
    const keeps = { inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 0, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], keeps: { ...keeps, output: true } },
      { bytes: 5, flops: 0, inputs: [1, 0], keeps: { ...keeps, inputs: [1] } },
      {
        bytes: 4,
        flops: 0,
        inputs: [1, 0, 2, 0],
        keeps: { ...keeps, inputs: [1, 3], fixedAuxBytes: 4 },
        alias: 'view',
      },
    ]);
    const model = modelOf(problem);
    expect([...model.ins].length).toBe(3);
    const curve = filled(model, [10, 0, 7]);
    curve.set(2, 3);
    curve.measure(0);
    expect(curve.peak).toBe(filled(model, [10, 0, 3]).peak);
  });
});
