import { BadInputError } from '../../../engine/errors.ts';
import { cellsOf, type SweepPlan } from './plan.ts';
import { isSameAnswer, type ReadShard } from './shard-file.ts';
import type { SweptRow } from './solve-cells.ts';

export interface Merged {
  readonly plan: SweepPlan;
  /** By cell; each once. */
  readonly rows: readonly SweptRow[];
  readonly missing: number;
  /** Shards with something left to do, `3/64`. */
  readonly unfinished: readonly string[];
}

/**
 * One table of all shards; a cell that two of them have counts once.
 *
 * @throws BadInputError where two have different answers for it
 */
export function mergeShards(shards: readonly ReadShard[]): Merged {
  const plan = shards[0]!.plan;
  const cells = cellsOf(plan);
  const found = new Map<number, SweptRow>();
  for (const { shard, rows } of shards)
    for (const row of rows) {
      const before = found.get(row.cell);
      if (before === undefined) found.set(row.cell, row);
      else if (!isSameAnswer(before, row))
        throw new BadInputError(
          `--merge: two shards have different results for cell ${row.cell}, one of them ${shard.number}/${shard.of}: remove one of the files, and run its shard again`,
        );
    }
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
