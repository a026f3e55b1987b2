import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { HistoryOptions } from '../../../main/history/run-history.ts';
import { RecordingHistory } from './pass.ts';

const folders: string[] = [];
const opened: RecordingHistory[] = [];
afterEach(() => {
  for (const history of opened.splice(0)) history.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-history-'));
  folders.push(folder);
  return folder;
}

/** A history that is closed after the test. */
export function historyIn(folder: string, options: Partial<HistoryOptions> = {}): RecordingHistory {
  const history = new RecordingHistory({ folder, ...options });
  opened.push(history);
  return history;
}
