import { describe, expect, it } from 'vitest';
import { TOO_MANY_RUNS } from '../../../app/contract/history.ts';
import { historyAnswers } from '../../../main/history/answers.ts';
import type { HistoryService } from '../../../main/host/services.ts';
import { bytesOf } from './pass.ts';
import { MAX_RUNS_FILE_BYTES } from '../../../engine/exchange/read-limits.ts';

describe('a page’s request to the history', () => {
  const asked: unknown[] = [];
  const history = new Proxy({} as HistoryService, {
    get:
      (_target, name) =>
      async (...input: unknown[]) =>
        asked.push([name, ...input]),
  });
  const answers = historyAnswers(history);

  it('reaches it with the page’s input', async () => {
    await answers.listRuns();
    await answers.openRun({ id: 'a' });
    await answers.removeRuns({ ids: ['a'] });
    await answers.restoreRuns({ ids: ['b'] });
    await answers.annotateRun({ id: 'a', name: 'mine' });
    await answers.exportRuns({ ids: ['c'] });
    await answers.importRuns({ bytes: new Blob(['text']), makeRoom: true });
    expect(asked).toEqual([
      ['list'],
      ['open', 'a'],
      ['remove', ['a']],
      ['restore', ['b']],
      ['annotate', { id: 'a', name: 'mine' }],
      ['exportRuns', ['c']],
      ['importRuns', bytesOf('text'), true],
    ]);
  });

  it('accepts a file of the largest size, and refuses a larger one', async () => {
    const sized = (size: number) =>
      ({ size, arrayBuffer: async () => bytesOf('x').buffer }) as unknown as Blob;
    await answers.importRuns({ bytes: sized(MAX_RUNS_FILE_BYTES), makeRoom: false });
    expect(asked.at(-1)).toEqual(['importRuns', bytesOf('x'), false]);
    const before = asked.length;
    await expect(
      answers.importRuns({ bytes: sized(MAX_RUNS_FILE_BYTES + 1), makeRoom: false }),
    ).rejects.toThrow(TOO_MANY_RUNS);
    expect(asked).toHaveLength(before);
  });
});
