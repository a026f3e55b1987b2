import type { LabFailureView } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import type { ComparisonEvent, ComparisonHead, Row, ScaledTimeline } from '../../../app/contract/results.ts';

/** A strategy's answer, and the batch size it was asked at (its figures belong to that one). */
export interface Solved {
  readonly row: Row;
  readonly timeline: ScaledTimeline | null;
  readonly batch: number;
  /** The user's own checkpoints and budget that were asked for (`ownOf`); they matter to few strategies. */
  readonly own?: string;
}

/** Everything the lab has said about one network at one input size, for any batch size. */
export interface NetworkResults {
  readonly key: string;
  readonly head: ComparisonHead;
  readonly ids: readonly string[];
  readonly operations: readonly string[];
  readonly bytesPerSample: readonly number[];
  readonly flopsPerSample: readonly number[];
  readonly backwardFlopsPerSample: readonly number[];
  readonly solved: ReadonlyMap<string, Solved>;
}

/** The strategy at work and the share of it that is done. */
export interface Progress {
  readonly strategy: string;
  readonly done: number;
  /** When it began, on the clock of `performance.now`. */
  readonly since: number;
}

export interface Running {
  readonly key: string;
  readonly strategies: readonly string[];
  readonly startedAt: number;
  /** Where the strategy at work says so. */
  readonly progress: Progress | null;
}

export interface ComparisonState {
  /** What is on screen: the wanted network's results, or the former ones until the first row comes. */
  readonly shown: NetworkResults | null;
  /** Key of the results that the experiment asks for. */
  readonly wanted: string;
  readonly running: Running | null;
  readonly failure: LabFailureView | null;
  readonly cancelled: boolean;
}

export const NOTHING_YET: ComparisonState = {
  shown: null,
  wanted: '',
  running: null,
  failure: null,
  cancelled: false,
};

/** Strategies whose plan depends on the batch size itself, so that scaling is only a first answer. */
const DEPENDS_ON_BATCH: ReadonlySet<string> = new Set(['budget', 'live', 'milp']);

/** Strategies that look at what `ownOf` says. */
const LOOKS_AT_OWN: ReadonlySet<string> = new Set(['manual', 'budget', 'plan']);

/** What a solution depends on: everything but the batch size, the strategies, what only some of these look at
 * (`ownOf`), the device, and the networks beside this one. */
export function keyOf({ model, input, dropout, profile, dtype, seed }: Experiment): string {
  return JSON.stringify([model, input ?? null, dropout ?? null, profile, dtype, seed]);
}

/** Which strategies must be asked for; `regular` is always there, because everything is measured against it. */
export function missingStrategies(experiment: Experiment, known: NetworkResults | undefined): string[] {
  const wanted = new Set(['regular', ...experiment.strategies]);
  const own = ownOf(experiment);
  return [...wanted].filter((strategy) => {
    const solved = known?.solved.get(strategy);
    return solved === undefined || (LOOKS_AT_OWN.has(strategy) && (solved.own ?? '') !== own);
  });
}

/** What the user gave for single strategies, checkpoints, a budget and a plan, as one word. */
export function ownOf({
  checkpoints = [],
  budgetBytes,
  plan,
}: Pick<Experiment, 'checkpoints' | 'budgetBytes' | 'plan'>): string {
  const budget = budgetBytes === undefined ? [] : [`≤ ${budgetBytes}`];
  return [...checkpoints, ...budget, ...(plan === undefined ? [] : [plan])].join();
}

/** Which answers a quiet second request should renew at the experiment's batch size. */
export function staleStrategies(experiment: Experiment, known: NetworkResults): string[] {
  return experiment.strategies.filter((strategy) => {
    const solved = known.solved.get(strategy);
    return solved !== undefined && solved.batch !== experiment.batch && DEPENDS_ON_BATCH.has(strategy);
  });
}

/** The results after one more event of a comparison asked for at `batch`. */
export function withEvent(
  known: NetworkResults | undefined,
  key: string,
  batch: number,
  event: ComparisonEvent,
  own = '',
): NetworkResults | undefined {
  if (event.type === 'head') {
    const { type: _type, ...network } = event;
    return { key, ...network, solved: known?.solved ?? new Map() };
  }
  if (event.type === 'row' && known !== undefined) {
    const solved = new Map(known.solved);
    solved.set(event.row.strategy, { row: event.row, timeline: event.timeline, batch, own });
    return { ...known, solved };
  }
  return known;
}
