import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadLibsql } from '../../../main/history/database.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { serveHistory } from '../../../main/history/serve-history.ts';
import { type Operation, countingDriver } from '../../support/faulty-database.ts';

/** The history's process, which aborts as its library does: at the operation that a file `abort` in its folder names. */
function abortWhereAsked(folder: string, operation: Operation): void {
  const file = join(folder, 'abort');
  if (!existsSync(file)) return;
  const [where, often] = readFileSync(file, 'utf8').split(' ');
  if (where !== operation) return;
  if (often === 'once') rmSync(file);
  process.abort();
}

process.on('disconnect', () => process.exit(0));
serveHistory(
  {
    send: (message: FromHistory) => process.send?.(message),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToHistory)),
  },
  (folder) =>
    new RunHistory({
      folder,
      load: () => countingDriver(loadLibsql(), (operation) => abortWhereAsked(folder, operation)),
    }),
);
