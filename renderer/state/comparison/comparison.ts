import type { Experiment } from '../../../app/contract/experiment.ts';
import type {
  ComparisonEvent,
  ComparisonHead,
  Row,
  ScaledTimeline,
  StrategyReads,
  Transfers,
} from '../../../app/contract/results.ts';
import { hasLink, type OptionName, optionOf, optionsThatChange } from '../../../engine/options/options.ts';
import { needsBudget } from '../../../engine/strategies/default-strategy.ts';
import type { HeldLine, HeldSteps } from '../../../engine/training-memory/held.ts';
import { roomOf } from '../experiment/device.ts';
import { AT_REST, type Standing } from '../requests/follower.ts';

/** A strategy's answer, and the batch size it was asked at (its figures belong to that one). */
export interface Solved {
  readonly row: Row;
  readonly timeline: ScaledTimeline | null;
  /** Held beside the batch, without the context. */
  readonly held: readonly HeldLine[];
  /** The same at each step; null without a plan. */
  readonly heldSteps: HeldSteps | null;
  /** The budget that the device leaves, where the user has given none. */
  readonly budgetBytes?: number | undefined;
  /** Least peak of activations that it reaches, where it refuses a budget. */
  readonly leastBytes?: number | undefined;
  /** Copies to host memory; absent without any. */
  readonly transfers?: Transfers | undefined;
  readonly batch: number;
  /** The user's values of the options that it reads (`ownOf`). */
  readonly own: string;
  readonly reads: StrategyReads;
  /** Its plan serves every batch; otherwise scaling is only a first answer. */
  readonly scalesWithBatch: boolean;
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

export interface StrategyProgress {
  readonly strategy: string;
  readonly done: number;
  /** When it began, on the clock of `performance.now`. */
  readonly since: number;
}

export interface Running {
  readonly key: string;
  readonly own: string;
  readonly strategies: readonly string[];
  readonly startedAt: number;
  readonly progress: StrategyProgress | null;
}

export interface ComparisonState extends Standing<Running> {
  /** On screen: the wanted network's results, or the previous ones until the first row comes. */
  readonly shown: NetworkResults | null;
  readonly wanted: string;
}

export const NOTHING_YET: ComparisonState = { ...AT_REST, shown: null, wanted: '' };

/**
 * Everything that a solution depends on except the batch size, the strategies, what only some of these look at
 * (`ownOf`), the device, and the networks beside this one.
 */
export function keyOf(experiment: Experiment): string {
  return JSON.stringify([
    experiment.model,
    ...KEYED.map((name) => experiment[name] ?? null),
    experiment.seed,
  ]);
}

/** As they were given: what an absent one means is the file's own in a network from a file. */
const KEYED = optionsThatChange('graph', 'memory').filter((name) => name !== 'batch');

/** Strategies still to be solved. `regular` is always among them: everything is measured against it. */
export function missingStrategies(experiment: Experiment, known: NetworkResults | undefined): string[] {
  const wanted = new Set(['regular', ...experiment.strategies]);
  return [...wanted].filter((strategy) => {
    const solved = known?.solved.get(strategy);
    return solved === undefined || solved.own !== ownOf(experiment, solved.reads);
  });
}

/** The user's values for single strategies. */
export type Own = Partial<Experiment>;
const OWN = optionsThatChange('plan', 'link').filter((name) => name !== 'seed');

/** The same as one word, or what of it a strategy reads; the device is the budget of one that is given none. */
export function ownOf(own: Own, reads?: StrategyReads): string {
  const isOnDevice = reads === undefined ? needsBudget(own.strategies ?? []) : reads.budgetBytes === 'needs';
  const read = readOf(own, reads);
  return JSON.stringify(isOnDevice && own.budgetBytes === undefined ? { ...read, room: roomOf(own) } : read);
}

export function readOf(own: Own, reads?: StrategyReads): Own {
  const read = OWN.filter((name) => own[name] !== undefined && (reads === undefined || isRead(name, reads)));
  // Without a link nothing of it counts, and the device changes no plan.
  const linked = read.filter((name) => hasLink(own) || optionOf(name).changes !== 'link');
  return Object.fromEntries(linked.map((name) => [name, own[name]]));
}

/** A plan of one's own may send something, and then its times are the link's. */
function isRead(name: OptionName, reads: StrategyReads): boolean {
  const { partOf } = optionOf(name);
  return (partOf ?? name) in reads || (partOf === 'link' && 'plan' in reads);
}

/** All that an answer depends on; a question that failed is not asked again until something of it changes. */
export function questionOf(experiment: Experiment): string {
  return `${keyOf(experiment)} ${experiment.batch} ${experiment.strategies.join()} ${ownOf(experiment)}`;
}

/** Answers that a quiet second request should renew at the experiment's batch size. */
export function staleStrategies(experiment: Experiment, known: NetworkResults): string[] {
  return experiment.strategies.filter((strategy) => {
    const solved = known.solved.get(strategy);
    return solved !== undefined && solved.batch !== experiment.batch && !solved.scalesWithBatch;
  });
}

export function withEvent(
  known: NetworkResults | undefined,
  key: string,
  batch: number,
  event: ComparisonEvent,
  own: Own = {},
): NetworkResults | undefined {
  if (event.type === 'head') {
    const { type: _type, ...network } = event;
    return { key, ...network, solved: known?.solved ?? new Map() };
  }
  if (event.type === 'row' && known !== undefined) {
    const solved = new Map(known.solved);
    const { type: _type, elapsedMs: _elapsed, ...answer } = event;
    solved.set(answer.row.strategy, { ...answer, batch, own: ownOf(own, answer.reads) });
    return { ...known, solved };
  }
  return known;
}
