import { bytesPer } from '../bytes.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { simulate } from '../simulate/simulate.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';
import { allocated, protocolPeak } from './protocol-peak.ts';

/** Differences of memory up to this, in percent of the paper's figure, need no cause; nor do so many points of time. */
export const EXPLAINED_ABOVE_PCT = 1;
export const EXPLAINED_ABOVE_POINTS = 3;

/** Computed causes of differences between the authors' figures and ours. */
export const DIFFERENCE_CAUSES = [
  'allocator-rounding',
  'weight-gradients',
  'drawn-sets',
  'few-budgets',
  'two-batches',
] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];

export const DIFFERENCE_COLUMNS = ['regular', 'random', 'chen', 'ours'] as const;
export type DifferenceColumn = (typeof DIFFERENCE_COLUMNS)[number];

/** By how much a cause moves our figure of a column, MB of 2^20 bytes; towards the paper's or away from it. */
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

export type Cause = ComputedCause | Unexplained | UnexplainedTime | OwnDesign;

/** Our figure of one column beside the paper's, and what the authors' method adds to it. */
export interface Difference {
  readonly column: DifferenceColumn;
  readonly paperMB: number | null;
  readonly oursMB: number | null;
  readonly effects: readonly Omit<ComputedCause, 'column'>[];
}

/** Below this, in MB, an effect explains nothing. */
const LEAST_MB = 0.5;

/** The computed causes of a column, none where its difference needs none, and what they leave over. */
export function explain({
  column,
  paperMB,
  oursMB,
  effects,
}: Difference): readonly (ComputedCause | Unexplained)[] {
  if (paperMB === null || oursMB === null) return [];
  const whole = paperMB - oursMB;
  const named = Math.abs(whole) > (EXPLAINED_ABOVE_PCT / 100) * paperMB ? effects : [];
  const causes = named
    .filter(({ megabytes }) => Math.abs(megabytes) >= LEAST_MB)
    .map(({ kind, megabytes }) => ({ kind, column, megabytes }));
  const left = causes.reduce((rest, { megabytes }) => rest - megabytes, whole);
  return [...causes, { kind: 'unexplained', column, megabytes: left, percent: (left / paperMB) * 100 }];
}

/** Memory that the authors' program counts beside the simulated peak of the same schedule. */
export function protocolEffects(
  { graph, memory }: Pick<Problem, 'graph' | 'memory'>,
  schedule: Schedule,
): Difference['effects'] {
  const larger = allocated(memory);
  const simulated = simulate(graph, memory, schedule).peakBytes;
  const rounded = simulate(graph, larger, schedule).peakBytes;
  const measured = protocolPeak({ graph, memory: larger }, schedule);
  return [
    { kind: 'allocator-rounding', megabytes: (rounded - simulated) / bytesPer('MiB') },
    { kind: 'weight-gradients', megabytes: (measured - rounded) / bytesPer('MiB') },
  ];
}

/** A figure drawn with an unknown seed may be any of the range: the way from the median to the paper's within it. */
export function drawnSets(
  paperMB: number | null,
  [lowMB, medianMB, highMB]: readonly (number | null)[],
): Difference['effects'] {
  if (paperMB === null || lowMB == null || medianMB == null || highMB == null) return [];
  return [{ kind: 'drawn-sets', megabytes: Math.min(Math.max(paperMB, lowMB), highMB) - medianMB }];
}
