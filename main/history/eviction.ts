import type { Database } from './database.ts';

/**
 * What is kept at most: beyond it the oldest runs are removed, those with a name of the user's last. As many again
 * of removed ones are kept for as long as they can be restored.
 */
export interface Bounds {
  readonly runs: number;
  readonly bytes: number;
}

/** What went to make room. */
export interface Evicted {
  /** Numbers of runs that were removed, and can be restored. */
  readonly evicted: readonly number[];
  /** How many runs that had been removed before are gone for good. */
  readonly lost: number;
}

interface Row {
  readonly number: number;
  readonly bytes: number;
}

/**
 * Brings a history within its bounds, inside the transaction that went beyond them.
 *
 * @param newest number of the first run that stays, whatever its size: those from it on are what room is made for
 */
export function keepWithin(database: Database, bounds: Bounds, newest: number, nowMs: number): Evicted {
  const beyond = (kept: string, first: string): number[] => {
    const [total] = database
      .prepare(`SELECT count(*) AS runs, coalesce(sum(bytes), 0) AS bytes FROM runs WHERE ${kept}`)
      .all() as { runs: number; bytes: number }[];
    let { runs, bytes } = total ?? { runs: 0, bytes: 0 };
    if (runs <= bounds.runs && bytes <= bounds.bytes) return [];
    const rows = database
      .prepare(
        `SELECT number, bytes FROM runs WHERE ${kept} AND outcome <> 'running' AND number < ? ORDER BY ${first}`,
      )
      .all(newest) as Row[];
    const gone: number[] = [];
    for (const row of rows) {
      if (runs <= bounds.runs && bytes <= bounds.bytes) break;
      runs--;
      bytes -= row.bytes;
      gone.push(row.number);
    }
    return gone;
  };
  const evicted = beyond('removed_ms IS NULL', 'length(name) > 0, number');
  const remove = database.prepare('UPDATE runs SET removed_ms = ?, evicted = 1 WHERE number = ?');
  for (const number of evicted) remove.run(nowMs, number);
  const lost = beyond('removed_ms IS NOT NULL', 'removed_ms, number');
  const purge = database.prepare('DELETE FROM runs WHERE number = ?');
  for (const number of lost) purge.run(number);
  return { evicted, lost: lost.length };
}
