import { describe, expect, it } from 'vitest';
import { type BestCuts, bestCuts, unitOf } from '../../../../engine/strategies/search/best-cuts.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import {
  type KeepEncoding,
  KEEP_ALL,
  KEEP_VALUE,
} from '../../../../engine/strategies/search/keep-encoding.ts';
import { CutPath } from '../../../../engine/strategies/search/cut-path.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import type { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { CountedSearch, ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';

const sum = (list: Iterable<number>): number => [...list].reduce((a, b) => a + b, 0);

/** Bytes of a path of cuts, by the definition in cut-path.ts: every segment (from, to] computed afresh. */
function reckoned(
  model: LiveModel,
  cuts: readonly number[],
): { peak: number; kept: number; allowed: boolean } {
  const { items, created, final, bytes, minNeed, maxNeed, lastForward } = model;
  const last = model.order.length - 1;
  const all = Array.from({ length: items - 1 }, (_, i) => i + 1);
  const lastUse = (item: number): number => Math.max(lastForward[item]!, maxNeed[item]!);
  const ends = [...cuts, last];
  /** Kept when the part after a cut runs: what crosses the first cut after it was made. */
  const keptAt = (cut: number): number =>
    bytes[0]! +
    sum(
      all
        .filter((item) => created[item]! <= cut && lastUse(item) > ends.find((end) => end >= created[item]!)!)
        .map((item) => bytes[item]!),
    );
  let peak = 0;
  let from = 0;
  for (const to of ends) {
    const base = keptAt(from);
    const inside = all.filter((item) => created[item]! > from && created[item]! <= to);
    const extra = (at: number): number =>
      base +
      sum(
        all.map((item) =>
          model.auxPosition[item]! > from && model.auxPosition[item]! <= at ? model.auxBytes[item]! : 0,
        ),
      ) +
      sum(
        all.map((item) =>
          model.fixedPosition[item]! >= 0 && model.fixedPosition[item]! <= at ? model.fixedBytes[item]! : 0,
        ),
      );
    for (let p = from + 1; p <= to; p++) {
      const run = inside.filter(
        (item) => created[item]! <= p && (minNeed[item]! < model.order.length || lastForward[item]! >= p),
      );
      const saved = inside.filter((item) => minNeed[item]! <= p);
      peak = Math.max(
        peak,
        sum(run.map((item) => bytes[item]!)) + extra(to) + model.gradientsBefore[to]!,
        sum(saved.map((item) => bytes[item]!)) + extra(p) + model.gradientsAfter[p]!,
      );
    }
    from = to;
  }
  const allowed = cuts.every((cut) => !all.some((item) => created[item]! <= cut && cut < final[item]!));
  return { peak, kept: keptAt(cuts.at(-1) ?? 0), allowed };
}

function* allCuts(model: LiveModel): Generator<number[]> {
  const last = model.order.length - 1;
  for (let code = 0; code < 2 ** (last - 1); code++) {
    const cuts: number[] = [];
    for (let p = 1; p < last; p++) if ((code >> (p - 1)) & 1) cuts.push(p);
    if (reckoned(model, cuts).allowed) yield cuts;
  }
}

const peakOf = (model: LiveModel, keep: Int32Array): number => {
  const curve = new ByteCurve(model, keep);
  curve.measure(0);
  return curve.peak;
};

describe('CutPath', () => {
  it('finds within every limit the path that keeps the least, and none if none exists', () => {
    const rng = createRng(141);
    for (let i = 0; i < 60; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 7) })));
      const all = [...allCuts(model)].map((cuts) => ({ cuts, ...reckoned(model, cuts) }));
      const path = new CutPath(model);
      const peaks = [...new Set(all.map(({ peak }) => peak))];
      for (const limit of [...peaks, Math.min(...peaks) - 1, Math.max(...peaks) + 3]) {
        if (limit <= model.bytes[0]!) continue;
        const cuts = path.cutsWithin(limit, unlimited());
        const within = all.filter(({ peak }) => peak <= limit);
        if (within.length === 0) {
          expect(cuts).toBeNull();
          continue;
        }
        expect(reckoned(model, cuts!).allowed).toBe(true);
        expect(reckoned(model, cuts!).peak).toBeLessThanOrEqual(limit);
      }
    }
  });

  it('keeps the boundary of each cut and everything after the last', () => {
    const rng = createRng(142);
    for (let i = 0; i < 60; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 7) })));
      const path = new CutPath(model);
      for (const cuts of allCuts(model)) {
        const keep = path.keepOf(cuts);
        expect(keep[0]).toBe(KEEP_ALL);
        for (let item = 1; item < model.items; item++) {
          const next = cuts.find((cut) => cut >= model.created[item]!);
          const lastUse = Math.max(model.lastForward[item]!, model.maxNeed[item]!);
          expect(keep[item]).toBe(next === undefined ? KEEP_ALL : lastUse > next ? KEEP_VALUE : 0);
        }
      }
    }
  });

  it('of a long order has a cut in each run of positions where the fewest bytes cross', () => {
    // The second of every three positions is small; the last run ends with the order.
    const model = modelOf(workChain([9, 2, 8, 9, 3, 9, 7, 4, 9, 9, 5], []));
    const size = model.order.length;
    const all = new CutPath(model).cutsWithin(1000, unlimited());
    const path = new CutPath(model, Math.ceil(size / 3));
    expect(all).toEqual([]);
    const limits = Array.from({ length: 60 }, (_, limit) => path.cutsWithin(limit + 1, unlimited()));
    const found = limits.filter((cuts) => cuts !== null);
    expect(found.length).toBeGreaterThan(5);
    expect(found.some((cuts) => cuts.length > 1)).toBe(true);
    const smallest = (run: number): number => {
      const places = [0, 1, 2].map((i) => 3 * run + i).filter((p) => p > 0 && p < size - 1);
      const crossing = (p: number): number => reckoned(model, [p]).kept;
      return places.reduce((best, p) => (crossing(p) < crossing(best) ? p : best));
    };
    for (const cuts of found) {
      for (const cut of cuts) expect(cut).toBe(smallest(Math.floor(cut / 3)));
      const { peak } = reckoned(model, cuts);
      expect(limits.findIndex((other) => other !== null) + 1).toBeLessThanOrEqual(peak);
    }
    limits.forEach((cuts, i) => {
      if (cuts !== null) expect(reckoned(model, cuts).peak).toBeLessThanOrEqual(i + 1);
    });
  });

  it('has nothing where the search may not go on', () => {
    const model = modelOf(workChain([1, 2, 3, 4, 5], []));
    expect(new CutPath(model).cutsWithin(1000, unlimited())).toEqual([]);
    expect(new CutPath(model).cutsWithin(1000, ended())).toBeNull();
  });
});

/** `bestCuts` in two steps, the doubles of the hint and the halves. */
function plainCuts(model: LiveModel, ceiling: number, hint: number, search: SearchLimit): BestCuts | null {
  const path = new CutPath(model);
  const measured = (keep: KeepEncoding): number => {
    search.look(20 * model.items);
    return peakOf(model, keep);
  };
  let keep: KeepEncoding = new Int32Array(model.items).fill(KEEP_ALL);
  let peak = measured(keep);
  let low = model.bytes[0]!;
  let high = peak;
  const take = (cuts: readonly number[], limit: number): void => {
    const found = path.keepOf(cuts);
    const reached = measured(found);
    high = Math.min(limit, reached);
    if (reached <= peak) [keep, peak] = [found, reached];
  };
  if (ceiling < peak) {
    const cuts = path.cutsWithin(ceiling, search);
    if (cuts === null) return null;
    peak = Number.POSITIVE_INFINITY;
    take(cuts, ceiling);
  }
  const isLong = model.order.length > 2000;
  const unit = isLong ? unitOf(model) : 1;
  for (let limit = hint; isLong && limit < high && high - low > unit; limit *= 2) {
    const cuts = path.cutsWithin(limit, search);
    if (cuts === null) low = limit;
    else {
      take(cuts, limit);
      break;
    }
  }
  while (high - low > unit) {
    const limit = Math.floor((low + high) / 2);
    const cuts = path.cutsWithin(limit, search);
    if (cuts === null) low = limit;
    else take(cuts, limit);
  }
  return { keep, peak, isLeast: true };
}

function expectPlain(model: LiveModel, ceiling: number, hint: number): void {
  const [found, plain] = [bestCuts, plainCuts].map((cut) => {
    const search = new CountedSearch();
    const cuts = cut(model, ceiling, hint, search);
    return { ...cuts, keep: cuts?.keep.join(), looks: search.looks };
  });
  expect(found).toEqual(plain);
}

describe('bestCuts', () => {
  it('has no higher peak than any path of cuts reckons with', () => {
    const rng = createRng(143);
    let lower = 0;
    for (let i = 0; i < 60; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 8) })));
      const found = bestCuts(model, Number.POSITIVE_INFINITY, 0, unlimited())!;
      const least = Math.min(...[...allCuts(model)].map((cuts) => reckoned(model, cuts).peak));
      expect(found.isLeast).toBe(true);
      expect(found.peak).toBe(peakOf(model, found.keep));
      // A value recomputed for an auxiliary that grows may live longer than the path assumes.
      const grows = model.auxBytes.some((bytes) => bytes > 0);
      if (!grows) expect(found.peak).toBeLessThanOrEqual(least);
      if (found.peak < peakOf(model, new Int32Array(model.items).fill(KEEP_ALL))) lower++;
      // A ceiling that is met changes nothing but the way there; one below all paths is not met.
      if (!grows) expect(bestCuts(model, least, 0, unlimited())!.peak).toBeLessThanOrEqual(least);
      if (
        least - 1 > model.bytes[0]! &&
        least - 1 < peakOf(model, new Int32Array(model.items).fill(KEEP_ALL))
      )
        expect(bestCuts(model, least - 1, 0, unlimited())).toBeNull();
    }
    expect(lower).toBeGreaterThan(10);
  });

  it('is as good as it is where the search ends, and says so', () => {
    const model = modelOf(workChain([1, 8, 8, 8, 8, 8, 8, 8], []));
    const all = new Int32Array(model.items).fill(KEEP_ALL);
    const found = bestCuts(model, Number.POSITIVE_INFINITY, 0, ended())!;
    expect([[...found.keep], found.peak, found.isLeast]).toEqual([[...all], peakOf(model, all), false]);
  });

  it('tries limits by halves, on large graphs after the hint and its doubles', () => {
    const rng = createRng(145);
    const models: LiveModel[] = [];
    for (let i = 0; i < 80; i++)
      models.push(modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 14) }))));
    for (const model of models) {
      const full = peakOf(model, new Int32Array(model.items).fill(KEEP_ALL));
      for (const ceiling of [Number.POSITIVE_INFINITY, full, full - 1, Math.floor(full * 0.8)])
        expectPlain(model, ceiling, 1);
    }
    const bytes = Array.from({ length: 2010 }, (_, v) => 64 * (1 + ((v * 7) % 5)));
    const large = modelOf(workChain(bytes, []));
    const { peak } = bestCuts(large, Number.POSITIVE_INFINITY, 1000, unlimited())!;
    for (const hint of [peak / 8, peak / 2, peak, 4 * peak, 1e7])
      expectPlain(large, Number.POSITIVE_INFINITY, hint);
    expectPlain(large, peak, peak);
    expectPlain(large, 1.2 * peak, peak / 3);
    expectPlain(large, peak / 2, peak);
  });

  it('counts in what divides all sizes', () => {
    expect(unitOf(modelOf(workChain([12, 8, 20], [])))).toBe(4);
    expect(unitOf(modelOf(workChain([12, 8, 21], [])))).toBe(1);
    expect(unitOf(modelOf(workChain([0, 0, 0], [])))).toBe(1);
    const aux = { inputs: [], output: false, auxBytes: 6, fixedAuxBytes: 0 };
    const model = modelOf(
      measuredProblem([
        { bytes: 12, flops: 0, inputs: [] },
        { bytes: 8, flops: 0, inputs: [0], keeps: aux },
      ]),
    );
    expect(unitOf(model)).toBe(2);
  });
});
