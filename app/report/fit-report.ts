import { formatBytes } from '../../engine/bytes.ts';
import type { ComparisonHead } from '../../engine/comparison/head.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import type { SolvedStrategy } from '../../engine/strategies/solve.ts';
import { passCurve } from './curve.ts';
import { html } from './markup.ts';
import { markOf, type PicturedStrategy, zigzagPicture } from './pictures.ts';
import { identityOf } from './strategy-looks.ts';
import { pictureStyle } from './style.ts';
import { count, percent, signedPercent } from './words.ts';

/** Pieces of HTML for a page that is not ours, such as a notebook's. */
export interface FitPicture {
  /** An SVG and its legend. */
  readonly figure: string;
  /** Rules for what lies in an element of class `zigzag-report`, and for nothing else. */
  readonly style: string;
}

/** Savings and cost of a plan, as `zigzag solve` says it. */
export function fitSentence(
  { model, regularPeakBytes }: ComparisonHead,
  { strategy, peakBytes, predictedOverhead }: SolvedStrategy,
): string {
  const peak = peakBytes ?? 0;
  return (
    `${model}: ${strategy} peaks at ${formatBytes(peak)} instead of ` +
    `${formatBytes(regularPeakBytes)} (${percent(1 - peak / regularPeakBytes)} less) for ` +
    `${percent(predictedOverhead ?? 0)} more time (predicted).`
  );
}

/** Something that takes so many bytes. */
export type Amount = readonly [name: string, bytes: number];

export const sum = (amounts: readonly Amount[]): number =>
  amounts.reduce((total, [, bytes]) => total + bytes, 0);

/**
 * Figures of a plan, by name.
 *
 * @param budgetBytes of a step; null where none was asked for
 * @param stationary what lies beside a step
 */
export function fitRows(
  { regularPeakBytes, vertices }: ComparisonHead,
  { peakBytes, lowerBoundBytes, recomputeFraction, predictedOverhead, checkpoints }: SolvedStrategy,
  budgetBytes: number | null,
  stationary: readonly Amount[],
): [string, string][] {
  const peak = peakBytes ?? 0;
  const beside = sum(stationary);
  return [
    ['Peak of a step', formatBytes(peak)],
    ['Without a plan', formatBytes(regularPeakBytes)],
    ...(budgetBytes === null ? [] : [['Budget of a step', formatBytes(budgetBytes)] as [string, string]]),
    ['Lower bound', formatBytes(lowerBoundBytes)],
    ['Recompute', `${percent(recomputeFraction ?? 0)} of one forward`],
    ['Time, predicted', signedPercent(predictedOverhead ?? 0)],
    ['Kept', `${count(checkpoints.length)} of ${count(vertices)} tensors`],
    ...stationary.map(([name, bytes]): [string, string] => [name, formatBytes(bytes)]),
    ...(beside === 0 ? [] : [['Together at the peak', formatBytes(beside + peak)] as [string, string]]),
  ];
}

/** The zigzags of strategies on one network, as in the lab's report. */
export function fitPicture(title: string, solved: readonly SolvedStrategy[]): FitPicture {
  const drawn = solved.map(
    ({ strategy, peakBytes, predictedOverhead, schedule, timeline }): PicturedStrategy => ({
      identity: identityOf(strategy, strategyOf(strategy).title),
      peakBytes,
      predictedOverhead,
      measuredOverhead: null,
      measuredNote: null,
      curve:
        schedule === null || timeline === null
          ? []
          : passCurve(schedule.kinds, timeline.backwardStart, timeline.live),
    }),
  );
  return {
    figure: html`<figure>${zigzagPicture(title, drawn)}
<div class="legend">${drawn.map((one) => html`<span>${markOf(one)}${one.identity.title}</span>`)}</div></figure>`
      .text,
    style: pictureStyle('.zigzag-report'),
  };
}
