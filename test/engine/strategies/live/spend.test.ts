import { describe, expect, it } from 'vitest';
import { annealPeak, annealWork } from '../../../../engine/strategies/live/anneal.ts';
import { ByteCurve } from '../../../../engine/strategies/live/byte-curve.ts';
import { KEEP_ALL, KEEP_AUX, KEEP_VALUE, keepUntil } from '../../../../engine/strategies/live/choice.ts';
import type { LiveModel } from '../../../../engine/strategies/live/live-model.ts';
import { Mover } from '../../../../engine/strategies/live/mover.ts';
import { spend } from '../../../../engine/strategies/live/spend.ts';
import { spendInBlocks } from '../../../../engine/strategies/live/spend-in-blocks.ts';
import { SearchLimit } from '../../../../engine/strategies/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy.ts';
import { CountedSearch, ended, modelOf, unlimited, workChain } from '../../../support/live-models.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng, pick, type Rng } from '../../../support/rng.ts';

function curveOf(problem: Problem, keep: Iterable<number>): ByteCurve {
  const curve = new ByteCurve(modelOf(problem), Int32Array.from(keep));
  curve.measure(0);
  return curve;
}

const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
// All but v5 and v6 recomputed: v2 is worth most a byte, then v4, v3, v1.
const chain = workChain([1, 8, 8, 8, 8, 8, 1], [0, 2, 9, 4, 7, 3, 1]);
const nothing = [3, 0, 0, 0, 0, 3, 3];
const everything = [3, 3, 3, 3, 3, 3, 3];

const WAYS = [
  ['one by one', (curve: ByteCurve, limit: number) => spend(curve, limit, unlimited())],
  ['in blocks', (curve: ByteCurve, limit: number) => spendInBlocks(curve, limit, unlimited())],
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
        spend(curve, limit, unlimited(), 10);
        spend(curve, limit, unlimited(), 10);
        const settled = [...curve.keep];
        spend(curve, limit, unlimited(), 1);
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

describe('spend', () => {
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
          spend(curve, tight.peak + room, unlimited(), rounds);
          const kept = [...curve.keep];
          expect(kept).toEqual(spentPlainly(model, start, tight.peak + room, rounds));
          return kept;
        });
        expect(none).toEqual([...start]);
        if (once!.join() !== twice!.join()) more++;
        // Two rounds where nobody says.
        const usual = new ByteCurve(model, start);
        spend(usual, tight.peak + room, unlimited());
        expect([...usual.keep]).toEqual(twice);
      }
    }
    expect(more).toBeGreaterThan(3);
  });

  it('ends with the first round that changes nothing', () => {
    const search = new SearchLimit({ timeLimitSeconds: 0.01 }, NO_CONTROL);
    const curve = curveOf(chain, nothing);
    spend(curve, curveOf(chain, everything).peak, search, 1e6);
    expect([...curve.keep]).toEqual(everything);
    expect(search.isReached).toBe(false);
    // Nothing fits at all.
    spend(curveOf(chain, nothing), 1, search, 1e6);
    expect(search.isReached).toBe(false);
  });

  it('looks at four numbers an item for each value', () => {
    // Seven items: the third value is one too many.
    const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
    search.look(1e6 - 3 * 28);
    const curve = curveOf(chain, nothing);
    spend(curve, curveOf(chain, everything).peak, search);
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
    spend(curve, full.peak, unlimited());
    expect([...curve.keep]).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('says how many values were left where it may not go on', () => {
    const search = ended();
    const curve = curveOf(chain, nothing);
    spend(curve, curveOf(chain, everything).peak, search);
    expect([...curve.keep]).toEqual(nothing);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'values', tried: 0, of: 4 }]);
  });

  it('spends as many rounds as it is told', () => {
    // Nothing that one round leaves is taken by none.
    const curve = curveOf(chain, nothing);
    spend(curve, 1e9, unlimited(), 0);
    expect([...curve.keep]).toEqual(nothing);
    spend(curve, 1e9, unlimited(), 1);
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
    spend(curve, limit, unlimited());
    expect(curve.fits(limit)).toBe(true);
    expect(work - curve.work).toBeGreaterThanOrEqual(100);
    expect(limit - curve.peak).toBeLessThan(8);
    // Looked at before it begins: nearly all that it may look at.
    const search = new SearchLimit({ timeLimitSeconds: 0.005 }, NO_CONTROL);
    search.look(950_000);
    const early = new ByteCurve(model, keep);
    spend(early, limit, search);
    expect(early.fits(limit)).toBe(true);
    const { unfinished } = search.ending.stopped!;
    expect(unfinished).toEqual([{ what: 'values', tried: expect.any(Number), of: size - 1 - 45 }]);
    expect(unfinished[0]!.tried).toBeGreaterThan(0);
    expect(unfinished[0]!.tried).toBeLessThan(size - 46);
  });
});

/** Whether a value has room from its last forward to the step that recomputes it, looked at position by position. */
function hasRoom({ again, until, keep, model, forward, backward }: ByteCurve, item: number, limit: number) {
  if (until[item]! < model.order.length) return true;
  const event = again[item]!;
  const inputs = [...model.ins.subarray(model.inOffsets[item], model.inOffsets[item + 1])];
  // What is kept for its recompute alone goes instead.
  const goes = inputs.filter((input) => input > 0 && keep[input] !== 0 && until[input] === event);
  const most = goes.reduce((sum, input) => sum + model.bytes[input]!, limit - model.bytes[item]!);
  const held = [...forward.subarray(model.lastForward[item]! + 1), ...backward.subarray(event + 1)];
  return most >= 0 && held.every((bytes) => bytes <= most);
}

/** `spendInBlocks` by the letter, every block from scratch; with what it looks at. */
function spentInBlocks(
  model: LiveModel,
  start: Int32Array,
  limit: number,
): { keep: number[]; looks: number } {
  const { items } = model;
  const from = (choices: readonly number[]): ByteCurve => {
    const curve = new ByteCurve(model, Int32Array.from(choices));
    curve.measure(0);
    return curve;
  };
  let keep = [...start];
  let now = from(keep);
  const density = (item: number): number =>
    model.work[item]! / (model.bytes[item]! + model.auxBytes[item]! + 1);
  const dropped = keep
    .flatMap((_, item) => (item > 0 && now.again[item]! >= 0 ? [item] : []))
    .toSorted((a, b) => density(b) - density(a) || b - a);
  let [at, length, looks] = [0, 1, 0];
  while (at < dropped.length) {
    const block = dropped
      .slice(at, at + length)
      .filter((item) => now.again[item]! >= 0 && keep[item] !== KEEP_ALL && hasRoom(now, item, limit));
    looks += length + (block.length > 0 ? 400 * block.length + 2 * items : 0);
    if (block.length === 0) {
      at += length;
      continue;
    }
    const more = keep.map((choice, item) => (block.includes(item) ? KEEP_ALL : choice));
    const then = from(more);
    if (then.peak <= limit && then.work < now.work - 1e-9) {
      [keep, now] = [more, then];
      at += length;
      length = Math.min(2 * length, Math.max(1, items >> 5));
    } else {
      if (length === 1) at++;
      length = Math.max(1, length >> 2);
    }
  }
  return { keep, looks };
}

describe('spending in blocks', () => {
  it('tries blocks that double and quarter, of what has room, densest and last made first', () => {
    const rng = createRng(125);
    let [spent, refused] = [0, 0];
    for (let i = 0; i < 150; i++) {
      const vertices = i < 110 ? between(rng, 4, 16) : between(rng, 70, 260);
      const problem = measuredProblem(measuredGraph(rng, { vertices }));
      const model = modelOf(problem);
      const choices = i % 2 === 0 ? [0, 0, 0, 1, 2, 3] : [0, 0, 1, 3, keepUntil(1), keepUntil(3) ^ KEEP_AUX];
      const start = Int32Array.from({ length: model.items }, () => pick(rng, choices));
      const tight = new ByteCurve(model, start);
      tight.measure(0);
      for (const room of vertices > 16 ? [0, 40, 150] : [-2, 0, 3, 9, 25]) {
        const curve = new ByteCurve(model, start);
        const search = new CountedSearch();
        spendInBlocks(curve, tight.peak + room, search);
        const plain = spentInBlocks(model, start, tight.peak + room);
        expect([...curve.keep]).toEqual(plain.keep);
        expect(search.looks).toBe(plain.looks);
        if (curve.keep.join() === start.join()) refused++;
        else spent++;
      }
    }
    expect(Math.min(spent, refused)).toBeGreaterThan(50);
  });
});

/** Numbers in [0, 1) given in this order. */
function given(...numbers: number[]): Rng {
  const next = (): number => {
    const number = numbers.shift();
    if (number === undefined) throw new Error('no number is left');
    return number;
  };
  return { next, below: (bound) => Math.floor(next() * bound) };
}

describe('Mover', () => {
  const full = (): ByteCurve => curveOf(chain, everything);

  function moved(curve: ByteCurve, ...numbers: number[]): number[] {
    const before = [...curve.keep];
    const mover = new Mover(curve, given(...numbers));
    mover.propose();
    const after = [...curve.keep];
    mover.undo();
    expect([...curve.keep]).toEqual(before);
    return after;
  }

  it('drops an item, or keeps it again', () => {
    // v3 has two uses in backward; the second number says that it is not kept for some of them.
    expect(moved(full(), 0.4, 0.5, 0.9)).toEqual([3, 3, 3, 0, 3, 3, 3]);
    expect(moved(curveOf(chain, nothing), 0.4, 0.5, 0.9)).toEqual([3, 0, 0, 3, 0, 3, 3]);
    expect(moved(full(), 0, 0.5, 0.9)).toEqual([3, 0, 3, 3, 3, 3, 3]);
    // The last has one use.
    expect(moved(full(), 0.99, 0.9)).toEqual([3, 3, 3, 3, 3, 3, 0]);
  });

  it('keeps a value for the first of its uses in backward', () => {
    // Backward v4 and v3 use v3.
    expect(moved(full(), 0.4, 0.1, 0)).toEqual([3, 3, 3, keepUntil(3), 3, 3, 3]);
    expect(moved(full(), 0.4, 0.1, 0.99)).toEqual([3, 3, 3, keepUntil(3), 3, 3, 3]);
    expect(moved(full(), 0.4, 0.15, 0.9)).toEqual([3, 3, 3, 0, 3, 3, 3]);
  });

  it('shifts to one close by: keeps one for dropping the other', () => {
    const some = [3, 3, 0, 3, 0, 3, 3];
    // 0.5 is v3 itself of 21 steps, from ten before to ten after.
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 11.5 / 21)).toEqual([3, 3, 0, 0, 3, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 9.5 / 21)).toEqual([3, 3, 3, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 10.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    // Never both dropped, and nothing beyond the ends.
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 12.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 7.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 14.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 0)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.8, 0.9)).toEqual([3, 3, 0, 0, 0, 3, 3]);
  });

  it('changes value and auxiliary apart', () => {
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 9, inputs: [0], keeps: { ...none, auxBytes: 4 } },
      { bytes: 1, flops: 9, inputs: [1], keeps: none },
    ]);
    const curve = curveOf(problem, [3, 3, 3]);
    expect(moved(curve, 0, 0, 0.9)).toEqual([3, 3 ^ KEEP_VALUE, 3]);
    expect(moved(curve, 0, 0.5, 0.9)).toEqual([3, 3 ^ KEEP_AUX, 3]);
    expect(moved(curve, 0, 0.99, 0.9)).toEqual([3, 0, 3]);
  });
});

describe('annealing', () => {
  const options = (moves: number, seed = 1, ticks: number[] = []) => ({
    moves,
    rng: createRng(seed),
    search: unlimited(),
    tick: (done: number) => void ticks.push(done),
  });

  /** The least peak, and the least work within a limit, of all that is kept to its end. */
  function leastOf(problem: Problem, limit = Number.POSITIVE_INFINITY): { peak: number; work: number } {
    const model = modelOf(problem);
    let peak = Number.POSITIVE_INFINITY;
    let work = Number.POSITIVE_INFINITY;
    for (let code = 0; code < 2 ** (model.items - 1); code++) {
      const curve = curveOf(
        problem,
        Array.from({ length: model.items }, (_, i) => (((2 * code + 1) >> i) & 1 ? 3 : 0)),
      );
      peak = Math.min(peak, curve.peak);
      if (curve.peak <= limit) work = Math.min(work, curve.work);
    }
    return { peak, work };
  }

  it('reaches the least peak of little graphs and leaves it in the curve', () => {
    const rng = createRng(122);
    let reached = 0;
    const graphs = 25;
    for (let i = 0; i < graphs; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 9) }));
      const curve = curveOf(problem, new Array<number>(modelOf(problem).items).fill(KEEP_ALL));
      const before = curve.peak;
      const peak = annealPeak(curve, options(1500, i));
      const scratch = new ByteCurve(curve.model, curve.keep);
      scratch.measure(0);
      expect(scratch.peak).toBe(peak);
      expect(curve.peak).toBe(peak);
      expect(peak).toBeLessThanOrEqual(before);
      if (peak <= leastOf(problem).peak) reached++;
    }
    expect(reached).toBeGreaterThanOrEqual(graphs - 1);
  });

  it('does the least work within a limit on little graphs', () => {
    const rng = createRng(123);
    let reached = 0;
    let asked = 0;
    for (let i = 0; i < 25; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 5, 9) }));
      const model = modelOf(problem);
      const full = curveOf(problem, new Array<number>(model.items).fill(KEEP_ALL));
      const limit = Math.floor((leastOf(problem).peak + full.peak) / 2);
      // From the least peak.
      const curve = curveOf(problem, full.keep);
      annealPeak(curve, options(1500, i));
      if (curve.peak > limit) continue;
      const before = curve.work;
      expect(annealWork(curve, limit, options(1500, i))).toBe(true);
      expect(curve.peak).toBeLessThanOrEqual(limit);
      expect(curve.work).toBeLessThanOrEqual(before);
      asked++;
      if (curve.work <= leastOf(problem, limit).work) reached++;
    }
    expect(asked).toBeGreaterThan(20);
    expect(reached).toBeGreaterThanOrEqual(17);
  });

  it('stays where no move is allowed, and where there is nothing to move', () => {
    const curve = curveOf(chain, nothing);
    const { peak, work } = curve;
    expect(annealPeak(curve, options(0))).toBe(peak);
    expect([...curve.keep]).toEqual(nothing);
    expect(annealWork(curve, peak, options(0))).toBe(true);
    expect(annealWork(curve, peak - 1, options(0))).toBe(false);
    expect(curve.work).toBe(work);
    const free = curveOf(chain, everything);
    expect(annealWork(free, free.peak, options(10))).toBe(true);
    expect([...free.keep]).toEqual(everything);
  });

  it('comes within a limit from above', () => {
    const curve = curveOf(chain, everything);
    const { peak } = leastOf(chain);
    const start = curveOf(chain, [3, 0, 3, 3, 3, 3, 3]);
    expect(start.peak).toBeGreaterThan(peak);
    expect(annealWork(start, peak, options(4000))).toBe(true);
    expect(start.work).toBe(leastOf(chain, peak).work);
    expect(curve.work).toBe(0);
  });

  it('tells the share done every 64 moves, and ends where the search does', () => {
    for (const anneal of [
      (curve: ByteCurve, how: ReturnType<typeof options>) => annealPeak(curve, how),
      (curve: ByteCurve, how: ReturnType<typeof options>) => annealWork(curve, curve.peak, how),
    ]) {
      const ticks: number[] = [];
      anneal(curveOf(chain, nothing), options(256, 1, ticks));
      expect(ticks).toEqual([0, 0.25, 0.5, 0.75]);
      const search = ended();
      const curve = curveOf(chain, nothing);
      anneal(curve, { ...options(256), search });
      expect([...curve.keep]).toEqual(nothing);
      expect(search.ending.stopped?.unfinished).toEqual([{ what: 'moves', tried: 0, of: 256 }]);
    }
  });

  it('is the same for the same stream of numbers', () => {
    const keeps = [1, 1, 2].map((seed) => {
      const curve = curveOf(chain, everything);
      annealPeak(curve, options(40, seed));
      return curve.keep.join();
    });
    expect(keeps[0]).toBe(keeps[1]);
  });
});
