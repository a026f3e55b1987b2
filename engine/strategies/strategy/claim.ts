/**
 * Claim about a strategy's result: how exact, over which family of schedules. Data; the page
 * and the command line word. That a peak meets the lower bound is no claim: it shows in the row's figures.
 */
export type Claim =
  /** Least Eq. 1 or 2 over all sets of checkpoints. */
  | { readonly kind: 'least-paper-cost'; readonly equation: 1 | 2 }
  /** Origin of a plan from a file; empty when the file does not say. */
  | { readonly kind: 'given'; readonly strategy: string; readonly model: string }
  | {
      readonly kind: 'equal-segments';
      readonly segments: number;
      readonly stages: number;
      /** Every number of segments up to that of the stages was tried, else those nearest to its square root. */
      readonly all: boolean;
    }
  /** How many of the trials found a set that cuts the graph, each in at most so many draws. */
  | {
      readonly kind: 'random-sets';
      readonly valid: number;
      readonly trials: number;
      readonly draws: number;
    }
  /** Equal segments, as many as were asked for. */
  | { readonly kind: 'asked-segments'; readonly segments: number; readonly stages: number }
  /** Checkpoints that are held at once. */
  | { readonly kind: 'stages-in-slots'; readonly stages: number; readonly slots: number }
  | {
      readonly kind: 'stages-and-tapes-in-slots';
      readonly stages: number;
      readonly slots: number;
      /** Slots that a tape takes. */
      readonly tape: number;
    }
  /** Sizes were rounded up to multiples of a unit. */
  | { readonly kind: 'chain-within-budget'; readonly budgetBytes: number; readonly unitBytes: number }
  | {
      readonly kind:
        | 'chain-least-memory'
        /** Lowest peak, least recompute at it, of all schedules that forward each vertex at most twice. */
        | 'exact-peak'
        /** Least recompute within the budget of all schedules. */
        | 'exact-recompute'
        | 'peak-at-bound'
        | 'no-recompute';
    }
  /** A limit ended the search before anything was proved. */
  | { readonly kind: 'best-found' }
  /** Exact over a family, then annealed beyond it: all sequences of so many lower sets, or cuts of orders. */
  | { readonly kind: 'annealed-from-lower-sets'; readonly lowerSets: number }
  | { readonly kind: 'annealed-from-cuts'; readonly orders: number }
  /** The least recompute found: with each tensor recomputed at most once, or more often. */
  | { readonly kind: 'recompute-found'; readonly nested: boolean }
  /** Schedules with so many sweeps between two backward steps; the unproved part met the time limit. */
  | {
      readonly kind: 'milp-peak';
      readonly sweeps: number;
      readonly peakProved: boolean;
      readonly recomputeProved: boolean;
    }
  | {
      readonly kind: 'milp-within-budget';
      readonly sweeps: number;
      readonly budgetBytes: number;
      readonly proved: boolean;
    };

/** Claim of a row, which also depends on regular training. */
export type RowClaim =
  | Claim
  /** It recomputes, and regular training peaks no higher. What is known of the result besides, or null. */
  | { readonly kind: 'saves-nothing'; readonly besides: Claim | null }
  /** Regular training peaks lower. */
  | { readonly kind: 'above-regular'; readonly besides: Claim | null };
