import { readFileSync } from 'node:fs';
import { loadLibsql } from '../../../main/history/database.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { countingDriver } from '../../support/faulty-database.ts';

/** Imports a file into a folder, and is killed at the N-th statement where a third argument says so. */
const [folder = '', file = '', killAt] = process.argv.slice(2);
let count = 0;
const history = new RunHistory({
  folder,
  load: () =>
    countingDriver(loadLibsql(), () => {
      if (++count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    }),
});
try {
  const { added } = history.importRuns(new Uint8Array(readFileSync(file)), true);
  process.stdout.write(`taken ${added.length}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
}
process.stdout.write(`${process.resourceUsage().maxRSS}\n`);
history.close();
