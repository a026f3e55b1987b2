import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gameRequestSchema, judgeRequestSchema } from '../../../../app/contract/checkpoint-game.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { gameTargets, judgeCheckpoints } from '../../../../main/solver/checkpoint-game.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { hintsFor } from '../../../../renderer/screens/graph/game/hints.ts';
import { effectText, moveText } from '../../../../renderer/screens/graph/game/say.ts';
import {
  costOf,
  goalsOf,
  isSameScore,
  measure,
  type Play,
  scoreAfter,
  setOf,
} from '../../../../renderer/screens/graph/game/score-of.ts';
import { idOfVertex } from '../../../../renderer/screens/graph/state/paper-graph.ts';
import { NO_SCORE, type Score } from '../../../../renderer/state/game/scores.ts';
import { writeSet } from '../../../../renderer/state/game/set-text.ts';
import { networkOf } from './network.ts';

const MIB = 2 ** 20;
const BATCH = 32;
const { paper } = networkOf('game-unequal');
const size = paper.tensors.size;
const memory = new SolverMemory();
const request = { model: 'game-unequal', batch: BATCH };
const targets = gameTargets(gameRequestSchema.parse(request), { memory, control: NO_CONTROL });
const goals = goalsOf(paper, BATCH, targets);
const judge = (set: readonly number[]) =>
  judgeCheckpoints(
    judgeRequestSchema.parse({ ...request, checkpoints: set.map((v) => idOfVertex(paper, v)) }),
    {
      memory,
    },
  );
const play = (set: readonly number[]): Play => ({ set, measured: measure(paper, set, BATCH, judge(set)) });

/** The score after each set in turn, as the page keeps it. */
function played(sets: readonly (readonly number[])[], first: Score = NO_SCORE): Score {
  return sets.reduce<Score>((score, set) => {
    const known = (best: Score['cost'], of: 'cost' | 'peak') => {
      const stored = setOf(best, size);
      const bytes = stored && play(stored).measured[of];
      return stored === null || bytes === null ? null : { set: stored, bytes };
    };
    const both = { cost: known(score.cost, 'cost'), peak: known(score.peak, 'peak') };
    return scoreAfter(score, play(set), goals, both, size);
  }, first);
}

const sets = fc.uniqueArray(fc.integer({ min: 1, max: size - 2 }));

describe('scores of a game', () => {
  it('have the goals of the papers’ optimum and of every tried set', () => {
    expect(goals.cost).toEqual({ regular: 40 * MIB, least: 16 * MIB });
    expect(goals.peak).toEqual({ regular: 45 * MIB, least: 21 * MIB });
    expect(goalsOf(paper, BATCH, null).peak).toBeNull();
  });

  it('are the best of the tried sets, by each measure', () => {
    fc.assert(
      fc.property(fc.array(sets, { minLength: 1, maxLength: 6 }), (tried) => {
        const score = played(tried);
        for (const of of ['cost', 'peak'] as const) {
          const least = Math.min(
            ...tried
              .filter((set) => set.length > 0)
              .map((set) => play(set).measured[of] ?? Number.POSITIVE_INFINITY),
          );
          const stored = setOf(score[of], size);
          if (least >= (goals[of]?.regular ?? 0)) expect(stored).toBeNull();
          else expect(stored && play(stored).measured[of]).toBe(least);
        }
        expect(isSameScore(played(tried, score), score)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('are three stars at both optima, and none after the answers were shown', () => {
    const least = targets.checkpoints.map((id) => paper.vertexOf.get(id) ?? 0);
    const all = [paper.optimum.checkpoints, least];
    expect(played(all)).toMatchObject({ cost: { stars: 3 }, peak: { stars: 3 } });
    expect(played(all, { ...NO_SCORE, revealed: true })).toEqual({ ...NO_SCORE, revealed: true });
    const before = played([[3]]);
    expect(played(all, { ...before, revealed: true })).toEqual({ ...before, revealed: true });
  });

  it('drop undeserved stars of stored sets, and sets of no network', () => {
    const forged: Score = {
      cost: { stars: 3, set: writeSet([6], size) },
      peak: { stars: 3, set: '??' },
      revealed: false,
    };
    const score = played([[]], forged);
    expect(score.cost?.stars).toBe(1);
    expect(score.peak).toBeNull();
  });

  it('wait for sets that are not judged yet', () => {
    const before = played([[3, 6]]);
    const unknown: Play = { set: [3], measured: measure(paper, [3], BATCH, undefined) };
    const after = scoreAfter(
      before,
      unknown,
      goals,
      { cost: { set: [3, 6], bytes: 1 }, peak: undefined },
      size,
    );
    expect(after.peak).toEqual(before.peak);
  });
});

describe('hints', () => {
  const hints = (own: readonly number[]) =>
    hintsFor({ paper, own, batch: BATCH, judged: judge(own), targets }).map(({ text }) =>
      text.replaceAll(/\s/g, ' '),
    );

  it('name the largest segment, the peak, and how many tensors the answers keep', () => {
    const [segment, peak, count, bound] = hints([6]);
    expect(segment).toContain('between input and f6 and takes 24.0 MiB; the checkpoints take 1.00 MiB');
    expect(segment).toContain('cut it at a small tensor');
    const judged = judge([6]);
    if ('reason' in judged) throw new Error(judged.reason);
    expect(peak).toContain(`The peak of ${judged.peakBytes / MIB}.0 MiB is at the ${judged.peak.pass} of`);
    expect(count).toBe('A set with the minimum of Eq. 2 keeps 3 tensors; yours keeps 1.');
    expect(bound).toBe('A set with the minimal peak keeps 3 tensors. No schedule has a peak below 19.0 MiB.');
  });

  it('advise dropping checkpoints that outweigh the segments, and name no segments without any', () => {
    expect(hints([1, 2, 4, 5])[0]).toContain('drop one');
    const every = Array.from({ length: size - 2 }, (_, i) => i + 1);
    expect(hints(every)[0]).toContain('The peak of');
  });

  it('say why Eq. 2 does not apply, and show where', () => {
    const branch = networkOf('game-branch').paper;
    const own = [branch.vertexOf.get('left1') ?? 0];
    const [hint] = hintsFor({ paper: branch, own, batch: BATCH, judged: null, targets: null });
    expect(hint?.text).toContain('is not an independent segment because');
    expect(hint?.vertices).toContain(own[0]);
  });
});

it('the sentence on a move names the kept or dropped tensor, and the effect', () => {
  expect(moveText({ kept: ['f3'], dropped: [] })).toBe('Kept f3');
  expect(moveText({ kept: ['a'], dropped: ['b', 'c'] })).toBe('Kept a, dropped b, c');
  expect(moveText({ kept: [], dropped: ['a', 'b', 'c', 'd'] })).toBe('Dropped 4 tensors');
  const text = effectText({ cost: 3 * MIB, peak: 5 * MIB }, { cost: 4 * MIB, peak: 5 * MIB }).replaceAll(
    /\s/g,
    ' ',
  );
  expect(text).toBe('Eq. 2 4.00 MiB, 1.00 MiB more; peak 5.00 MiB, as before');
  expect(effectText(null, { cost: null, peak: null })).toBe('Eq. 2 does not apply');
  expect(costOf(networkOf('game-branch').paper, [2], 32)).toBeNull();
});
