import { describe, expect, it } from 'vitest';
import { dropUntilItFits } from '../../../../engine/strategies/search/drop-until-it-fits.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { KEEP_ALL, KEEP_VALUE, keepUntil } from '../../../../engine/strategies/search/keep-encoding.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { between, createRng } from '../../../support/rng.ts';

function curveOf(problem: Problem, keep?: Iterable<number>): ByteCurve {
  const model = modelOf(problem);
  return new ByteCurve(model, Int32Array.from(keep ?? new Int32Array(model.items).fill(KEEP_ALL)));
}

function squeezed(problem: Problem, limit: number, keep?: Iterable<number>): number[] | null {
  const curve = curveOf(problem, keep);
  return dropUntilItFits(curve, limit, unlimited()) ? [...curve.keep] : null;
}

describe('dropUntilItFits', () => {
  // Everything kept: 1 + 4 * 8 + 8 + 1 = 42 in backward v5.
  const chain = (flops: readonly number[]): Problem => workChain([1, 8, 8, 8, 8, 1], flops);

  it('drops nothing where everything fits', () => {
    const problem = chain([0, 1, 1, 1, 1, 1]);
    const { peak } = curveFilled(problem);
    expect(squeezed(problem, peak)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(squeezed(problem, peak - 1)).not.toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('drops what takes most away for its work', () => {
    const cheapFirst = chain([0, 1, 9, 9, 9, 9]);
    const { peak } = curveFilled(cheapFirst);
    expect(squeezed(cheapFirst, peak - 8)).toEqual([3, 0, 3, 3, 3, 3]);
    expect(squeezed(chain([0, 9, 1, 9, 9, 9]), peak - 8)).toEqual([3, 3, 0, 3, 3, 3]);
    // Backward v4 needs v3, however cheap that is.
    expect(squeezed(chain([0, 9, 9, 1, 9, 9]), peak - 8)).toEqual([3, 3, 0, 3, 3, 3]);
    // Equal work: the larger one is kept.
    const larger = workChain([1, 8, 12, 8, 8, 8, 1], [0, 5, 5, 5, 5, 5, 5]);
    expect(squeezed(larger, curveFilled(larger).peak - 8)).toEqual([3, 3, 0, 3, 3, 3, 3]);
  });

  it('says where nothing is left that helps, and where it may not go on', () => {
    const problem = chain([0, 1, 1, 1, 1, 1]);
    expect(squeezed(problem, 1)).toBeNull();
    const curve = curveOf(problem);
    curve.measure(0);
    expect(dropUntilItFits(curve, curve.peak - 8, ended())).toBe(false);
    expect([...curve.keep]).toEqual([3, 3, 3, 3, 3, 3]);
    expect(dropUntilItFits(curve, curve.peak, ended())).toBe(true);
  });

  describe('passes over what cannot help, however cheap and however much of it', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const source = { bytes: 1, flops: 0, inputs: [] };
    /** Eight of one byte and no work, each made of the one before. */
    const cheap = (from: number) =>
      Array.from({ length: 8 }, (_, i) => ({ bytes: 1, flops: 0, inputs: [from + i] }));

    it('what is made after the peak', () => {
      const problem = measuredProblem([
        source,
        { bytes: 9, flops: 60, inputs: [0] },
        { bytes: 9, flops: 500, inputs: [1] },
        { bytes: 90, flops: 500, inputs: [2] },
        { bytes: 90, flops: 500, inputs: [3] },
        ...cheap(4),
      ]);
      const { peak, peakPosition, peakInForward } = curveFilled(problem);
      expect([peakPosition, peakInForward]).toEqual([4, false]);
      expect(squeezed(problem, peak - 9)).toEqual([3, 0, ...new Array<number>(11).fill(3)]);
    });

    it('what the backward step at the peak needs', () => {
      const inputs = [2, 3, 4, 5, 6, 7, 8, 9];
      const problem = measuredProblem([
        source,
        { bytes: 9, flops: 60, inputs: [0], keeps: { ...none, output: true } },
        ...inputs.map(() => ({ bytes: 1, flops: 0, inputs: [1], keeps: { ...none, output: true } })),
        { bytes: 90, flops: 500, inputs },
        { bytes: 1, flops: 500, inputs: [10], keeps: none },
      ]);
      const { peak, peakPosition, peakInForward } = curveFilled(problem);
      expect([peakPosition, peakInForward]).toEqual([10, false]);
      expect(squeezed(problem, peak - 9)).toEqual([3, 0, ...new Array<number>(10).fill(3)]);
    });

    it('what is made after a peak of the forward, and what no backward needs', () => {
      const of = (before: number, after: number) => {
        const inputs = Array.from({ length: before }, (_, i) => 2 + i);
        const wide = 2 + before;
        return measuredProblem([
          source,
          { bytes: 9, flops: 60, inputs: [0], keeps: { ...none, output: true } },
          ...inputs.map(() => ({ bytes: 1, flops: 0, inputs: [1], keeps: none })),
          { bytes: 200, flops: 500, inputs, keeps: none },
          ...Array.from({ length: after }, (_, i) => ({
            bytes: 1,
            flops: 0,
            inputs: [wide + i],
            keeps: { ...none, output: true },
          })),
        ]);
      };
      for (const problem of [of(8, 1), of(8, 8)]) {
        const { peak, peakInForward } = curveFilled(problem);
        expect(peakInForward).toBe(true);
        expect(squeezed(problem, peak - 9)?.[1]).toBe(0);
      }
    });

    it('what is given up already', () => {
      const keeps = { ...none, auxBytes: 1 };
      const problem = measuredProblem([
        source,
        { bytes: 9, flops: 60, inputs: [0], keeps: { ...none, output: true } },
        ...cheap(1).map((one) => ({ ...one, keeps })),
        { bytes: 90, flops: 500, inputs: [9] },
        { bytes: 90, flops: 500, inputs: [10] },
      ]);
      const keep = [3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3];
      const curve = curveOf(problem, keep);
      curve.measure(0);
      expect(squeezed(problem, curve.peak - 9, keep)).toEqual([3, 0, ...keep.slice(2)]);
    });
  });

  it('looks first at what has the most bytes for its work, auxiliaries included', () => {
    // Eight that cost nothing: the wide one frees as many bytes as are asked for.
    const free = (bytes: number, auxBytes: number) =>
      measuredProblem([
        { bytes: 1, flops: 0, inputs: [] },
        ...Array.from({ length: 8 }, (_, i) => ({
          bytes: i === 3 ? bytes : 1,
          flops: 0,
          inputs: [i],
          keeps: { inputs: [], output: true, auxBytes: i === 3 ? auxBytes : 0, fixedAuxBytes: 0 },
        })),
        { bytes: 90, flops: 500, inputs: [8] },
        { bytes: 90, flops: 500, inputs: [9] },
      ]);
    for (const problem of [free(60, 0), free(30, 30)]) {
      const { peak } = curveFilled(problem);
      expect(squeezed(problem, peak - 60)).toEqual([3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3]);
    }
  });

  it('counts twelve looks at every item for each drop', () => {
    const problem = workChain([1, 8, 8, 8, 8, 8, 8, 1], [0, 1, 1, 1, 1, 1, 1, 1]);
    const dropped = (looks: number): number => {
      const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
      search.look(1e6 - looks);
      const curve = curveFilled(problem);
      dropUntilItFits(curve, curve.peak - 24, search);
      return curve.keep.filter((choice) => choice === 0).length;
    };
    const each = 12 * 8;
    expect([1, each, each + 1, 2 * each + 1, 3 * each + 1].map(dropped)).toEqual([0, 0, 1, 2, 3]);
  });

  it('gives up an auxiliary alone where the value is needed at the peak', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 1, inputs: [0], keeps: { ...none, auxBytes: 40 } },
      { bytes: 1, flops: 100, inputs: [1], keeps: { ...none, inputs: [0] } },
      { bytes: 60, flops: 100, inputs: [2], keeps: none },
      { bytes: 60, flops: 100, inputs: [3, 1], keeps: { ...none, inputs: [0, 1] } },
      { bytes: 1, flops: 100, inputs: [4], keeps: none },
    ]);
    const { peak, peakPosition } = curveFilled(problem);
    expect(peakPosition).toBe(4);
    expect(squeezed(problem, peak - 40)).toEqual([3, KEEP_VALUE, 3, 3, 3, 3]);
    // Both are freed when the value is not needed there.
    const other = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 1, inputs: [0], keeps: { ...none, auxBytes: 40, output: true } },
      { bytes: 1, flops: 100, inputs: [1], keeps: none },
      { bytes: 60, flops: 100, inputs: [2], keeps: none },
      { bytes: 60, flops: 100, inputs: [3], keeps: { ...none, inputs: [0] } },
      { bytes: 1, flops: 100, inputs: [4], keeps: none },
    ]);
    expect(squeezed(other, curveFilled(other).peak - 50)).toEqual([3, 0, 3, 3, 3, 3]);
    expect(squeezed(other, curveFilled(other).peak - 40)).toEqual([3, 0, 3, 3, 3, 3]);
  });

  it('weighs only the work that a drop adds', () => {
    // v1 is recomputed already. v2 takes eight bytes for one FLOP, v3 sixteen for nine.
    const problem = workChain([1, 8, 1, 8, 1, 16, 1, 90, 90, 1], [0, 100, 500, 1, 500, 9, 500, 500, 500, 1]);
    const keep = [3, 0, 3, 3, 3, 3, 3, 3, 3, 3];
    const curve = curveOf(problem, keep);
    curve.measure(0);
    expect(curve.work).toBe(100);
    expect(squeezed(problem, curve.peak - 8, keep)).toEqual([3, 0, 3, 0, 3, 3, 3, 3, 3, 3]);
    expect(squeezed(problem, curve.peak - 16, keep)).toEqual([3, 0, 3, 0, 3, 0, 3, 3, 3, 3]);
  });

  it('never leaves what does not fit, and does no more than it must on little graphs', () => {
    const rng = createRng(103);
    let met = 0;
    let least = 0;
    let asked = 0;
    for (let i = 0; i < 80; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 4, 7) }));
      const { peak, model } = curveFilled(problem);
      const all: { peak: number; work: number }[] = [];
      for (let code = 0; code < 2 ** (model.items - 1); code++) {
        const curve = curveOf(
          problem,
          Array.from({ length: model.items }, (_, item) => (((code << 1) >> item) & 1 ? 3 : 0)),
        );
        curve.measure(0);
        all.push({ peak: curve.peak, work: curve.work });
      }
      const lowest = Math.min(...all.map((one) => one.peak));
      for (const limit of new Set([lowest, Math.floor((lowest + peak) / 2), peak - 1])) {
        if (limit < lowest) continue;
        asked++;
        const curve = curveFilled(problem);
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

  it('drops what is kept for some uses only, too', () => {
    const problem = chain([0, 1, 1, 1, 1, 1]);
    expect(squeezed(problem, curveFilled(problem).peak - 8, [3, keepUntil(1), 3, 3, 3, 3])).toEqual([
      3, 0, 3, 3, 3, 3,
    ]);
  });
});

function curveFilled(problem: Problem): ByteCurve {
  const curve = curveOf(problem);
  curve.measure(0);
  return curve;
}
