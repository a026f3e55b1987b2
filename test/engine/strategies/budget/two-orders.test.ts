import { describe, expect, it } from 'vitest';
import { LeastWork } from '../../../../engine/strategies/budget/least-work.ts';
import { judgeKeep } from '../../../../engine/strategies/search/candidate.ts';
import { KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { lowestPeak } from '../../../../engine/strategies/live/lowest-peak.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { ended } from '../../../support/search-limits.ts';
import { bytesProblem } from '../../../support/problems.ts';

const silent = (): void => undefined;
const shortly = (): SearchLimit => new SearchLimit({ timeLimitSeconds: 0.3 }, NO_CONTROL);

/** Thirteen vertices of several branches, and a tail of one byte each. */
function branches(size: number): Problem {
  const bytes = [3, 9, 3, 7, 7, 1, 8, 9, 6, 2, 4, 4, 1];
  let edges = '0>1 0>2 0>3 0>4 4>5 5>6 0>7 5>8 8>9 2>10 10>11 7>12 1>12 3>12 6>12 9>12 11>12';
  for (let v = 13; v < size; v++) {
    bytes.push(1);
    edges += ` ${v - 1}>${v}`;
  }
  return bytesProblem(bytes, edges);
}

function regularOf(problem: Problem, model: LiveModel): number {
  return judgeKeep(problem, model, new Int32Array(model.items).fill(KEEP_ALL)).peakBytes;
}

describe('LeastWork under two orders', () => {
  it('keeps everything under the given order where that takes less', () => {
    const problem = branches(13);
    const [best] = lowestPeak(problem, ended(), 1).choices;
    expect([regularOf(problem, best!.model), regularOf(problem, modelOf(problem))]).toEqual([108, 106]);
    const at = new LeastWork(problem, ended(), 1);
    expect(at.regular.peakBytes).toBe(106);
    // Of two that recompute nothing the lower.
    expect(at.within(200, { moves: 0, tick: silent }).peakBytes).toBe(106);
  });

  it('keeps everything under the order of least peak where that takes less', () => {
    const fork = bytesProblem(
      [1, 5, 9, 3, 8, 2, 7, 4, 9, 6, 5, 9, 8, 3],
      '0>1 1>2 2>3 3>4 4>5 5>6 6>13 1>7 7>8 8>9 9>10 10>11 11>12 12>13',
    );
    const at = new LeastWork(fork, shortly(), 1);
    expect(at.regular.peakBytes).toBe(97);
    expect(at.within(200, { moves: 0, tick: silent }).peakBytes).toBe(97);
  });

  it('shares moves and the way between both', () => {
    const at = new LeastWork(branches(70), shortly(), 1);
    at.nested(silent);
    const [low, high] = [at.lowest.peakBytes, at.regular.peakBytes];
    expect([low, high]).toEqual([83, 123]);
    const ticks = (budget: number, moves: number): number[] => {
      const heard: number[] = [];
      expect(
        at.within(budget, { moves, tick: (done) => void heard.push(done) }).peakBytes,
      ).toBeLessThanOrEqual(budget);
      return heard;
    };
    for (const budget of [low, 100]) expect(ticks(budget, 128)).toEqual([0, 0, 0.5]);
    // Where everything fits nothing is searched.
    expect(ticks(high, 128)).toEqual([]);
    expect(ticks(high - 1, 128).length).toBeGreaterThan(0);
  });

  it('searches for no budget that no plan of one level is within', () => {
    const problem = workChain(
      Array.from({ length: 66 }, (_, v) => 2 + ((v * 7) % 5)),
      Array.from({ length: 66 }, (_, v) => 1 + ((v * 11) % 7)),
    );
    const at = new LeastWork(problem, shortly(), 1);
    const shares: number[] = [];
    at.nested((done) => void shares.push(done));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.filter((done) => done > 0 && done < 0.9).length).toBeGreaterThan(10);
    expect(shares.at(-1)).toBeLessThanOrEqual(0.9);
    const ticks = (budget: number): number => {
      let heard = 0;
      at.within(budget, { moves: 64, tick: () => void heard++ });
      return heard;
    };
    const low = at.lowest.peakBytes;
    expect(ticks(low)).toBeGreaterThan(0);
    expect(ticks(low - 1)).toBe(0);
  });
});
