import { closeSync, openSync } from 'node:fs';
import { loadLibsql } from '../../../main/history/database.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { serveHistory } from '../../../main/history/serve-history.ts';
import { fewerRights } from './rights.ts';

/** The history's process with what is left to it: `ZIGZAG_TEST_DESCRIPTORS` free ones; no rights of root's. */
const { ZIGZAG_TEST_DESCRIPTORS: free, ZIGZAG_TEST_AS_NOBODY: asNobody } = process.env;
// What a program loads it has before it opens a folder.
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

process.on('disconnect', () => process.exit(0));
serveHistory(
  {
    send: (message: FromHistory) => process.send?.(message, () => undefined),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToHistory)),
  },
  (folder) => {
    if (free !== undefined) takeDescriptors(Number(free));
    return new RunHistory({ folder, load: () => open });
  },
);
