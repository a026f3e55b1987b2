import type { StrategyLimit } from '../../../../app/contract/limits.ts';
import {
  batchReaching,
  type DeviceSpeed,
  samplesPerSecond,
  type StepWork,
} from '../../../../engine/limits/throughput.ts';
import { heldAt } from '../../../../engine/training-memory/held.ts';
import { identityOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { LimitsState } from './limits-store.ts';

/** One strategy on the device; null where nothing is known or nothing fits. */
export interface LimitRow {
  readonly identity: StrategyIdentity;
  readonly state: 'solved' | 'refused' | 'waiting';
  readonly reason: string | null;
  readonly limit: StrategyLimit | null;
  /** 0: not even one sample fits. */
  readonly batch: number | null;
  readonly factor: number | null;
  readonly input: number | null;
  readonly inputCapped: boolean;
  readonly work: StepWork | null;
  /** Images per second at the largest batch, predicted. */
  readonly rate: number | null;
  /** Smallest batch at which this is at least as fast as regular training at its largest; null: none fits. */
  readonly paysFrom: number | null;
}

export interface LimitRowsInput {
  readonly state: Pick<LimitsState, 'rows'>;
  readonly strategies: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
  readonly speed: DeviceSpeed;
}

export function limitRows({ state, strategies, titles, speed }: LimitRowsInput): LimitRow[] {
  const regular = state.rows.get('regular');
  const base = regular?.batch?.batch ?? 0;
  const baseRate = regular === undefined || base === 0 ? null : rateOf(regular, speed, base);
  return strategies.map((name): LimitRow => {
    const identity = identityOf(name, titles.get(name));
    const limit = state.rows.get(name);
    if (limit === undefined) return { ...NOTHING, identity, state: 'waiting', reason: null };
    if (limit.reason !== null) return { ...NOTHING, identity, state: 'refused', reason: limit.reason };
    const batch = limit.batch?.batch ?? 0;
    const work = workOf(limit);
    const pays =
      work === null || baseRate === null || name === 'regular' ? null : batchReaching(work, speed, baseRate);
    return {
      identity,
      state: 'solved',
      reason: null,
      limit,
      batch,
      factor: base > 0 && name !== 'regular' ? batch / base : null,
      input: limit.input?.input ?? null,
      inputCapped: limit.input?.capped ?? false,
      work,
      rate: batch === 0 ? null : rateOf(limit, speed, batch),
      paysFrom: pays !== null && pays <= batch ? pays : null,
    };
  });
}

const NOTHING = {
  limit: null,
  batch: null,
  factor: null,
  input: null,
  inputCapped: false,
  work: null,
  rate: null,
  paysFrom: null,
} as const;

function workOf({ operations, flopsPerSample }: StrategyLimit): StepWork | null {
  return flopsPerSample === null ? null : { operations, flopsPerSample };
}

function rateOf(limit: StrategyLimit, speed: DeviceSpeed, batch: number): number | null {
  const work = workOf(limit);
  return work === null ? null : samplesPerSecond(work, speed, batch);
}

/** The strategy that fits the most samples; among equals the fastest. */
export function widestRow(rows: readonly LimitRow[]): LimitRow | null {
  return rows.reduce<LimitRow | null>((best, row) => {
    if (row.batch === null || row.batch === 0) return best;
    if (best === null || row.batch > (best.batch ?? 0)) return row;
    return row.batch === best.batch && (row.rate ?? 0) > (best.rate ?? 0) ? row : best;
  }, null);
}

export function fastestRow(rows: readonly LimitRow[]): LimitRow | null {
  return rows.reduce<LimitRow | null>(
    (best, row) => (row.rate !== null && row.rate > (best?.rate ?? 0) * 1.0005 ? row : best),
    null,
  );
}

export function bytesAt(limit: StrategyLimit, batch: number, contextBytes: number): number {
  return heldAt(limit.held, batch, contextBytes).totalBytes;
}
