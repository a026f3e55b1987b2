import { MAX_WAYS, type Way, type WaysRequest } from '../../app/contract/ways.ts';
import { withoutEffect } from '../../app/contract/setup-notes.ts';
import { gpusOf, partsOf } from '../../app/contract/training-setup.ts';
import { BadInputError } from '../../engine/errors.ts';
import { simulateTotals } from '../../engine/simulate/simulate.ts';
import { defaultStrategy, needsBudget, WITHIN_BUDGET } from '../../engine/strategies/default-strategy.ts';
import type { OptimizerName } from '../../engine/training-memory/optimizers.ts';
import type { Precision } from '../../engine/training-memory/setup.ts';
import { type Room, type Verdict, verdictOf } from '../../engine/training-memory/verdict.ts';
import { lighterTunings } from '../../engine/zoo/language/fine-tuning.ts';
import type { Solving } from './context.ts';
import { planWithin } from './device-budget.ts';
import { heldOf } from './held.ts';
import { judge, type SolvedPlan } from './judge.ts';
import type { Network, SolverMemory } from './memory.ts';

type Change = Way['change'];

const ALONE: readonly string[] = ['regular'];
/** Plans that take milliseconds, so that each change can be tried with them. */
const QUICK_PLANS: readonly string[] = ['chen-sqrt', 'chen-greedy', 'articulation'];
const SEARCHED: readonly string[] = [...QUICK_PLANS, WITHIN_BUDGET];
const WITHIN_BUDGET_AND_LINK = defaultStrategy({ budgetBytes: true, link: true });

/** The smallest change first. */
const PRECISIONS: readonly Precision[] = ['amp-bf16', 'amp-fp16', 'bf16'];
const OPTIMIZERS: readonly OptimizerName[] = ['adam8bit', 'adafactor', 'momentum', 'sgd'];
/** Options that change nothing if an update has as many samples as before. */
const OF_SAMPLES: readonly string[] = ['batch', 'accumulate', 'gpus', 'shard', 'lossChunk'];
const GPUS: readonly number[] = [2, 4, 8, 16, 32, 64];
/** Tokens of a chunk of the loss, where none are chosen. */
const USUAL_CHUNK = 1024;
/** Kinds of change that are made together, beside a plan. */
const MOST_CHANGES = 3;

/**
 * The cheapest first steps that make training fit a device: of each kind of change the smallest that fits, and a plan.
 * If no step fits alone, each is tried with a plan. If none fits so, or only on more GPUs, the change that comes nearest
 * is made, and the others are tried beside it: on fewer GPUs where those fill several machines, else on those that there
 * are. Those that leave the result of training as it is come first, then the least predicted time, then the fewest GPUs,
 * then the least memory.
 *
 * @returns at most MAX_WAYS; empty if none of them fits
 * @throws BadInputError for an unknown network or size, CancelledError through control
 */
export function waysToFit({ room, ...network }: WaysRequest, { memory, control }: Solving): Way[] {
  let given: Change = {};
  let found: readonly Way[] = [];
  for (let changes = 1; changes <= MOST_CHANGES; changes++) {
    const tries = new Tries(network, given, room, fewestGpus(found), { memory, control });
    found = [...found, ...tries.found()];
    if (found.length > 0 && (given.gpus !== undefined || found.some(isOnTheseGpus))) break;
    const nearest = tries.nearest(found.length > 0);
    if (nearest === null) break;
    given = { ...given, ...nearest.change };
  }
  return ranked(found).slice(0, MAX_WAYS);
}

/** Unknown times come last. */
export const ranked = (ways: readonly Way[]): Way[] =>
  [...ways].sort((a, b) => {
    const [time, other] = [a.overhead ?? Number.MAX_VALUE, b.overhead ?? Number.MAX_VALUE];
    const moreGpus = (a.change.gpus ?? 0) - (b.change.gpus ?? 0);
    const isOther = Number(a.changesResult) - Number(b.changesResult);
    return isOther || time - other || moreGpus || a.totalBytes - b.totalBytes;
  });

interface Tried {
  readonly change: Change;
  readonly solved: SolvedPlan;
  readonly verdict: Verdict;
}

/** Changes of one network beside those that are given. */
class Tries {
  readonly #asked: Network;
  readonly #given: Change;
  readonly #network: Network;
  readonly #room: Room;
  readonly #belowGpus: number;
  readonly #memory: SolverMemory;
  readonly #control: Solving['control'];
  readonly #all: Tried[] = [];

  /** @param belowGpus fewer GPUs than these alone */
  constructor(
    asked: Network,
    given: Change,
    room: Room,
    belowGpus: number,
    { memory, control }: Pick<Solving, 'memory' | 'control'>,
  ) {
    this.#asked = asked;
    this.#given = given;
    this.#network = { ...asked, ...given };
    this.#room = room;
    this.#belowGpus = belowGpus;
    this.#memory = memory;
    this.#control = control;
    memory.problem(asked, asked.batch);
  }

  /** The change that came nearest, on these GPUs or on any; null where nothing was tried. */
  nearest(isHere: boolean): Tried | null {
    const [nearest = null] = this.#all
      .filter((tried) => Object.keys(tried.change).length > 0 && (!isHere || isOnTheseGpus(tried)))
      .sort((a, b) => a.verdict.totalBytes - b.verdict.totalBytes);
    return nearest;
  }

  /** Ways of one change, or plans alone; else of a change with a plan. */
  found(): readonly Way[] {
    const isHere = (way: Way): boolean => way.change.gpus === this.#given.gpus;
    const single = [...this.#planAlone(), ...this.#ofEachKind(ALONE)];
    if (single.some(isHere)) return single;
    const planned = this.#ofEachKind(QUICK_PLANS)
      .filter((way) => single.length === 0 || isHere(way))
      .flatMap((way) => this.#firstThatFits([way.change], SEARCHED));
    const found = [...single, ...planned];
    if (found.some(isHere)) return found;
    // A plan of milliseconds may miss what a search finds.
    const nearest = this.nearest(found.length > 0);
    return nearest === null ? found : [...found, ...this.#firstThatFits([nearest.change], [WITHIN_BUDGET])];
  }

  #planAlone(): Way[] {
    if (Object.keys(this.#given).length > 0) return [];
    const linked = this.#memory.link(this.#asked) === undefined ? [] : [[WITHIN_BUDGET_AND_LINK]];
    return [SEARCHED, ...linked].flatMap((strategies) => this.#firstThatFits([{}], strategies));
  }

  /** First change of each kind that fits under one of these strategies. */
  #ofEachKind(strategies: readonly string[]): Way[] {
    return this.#kinds(strategies).flatMap((changes) => this.#firstThatFits(changes, strategies));
  }

  /** The first change that fits, under the strategy that recomputes least; none if none fits. */
  #firstThatFits(changes: readonly Change[], strategies: readonly string[]): Way[] {
    for (const change of changes) {
      const network = { ...this.#network, ...change };
      const [best] = strategies
        .flatMap((strategy) => this.#tried(change, strategy))
        .filter(({ verdict }) => verdict.fits)
        .map((tried) => ({ tried, recompute: this.#judged(network, tried.solved).predictedOverhead ?? 0 }))
        .sort((a, b) => a.recompute - b.recompute || a.tried.verdict.totalBytes - b.tried.verdict.totalBytes);
      if (best !== undefined) return [this.#wayOf(best.tried)];
    }
    return [];
  }

  /** Changes by kind, the smallest first. */
  #kinds(strategies: readonly string[]): readonly (readonly Change[])[] {
    const { batch } = this.#network;
    const current = gpusOf(this.#network);
    const { accumulate, optimizer, precision } = this.#memory.setup(this.#network);
    const largest = (change: Change): number =>
      Math.max(
        0,
        ...strategies.flatMap((strategy) =>
          this.#tried(change, strategy).map(({ verdict }) => verdict.largestBatch),
        ),
      );
    const parts = batch === 1 ? 0 : divisorWithin(batch, largest({ accumulate: 2 * accumulate }));
    const fewer = Math.min(batch - 1, largest({}));
    return [
      this.#network.lossChunk === undefined ? [{ lossChunk: USUAL_CHUNK }] : [],
      parts === 0 ? [] : [{ batch: parts, accumulate: (accumulate * batch) / parts }],
      GPUS.filter((gpus) => gpus > current && gpus < this.#belowGpus).map((gpus) =>
        this.#sharded(gpus / current, gpus),
      ),
      lighterTunings(this.#network),
      OPTIMIZERS.filter((name) => name !== optimizer).map((name) => ({ optimizer: name })),
      PRECISIONS.filter((name) => name !== precision).map((name) => ({ precision: name })),
      fewer === 0 ? [] : [{ batch: fewer }],
    ];
  }

  /** So many times as many GPUs, each with its part of the samples where they can be divided. */
  #sharded(times: number, gpus: number): Change {
    const { batch, accumulate = 1 } = this.#network;
    const change = { gpus, shard: 'fsdp2' } as const;
    if (accumulate % times === 0) return { ...change, accumulate: accumulate / times };
    return batch % times === 0 ? { ...change, batch: batch / times } : change;
  }

  /** Empty where this network does not admit the change, or the strategy has no plan. */
  #tried(change: Change, strategy: string): Tried[] {
    const network = { ...this.#network, ...change };
    const idle = withoutEffect(this.#network);
    // Nobody is sent to a command that would be refused.
    if (Object.keys(withoutEffect(network)).some((name) => !(name in idle))) return [];
    this.#control.tick(0);
    try {
      const solved = needsBudget([strategy])
        ? planWithin(network, strategy, this.#room, this.#memory, this.#control).solved
        : this.#memory.plan(network, strategy, this.#control);
      const verdict = verdictOf(heldOf(network, solved, this.#memory), network.batch, this.#room);
      if (verdict === null) return [];
      const tried = { change, solved, verdict };
      this.#all.push(tried);
      return [tried];
    } catch (error) {
      if (error instanceof BadInputError) return [];
      throw error;
    }
  }

  #wayOf({ change: added, solved, verdict }: Tried): Way {
    const change = { ...this.#given, ...added };
    const samplesAnUpdate = samplesOf({ ...this.#asked, ...change });
    const isOtherTraining = Object.keys(change).some((name) => !OF_SAMPLES.includes(name));
    const { graph } = this.#memory.problem(this.#network, 1);
    const readsBatch =
      graph.comparesSamples === true || graph.operations.some(({ kind }) => kind === 'batch-norm');
    return {
      change,
      strategy: solved.strategy,
      totalBytes: verdict.totalBytes,
      overhead: this.#overheadOf(change, solved),
      changesResult:
        isOtherTraining ||
        samplesAnUpdate !== samplesOf(this.#asked) ||
        (change.batch !== undefined && readsBatch),
      samplesAnUpdate,
    };
  }

  /** Nothing predicts the speed of other number types, of unpacking four bits, or of traffic between GPUs. */
  #overheadOf(change: Change, solved: SolvedPlan): number | null {
    const { precision, gpus, baseBits, batch } = change;
    if (precision !== undefined || gpus !== undefined || baseBits !== undefined) return null;
    const network = { ...this.#asked, ...change };
    const { predictedOverhead: recomputed, stalledSeconds = 0 } = this.#judged(network, solved);
    if (recomputed === null) return null;
    // Adapters leave out the gradients of frozen weights; time is of a sample, so the batch does not count.
    const work = batch === undefined ? this.#workOf(network) / this.#workOf(this.#asked) : 1;
    const overhead = recomputed + (1 + recomputed) * (work - 1);
    if (stalledSeconds === 0) return overhead;
    const regular = this.#judged(network, this.#memory.plan(network, 'regular', this.#control));
    return overhead + stalledSeconds / (regular.stepSeconds ?? Number.POSITIVE_INFINITY);
  }

  #judged(network: Network, solved: SolvedPlan): ReturnType<typeof judge> {
    const problem = this.#memory.problem(network, network.batch);
    return judge(problem, network.batch, solved, this.#memory.link(network));
  }

  /** Work of a regular step. */
  #workOf(network: Network): number {
    const { graph, memory } = this.#memory.problem(network, network.batch);
    const { plan } = this.#memory.plan(network, 'regular', this.#control);
    if (!plan.applicable) return 0;
    const { forwardWork, backwardWork } = simulateTotals(graph, memory, plan.schedule);
    return forwardWork + backwardWork;
  }
}

/** GPUs of one machine. */
const MACHINE = 8;

/** Fewest GPUs of ways that need several machines; infinite where no way is known, 0 where one needs fewer. */
function fewestGpus(ways: readonly Way[]): number {
  const fewest = Math.min(...ways.map(({ change }) => change.gpus ?? 0));
  return fewest > MACHINE ? fewest : 0;
}

const isOnTheseGpus = ({ change }: Pick<Way, 'change'>): boolean => change.gpus === undefined;

/** Samples of one update, of all GPUs. */
export const samplesOf = (network: Network): number => {
  const { batch, accumulate = 1, contextParallel = 1 } = network;
  return (batch * accumulate * gpusOf(network)) / partsOf(network) / contextParallel;
};

/** The largest part of a batch, of at most so many samples, that divides it, or 0. */
function divisorWithin(batch: number, most: number): number {
  for (let part = Math.min(Math.floor(batch / 2), most); part > 0; part--)
    if (batch % part === 0) return part;
  return 0;
}
