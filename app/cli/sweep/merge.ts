import { cellsOf, type SweepPlan } from './plan.ts';
import type { ReadShard } from './shard-file.ts';
import type { SweptRow } from './solve-cells.ts';

export interface Merged {
  readonly plan: SweepPlan;
  /** By cell; each once. */
  readonly rows: readonly SweptRow[];
  readonly missing: number;
  /** Shards with something left to do, `3/64`. */
  readonly unfinished: readonly string[];
}

/** One table of all shards; a cell that two of them have counts once, as the first has it. */
export function mergeShards(shards: readonly ReadShard[]): Merged {
  const plan = shards[0]!.plan;
  const cells = cellsOf(plan);
  const found = new Map<number, SweptRow>();
  for (const { rows } of shards) for (const row of rows) if (!found.has(row.cell)) found.set(row.cell, row);
  const missing = cells.filter(({ index }) => !found.has(index));
  const of = Math.max(...shards.map(({ shard }) => shard.of));
  const unfinished = new Set(missing.map(({ index }) => `${(index % of) + 1}/${of}`));
  return {
    plan,
    rows: [...found.values()].sort((a, b) => a.cell - b.cell),
    missing: missing.length,
    unfinished: [...unfinished],
  };
}
