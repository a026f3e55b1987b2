import type { Experiment } from '../../../app/contract/experiment.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { claimText, savesNothing, stopText } from '../../../app/report/claims.ts';
import { cheapestThatFits, type JudgedPlan } from '../../../app/report/verdict-sentence.ts';
import type { Checkpointing } from '../../../engine/schedule/checkpointing.ts';
import type { HeldLine, HeldSteps } from '../../../engine/training-memory/held.ts';
import { type Verdict, verdictOf } from '../../../engine/training-memory/verdict.ts';
import { type DevicePart, roomOf } from '../experiment/device.ts';
import { identityOf, type StrategyIdentity } from '../strategies/identity.ts';
import type { Row, Transfers } from '../../../app/contract/results.ts';
import type { NetworkResults, Solved } from './comparison.ts';
import { isTooNoisy, type MeasuredOverhead, sayOverhead } from '../strategies/measured-overhead.ts';
import { type SizedTimeline, sizeTimeline } from './sized-timeline.ts';

/** One strategy of the comparison at the experiment's batch size; `null` where nothing is known. */
export interface StrategyRow {
  readonly identity: StrategyIdentity;
  readonly state: 'solved' | 'refused' | 'waiting';
  readonly reason: string | null;
  readonly sized: SizedTimeline | null;
  readonly peakBytes: number | null;
  /** Held beside the batch, without the context; empty without a plan. */
  readonly held: readonly HeldLine[];
  /** The same at each step; null without a plan. */
  readonly heldSteps: HeldSteps | null;
  readonly verdict: Verdict | null;
  /** The budget that the device leaves, where the plan was made for that. */
  readonly budgetBytes: number | null;
  /** Share of the regular peak that is saved. */
  readonly cut: number | null;
  readonly paperCostBytes: number | null;
  readonly lowerBoundBytes: number | null;
  /** How far the peak lies above the bound, a share of the bound. */
  readonly gap: number | null;
  readonly checkpoints: readonly string[];
  /** How its segments run; null where it is not made of segments. */
  readonly checkpointing: Checkpointing | null;
  readonly recomputeFraction: number | null;
  /** Copied to host memory in a step. */
  readonly sentBytes: number | null;
  readonly copies: Copies | null;
  readonly predictedOverhead: number | null;
  /** Null also where it is too noisy to say; then the note is there all the same. */
  readonly measuredOverhead: number | null;
  readonly measuredNote: string | null;
  readonly solveMs: number | null;
  /** Says that a limit ended its search, and how far that had come; null where nothing was left out. */
  readonly stopped: string | null;
  readonly claim: string | null;
  /** Recomputes for a peak that regular training has without. */
  readonly savesNothing: boolean;
}

export interface Copies {
  readonly hostPeakBytes: number;
  readonly fetchedBytes: number;
  /** By the link at this very batch: of the step, of the waits for copies in it, and at which each step starts. */
  readonly times: {
    readonly stepMs: number;
    readonly stalledMs: number;
    readonly startMs: readonly number[];
  } | null;
}

const EMPTY: Omit<StrategyRow, 'identity' | 'state'> = {
  reason: null,
  sized: null,
  peakBytes: null,
  held: [],
  heldSteps: null,
  verdict: null,
  budgetBytes: null,
  cut: null,
  paperCostBytes: null,
  lowerBoundBytes: null,
  gap: null,
  checkpoints: [],
  checkpointing: null,
  recomputeFraction: null,
  sentBytes: null,
  copies: null,
  predictedOverhead: null,
  measuredOverhead: null,
  measuredNote: null,
  solveMs: null,
  stopped: null,
  claim: null,
  savesNothing: false,
};

export interface RowsInput {
  readonly results: NetworkResults | null;
  readonly experiment: Pick<Experiment, 'batch' | 'strategies' | 'budgetBytes'> & DevicePart;
  /** Device memory that the user asked the budget to fit; by the budget where nothing is said. */
  readonly budgetLimit?: number | undefined;
  readonly titles: ReadonlyMap<string, string>;
  readonly measured?: ReadonlyMap<string, MeasuredOverhead>;
}

/** The rows of the chosen strategies, in the order chosen, all figures at the experiment's batch size. */
export function strategyRows(input: RowsInput): StrategyRow[] {
  const { results, experiment, titles, measured } = input;
  const { batch } = experiment;
  const regularBytes = results === null ? null : regularPeak(results, batch);
  const room = roomOf(experiment);
  return experiment.strategies.map((name): StrategyRow => {
    const identity = identityOf(name, titles.get(name));
    const solved = results?.solved.get(name);
    if (solved === undefined) return { ...EMPTY, identity, state: 'waiting' };
    if (!solved.row.applicable) {
      const reason = refusedBudget(solved, input) ?? solved.row.reason;
      return { ...EMPTY, identity, state: 'refused', reason, solveMs: solved.row.solveMs };
    }
    return {
      ...solvedRow(solved, batch, regularBytes),
      verdict: verdictOf(solved.held, batch, room),
      identity,
      ...measuredOf(measured?.get(name)),
    };
  });
}

/**
 * The refusal of a budget in the device's memory, as every other figure of a row; beside its least activations a plan is
 * taken to hold what regular training does. Null where a strategy refuses for another reason.
 */
export function refusedBudget(
  { leastBytes, budgetBytes: left, batch: solvedAt }: Solved,
  { results, experiment, budgetLimit }: Omit<RowsInput, 'titles'>,
): string | null {
  const { batch, budgetBytes } = experiment;
  const regular = results === null ? null : regularVerdict(results, experiment);
  if (leastBytes === undefined || results === null || regular === null) return null;
  const { memoryBytes } = roomOf(experiment);
  const beside = left === undefined ? regular.totalBytes - regularPeak(results, batch) : memoryBytes - left;
  const limit = left === undefined ? (budgetLimit ?? (budgetBytes ?? 0) + beside) : memoryBytes;
  const least = formatBytes((leastBytes / solvedAt) * batch + beside);
  return `no plan fits ${formatBytes(limit)} of device memory: the smallest found needs ${least}; lower the batch or raise the limit`;
}

function measuredOf(
  measured: MeasuredOverhead | undefined,
): Pick<StrategyRow, 'measuredOverhead' | 'measuredNote'> {
  if (measured === undefined) return { measuredOverhead: null, measuredNote: null };
  return {
    measuredOverhead: isTooNoisy(measured) ? null : measured.share,
    measuredNote: sayOverhead(measured),
  };
}

/** Strategies whose search the limit ended, so that their figures may be beaten; empty where it ended none. */
export function endedAtLimit(rows: readonly StrategyRow[]): string {
  const ended = rows.filter(({ stopped }) => stopped !== null).map(({ identity }) => identity.title);
  if (ended.length === 0) return '';
  return `${new Intl.ListFormat('en-GB').format(ended)} reached the search limit; the best plan found is shown. `;
}

/** Peak of regular training at a batch size; the head's own figure scaled until that row is there. */
export function regularPeak(results: NetworkResults, batch: number): number {
  const timeline = results.solved.get('regular')?.timeline;
  if (timeline) return sizeTimeline(timeline, batch).peakBytes;
  return (results.head.regularPeakBytes * batch) / results.head.batch;
}

/** The verdict on regular training at a batch, whether it is compared or not; null until it is solved. */
export function regularVerdict(
  results: NetworkResults,
  experiment: Pick<Experiment, 'batch'> & DevicePart,
): Verdict | null {
  const held = results.solved.get('regular')?.held ?? [];
  return verdictOf(held, experiment.batch, roomOf(experiment));
}

/** The experiment as a strategy was told it: the budget that the device leaves is said in bytes, for anyone who knows of no device. */
export function withLeftBudget(
  experiment: Experiment,
  row: { readonly budgetBytes?: number | null | undefined } | undefined,
): Experiment {
  const left = row?.budgetBytes ?? null;
  return left === null ? experiment : { ...experiment, budgetBytes: left };
}

function solvedRow(
  { row, timeline, held, heldSteps, budgetBytes, transfers, batch: solvedAt }: Solved,
  batch: number,
  regularBytes: number | null,
): Omit<StrategyRow, 'identity' | 'verdict'> {
  const scale = batch / solvedAt;
  const sized = timeline === null ? null : sizeTimeline(timeline, batch);
  const peakBytes = sized?.peakBytes ?? scaled(row.peakBytes, scale);
  const lowerBoundBytes = scaled(row.lowerBoundBytes, scale);
  return {
    state: 'solved',
    reason: null,
    sized,
    peakBytes,
    held,
    heldSteps,
    budgetBytes: budgetBytes ?? null,
    cut: peakBytes === null || !regularBytes ? null : 1 - peakBytes / regularBytes,
    paperCostBytes: scaled(row.paperCostBytes, scale),
    lowerBoundBytes,
    gap: peakBytes === null || !lowerBoundBytes ? null : Math.max(0, peakBytes / lowerBoundBytes - 1),
    checkpoints: row.checkpoints,
    checkpointing: row.checkpointing ?? null,
    recomputeFraction: row.recomputeFraction,
    sentBytes: (row.sentBytes ?? 0) * scale,
    copies: transfers === undefined ? null : copiesOf(row, transfers, scale),
    predictedOverhead: withStalls(row, transfers),
    measuredOverhead: null,
    measuredNote: null,
    solveMs: row.solveMs,
    stopped: row.stopped === undefined ? null : stopText(row.stopped),
    claim: claimText(row),
    savesNothing: savesNothing(row.claim),
  };
}

/** Apart from recomputing, a device waits for copies. */
function withStalls(
  { predictedOverhead, stalledSeconds }: Row,
  transfers: Transfers | undefined,
): number | null {
  const regular = transfers?.times?.regularSeconds ?? 0;
  if (predictedOverhead === null || stalledSeconds === undefined || regular <= 0) return predictedOverhead;
  return predictedOverhead + stalledSeconds / regular;
}

function copiesOf(row: Row, { fetchedBytes, times }: Transfers, scale: number): Copies {
  const { hostPeakBytes = 0, stepSeconds, stalledSeconds } = row;
  const bytes = { hostPeakBytes: hostPeakBytes * scale, fetchedBytes: fetchedBytes * scale, times: null };
  // Times are no multiples of the batch: they come with its own answer.
  if (times === undefined || stepSeconds === undefined || scale !== 1) return bytes;
  const { startMs } = times;
  return {
    ...bytes,
    times: { stepMs: 1000 * stepSeconds, stalledMs: 1000 * (stalledSeconds ?? 0), startMs },
  };
}

/** Eq. 2 and the bound are sums of tensors that all grow with the batch. */
const scaled = (bytes: number | null, scale: number): number | null =>
  bytes === null ? null : bytes * scale;

/** Rows with a verdict on their plan, as the verdict's sentence takes them. */
export const judgedPlans = (rows: readonly StrategyRow[]): (JudgedPlan & { readonly row: StrategyRow })[] =>
  rows.flatMap((row) =>
    row.verdict === null || row.identity.name === 'regular'
      ? []
      : {
          row,
          ...row.verdict,
          title: row.identity.title,
          overhead: row.predictedOverhead,
          kept: row.checkpoints.length,
        },
  );

/**
 * The strategy in front: the user's choice where it has a curve. Else, where regular training does not fit, the plan
 * that does for the least time; else the lowest peak and, at it, the least recompute.
 *
 * @param regularFits known also where regular training is not among the rows
 */
export function frontRow(
  rows: readonly StrategyRow[],
  selected: string | null,
  regularFits = rows.find((row) => row.identity.name === 'regular')?.verdict?.fits,
): StrategyRow | null {
  const drawn = rows.filter((row) => row.sized !== null);
  const chosen = drawn.find((row) => row.identity.name === selected);
  if (chosen !== undefined) return chosen;
  const remedy = regularFits === false ? cheapestThatFits(judgedPlans(drawn)) : null;
  if (remedy !== null) return remedy.row;
  return drawn.reduce<StrategyRow | null>(
    (best, row) => (best === null || isBetter(row, best) ? row : best),
    null,
  );
}

/** A lower peak, or the same one with less recompute. */
function isBetter(row: StrategyRow, than: StrategyRow): boolean {
  const peak = (row.peakBytes ?? 0) - (than.peakBytes ?? 0);
  return peak < 0 || (peak === 0 && (row.recomputeFraction ?? 0) < (than.recomputeFraction ?? 0));
}
