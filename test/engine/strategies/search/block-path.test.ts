import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../../engine/problem.ts';
import { regularFigures } from '../../../../engine/strategies/regular.ts';
import { BlockPath } from '../../../../engine/strategies/search/block-path.ts';
import { blocksOf } from '../../../../engine/strategies/search/blocks.ts';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { isTwiceAtMost, judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import { type LiveModel, liveModel } from '../../../../engine/strategies/search/live-model.ts';
import { givenOrder } from '../../../../engine/strategies/search/orders.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { inPrecision } from '../../../../engine/training-memory/precision.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { ARE_MANY, fewest } from '../../../support/draws.ts';
import { between, createRng, pick } from '../../../support/rng.ts';
import { CountedSearch, ended, unlimited } from '../../../support/search-limits.ts';
import { stagedProblems } from '../../../support/staged-graphs.ts';

const given = ({ graph, memory }: Problem): LiveModel => liveModel(graph, memory, givenOrder(graph));
const network = (name: string): Problem => createProblem(buildModel(name, { batch: 1 }), 'pytorch');
const NONE = Number.POSITIVE_INFINITY;

describe('blocksOf', () => {
  it('finds equal layers, whose choices are one list', () => {
    const { blocks, spanningBytes } = blocksOf(given(network('gpt2')));
    expect(blocks).toHaveLength(28);
    expect(new Set(blocks.map(({ choices }) => choices)).size).toBe(7);
    expect(spanningBytes).toBe(0);
    expect(blocksOf(given(network('nasnet'))).blocks).toHaveLength(0);
  });

  it.each(['llama-3.1-8b', 'deepseek-v2-lite'])(
    'finds the layers of %s in bfloat16, whose sums no backward needs',
    (name) => {
      const graph = buildModel(name, { batch: 1, input: 256, bytesPerElement: 2 });
      const { blocks } = blocksOf(given(createProblem(inPrecision(graph, 'bf16'), 'pytorch')));
      expect(blocks.length).toBeGreaterThan(50);
      expect(blocks.some(({ choices }) => choices.unused.length > 0)).toBe(true);
    },
  );

  it('counts what spans much of a network apart, as a U-Net’s outer skips', () => {
    const { blocks, spanningBytes } = blocksOf(given(network('unet')));
    expect(spanningBytes).toBeGreaterThan(0);
    expect(blocks).toHaveLength(40);
  });

  it('says of a choice what the curve says where ends are kept that backward needs, else no less', () => {
    const rng = createRng(820);
    let [compared, equal, above, notBelow] = [0, 0, 0, 0];
    for (const [name, problem] of stagedProblems(300, 821, { least: 4, most: 30 })) {
      const model = given(problem);
      const keep = new Int32Array(model.items).fill(KEEP_ALL);
      const { blocks, spanningBytes } = blocksOf(model);
      const chosen = blocks.map((block) => ({ block, choice: pick(rng, block.choices.kept) }));
      for (const { block, choice } of chosen) {
        choice.keeps.forEach((kept, n) => {
          if (block.first + n !== block.end) keep[block.first + n] = kept === 1 ? KEEP_ALL : 0;
        });
      }
      const { backward, work } = new ByteCurve(model, keep);
      let kept = model.bytes[0]! + spanningBytes;
      let isExact = spanningBytes === 0;
      for (const { block, choice } of chosen) {
        const most = Math.max(...backward.subarray(block.from + 1, block.at + 1));
        // Views reach into later blocks now and then, which the way learns from its curve.
        if (isExact) {
          if (kept + choice.afterKept === most) equal++;
          compared++;
        } else {
          if (kept + choice.afterKept >= most) notBelow++;
          above++;
        }
        isExact &&= block.choices.unused.length === 0;
        kept += choice.bytes + block.endBytes + block.endAux;
      }
      expect(
        chosen.reduce((sum, { choice }) => sum + choice.work, 0),
        name,
      ).toBe(work);
    }
    expect(compared).toBeGreaterThan(fewest(400));
    expect(equal / compared).toBeGreaterThan(0.97);
    expect(above).toBeGreaterThan(fewest(400));
    expect(notBelow / above).toBeGreaterThan(0.97);
  });
});

describe('BlockPath', () => {
  /** Least work within a budget over all that may be kept from the first forward on. */
  function leastWork(model: LiveModel, budget: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let mask = 0; mask < 2 ** (model.items - 1); mask++) {
      const keep = Int32Array.from({ length: model.items }, (_, item) =>
        item === 0 || ((mask >> (item - 1)) & 1) === 1 ? KEEP_ALL : 0,
      );
      const curve = new ByteCurve(model, keep);
      if (curve.fits(budget)) least = Math.min(least, curve.work);
    }
    return least;
  }

  it('is mostly the least recompute of one level, never above the budget where it says so', () => {
    const rng = createRng(822);
    let [all, least] = [0, 0];
    for (const [name, problem] of stagedProblems(400, 823, { least: 9, most: 12 })) {
      const model = given(problem);
      const budget = Math.floor((regularFigures(problem).peakBytes * between(rng, 60, 95)) / 100);
      const path = new BlockPath(model);
      const found = path.within(budget, NONE, unlimited(), 0);
      const best = leastWork(model, budget);
      if (found === null || best === NONE) continue;
      const curve = new ByteCurve(model, found.keep);
      expect(curve.fits(found.peak), name).toBe(true);
      expect(isTwiceAtMost(judgeKeep(problem, model, found.keep).schedule, problem.graph.size)).toBe(true);
      if (found.peak > budget) continue;
      expect(curve.work, name).toBeGreaterThanOrEqual(best);
      all++;
      if (curve.work === best) least++;
    }
    expect(all).toBeGreaterThanOrEqual(fewest(50));
    if (ARE_MANY) expect(least / all).toBeGreaterThan(0.8);
  });

  // Per cent of a forward that all other sources together came to, after up to 2.3 seconds: 8.66, 19.35, 1.88, 28.69.
  it.each([
    ['resnet152', 9.1, 4.8],
    ['cifar-resnet-110', 19.79, 3.2],
    ['densenet121', 1.9, 4.8],
    ['vit-b-16', 28.7, 2],
  ])('leads deep networks at 35 %% near the best known: %s', (name, percent, millionLooks) => {
    const problem = network(name);
    const model = given(problem);
    const budget = Math.floor(0.35 * regularFigures(problem).peakBytes);
    const search = new CountedSearch();
    const found = new BlockPath(model).within(budget, NONE, search, 0)!;
    expect(found.peak).toBeLessThanOrEqual(budget);
    const forward = model.work.reduce((sum, work) => sum + work, 0);
    expect((100 * new ByteCurve(model, found.keep).work) / forward).toBeLessThanOrEqual(percent);
    expect(search.looks / 1e6).toBeLessThan(millionLooks);
  });

  it('finds nothing that is not below what is known, and nothing once the search is over', () => {
    const problem = network('gpt2');
    const model = given(problem);
    const budget = Math.floor(0.5 * regularFigures(problem).peakBytes);
    const path = new BlockPath(model);
    let found = path.within(budget, NONE, unlimited(), 0);
    expect(found!.peak).toBeLessThanOrEqual(budget);
    for (let work = NONE; found !== null && found.peak <= budget; ) {
      const less = new ByteCurve(model, found.keep).work;
      expect(less).toBeLessThan(work);
      work = less;
      found = path.within(budget, work, unlimited(), 0);
    }
    expect(path.within(budget, NONE, ended(), 0)).toBeNull();
  });
});
