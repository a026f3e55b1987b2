import { describe, expect, it } from 'vitest';
import { LeastRecompute } from '../../../../engine/strategies/budget/least-recompute.ts';
import { movesWithin } from '../../../../engine/strategies/budget/moves.ts';
import { ByteCurve } from '../../../../engine/strategies/live/byte-curve.ts';
import { type Choices, KEEP_ALL } from '../../../../engine/strategies/live/choice.ts';
import type { LiveModel } from '../../../../engine/strategies/live/live-model.ts';
import { SearchLimit } from '../../../../engine/strategies/search-limit.ts';
import { ended, modelOf, unlimited, workChain } from '../../../support/live-models.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng } from '../../../support/rng.ts';

const silent = (): void => undefined;

function figures(model: LiveModel, keep: Choices): { peak: number; work: number } {
  const curve = new ByteCurve(model, keep);
  curve.measure(0);
  return { peak: curve.peak, work: curve.work };
}

/** Every choice of what is kept to its end and what is not. */
function allChoices(model: LiveModel): { keep: Choices; peak: number; work: number }[] {
  return Array.from({ length: 2 ** (model.items - 1) }, (_, code) => {
    const keep = Int32Array.from({ length: model.items }, (_, item) =>
      ((2 * code + 1) >> item) & 1 ? KEEP_ALL : 0,
    );
    return { keep, ...figures(model, keep) };
  });
}

describe('LeastRecompute', () => {
  it('recomputes no more within a limit than any choice of what is kept to its end', () => {
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

  it('starts with everything kept and has distinct cuts after it', () => {
    const { starts } = new LeastRecompute(chain, unlimited());
    expect([...starts[0]!]).toEqual(new Array(7).fill(KEEP_ALL));
    expect(new Set(starts.map((keep) => keep.join())).size).toBeGreaterThanOrEqual(starts.length - 1);
    expect(starts.length).toBeLessThan(10);
    // From the highest price of work to the lowest: the cheapest work is given up first.
    expect(starts.map((keep) => keep.join(''))).toEqual(
      expect.arrayContaining(['3303333', '3303033', '3003033', '3000033']),
    );
  });

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

  it('finds without annealing what is least on a chain', () => {
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

  it('tells every choice on the way that fits, with its figures', () => {
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

  it('carries on from other limits, and from what is known', () => {
    const finder = new LeastRecompute(chain, unlimited());
    const all = allChoices(chain);
    const lowest = all.reduce((a, b) => (b.peak < a.peak ? b : a));
    const from = (effort: { known?: Choices[]; ends?: Choices[] }): string[] => {
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

  it('answers from what is known where the search may not go on', () => {
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

  it('counts the work of its cuts', () => {
    let checks = 0;
    const search = new SearchLimit({ timeLimitSeconds: 1000 }, { tick: () => void checks++ });
    new LeastRecompute(modelOf(workChain(new Array(100).fill(4), new Array(100).fill(1))), search);
    // 72 cuts of 500 looks an item: 3.6 million, of which each million is told.
    expect(checks).toBe(3);
  });
});

describe('the moves for one budget', () => {
  it('grow with the square of little graphs and shrink with large ones', () => {
    expect(movesWithin(10)).toBe(3000);
    expect(movesWithin(100)).toBe(60_000);
    expect(movesWithin(1000)).toBe(30_000);
  });
});
