import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLibsql, type Value } from '../../../main/history/database.ts';
import { migrate } from '../../../main/history/schema.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

type Cell = Value | { readonly base64: string };

interface KeptRun {
  /** Rows by table. */
  readonly database: Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;
  /** The same as zigzag-runs/1. */
  readonly file: { readonly runs: readonly object[] };
}

/** A run as the first version of the history wrote it: into its database and into a file. */
export const keptRun = (): KeptRun =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/kept-run.json'), 'utf8'));

/** A folder with that database. */
export function keptFolder(): string {
  const folder = freshFolder();
  const database = loadLibsql()(join(folder, 'runs.db'));
  migrate(database);
  for (const [table, rows] of Object.entries(keptRun().database)) {
    for (const row of rows) {
      const cells = Object.values(row).map((cell) =>
        cell !== null && typeof cell === 'object' && 'base64' in cell
          ? Buffer.from(cell.base64, 'base64')
          : cell,
      );
      const names = Object.keys(row);
      database
        .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
        .run(...cells);
    }
  }
  database.close();
  return folder;
}
