import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLibsql } from '../../../main/history/database.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { FaultyDisk } from '../../support/faulty-database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { bytesOf, pass, recordOf } from './pass.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ child: 'test/main/history/opening-child.ts' });
});
afterAll(() => built.remove());

/** Everything that a lab asks of a history, and what was acknowledged of it. */
async function allThatIsAsked(history: RunHistory, acknowledged: Set<string>): Promise<void> {
  const tried = (fact: string, work: () => unknown): void => {
    try {
      work();
      acknowledged.add(fact);
    } catch {
      // What is refused is told, and promised to nobody.
    }
  };
  await pass(history, wholeRun(), { id: 'own' });
  if (history.problem === null) acknowledged.add('own');
  tried('file', () => history.importRuns(bytesOf(writeRunsFile(['f1', 'f2'].map(recordOf)))));
  tried('named', () => history.annotate({ id: 'own', name: 'a name' }));
  tried('removed', () => history.remove(['f2']));
  await pass(history, wholeRun(), { id: 'second' });
  if (history.problem === null) acknowledged.add('second');
}

describe('a disk that fails at its N-th operation', () => {
  it.each([
    ['once', false],
    ['from then on', true],
  ])(
    'and %s: what was acknowledged is there, what was not is told, and every run goes on',
    async (_how, lasts) => {
      let tries = 0;
      for (let nth = 1; ; nth++) {
        const disk = new FaultyDisk();
        const folder = freshFolder();
        const acknowledged = new Set<string>();
        const history = historyIn(folder, { load: () => disk.driver(loadLibsql()) });
        disk.arm(nth, lasts);
        await allThatIsAsked(history, acknowledged);
        if (disk.failed === 0) break;
        tries++;
        const told = history.problem !== null;
        if (lasts) expect(told).toBe(true);
        disk.repair();
        history.close();

        const after = historyIn(folder);
        const { runs, problem, notice } = after.list();
        expect({ problem, notice }, `operation ${nth}`).toEqual({ problem: null, notice: null });
        const ids = runs.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const isThere = (id: string): boolean => ids.includes(id);
        for (const id of ['own', 'second']) {
          if (!acknowledged.has(id)) continue;
          expect(isThere(id), `${id} after operation ${nth}`).toBe(true);
          expect(after.open(id)).toMatchObject({ outcome: 'done', loss: [2, 1.9, 1.8] });
        }
        if (acknowledged.has('file')) expect(isThere('f1')).toBe(true);
        if (acknowledged.has('named')) expect(after.open('own').name).toBe('a name');
        if (acknowledged.has('file') && acknowledged.has('removed')) expect(isThere('f2')).toBe(false);
        // One run, however often it was tried: no copy of it under another name.
        expect(runs.filter(({ source }) => source === 'lab').length).toBeLessThanOrEqual(2);
        after.close();
      }
      expect(tries).toBeGreaterThan(60);
    },
  );
});

describe('several labs at once', () => {
  it('that find a damaged file set it aside once, and all see the runs of all', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = freshFolder();
      writeFileSync(join(folder, 'runs.db'), 'this was a history once '.repeat(400));
      const go = join(folder, 'go');
      const children = ['a', 'b', 'c'].map((id) =>
        spawn(process.execPath, [built.file('child'), folder, go, id]),
      );
      const said = children.map(
        (child) =>
          new Promise<string>((resolve) => {
            let text = '';
            child.stdout.on('data', (data: Buffer) => {
              text += data.toString();
            });
            child.once('close', () => resolve(text));
          }),
      );
      writeFileSync(go, '');
      expect((await Promise.all(said)).map((text) => text.trim())).toEqual(['kept', 'kept', 'kept']);
      const names = readdirSync(folder).filter((name) => /^runs-damaged-.*\.db$/.test(name));
      expect(names).toHaveLength(1);
      expect(
        historyIn(folder)
          .list()
          .runs.map(({ id }) => id)
          .sort(),
      ).toEqual(['a', 'b', 'c']);
    }
  });
});
