import { writeSync } from 'node:fs';
import { loadLibsql } from '../../../main/history/database.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { countingDriver } from '../../support/faulty-database.ts';
import { DAY_BOUNDS, wholeDay } from './whole-day.ts';

/** A lab's whole day in a folder, each acknowledged stage a line; killed by itself at the N-th operation. */
const [folder = '', killAt] = process.argv.slice(2);
let count = 0;
const history = new RunHistory({
  folder,
  bounds: DAY_BOUNDS,
  load: () =>
    countingDriver(loadLibsql(), () => {
      if (++count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    }),
});
wholeDay(history, (stage) => writeSync(1, `${stage}\n`));
history.close();
