import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { HistoryClient } from '../../../main/history/client.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import type { Operation } from '../../support/faulty-database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { requestOf, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { pass } from './pass.ts';
import { collected } from '../../support/collected.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({
    history: 'main/history/process.ts',
    mortal: 'test/main/history/faulty-process.ts',
  });
});
afterAll(() => built.remove());

const clients: HistoryClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

function clientIn(folder: string, entry = 'history'): HistoryClient {
  const client = new HistoryClient(childProcessSpawner<ToHistory, FromHistory>(built.file(entry)), {
    folder,
    by: 'usual',
  });
  clients.push(client);
  return client;
}

const abortAt = (folder: string, operation: Operation, often: 'once' | 'always'): void =>
  writeFileSync(join(folder, 'abort'), `${operation} ${often}`);

describe('the history in a process of its own', () => {
  it('switches to another folder: runs are copied, the old folder keeps them, a run in progress stays whole', async () => {
    const [from, to] = [freshFolder(), join(freshFolder(), 'deep', 'runs')];
    const client = clientIn(from);
    await pass(client, wholeRun(), { id: 'one' });
    // Nothing, and not null: the contract says void.
    expect(await client.annotate({ id: 'one', name: 'mine' })).toBeUndefined();
    const events = wholeRun();
    async function* moved(): AsyncGenerator<TrainEvent> {
      for (const [i, event] of events.entries()) {
        if (i === 4) expect(await client.moveTo(to, () => undefined)).toBe(true);
        yield event;
      }
    }
    expect(await collected(client.record(requestOf({ run: 'two' }), moved()))).toEqual(events);
    const { runs, folder, problem } = await client.list();
    expect({ folder, problem }).toEqual({ folder: to, problem: null });
    expect(runs).toMatchObject([
      { id: 'two', outcome: 'done', done: 3 },
      { id: 'one', outcome: 'done', done: 3 },
    ]);
    expect((await client.open('two')).loss).toEqual((await client.open('one')).loss);
    await client.close();
    expect(historyIn(from).list().runs).toHaveLength(2);
    expect(readdirSync(to).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('keeps the folder if the new one cannot be used, or the choice cannot be stored', async () => {
    const from = freshFolder();
    const client = clientIn(from);
    await pass(client, wholeRun(), { id: 'one' });
    const file = join(freshFolder(), 'file');
    writeFileSync(file, '');
    const remember = vi.fn();
    await expect(client.moveTo(join(file, 'sub'), remember)).rejects.toThrow(
      /sub cannot be used \(ENOTDIR\); choose another folder$/,
    );
    expect(remember).not.toHaveBeenCalled();
    const refused = client.moveTo(freshFolder(), () => {
      throw new Error('no room for the choice');
    });
    await expect(refused).rejects.toThrow('no room for the choice');
    expect(await client.list()).toMatchObject({ folder: from, runs: [{ id: 'one' }] });
  });

  it('keeps a run whole if its process aborts during it, and says so', async () => {
    const folder = freshFolder();
    const client = clientIn(folder, 'mortal');
    await client.list();
    for (const operation of ['write', 'sync', 'synced'] as const) {
      const events = wholeRun();
      async function* aborted(): AsyncGenerator<TrainEvent> {
        for (const [i, event] of events.entries()) {
          if (i === 0 || i === 4) {
            abortAt(folder, operation, 'once');
            yield event;
            // The process receives the message, and dies of it.
            await client.list();
          } else yield event;
        }
      }
      expect(await collected(client.record(requestOf({ run: operation }), aborted()))).toEqual(events);
      expect((await client.list()).notice).toMatch(
        /^The history of runs stopped unexpectedly \(.*\) and was restarted; .* training continues\.$/,
      );
    }
    await client.close();
    expect(client.problem).toBeNull();
    const { runs, notice } = historyIn(folder).list();
    expect(notice).toBeNull();
    expect(runs.map(({ id, outcome, done }) => [id, outcome, done])).toEqual([
      ['synced', 'done', 3],
      ['sync', 'done', 3],
      ['write', 'done', 3],
    ]);
    expect(historyIn(folder).open('sync').measured).toHaveLength(6);
  });

  it('reports in one sentence that it stops at every start, while runs continue, and recovers later', async () => {
    const folder = freshFolder();
    const client = clientIn(folder, 'mortal');
    abortAt(folder, 'open', 'always');
    expect(await client.list()).toMatchObject({
      runs: [],
      problem: expect.stringMatching(
        /^Runs are not stored, because the history stops at every start .*a new one is created\.$/,
      ),
    });
    await expect(client.open('x')).rejects.toMatchObject({ failure: { code: 'WORKER_DIED' } });
    const events = wholeRun();
    expect(await pass(client, events, { id: 'lost' })).toEqual(events);
    await client.close();
    expect(client.problem).toContain('stops at every start');
    writeFileSync(join(folder, 'abort'), 'never');
    expect((await client.list()).problem).toBeNull();
    await pass(client, events, { id: 'kept' });
    expect((await client.list()).runs).toMatchObject([{ id: 'kept', outcome: 'done' }]);
  });
});
