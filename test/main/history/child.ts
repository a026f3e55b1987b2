import {
  existsSync,
  mkdirSync,
  readFileSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { loadLibsql } from '../../../main/history/database.ts';
import { countingDriver } from '../../support/faulty-database.ts';
import { iterationEvents, requestOf, startEvent } from './events.ts';
import { RecordingHistory } from './pass.ts';
import { DAY_BOUNDS, shortDay, wholeDay } from './days.ts';

/** A lab of its own in a folder. `killAt` ends it by SIGKILL at that operation of its database. */
const [mode = '', folder = '', killAt = '', more = ''] = process.argv.slice(2);
let count = 0;
const dying = (): RecordingHistory =>
  new RecordingHistory({
    folder,
    bounds: mode === 'day' ? DAY_BOUNDS : { runs: 1000, bytes: 1e9 },
    load: () =>
      countingDriver(loadLibsql(), () => {
        if (++count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
      }),
  });

const MODES: Readonly<Record<string, () => void>> = {
  /** A whole day, each acknowledged stage a line. */
  day() {
    const history = dying();
    wholeDay(history, (stage) => writeSync(1, `${stage}\n`));
    history.close();
  },
  /** Imports a file and prints what came of it. */
  import() {
    const history = dying();
    try {
      const { added } = history.importRuns(new Uint8Array(readFileSync(more)), true);
      writeSync(1, `taken ${added.length}\n`);
    } catch (error) {
      writeSync(1, `${(error as Error).message}\n`);
    }
  },
  /** Records a run that never ends. */
  record() {
    const history = dying();
    const recorder = history.recorder(requestOf({ run: 'killed', iterations: 100_000 }));
    recorder.take(startEvent());
    let iteration = 0;
    setInterval(() => {
      for (const event of iterationEvents(iteration++)) recorder.take(event);
      if ((history.list().runs[0]?.done ?? 0) > 0) writeSync(1, 'written\n');
    }, 5);
  },
  /** Keeps one run as soon as a file appears: one of several labs that begin at once. */
  open() {
    while (!existsSync(join(folder, 'go')));
    const history = dying();
    history.keep(more);
    writeSync(1, 'kept');
    history.close();
  },
  /** A day on a disk that is really full but for some bytes, each number of them in a folder of its own. */
  full() {
    for (const free of more.split(',')) {
      const place = join(folder, free);
      mkdirSync(place);
      const before = new RecordingHistory({ folder: place });
      before.keep('old');
      before.close();
      const { bavail, bsize } = statfsSync(folder);
      const ballast = join(folder, 'ballast');
      writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - Number(free))));
      const history = new RecordingHistory({ folder: place });
      const day = shortDay(history);
      history.close();
      unlinkSync(ballast);
      const after = new RecordingHistory({ folder: place });
      const { runs, problem, notice } = after.list();
      const kept = runs.map(({ id, name }) => ({ id, name, done: after.open(id).loss.length }));
      after.close();
      writeSync(1, `${JSON.stringify({ free, ...day, kept, problem, notice })}\n`);
    }
  },
};
MODES[mode]?.();
