import type { GameTargets, JudgedSet } from '../../../../app/contract/checkpoint-game.ts';
import { type Goal, starsFor } from '../../../../engine/game/stars.ts';
import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import type { Best, Score } from '../../../state/game/scores.ts';
import { readSet, writeSet } from '../../../state/game/set-text.ts';
import type { PaperGraph } from '../state/paper-graph.ts';

export interface Measured {
  /** Eq. 2; null where it has no price. */
  readonly cost: number | null;
  /** Null where it is unknown yet, or cannot be kept. */
  readonly peak: number | null;
}

/** Start and end of both measures; the peak's end once the solver has said it. */
export interface Goals {
  readonly cost: Goal;
  readonly peak: Goal | null;
}

export function costOf(
  { tensors }: Pick<PaperGraph, 'tensors'>,
  set: readonly number[],
  batch: number,
): number | null {
  const cost = paperCost(tensors, set);
  return cost.ok ? cost.cost * batch : null;
}

export function measure(
  paper: Pick<PaperGraph, 'tensors'>,
  set: readonly number[],
  batch: number,
  judged: JudgedSet | undefined,
): Measured {
  const peak = judged === undefined || 'reason' in judged ? null : judged.peakBytes;
  return { cost: costOf(paper, set, batch), peak };
}

export function goalsOf(paper: PaperGraph, batch: number, targets: GameTargets | null): Goals {
  const regular = costOf(paper, [], batch) ?? 0;
  return {
    cost: { regular, least: paper.optimum.cost * batch },
    peak: targets && { regular: targets.regularPeakBytes, least: targets.leastPeakBytes },
  };
}

export interface Play {
  readonly set: readonly number[];
  readonly measured: Measured;
}

/** A stored best: its set and cost by the measure; null for a set that does not fit the network. */
export type Known = { readonly set: readonly number[]; readonly bytes: number } | null;

/**
 * The score after a set was tried: by each measure the better of both. What was stored counts as the set that it is, so
 * that stars which it does not deserve are taken back. After the optimum was looked at nothing is added.
 *
 * @param known the stored sets as they were judged again; undefined for one that is not judged yet, which stays
 */
export function scoreAfter(
  score: Score,
  { set, measured }: Play,
  goals: Goals,
  known: { readonly cost: Known | undefined; readonly peak: Known | undefined },
  size: number,
): Score {
  const better = (
    stored: Best | null,
    before: Known | undefined,
    now: number | null,
    goal: Goal | null,
  ): Best | null => {
    if (goal === null || (stored !== null && before === undefined)) return stored;
    const kept = stored === null || before === null || before === undefined ? null : before;
    const isBetter = !score.revealed && now !== null && set.length > 0 && (kept === null || now < kept.bytes);
    const [bytes, best] = isBetter ? [now, set] : [kept?.bytes ?? null, kept?.set ?? []];
    if (bytes === null) return null;
    const stars = starsFor(bytes, goal);
    return stars === 0 ? null : { stars, set: writeSet(best, size) };
  };
  return {
    cost: better(score.cost, known.cost, measured.cost, goals.cost),
    peak: better(score.peak, known.peak, measured.peak, goals.peak),
    revealed: score.revealed,
  };
}

export const isSameScore = (a: Score, b: Score): boolean => JSON.stringify(a) === JSON.stringify(b);

export const setOf = (best: Best | null, size: number): number[] | null =>
  best === null ? null : readSet(best.set, size);
