import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recipeOf } from '../../engine/tables/recipes.ts';
import { completeTable, type ReproducedTable, type TableName } from '../../engine/tables/table.ts';

/**
 * A table with every row, its times left out. The tables take up to half a minute, so a run of the tests solves each
 * once: the first file that asks leaves it in the run's folder (vitest.config.ts) for those that ask later.
 */
export function solvedTable(name: TableName): ReproducedTable {
  const folder = process.env['ZIGZAG_TEST_RUN'];
  if (folder === undefined) return completeTable(recipeOf(name, () => 0));
  const file = join(folder, `${name}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ReproducedTable;
  } catch {
    const table = completeTable(recipeOf(name, () => 0));
    mkdirSync(folder, { recursive: true });
    // Two workers may solve one at once; each reads a whole file or none.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(table));
    renameSync(`${file}.${process.pid}`, file);
    return table;
  }
}
