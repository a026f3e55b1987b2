import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadLibsql, type OpenDatabase } from '../../../main/history/database.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { serveHistory } from '../../../main/history/serve-history.ts';
import { countingDriver } from '../../support/faulty-database.ts';
import { fewerRights } from './rights.ts';

/**
 * The history's process with a fault: few free descriptors (`ZIGZAG_TEST_DESCRIPTORS`), none of root's rights, or an
 * abort at the operation that the file `abort` in its folder names, `once` or `always`.
 */
const { ZIGZAG_TEST_DESCRIPTORS: free, ZIGZAG_TEST_AS_NOBODY: asNobody } = process.env;
// A program loads its modules before it opens a folder.
const open = loadLibsql();
open(':memory:').close();
if (asNobody !== undefined) fewerRights();

function takeDescriptors(left: number): void {
  const taken: number[] = [];
  try {
    while (taken.length < 10_000) taken.push(openSync('/dev/null', 'r'));
  } catch {
    // None is left.
  }
  for (const descriptor of taken.slice(taken.length - left)) closeSync(descriptor);
}

function aborting(folder: string): OpenDatabase {
  const file = join(folder, 'abort');
  return countingDriver(open, (operation) => {
    if (!existsSync(file)) return;
    const [where, often] = readFileSync(file, 'utf8').split(' ');
    if (where !== operation) return;
    if (often === 'once') rmSync(file);
    process.abort();
  });
}

process.on('disconnect', () => process.exit(0));
serveHistory(
  {
    send: (message: FromHistory) => process.send?.(message, () => undefined),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToHistory)),
  },
  (folder) => {
    if (free !== undefined) takeDescriptors(Number(free));
    return new RunHistory({ folder, load: () => (free === undefined ? aborting(folder) : open) });
  },
);
