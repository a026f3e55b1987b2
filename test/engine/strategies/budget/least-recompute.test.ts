import { describe, expect, it } from 'vitest';
import { LeastRecompute } from '../../../../engine/strategies/budget/least-recompute.ts';
import { movesOfFront, movesWithin } from '../../../../engine/strategies/search/annealing-effort.ts';
import { dropUntilItFits } from '../../../../engine/strategies/search/drop-until-it-fits.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { type KeepEncoding, KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { keepMoreWithin } from '../../../../engine/strategies/search/keep-more-within.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';

const silent = (): void => undefined;

function figures(model: LiveModel, keep: KeepEncoding): { peak: number; work: number } {
  const curve = new ByteCurve(model, keep);
  curve.measure(0);
  return { peak: curve.peak, work: curve.work };
}

/** Every choice of what is kept to its end and what is not. */
function allChoices(model: LiveModel): { keep: KeepEncoding; peak: number; work: number }[] {
  return Array.from({ length: 2 ** (model.items - 1) }, (_, code) => {
    const keep = Int32Array.from({ length: model.items }, (_, item) =>
      ((2 * code + 1) >> item) & 1 ? KEEP_ALL : 0,
    );
    return { keep, ...figures(model, keep) };
  });
}

describe('LeastRecompute', () => {
  it('recomputes no more within a limit than any choice of kept tensors', () => {
    const rng = createRng(104);
    for (let i = 0; i < 25; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 4, 8) })));
      const all = allChoices(model);
      const finder = new LeastRecompute(model, unlimited());
      const lowest = all.reduce((a, b) => (b.peak < a.peak ? b : a));
      const most = figures(model, finder.starts[0]!).peak;
      for (const limit of new Set([lowest.peak, Math.floor((lowest.peak + most) / 2), most])) {
        const keep = finder.within(limit, [lowest.keep], { moves: movesWithin(8), tick: silent })!;
        const { peak, work } = figures(model, keep);
        expect(peak).toBeLessThanOrEqual(limit);
        expect(work).toBeLessThanOrEqual(
          Math.min(...all.filter((one) => one.peak <= limit).map((one) => one.work)),
        );
      }
    }
  });

  // Two of the four wide tensors must go: the cheapest that are not needed where the peak is.
  const chain = modelOf(workChain([1, 8, 8, 8, 8, 8, 1], [0, 5, 1, 7, 3, 9, 1]));

  it('has no cuts where no price lies between keeping and recomputing', () => {
    expect(new LeastRecompute(modelOf(workChain([1, 0, 0], [0, 1, 1])), unlimited()).starts).toHaveLength(1);
    const free = modelOf(
      measuredProblem([
        { bytes: 4, flops: 0, inputs: [] },
        { bytes: 4, flops: 0, inputs: [0] },
        { bytes: 0, flops: 1, inputs: [1] },
      ]),
    );
    expect(new LeastRecompute(free, unlimited()).starts).toHaveLength(1);
  });

  it('finds the optimum of a chain without annealing', () => {
    const finder = new LeastRecompute(chain, unlimited());
    const all = allChoices(chain);
    for (const limit of new Set(all.map((one) => one.peak))) {
      const least = Math.min(...all.filter((one) => one.peak <= limit).map((one) => one.work));
      const keep = finder.within(limit, [], { moves: 0, tick: silent });
      expect(keep === null ? Number.POSITIVE_INFINITY : figures(chain, keep).work, `${limit} bytes`).toBe(
        least,
      );
    }
    const lowest = Math.min(...all.map((one) => one.peak));
    expect(finder.within(lowest - 1, [], { moves: 100, tick: silent })).toBeNull();
  });

  it('reports every choice on the way that fits, with its figures', () => {
    const finder = new LeastRecompute(chain, unlimited());
    const limit = figures(chain, finder.starts[0]!).peak - 16;
    const heard: number[] = [];
    const ticks: number[] = [];
    const keep = finder.within(limit, [], {
      moves: 640,
      tick: (done) => void ticks.push(done),
      onFound: (found, peak, work) => {
        expect(figures(chain, found)).toEqual({ peak, work });
        expect(peak).toBeLessThanOrEqual(limit);
        heard.push(work);
      },
    })!;
    expect(Math.min(...heard)).toBe(figures(chain, keep).work);
    expect(ticks[0]).toBe(0);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    expect(ticks.at(-1)!).toBeGreaterThan(0.5);
    expect(ticks.at(-1)!).toBeLessThan(1);
  });

  it('continues from other limits, and from known choices', () => {
    const finder = new LeastRecompute(chain, unlimited());
    const all = allChoices(chain);
    const lowest = all.reduce((a, b) => (b.peak < a.peak ? b : a));
    const from = (effort: { known?: KeepEncoding[]; ends?: KeepEncoding[] }): string[] => {
      const heard: string[] = [];
      finder.within(lowest.peak, effort.known ?? [], {
        moves: 0,
        tick: silent,
        ends: effort.ends ?? [],
        onFound: (keep) => void heard.push(keep.join()),
      });
      return heard;
    };
    expect(from({}).length).toBeGreaterThan(0);
    expect(from({ known: [lowest.keep] }).length).toBeGreaterThan(from({}).length);
    expect(from({ ends: [lowest.keep] }).length).toBeGreaterThan(from({}).length);
    expect(from({ ends: [finder.starts[0]!] }).length).toBeGreaterThan(from({}).length);
  });

  it('answers from known choices if the search must stop', () => {
    const all = allChoices(chain);
    const lowest = all.reduce((a, b) => (b.peak < a.peak ? b : a));
    const search = ended();
    const finder = new LeastRecompute(chain, search);
    expect(finder.starts).toHaveLength(1);
    expect([...finder.within(lowest.peak, [lowest.keep], { moves: 100, tick: silent })!]).toEqual([
      ...lowest.keep,
    ]);
    expect(finder.within(lowest.peak - 1, [lowest.keep], { moves: 100, tick: silent })).toBeNull();
    expect(search.ending.stopped?.unfinished).toEqual(
      expect.arrayContaining([
        { what: 'minimum-cuts', tried: 0, of: 72 },
        { what: 'starts', tried: 0, of: 2 },
      ]),
    );
  });

  // Items of eight bytes with increasing work; no two neighbours are among the cheapest.
  const long = modelOf(
    workChain(
      [1, ...new Array<number>(14).fill(8), 1],
      [0, 3, 17, 1, 40, 2, 90, 7, 300, 5, 25, 11, 60, 4, 130, 1],
    ),
  );

  it('drops first what costs least work per byte, at 24 prices', () => {
    const starts = new LeastRecompute(long, unlimited()).starts.map((keep) => keep.join(''));
    expect(starts.slice(1, 15)).toEqual([
      '3330333333333333',
      '3330303333333333',
      '3030303333333333',
      '3030303333333033',
      '3030303330333033',
      '3030303030333033',
      '3030303030303033',
      '3000303030303030',
      '3000303030003030',
      '3000003030003030',
      '3000003030000030',
      '3000000030000030',
      '3000000030000000',
      '3333333333333333',
    ]);
    // With a tilt what is made late is kept for longer.
    expect(starts).toContain('3030303030333333');
    expect(starts).toHaveLength(23);
  });

  it('reports how many cuts and starts its time sufficed for', () => {
    const endedAfter = (looks: number): SearchLimit => {
      const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
      search.look(1e6 - looks);
      return search;
    };
    const cut = 500 * 7;
    for (const [looks, tried, starts] of [
      [cut, 0, 1],
      [cut + 1, 1, 2],
      [2 * cut + 1, 2, 3],
      [4 * cut, 3, 3],
    ] as const) {
      const search = endedAfter(looks);
      expect(new LeastRecompute(chain, search).starts).toHaveLength(starts);
      expect(search.ending.stopped?.unfinished).toEqual([{ what: 'minimum-cuts', tried, of: 72 }]);
    }
    const tried = Array.from({ length: 60 }, (_, i) => {
      const search = endedAfter(72 * cut + 50 * i + 1);
      const finder = new LeastRecompute(chain, search);
      finder.within(1000, [], { moves: 0, tick: silent });
      const [first] = search.ending.stopped?.unfinished ?? [];
      return first?.what === 'starts' && first.of === finder.starts.length ? first.tried : null;
    });
    expect(tried).toEqual(expect.arrayContaining([1, 3]));
  });

  it('spends the eight squeezed cuts of least recompute', () => {
    const finder = new LeastRecompute(long, unlimited());
    for (const limit of [65, 73, 89, 113]) {
      const search = unlimited();
      const curve = new ByteCurve(long, finder.starts[0]!);
      const squeezed = finder.starts.flatMap((start) => {
        curve.setAll(start);
        curve.measure(limit);
        return curve.peak <= limit || dropUntilItFits(curve, limit, search) ? [curve.keep.slice()] : [];
      });
      expect(squeezed.length).toBeGreaterThan(8);
      const spent = squeezed
        .map((keep) => ({ keep, ...figures(long, keep) }))
        .sort((a, b) => a.work - b.work)
        .slice(0, 8)
        .map(({ keep }) => {
          curve.setAll(keep);
          keepMoreWithin(curve, limit, search, 1);
          return curve.keep.slice();
        });
      const heard: KeepEncoding[] = [];
      const found = finder.within(limit, [], {
        moves: 0,
        tick: silent,
        onFound: (keep) => void heard.push(keep),
      })!;
      expect(heard.slice(0, -1)).toEqual([...squeezed, ...spent]);
      const least = Math.min(...heard.map((keep) => figures(long, keep).work));
      expect(figures(long, heard.at(-1)!).work).toBe(least);
      expect(found).toBe(heard.slice(squeezed.length).find((keep) => figures(long, keep).work === least));
    }
  });

  it('of falling limits goes on from what the one before left of the starts, and of a higher one begins again', () => {
    const rng = createRng(105);
    let differing = 0;
    for (let i = 0; i < 12; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: 40 })));
      const finder = new LeastRecompute(model, unlimited());
      const curve = new ByteCurve(model, finder.starts[0]!);
      curve.measure(0);
      const [high, low] = [0.9, 0.6].map((share) => Math.floor(share * curve.peak)) as [number, number];
      const squeezed = (starts: readonly KeepEncoding[], limit: number): KeepEncoding[] =>
        starts.map((start) => {
          curve.setAll(start);
          if (!curve.fits(limit)) dropUntilItFits(curve, limit, unlimited());
          return curve.keep.slice();
        });
      const fitting = (keeps: readonly KeepEncoding[], limit: number): KeepEncoding[] =>
        keeps.filter((keep) => figures(model, keep).peak <= limit);
      // None of the first eight is left off for its recompute.
      const expectFirst = (limit: number, isFalling: boolean, squeezedThen: KeepEncoding[]): void => {
        const first = fitting(squeezedThen, limit).slice(0, 8);
        const heard: KeepEncoding[] = [];
        const onFound = (keep: KeepEncoding): void => void heard.push(keep);
        finder.within(limit, [], { moves: 0, tick: silent, isFalling, onFound });
        expect(heard.slice(0, first.length)).toEqual(first);
      };
      const atHigh = squeezed(finder.starts, high);
      const goneOn = squeezed(atHigh, low);
      const fresh = squeezed(finder.starts, low);
      if (fitting(goneOn, low).join(' ') !== fitting(fresh, low).join(' ')) differing++;
      expectFirst(high, true, atHigh);
      expectFirst(low, true, goneOn);
      expectFirst(low, false, fresh);
      expectFirst(low, true, goneOn);
      expectFirst(high, true, atHigh);
    }
    expect(differing).toBeGreaterThan(0);
  });

  it('anneals the best and the known one with a share of the moves each, then the best of what is carried on', () => {
    const finder = new LeastRecompute(long, unlimited());
    const known = finder.starts.at(-1)!;
    const poor = Int32Array.from({ length: 16 }, (_, item) => (item === 8 ? KEEP_ALL : 0));
    const [far, farther] = ['3000303000030003', '3000000033300003'].map((keep) =>
      Int32Array.from(keep, Number),
    ) as [KeepEncoding, KeepEncoding];
    const limit = 81;
    const ticks = (
      from: LeastRecompute,
      most: number,
      given: readonly KeepEncoding[],
      ends: readonly KeepEncoding[],
    ) => {
      const heard: number[] = [];
      from.within(most, given, { moves: 300, tick: (done) => void heard.push(done), ends });
      return heard;
    };
    /** Numbers that are heard while so many starts are annealed, without those that are the same as one before. */
    const shares = (known: number, carried = 0, same: readonly number[] = []): number[] => {
      const shared = [0];
      const parts = 1 + known + carried + known;
      // From what is known, at last the best so far with half of the moves, some of which copy.
      for (let i = 0; i < parts; i++) {
        const moves = i > known + carried ? 150 : 300 / (1 + known);
        for (let move = 0; move < moves && !same.includes(i); move += 64)
          shared.push((i + move / moves) / parts);
      }
      return shared;
    };
    expect(ticks(finder, limit, [], [])).toEqual(shares(0));
    expect(ticks(finder, limit, [far], [])).toEqual(shares(1));
    expect(ticks(finder, limit, [], [far])).toEqual(shares(0, 1));
    expect(ticks(finder, limit, [], [far, farther])).toEqual(shares(0, 1));
    expect(ticks(finder, limit, [far], [farther])).toEqual(shares(1, 1));
    // Both lead to the best: it is annealed once.
    expect(ticks(finder, limit, [known], [])).toEqual(shares(1, 0, [1]));
    expect(ticks(finder, limit, [], [known])).toEqual(shares(0, 1, [1]));
    expect(ticks(finder, limit, [], [known, poor])).toEqual(shares(0, 1, [1]));
    expect(ticks(finder, limit, [known], [known, poor])).toEqual(shares(1, 1, [1, 2]));
    expect(ticks(finder, limit, [known], [far, farther])).toEqual(shares(1, 1, [1]));
    // An encoding that recomputes nothing is not annealed, and the best one not twice.
    expect(ticks(finder, 129, [known], [poor])).toEqual([0]);
    expect(ticks(new LeastRecompute(long, ended()), limit, [known], [])).toEqual([0, 0]);
  });

  it('continues with the best carried choice, regardless of its place and of others', () => {
    const finder = new LeastRecompute(long, unlimited());
    const limit = 81;
    // Nothing more of them fits; the last is squeezed first.
    const ends = ['3000303000030003', '3000000330003003', '3000000033300003', '3333333333333333'];
    const lastHeard = (given: readonly string[]): number => {
      let last = Number.NaN;
      finder.within(limit, [], {
        moves: 0,
        tick: silent,
        ends: given.map((keep) => Int32Array.from(keep, Number)),
        onFound: (_, __, work) => {
          last = work;
        },
      });
      return last;
    };
    expect(ends.map((end) => lastHeard([end]))).toEqual([35, 39, 41, 29]);
    expect(lastHeard(ends.slice(0, 3))).toBe(35);
    expect(lastHeard(ends.slice(0, 3).reverse())).toBe(35);
    expect(lastHeard([ends[2]!, ends[0]!, ends[1]!])).toBe(35);
    expect(lastHeard(ends)).toBe(29);
  });

  describe('of large graphs', () => {
    /** The items of eight bytes cost no work, so no price lies between keeping and recomputing. */
    const free = (size: number): LiveModel =>
      modelOf(
        workChain(
          Array.from({ length: size }, (_, v) => (v % 2 === 1 ? 8 : 0)),
          Array.from({ length: size }, (_, v) => (v % 2 === 1 || v === 0 ? 0 : 1)),
        ),
      );

    /** All of those dropped. */
    const dropped = (model: LiveModel): KeepEncoding =>
      Int32Array.from({ length: model.items }, (_, item) => (item % 2 === 1 ? 0 : KEEP_ALL));

    it('tries a quarter of the prices', () => {
      const search = ended();
      void new LeastRecompute(modelOf(workChain(new Array(2001).fill(4), [])), search).starts;
      expect(search.ending.stopped?.unfinished).toEqual([{ what: 'minimum-cuts', tried: 0, of: 18 }]);
    });

    it('squeezes none, because that takes quadratic time', () => {
      for (const [size, fits] of [
        [100, true],
        [2001, false],
      ] as const) {
        const model = free(size);
        const finder = new LeastRecompute(model, unlimited());
        expect(finder.starts).toHaveLength(1);
        const { peak } = figures(model, finder.starts[0]!);
        const keep = finder.within(peak - 8, [], { moves: 0, tick: silent });
        expect(keep !== null).toBe(fits);
        expect(finder.within(peak, [], { moves: 0, tick: silent })).toEqual(finder.starts[0]);
      }
    });

    it('spends the known choice first, so that it exists in any time', () => {
      const order = (size: number, isKnownOnly = false): string[] => {
        const model = free(size);
        const finder = new LeastRecompute(model, unlimited());
        const known = dropped(model);
        const heard: string[] = [];
        const { peak } = figures(model, finder.starts[0]!);
        // Dropped for nothing, they are not kept again: that would be no less work.
        finder.within(peak, [known], {
          moves: 0,
          tick: silent,
          isKnownOnly,
          onFound: (keep) => void heard.push(keep.every((choice) => choice === KEEP_ALL) ? 'all' : 'known'),
        });
        return heard;
      };
      expect(order(100)).toEqual(['all', 'all', 'known']);
      expect(order(2001)).toEqual(['known', 'all', 'all']);
      expect(order(2001, true)).toEqual(['known']);
      const model = free(2001);
      const known = dropped(model);
      const { peak } = figures(model, known);
      const finder = new LeastRecompute(model, ended());
      expect(finder.within(peak, [known], { moves: 0, tick: silent })).not.toBeNull();
      expect(finder.within(peak - 1, [known], { moves: 0, tick: silent })).toBeNull();
    });
  });

  it('counts the work of its cuts', () => {
    let checks = 0;
    const search = new SearchLimit({ timeLimitSeconds: 1000 }, { tick: () => void checks++ });
    void new LeastRecompute(modelOf(workChain(new Array(100).fill(4), new Array(100).fill(1))), search)
      .starts;
    // 72 cuts of 500 looks an item: 3.6 million, of which each million is told.
    expect(checks).toBe(3);
  });
});

describe('the moves for one budget', () => {
  it('grow with the square of little graphs and shrink with the root of large ones', () => {
    expect(movesWithin(10)).toBe(3000);
    expect(movesWithin(100)).toBe(60_000);
    expect(movesWithin(1000)).toBe(60_000);
    expect(movesWithin(1_000_000)).toBe(6000);
  });

  it('are a sixth for each budget of a front', () => {
    expect([10, 100, 1_000_000].map(movesOfFront)).toEqual([500, 10_000, 1000]);
  });
});
