import { expect, it } from 'vitest';
import { loadLibsql, type OpenDatabase } from '../../../main/history/database.ts';
import { FaultyDisk } from '../../support/faulty-database.ts';
import { fileOf } from './days.ts';
import { requestOf, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import type { RecordingHistory } from './pass.ts';

/** Everything that a lab asks of a history, and what was acknowledged of it. */
function allThatIsAsked(history: RecordingHistory): ReadonlySet<string> {
  const acknowledged = new Set<string>();
  const tried = (fact: string, work: () => unknown): void => {
    try {
      work();
      acknowledged.add(fact);
    } catch {
      // A refused run is reported, and promised to nobody.
    }
  };
  tried('own', () => history.keep('own'));
  tried('file', () => history.importRuns(fileOf('f1', 'f2')));
  tried('named', () => history.annotate({ id: 'own', name: 'a name' }));
  tried('removed', () => history.remove(['f2']));
  tried('second', () => history.keep('second'));
  return acknowledged;
}

it.each([
  ['once', false],
  ['from then on', true],
])(
  'a disk that fails at its N-th operation and %s: acknowledged data is stored, and the rest is reported',
  (_how, lasts) => {
    let tries = 0;
    for (let nth = 1; ; nth++) {
      const disk = new FaultyDisk();
      const folder = freshFolder();
      const history = historyIn(folder, { load: () => disk.driver(loadLibsql()) });
      disk.arm(nth, lasts);
      const acknowledged = allThatIsAsked(history);
      if (disk.failed === 0) break;
      tries++;
      if (lasts) expect(history.problem).not.toBeNull();
      disk.repair();
      history.close();

      const after = historyIn(folder);
      const { runs, problem, notice } = after.list();
      const when = `operation ${nth}`;
      expect({ problem, notice }, when).toEqual({ problem: null, notice: null });
      const ids = runs.map(({ id }) => id);
      expect(new Set(ids).size, when).toBe(ids.length);
      for (const id of ['own', 'second'])
        if (acknowledged.has(id))
          expect(after.open(id), when).toMatchObject({ outcome: 'done', loss: [2, 1.9, 1.8] });
      if (acknowledged.has('file')) expect(ids, when).toContain('f1');
      if (acknowledged.has('named')) expect(after.open('own').name, when).toBe('a name');
      if (acknowledged.has('file') && acknowledged.has('removed')) expect(ids, when).not.toContain('f2');
      // One run, however often it was tried: no copy of it under another name.
      expect(runs.filter(({ source }) => source === 'lab').length, when).toBeLessThanOrEqual(2);
      after.close();
    }
    expect(tries).toBeGreaterThan(60);
  },
);

it.each(['list', 'close'] as const)(
  'a run that ends while the disk is full is reported, and stored once there is room at %s',
  async (when) => {
    const folder = freshFolder();
    let limit = (_pages: number): void => undefined;
    const open: OpenDatabase = (file) => {
      const database = loadLibsql()(file);
      limit = (pages) => void database.exec(`PRAGMA max_page_count = ${pages}`);
      return database;
    };
    const history = historyIn(folder, { load: () => open });
    expect(history.list().problem).toBeNull();
    limit(1);
    const recorders = Array.from({ length: 33 }, (_, i) => history.recorder(requestOf({ run: `run ${i}` })));
    for (const recorder of recorders) {
      for (const event of wholeRun(2000)) recorder.take(event);
      void recorder.end('over');
    }
    const { problem, runs } = history.list();
    expect(problem).toMatch(/^The disk of .* is full, so runs are not stored now; training continues\./);
    expect(runs.map(({ outcome }) => outcome)).not.toContain('done');
    limit(1_000_000);
    if (when === 'close') history.close();
    const after = when === 'close' ? historyIn(folder) : history;
    expect(after.list().problem).toBeNull();
    // As many as wait in memory, the latest.
    const done = after.list().runs.filter(({ outcome }) => outcome === 'done');
    expect(done.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 32 }, (_, i) => `run ${i + 1}`).sort(),
    );
    expect(after.open('run 7').loss).toHaveLength(2000);
  },
);
