import { mkdirSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunHistory } from '../../../main/history/run-history.ts';
import { fileOf, keepRun } from './whole-day.ts';

/**
 * On a disk that is really full: a day of a lab with each of the numbers of free bytes, then without the ballast. A line
 * of JSON for each: what was acknowledged, what was told, what is there afterwards.
 */
const [disk = '', ...free] = process.argv.slice(2);

for (const [index, bytes] of free.map(Number).entries()) {
  const folder = join(disk, `${index}`);
  mkdirSync(folder);
  const before = new RunHistory({ folder });
  keepRun(before, 'old');
  before.close();
  const { bavail, bsize } = statfsSync(disk);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - bytes)));

  const acknowledged: string[] = [];
  const told: string[] = [];
  const tried = (fact: string, work: () => unknown): void => {
    try {
      work();
      acknowledged.push(fact);
    } catch (error) {
      told.push(error instanceof Error ? error.message : String(error));
    }
  };
  const history = new RunHistory({ folder });
  tried('named', () => history.annotate({ id: 'old', name: 'mine' }));
  tried('own', () => keepRun(history, 'own'));
  tried('file', () => history.importRuns(fileOf(['f1', 'f2'])));
  history.close();

  unlinkSync(ballast);
  const after = new RunHistory({ folder });
  const { runs, problem, notice } = after.list();
  const kept = runs.map(({ id, name }) => ({ id, name, done: after.open(id).loss.length }));
  after.close();
  process.stdout.write(`${JSON.stringify({ bytes, acknowledged, told, kept, problem, notice })}\n`);
}
