import { describe, expect, it } from 'vitest';
import { annealPeak, annealWork } from '../../../../engine/strategies/search/anneal.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { NeighbourMoves } from '../../../../engine/strategies/search/neighbour-moves.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { CountedSearch, ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';

interface Annealed {
  readonly keep: readonly number[];
  readonly peak: number;
  readonly work: number;
}

const everything = ({ items }: LiveModel): Int32Array => new Int32Array(items).fill(KEEP_ALL);

function curveOf(model: LiveModel, keep: Int32Array): ByteCurve {
  const curve = new ByteCurve(model, keep);
  curve.measure(0);
  return curve;
}

const stateOf = (curve: ByteCurve): Annealed => ({
  keep: [...curve.keep],
  peak: curve.peak,
  work: curve.work,
});

/** Metropolis: what is no worse is taken, what is worse by chance; every cost to the last position. */
function metropolis(
  curve: ByteCurve,
  moves: number,
  seed: number,
  { cool, costOf, taken }: { cool(done: number): number; costOf(): number; taken(): boolean },
): void {
  const rng = createRng(seed);
  const mover = new NeighbourMoves(curve, rng);
  let cost = 0;
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % 64 === 0) {
      temperature = cool(move / moves);
      cost = costOf();
    }
    mover.propose();
    const found = costOf();
    // A number is drawn for what is worse alone.
    if (found > cost && rng.next() >= Math.exp((cost - found) / temperature)) mover.undo();
    else {
      cost = found;
      if (taken()) cost = costOf();
    }
  }
}

/** `annealPeak` without its short cuts. The limit falls from 10 to 2 % below the best peak. */
function plainPeak(model: LiveModel, keep: Int32Array, moves: number, seed: number): Annealed {
  const curve = curveOf(model, keep);
  let best = stateOf(curve);
  let limit = 0;
  let step = 0;
  metropolis(curve, moves, seed, {
    cool: (done) => {
      step = 0.1 - 0.08 * done;
      limit = best.peak * (1 - step);
      return 0.003 * curve.measure(limit) * (1 - done);
    },
    costOf: () => curve.measure(limit),
    taken: () => {
      if (curve.peak > best.peak || (curve.peak === best.peak && curve.work >= best.work)) return false;
      const lower = curve.peak < best.peak;
      best = stateOf(curve);
      if (lower) limit = best.peak * (1 - step);
      return lower;
    },
  });
  return best;
}

/** `annealWork` without its short cuts. A position 1 % above the limit costs 0.6 % of the work. */
function plainWork(
  model: LiveModel,
  keep: Int32Array,
  limit: number,
  moves: number,
  seed: number,
): Annealed | null {
  const curve = curveOf(model, keep);
  const unit = curve.work;
  let best = curve.peak <= limit ? stateOf(curve) : null;
  metropolis(curve, moves, seed, {
    cool: (done) => 0.002 * (1 - done),
    costOf: () => curve.work / unit + (0.006 / (limit * 0.01) ** 2) * curve.measure(limit),
    taken: () => {
      if (curve.peak <= limit && curve.work < (best?.work ?? Number.POSITIVE_INFINITY)) best = stateOf(curve);
      return false;
    },
  });
  return best;
}

const options = (moves: number, seed: number) => ({
  moves,
  rng: createRng(seed),
  search: unlimited(),
  tick: (_done: number): void => undefined,
});

function* drawn(
  seed: number,
  count: number,
): Generator<{ model: LiveModel; keep: Int32Array; seed: number }> {
  const rng = createRng(seed);
  for (let i = 0; i < count; i++) {
    const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 6, 14) })));
    if (model.items < 3) continue;
    const keep = Int32Array.from({ length: model.items }, () => rng.below(4));
    yield { model, keep: i % 2 === 0 ? everything(model) : keep, seed: i };
  }
}

const sizes = Array.from({ length: 40 }, (_, v) => 1 + ((v * 29) % 17));
const flops = sizes.map((_, v) => 1 + ((v * 13) % 11));
const long = modelOf(workChain(sizes, flops));

/** Long chains of many sizes, so that moves cost little each, and every seventh kept. */
const fine = [1, 2, 3, 4].map((seed) => {
  const rng = createRng(seed);
  const sizes = Array.from({ length: 90 }, () => between(rng, 1, 3000));
  return modelOf(
    workChain(
      sizes,
      [...sizes.keys()].map(() => between(rng, 1, 3000)),
    ),
  );
});
const spread = ({ items }: LiveModel): Int32Array =>
  Int32Array.from({ length: items }, (_, item) => (item % 7 === 0 ? KEEP_ALL : 0));

/** A source and a view of it. */
const oneStorage = modelOf(
  measuredProblem([
    { bytes: 5, flops: 0, inputs: [] },
    {
      bytes: 5,
      flops: 0,
      inputs: [0],
      keeps: { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 },
      alias: 'view',
    },
  ]),
);

describe('annealPeak', () => {
  it('ends where annealing without short cuts ends, at any number of moves', () => {
    let lower = 0;
    for (const { model, keep, seed } of drawn(171, 30)) {
      for (const moves of [1, 40, 200, 500]) {
        const curve = curveOf(model, keep);
        const before = curve.peak;
        const peak = annealPeak(curve, options(moves, seed));
        const plain = plainPeak(model, keep, moves, seed);
        expect(stateOf(curve)).toEqual({ ...plain, work: expect.closeTo(plain.work, 6) });
        expect(peak).toBe(plain.peak);
        if (peak < before) lower++;
      }
    }
    expect(lower).toBeGreaterThan(40);
    for (const keep of [everything(long), Int32Array.from(sizes, (_, item) => (item % 6 === 0 ? 3 : 0))]) {
      const curve = curveOf(long, keep);
      annealPeak(curve, options(3000, 7));
      expect(stateOf(curve)).toEqual(plainPeak(long, keep, 3000, 7));
    }
  });

  it('takes what is worse less and less often', () => {
    for (const [seed, model] of fine.entries()) {
      for (const moves of [300, 1500]) {
        const curve = curveOf(model, spread(model));
        const search = new CountedSearch();
        annealPeak(curve, { ...options(moves, seed), search });
        expect(stateOf(curve)).toEqual(plainPeak(model, spread(model), moves, seed));
        expect(search.looks).toBeGreaterThan(moves);
      }
    }
  });

  it('prefers less work at the same peak', () => {
    // The two wide ones decide; what is dropped elsewhere is kept again.
    const model = modelOf(workChain([1, 2, 2, 90, 90, 2, 2, 1], [0, 5, 5, 5, 5, 5, 5, 5]));
    const curve = curveOf(model, Int32Array.from([3, 0, 0, 0, 0, 0, 0, 3]));
    annealPeak(curve, options(2000, 3));
    const plain = plainPeak(model, Int32Array.from([3, 0, 0, 0, 0, 0, 0, 3]), 2000, 3);
    expect(stateOf(curve)).toEqual(plain);
    expect(curve.work).toBeLessThan(30);
  });

  it('leaves a curve of one item as it is, and keeps what it has where it may not go on', () => {
    const one = curveOf(oneStorage, Int32Array.from([3]));
    expect(one.model.items).toBe(1);
    const { peak } = one;
    expect(annealPeak(one, options(10, 1))).toBe(peak);
    const search = ended();
    const curve = curveOf(long, everything(long));
    expect(annealPeak(curve, { ...options(100, 1), search })).toBe(curve.peak);
    expect([...curve.keep]).toEqual([...everything(long)]);
  });
});

describe('annealWork', () => {
  it('ends where annealing without short cuts ends, from within the limit and from above', () => {
    let [within, above, less] = [0, 0, 0];
    for (const { model, seed } of drawn(172, 40)) {
      // From little kept, which has work to save.
      const start = curveOf(model, new Int32Array(model.items));
      if (start.work === 0) continue;
      for (const moves of [1, 60, 400]) {
        for (const limit of [start.peak + 2, start.peak, Math.floor(start.peak * 0.9)]) {
          const curve = curveOf(model, start.keep);
          const fits = annealWork(curve, limit, options(moves, seed));
          const plain = plainWork(model, start.keep, limit, moves, seed);
          expect(fits).toBe(plain !== null);
          expect(stateOf(curve)).toEqual(
            plain === null
              ? { ...stateOf(start), work: expect.closeTo(start.work, 6) }
              : { ...plain, work: expect.closeTo(plain.work, 6) },
          );
          if (!fits) above++;
          else within++;
          if (curve.work < start.work) less++;
        }
      }
    }
    expect(Math.min(within, above, less)).toBeGreaterThan(20);
    const keep = Int32Array.from(sizes, (_, item) => (item % 6 === 0 ? 3 : 0));
    const { peak } = curveOf(long, keep);
    const curve = curveOf(long, keep);
    expect(annealWork(curve, peak, options(3000, 7))).toBe(true);
    expect(stateOf(curve)).toEqual(plainWork(long, keep, peak, 3000, 7));
  });

  it('takes what is worse less and less often', () => {
    for (const [seed, model] of fine.entries()) {
      for (const share of [1, 0.97]) {
        const curve = curveOf(model, spread(model));
        const limit = share * curve.peak;
        const search = new CountedSearch();
        annealWork(curve, limit, { ...options(1500, seed), search });
        const plain = plainWork(model, spread(model), limit, 1500, seed);
        expect(stateOf(curve)).toEqual(plain ?? stateOf(curveOf(model, spread(model))));
        expect(search.looks).toBeGreaterThan(1500);
      }
    }
  });

  it('leaves a curve of one item as it is', () => {
    const one = curveOf(oneStorage, Int32Array.from([3]));
    const { peak } = one;
    const fits = [peak, peak - 1].map((limit) => annealWork(one, limit, options(10, 1)));
    expect(fits).toEqual([true, false]);
  });
});

describe('annealing', () => {
  it('reaches the least peak of little graphs', () => {
    const rng = createRng(122);
    let reached = 0;
    for (let i = 0; i < 25; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 9) })));
      const peaks = Array.from({ length: 2 ** (model.items - 1) }, (_, code) => {
        const keep = Int32Array.from({ length: model.items }, (__, at) =>
          ((2 * code + 1) >> at) & 1 ? 3 : 0,
        );
        return curveOf(model, keep).peak;
      });
      if (annealPeak(curveOf(model, everything(model)), options(1500, i)) <= Math.min(...peaks)) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(24);
  });

  it.each([
    ['peak', annealPeak],
    ['work', (curve: ByteCurve, how: ReturnType<typeof options>) => annealWork(curve, curve.peak, how)],
  ])('tells the share done every 64 moves, and ends where the search does: %s', (_what, anneal) => {
    const keep = Int32Array.from(sizes, (_, item) => (item % 6 === 0 ? 3 : 0));
    const ticks: number[] = [];
    anneal(curveOf(long, keep), { ...options(256, 1), tick: (done: number) => void ticks.push(done) });
    expect(ticks).toEqual([0, 0.25, 0.5, 0.75]);
    const search = ended();
    const curve = curveOf(long, keep);
    anneal(curve, { ...options(256, 1), search });
    expect([...curve.keep]).toEqual([...keep]);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'moves', tried: 0, of: 256 }]);
  });
});
