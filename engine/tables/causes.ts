import { bytesPer } from '../bytes.ts';
import type { AuthorsFigure } from './authors/authors-figures.ts';
import { MEMORY_RULES } from './authors/rules.ts';

/** Differences of memory up to this, in percent of the paper's figure, need no cause; nor do so many points of time. */
export const EXPLAINED_ABOVE_PCT = 1;
export const EXPLAINED_ABOVE_POINTS = 3;

/** Computed causes of differences between the authors' figures and ours. */
export const DIFFERENCE_CAUSES = [
  ...MEMORY_RULES,
  'reentrant',
  'drawn-sets',
  'few-budgets',
  'two-batches',
] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];

export const DIFFERENCE_COLUMNS = ['regular', 'random', 'chen', 'ours'] as const;
export type DifferenceColumn = (typeof DIFFERENCE_COLUMNS)[number];

/**
 * By how much a cause moves our figure of a column, MB of 2^20 bytes; towards the paper's or away from it. A rule of the
 * authors' program is in our figure already.
 */
export interface ComputedCause {
  readonly kind: DifferenceCause;
  readonly column: DifferenceColumn;
  readonly megabytes: number;
}

/** Remainder without a computed cause: the paper's figure less ours less the causes. */
export interface Unexplained {
  readonly kind: 'unexplained';
  readonly column: DifferenceColumn;
  readonly megabytes: number;
  /** Percent of the paper's figure. */
  readonly percent: number;
}

/** The paper's time overhead less the predicted one, in points; nothing of it is computed. */
export interface UnexplainedTime {
  readonly kind: 'unexplained-time';
  readonly points: number;
}

/** The paper draws this network and does not list its layers. */
export interface OwnDesign {
  readonly kind: 'own-design';
}

/** The printed theoretical cut-off less ours, in points. */
export interface UnexplainedCutoff {
  readonly kind: 'unexplained-cutoff';
  readonly points: number;
}

export type Cause = ComputedCause | Unexplained | UnexplainedTime | UnexplainedCutoff | OwnDesign;

/** Our figure of one column beside the paper's, and what the authors' method adds to it. */
export interface Difference {
  readonly column: DifferenceColumn;
  readonly paperMB: number | null;
  readonly oursMB: number | null;
  readonly effects: readonly Omit<ComputedCause, 'column'>[];
  /** Effects that our figure has already. */
  readonly counted?: readonly Omit<ComputedCause, 'column'>[];
}

/** Below this, in MB, an effect explains nothing. */
const LEAST_MB = 0.5;

/** The computed causes of a column, none where its difference needs none, and what they leave over. */
export function explain({
  column,
  paperMB,
  oursMB,
  effects,
  counted = [],
}: Difference): readonly (ComputedCause | Unexplained)[] {
  if (paperMB === null || oursMB === null) return [];
  const whole = paperMB - oursMB;
  const named = Math.abs(whole) > (EXPLAINED_ABOVE_PCT / 100) * paperMB ? effects : [];
  const causes = named
    .filter(({ megabytes }) => Math.abs(megabytes) >= LEAST_MB)
    .map(({ kind, megabytes }) => ({ kind, column, megabytes }));
  const left = causes.reduce((rest, { megabytes }) => rest - megabytes, whole);
  return [
    ...counted.map((cause) => ({ ...cause, column })),
    ...causes,
    { kind: 'unexplained', column, megabytes: left, percent: (left / paperMB) * 100 },
  ];
}

/** The rules that our figure of the authors' program counts, as far as each moves it by what would need a cause. */
export function countedRules({ effects }: AuthorsFigure, paperMB: number): Difference['effects'] {
  return effects
    .map(({ rule, bytes }) => ({ kind: rule, megabytes: bytes / bytesPer('MiB') }))
    .filter(({ megabytes }) => Math.abs(megabytes) > (EXPLAINED_ABOVE_PCT / 100) * paperMB);
}

/** A figure drawn with an unknown seed may be any of the range: the way from the median to the paper's within it. */
export function drawnSets(
  paperMB: number | null,
  [lowMB, medianMB, highMB]: readonly (number | null)[],
): Difference['effects'] {
  if (paperMB === null || lowMB == null || medianMB == null || highMB == null) return [];
  return [{ kind: 'drawn-sets', megabytes: Math.min(Math.max(paperMB, lowMB), highMB) - medianMB }];
}
