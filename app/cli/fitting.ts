import { InternalError } from '../../engine/errors.ts';
import { given } from '../../engine/given.ts';
import type { Held } from '../../engine/training-memory/held.ts';
import type { TrainingSetup } from '../../engine/training-memory/setup.ts';
import { type Room, verdictOf } from '../../engine/training-memory/verdict.ts';
import { defaultStrategy, WITHIN_BUDGET } from '../../engine/strategies/default-strategy.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import type { Network } from '../../main/solver/memory.ts';
import type { Bargain } from '../contract/pareto.ts';
import type { ComparisonEvent, ComparisonHead } from '../contract/results.ts';
import type { Asked } from './network.ts';
import { answerable } from './strategies.ts';

/** One way of training on a device. */
export interface FitRow {
  readonly strategy: string;
  readonly applicable: boolean;
  readonly reason: string | null;
  readonly fits: boolean;
  /** All that the device holds at the asked batch; the terms add up to it. Null without a plan. */
  readonly totalBytes: number | null;
  readonly terms: Held['terms'] | null;
  /** When a step needs that much. */
  readonly instant: Held['instant'] | null;
  /** 0 where not even one sample fits. */
  readonly largestBatch: number;
  /** Predicted share of a regular step's time that recompute adds, and with a link waiting for copies too. */
  readonly overhead: number | null;
  /** Forward work done again / forward work of one step. */
  readonly recomputeFraction: number | null;
  /** Checkpoints that it keeps; absent of the bargain. */
  readonly kept?: number;
  /** Budget given to a strategy that needs one. */
  readonly budgetBytes?: number;
  /** Bytes that a step sends to host memory, if any. */
  readonly sentBytes?: number;
  /** Pipeline stage that holds the most. */
  readonly stage?: number;
}

export interface Fitting {
  readonly setup: TrainingSetup;
  /** Tensors of the network. */
  readonly tensors: number;
  readonly rows: readonly FitRow[];
}

/** The strategy that is asked for the least recompute within a budget where there is a link. */
const WITHIN_BUDGET_AND_LINK = defaultStrategy({ budgetBytes: true, link: true });

/**
 * Every strategy on a device, and the least recompute within what the device leaves.
 *
 * @param onSolving called before each part
 */
export async function fitting(asked: Asked, room: Room, onSolving: (what: string) => void): Promise<Fitting> {
  const { network, link } = asked;
  onSolving('the strategies');
  const { rows, setup, tensors } = await solved(asked, network, answerable(asked), room);
  onSolving(WITHIN_BUDGET);
  const ofBudget = [WITHIN_BUDGET, ...(link === undefined ? [] : [WITHIN_BUDGET_AND_LINK])];
  const within = await solved(asked, network, ofBudget, room);
  return { setup, tensors, rows: withStalls([...rows, ...within.rows]) };
}

/** The knee of the front of memory and recompute on a device; null where the front has none. */
export async function bargainOf({ solver, network }: Asked, room: Room): Promise<FitRow | null> {
  let found: Bargain | null = null;
  await solver.answer('pareto', network, NO_CONTROL, (event) => {
    if (event.type === 'bargain') found = event.bargain;
  });
  return found && bargainRow(found, network.batch, room);
}

async function solved(
  { solver }: Asked,
  network: Network,
  strategies: readonly string[],
  room: Room,
): Promise<Pick<Fitting, 'setup' | 'tensors'> & { readonly rows: readonly TimedRow[] }> {
  let head: ComparisonHead | null = null;
  const rows: TimedRow[] = [];
  await solver.answer('compare', { ...network, strategies: [...strategies], room }, NO_CONTROL, (event) => {
    if (event.type === 'head') ({ head } = event);
    if (event.type === 'row') rows.push(fitRow(event, network.batch, room));
  });
  if (head === null) throw new InternalError('a comparison has no head');
  const { setup, vertices } = head as ComparisonHead;
  return { rows, setup, tensors: vertices };
}

/** A row with the predicted times of its step, where a link is known. */
type TimedRow = FitRow & Pick<Answered['row'], 'stepSeconds' | 'stalledSeconds'>;

type Answered = Extract<ComparisonEvent, { type: 'row' }>;

/** Overheads with what a step waits for copies, as a share of regular training's step. */
function withStalls(rows: readonly TimedRow[]): FitRow[] {
  const regular = rows.find(({ strategy }) => strategy === 'regular')?.stepSeconds ?? 0;
  return rows.map(({ stepSeconds: _, stalledSeconds = 0, ...row }) =>
    row.overhead === null || regular === 0
      ? row
      : { ...row, overhead: row.overhead + stalledSeconds / regular },
  );
}

function fitRow({ row, held, budgetBytes }: Answered, batch: number, room: Room): TimedRow {
  const { strategy, applicable, reason, predictedOverhead, recomputeFraction } = row;
  const { sentBytes, stepSeconds, stalledSeconds } = row;
  return {
    strategy,
    applicable,
    reason,
    ...judged(held, batch, room),
    overhead: predictedOverhead,
    recomputeFraction,
    kept: row.checkpoints.length,
    ...given({ budgetBytes, sentBytes, stepSeconds, stalledSeconds }),
  };
}

function bargainRow(
  { held, predictedOverhead, recomputeFraction, budgetBytes }: Bargain,
  batch: number,
  room: Room,
): FitRow {
  return {
    strategy: WITHIN_BUDGET,
    applicable: true,
    reason: null,
    ...judged(held, batch, room),
    overhead: predictedOverhead,
    recomputeFraction,
    budgetBytes,
  };
}

function judged(
  held: Bargain['held'],
  batch: number,
  room: Room,
): Pick<FitRow, 'fits' | 'totalBytes' | 'terms' | 'instant' | 'largestBatch' | 'stage'> {
  const verdict = verdictOf(held, batch, room);
  if (verdict === null) return { fits: false, totalBytes: null, terms: null, instant: null, largestBatch: 0 };
  const { overBytes: _, ...shown } = verdict;
  return shown;
}
