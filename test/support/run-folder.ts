import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for files of all test files of one run (solved-tables.ts, fresh-folder.ts), which goes at its end. */
export function runFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-test-run-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
