import { medianInterval } from '../../engine/median-interval.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { BatchSource } from './data/batch.ts';
import { Executor } from './executor.ts';
import { ParameterStore } from './parameter-store.ts';
import type { Progress } from './progress.ts';
import { supervised, type Supervision } from './supervision.ts';

export interface PairedOptions {
  /** Pairs that count. */
  readonly pairs: number;
  /** Warm-up pairs. */
  readonly warmUp: number;
  readonly seed: number;
  /** Clock in milliseconds, the run's by default; on a busy machine processor time is better. */
  readonly now?: () => number;
  readonly supervision?: Supervision;
  readonly progress?: Progress;
  /** Called with the result so far after each counted pair. */
  readonly onPair?: (times: PairedTimes) => void;
}

/** Times of whole iterations in milliseconds, optimizer included, and figures derived from them. */
export interface PairedTimes {
  readonly regularMs: readonly number[];
  readonly strategyMs: readonly number[];
  /** Median over the pairs of strategy / regular - 1: a share of 1. */
  readonly overhead: number;
  /** First and third quartile of the same. */
  readonly quartiles: readonly [number, number];
  /** Confidence interval of that median (95 %); null for fewer than six pairs. */
  readonly interval: readonly [number, number] | null;
  /** Highest sample under the strategy. */
  readonly measuredPeakBytes: number;
}

const SGD = { learningRate: 1e-4, momentum: 0.9 };

/**
 * Measures the time overhead of a schedule in pairs: regular, strategy, strategy, regular, ... so that a machine that
 * changes speed affects both. The parameters change after every iteration as in training, because backends cache packed
 * copies of unchanged parameters.
 *
 * @throws CancelledError, OutOfMemoryError
 */
export async function measurePaired(
  problem: Problem,
  regular: Schedule,
  strategy: Schedule,
  data: BatchSource,
  backend: OpenBackend,
  options: PairedOptions,
): Promise<PairedTimes> {
  const { pairs, warmUp, seed, progress, onPair, supervision = supervised() } = options;
  const { now = () => supervision.gate.now() } = options;
  const store = new ParameterStore(problem.graph, seed);
  const executors = [regular, strategy].map((schedule) => {
    return new Executor({ problem, schedule, store, seed, backend, supervision });
  }) as [Executor, Executor];
  const times: [number[], number[]] = [[], []];
  let measuredPeakBytes = 0;
  const onSample = (_step: number, bytes: number): void => {
    measuredPeakBytes = Math.max(measuredPeakBytes, bytes);
  };
  try {
    for (let pair = 0; pair < warmUp + pairs; pair++) {
      if (pair === 0) progress?.begin('warm-up', warmUp);
      if (pair === warmUp) progress?.begin('pairs', pairs);
      const done = pair < warmUp ? pair : pair - warmUp;
      const order: readonly (0 | 1)[] = pair % 2 === 0 ? [0, 1] : [1, 0];
      for (const [half, which] of order.entries()) {
        const batch = data.batch(pair);
        const started = now();
        await executors[which].step(batch, pair, {
          onShare: (share) => progress?.at(done + (half + share) / 2),
          ...(which === 1 ? { onSample } : {}),
        });
        store.descend(SGD);
        await store.settle();
        if (pair >= warmUp) times[which].push(now() - started);
      }
      if (pair >= warmUp) onPair?.(pairedTimes(times, measuredPeakBytes));
    }
  } finally {
    store.dispose();
  }
  return pairedTimes(times, measuredPeakBytes);
}

function pairedTimes([regularMs, strategyMs]: [number[], number[]], measuredPeakBytes: number): PairedTimes {
  const ratios = strategyMs.map((ms, i) => ms / regularMs[i]! - 1);
  return {
    regularMs: [...regularMs],
    strategyMs: [...strategyMs],
    overhead: quantile(ratios, 0.5),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    interval: medianInterval(ratios),
    measuredPeakBytes,
  };
}

/** The value below which a share of the values lies, by linear interpolation between neighbours; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}
