import { afterEach } from 'vitest';
import type { HistoryOptions } from '../../../main/history/run-history.ts';
import { RecordingHistory } from './pass.ts';

const opened: RecordingHistory[] = [];
afterEach(() => {
  for (const history of opened.splice(0)) history.close();
});

/** A history that is closed after the test. */
export function historyIn(folder: string, options: Partial<HistoryOptions> = {}): RecordingHistory {
  const history = new RecordingHistory({ folder, ...options });
  opened.push(history);
  return history;
}
