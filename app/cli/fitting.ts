import { InternalError } from '../../engine/errors.ts';
import { type Held, heldAt, type HeldLine, largestBatch } from '../../engine/training-memory/held.ts';
import { OPTIMIZERS, type OptimizerName } from '../../engine/training-memory/optimizers.ts';
import type { Precision, TrainingSetup } from '../../engine/training-memory/setup.ts';
import { kneeOf } from '../../engine/strategies/budget/knee.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy.ts';
import type { Network } from '../../main/solver/memory.ts';
import type { ParetoPoint } from '../contract/pareto.ts';
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
  /** 0 where not even one sample fits. */
  readonly largestBatch: number;
  /** Predicted share of a regular step's time that recompute adds. */
  readonly overhead: number | null;
  /** Forward work done again / forward work of one step. */
  readonly recomputeFraction: number | null;
  /** What `budget` was told. */
  readonly budgetBytes?: number;
}

/** Something else that fits, each tried: what is changed, under which strategy, and what it holds. */
export interface Way {
  readonly change: {
    readonly batch?: number;
    readonly accumulate?: number;
    readonly precision?: Precision;
    readonly optimizer?: OptimizerName;
  };
  readonly strategy: string;
  readonly totalBytes: number;
}

export interface Fitting {
  readonly setup: TrainingSetup;
  readonly rows: readonly FitRow[];
  /** The knee of the front of memory and recompute; null where the front has none. */
  readonly bargain: FitRow | null;
}

export interface Room {
  readonly memoryBytes: number;
  readonly contextBytes: number;
}

/** Beyond this many tries a budget that the device leaves is not found. */
const MOST_TRIES = 5;

/** A row of the comparison with what it holds. */
interface Solved extends FitRow {
  readonly held: readonly HeldLine[];
}

const STRATEGY_OF_BUDGET = 'budget';

/**
 * Every strategy on a device, the least recompute within what the device leaves, and the bargain.
 *
 * @param onSolving called before each part
 */
export async function fitting(asked: Asked, room: Room, onSolving: (what: string) => void): Promise<Fitting> {
  const { network } = asked;
  const strategies = answerable({}).filter((name) => name !== STRATEGY_OF_BUDGET);
  onSolving('the strategies');
  const { rows, setup } = await solved(asked, network, strategies, room);
  onSolving(STRATEGY_OF_BUDGET);
  const within = await withinDevice(asked, rows, room);
  onSolving('the front of memory and recompute');
  const knee = kneeOf(await frontOf(asked));
  const bargain = knee === null ? null : await budgeted(asked, knee.peakBytes, room);
  return {
    setup,
    rows: [...rows, ...(within === null ? [] : [within])].map(shown),
    bargain: bargain && shown(bargain),
  };
}

/** What else would fit: a smaller batch with steps added up to as many samples, another precision, another optimizer. */
export async function waysToFit(asked: Asked, { rows, setup }: Fitting, room: Room): Promise<readonly Way[]> {
  const { network } = asked;
  const { batch } = network;
  const planned = rows.filter(({ totalBytes }) => totalBytes !== null);
  // Storing nothing at all takes tens of forwards: nobody is sent there who can go elsewhere.
  const quick = planned.filter(({ recomputeFraction }) => (recomputeFraction ?? 0) <= 1);
  const tried = quick.length > 0 ? quick : planned;
  const [least] = [...tried].sort((a, b) => a.totalBytes! - b.totalBytes!);
  const [widest] = [...tried].sort((a, b) => b.largestBatch - a.largestBatch);
  if (least === undefined || widest === undefined) return [];
  const ways: Way[] = [];
  const consider = async (change: Way['change'], strategy: string): Promise<Way | null> => {
    const { rows: found } = await solved(asked, { ...network, ...change }, [strategy], room);
    const [row] = found;
    return row?.fits === true ? { change, strategy, totalBytes: row.totalBytes! } : null;
  };
  if (widest.largestBatch > 0) {
    const smaller = await consider({ batch: widest.largestBatch }, widest.strategy);
    if (smaller !== null) ways.push(smaller);
    // Gradients that are added up take room of their own, so that the batch may have to be smaller still.
    for (let parts = Math.max(2, Math.ceil(batch / widest.largestBatch)); parts <= batch; parts *= 2) {
      const change = { batch: Math.ceil(batch / parts), accumulate: setup.accumulate * parts };
      const added = await consider(change, widest.strategy);
      if (added === null) continue;
      ways.push(added);
      break;
    }
  }
  for (const precision of PRECISIONS_BY_BYTES.filter((name) => name !== setup.precision)) {
    const way = await consider({ precision }, least.strategy);
    if (way !== null) ways.push(way);
  }
  for (const { name } of OPTIMIZERS.filter((optimizer) => optimizer.name !== setup.optimizer)) {
    const way = await consider({ optimizer: name }, least.strategy);
    if (way !== null) ways.push(way);
  }
  return ways;
}

/** Those that hold less than float32, the least change first. */
const PRECISIONS_BY_BYTES: readonly Precision[] = ['amp-bf16', 'amp-fp16', 'bf16'];

async function solved(
  { solver }: Asked,
  network: Network,
  strategies: readonly string[],
  { memoryBytes, contextBytes }: Room,
): Promise<{ readonly rows: readonly Solved[]; readonly setup: TrainingSetup }> {
  let setup: TrainingSetup | null = null;
  const rows: Solved[] = [];
  await solver.answer('compare', { ...network, strategies: [...strategies] }, NO_CONTROL, (event) => {
    if (event.type === 'head') ({ setup } = event.head);
    if (event.type !== 'row') return;
    const { strategy, applicable, reason, predictedOverhead, recomputeFraction } = event.row;
    const { held } = event;
    const most = held.length === 0 ? null : heldAt(held, network.batch, contextBytes);
    rows.push({
      strategy,
      applicable,
      reason,
      fits: most !== null && most.totalBytes <= memoryBytes,
      totalBytes: most?.totalBytes ?? null,
      terms: most?.terms ?? null,
      largestBatch: most === null ? 0 : largestBatch(held, memoryBytes, contextBytes),
      overhead: predictedOverhead,
      recomputeFraction,
      held,
    });
  });
  if (setup === null) throw new InternalError('a comparison has no head');
  return { rows, setup };
}

async function budgeted(asked: Asked, budgetBytes: number, room: Room): Promise<Solved | null> {
  const { rows } = await solved(asked, { ...asked.network, budgetBytes }, [STRATEGY_OF_BUDGET], room);
  const [row] = rows;
  return row === undefined ? null : { ...row, budgetBytes };
}

/**
 * The least recompute with which all of it fits: `budget` is told what regular training leaves the activations, and then
 * less by what its own plan holds too much, because what lies beside the activations at the peak depends on the plan.
 */
async function withinDevice(asked: Asked, rows: readonly Solved[], room: Room): Promise<Solved | null> {
  const regular = rows.find(({ strategy }) => strategy === 'regular');
  if (regular?.terms == null || regular.totalBytes === null) return null;
  let bytes = room.memoryBytes - (regular.totalBytes - regular.terms.activations);
  let last: Solved | null = null;
  for (let tries = 0; tries < MOST_TRIES && bytes > 0; tries++) {
    const row = await budgeted(asked, Math.floor(bytes), room);
    if (row === null || row.totalBytes === null) return last ?? row;
    last = row;
    if (row.fits) return row;
    bytes -= row.totalBytes - room.memoryBytes;
  }
  return last;
}

async function frontOf({ solver, network }: Asked): Promise<readonly ParetoPoint[]> {
  let points: readonly ParetoPoint[] = [];
  const { checkpoints: _c, budgetBytes: _b, segments: _s, checkpointing: _k, ...request } = network;
  await solver.answer('pareto', request, NO_CONTROL, (event) => {
    if (event.type === 'front') ({ points } = event);
  });
  return points;
}

const shown = ({ held: _held, ...row }: Solved): FitRow => row;
