import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { FaultyDisk } from '../../support/faulty-database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
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

  it('is not asked again before ten seconds are over, and then has the whole run', () => {
    let time = 0;
    const disk = new FaultyDisk();
    const history = historyIn(freshFolder(), { elapsed: () => time, load: () => disk.driver(loadLibsql()) });
    history.list();
    const recorder = history.recorder(requestOf({ run: 'a' }), 'lab');
    recorder.take(startEvent());
    disk.arm(1, true);
    time += 1000;
    recorder.take(iterationEvents(0)[1] as TrainEvent);
    expect(history.problem).toContain('disk I/O error');
    const failed = disk.failed;
    time += 9999;
    recorder.take(iterationEvents(1)[1] as TrainEvent);
    expect(disk.failed).toBe(failed);
    disk.repair();
    time += 1;
    recorder.take(iterationEvents(2)[1] as TrainEvent);
    expect(history.problem).toBeNull();
    expect(history.open('a').loss).toHaveLength(3);
    recorder.end('cancelled');
  });
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

  it('wait for the one that looks at the file, so that none sets a new file aside', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'runs.db'), 'this was a history once '.repeat(400));
    const second = historyIn(folder);
    let asked: string | null = null;
    const first = historyIn(folder, {
      load: () => (file) => {
        const database = loadLibsql()(file);
        // The file was opened, and its damage is not known yet: just now another lab begins.
        if (file.endsWith('runs.db')) asked ??= second.list().problem ?? 'it came between';
        return database;
      },
    });
    const { problem, notice } = first.list();
    expect(problem).toBeNull();
    expect(notice).toMatch(/^The history of runs was damaged, so it was set aside as .*begun\.$/);
    expect(asked).toMatch(/^Runs cannot be kept in .* now \(database is locked\)/);
    // It shows no runs either, and says why.
    expect(second.list()).toMatchObject({ problem: null, notice });
    expect(readdirSync(folder).filter((name) => /^runs-damaged-.*\.db$/.test(name))).toHaveLength(1);
  });
});
