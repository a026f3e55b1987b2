import { formatBytes } from '../../engine/bytes.ts';
import type { Claim, RowClaim } from '../../engine/strategies/strategy/claim.ts';
import type { Searched, SearchStop } from '../../engine/strategies/search/search-stop.ts';
import { percent } from './words.ts';

const ABOVE_REGULAR = 'worse than nothing here: regular training peaks lower';
const SAVES_NOTHING = 'saves nothing here: regular training has no higher peak and no recompute';

export const savesNothing = (claim: RowClaim | null): boolean => claim?.kind === 'saves-nothing';

/** Stands in a table in place of a share saved where nothing is. */
export const NOTHING_SAVED = 'nothing';

/**
 * Table cell for the share saved of the regular peak.
 *
 * @param cut a share of 1; negative where the peak lies above the regular one
 * @param space as of `percent`
 */
export function savedText(cut: number, isNothing: boolean, space?: string): string {
  if (cut < 0) return `${percent(-cut, space)} more`;
  return isNothing ? NOTHING_SAVED : percent(cut, space);
}

/** The claim with its bound, which proves what the strategy itself cannot. */
export interface Claimed {
  readonly claim: RowClaim | null;
  readonly peakBytes: number | null;
  readonly lowerBoundBytes: number | null;
  readonly stopped?: SearchStop | undefined;
}

/** Known facts about a row's result; null if none exists. */
export function claimText({ claim, peakBytes, lowerBoundBytes, stopped }: Claimed): string | null {
  const proved = peakBytes !== null && lowerBoundBytes !== null && peakBytes <= lowerBoundBytes;
  const result = claim?.kind === 'saves-nothing' || claim?.kind === 'above-regular' ? claim.besides : claim;
  const texts = [
    ...(claim?.kind === 'above-regular' ? [ABOVE_REGULAR] : []),
    ...(savesNothing(claim) ? [SAVES_NOTHING] : []),
    ...(result === null ? [] : [wordsOf(result)]),
    ...(stopped === undefined ? [] : [stopText(stopped)]),
    ...(proved ? ['proved optimal: the peak meets the lower bound'] : []),
  ];
  return texts.length === 0 ? null : texts.join('; ');
}

const SEARCHED_WORDS: Readonly<Record<Searched, string>> = {
  budgets: 'budgets',
  exact: 'exact searches',
  'lower-sets': 'lower sets',
  'linear-programs': 'linear programs',
  'minimum-cuts': 'minimum cuts',
  moves: 'moves',
  nested: 'searches of nested segments',
  'numbers-of-segments': 'numbers of segments',
  orders: 'orders',
  sources: 'sources of plans',
  starts: 'starts',
  trials: 'trials',
  values: 'values that could be kept',
};

/** Sentence about a limit that ended the search, and how far the search had come. */
export function stopText({ limitSeconds, by, unfinished }: SearchStop): string {
  const limit = by === 'clock' ? `${limitSeconds} s` : `the work of ${limitSeconds} s`;
  const parts = unfinished.map(
    ({ what, tried, of }) => `${tried}${of === null ? '' : ` of ${of}`} ${SEARCHED_WORDS[what]}`,
  );
  return `the search ended at its limit of ${limit}, after ${new Intl.ListFormat('en-GB').format(parts)}`;
}

const LIVE_CLASS = 'The best found with each tensor recomputed at most once';

function wordsOf(claim: Claim): string {
  switch (claim.kind) {
    case 'least-paper-cost':
      return `minimum of Eq. ${claim.equation} over all sets of checkpoints`;
    case 'given':
      return `made by ${claim.strategy || 'an unknown strategy'} for ${claim.model || 'this network'}`;
    case 'equal-segments':
      return (
        `lowest peak with ${claim.segments} segments, ` +
        `of ${claim.all ? 'all' : 'the nearest to the square root'} up to ${claim.stages}`
      );
    case 'random-sets':
      return claim.valid === claim.trials
        ? `the lowest peak of ${claim.valid} valid random sets`
        : `the lowest peak of ${claim.valid} valid random sets: the other ${claim.trials - claim.valid} trials found none in ${claim.draws} draws each`;
    case 'asked-segments':
      return `${claim.stages} stages in ${claim.segments} equal ${claim.segments === 1 ? 'segment' : 'segments'}, as asked`;
    case 'stages-in-slots':
      return `${claim.stages} stages with ${claim.slots} checkpoints held at once`;
    case 'stages-and-tapes-in-slots':
      return `${claim.stages} stages within ${claim.slots} slots, ${claim.tape} for a tape`;
    case 'chain-within-budget':
      return (
        `least recompute of its class within ${formatBytes(claim.budgetBytes)}, ` +
        `sizes rounded up to multiples of ${formatBytes(claim.unitBytes)}`
      );
    case 'chain-least-memory':
      return 'the least memory of its class';
    case 'exact-peak':
      return 'Exact: no schedule that forwards each vertex at most twice has a lower peak, or the same peak with less recompute';
    case 'exact-recompute':
      return 'Exact: no schedule fits with less recompute';
    case 'peak-at-bound':
      return 'No lower peak exists';
    case 'best-found':
      return `${LIVE_CLASS}; not proved optimal`;
    case 'annealed-from-lower-sets':
      return `${LIVE_CLASS}: the best of all sequences of the ${claim.lowerSets} lower sets, improved by annealing; not proved optimal`;
    case 'annealed-from-cuts':
      return (
        `${LIVE_CLASS}: the best path of cuts in ${claim.orders} topological ` +
        `${claim.orders === 1 ? 'order' : 'orders'}, improved by annealing; not proved optimal`
      );
    case 'no-recompute':
      return 'No plan is better: the budget is met without recompute';
    case 'recompute-found':
      return claim.nested
        ? 'The least recompute found, with tensors recomputed more than once; not proved optimal'
        : 'The least recompute found with each tensor recomputed at most once; not proved optimal';
    case 'milp-peak': {
      const of = swept(claim.sweeps);
      const peak = claim.peakProved
        ? `lowest peak of ${of}`
        : `time limit before the lowest peak of ${of} was proved`;
      return `${peak}, ${claim.recomputeProved ? 'least recompute at that peak' : 'its recompute not proved optimal'}`;
    }
    case 'milp-within-budget':
      return (
        `${claim.proved ? 'least recompute' : 'time limit before the least recompute was proved'} ` +
        `of ${swept(claim.sweeps)} within ${formatBytes(claim.budgetBytes)}`
      );
  }
}

const swept = (sweeps: number): string =>
  `schedules with ${sweeps === 1 ? 'one sweep' : `${sweeps} sweeps`} between two backward steps`;
