import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLibsql } from '../../../main/history/database.ts';
import { countingDriver } from '../../support/faulty-database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { freshFolder, historyIn } from './folders.ts';
import { DAY_BOUNDS, IMPORTED, keepRun, MADE_ROOM_FOR, STAGES, wholeDay } from './whole-day.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ child: 'test/main/history/dying-child.ts' });
});
afterAll(() => built.remove());

/** A folder as an earlier lab left it: with a run, or with a file that is no database any more. */
function leftFolder(isDamaged: boolean): string {
  const folder = freshFolder();
  if (isDamaged) writeFileSync(join(folder, 'runs.db'), 'this was a history once '.repeat(400));
  else {
    const earlier = historyIn(folder);
    keepRun(earlier, 'old');
    earlier.close();
  }
  return folder;
}

/** What must hold of a folder whose lab was killed after these stages. */
function expectKept(folder: string, isDamaged: boolean, stages: readonly string[], when: string): void {
  const asideOf = () => readdirSync(folder).filter((name) => /^runs-damaged-.*\.db$/.test(name));
  const history = historyIn(folder, { bounds: DAY_BOUNDS });
  const { runs, evicted, problem, notice } = history.list();
  expect(problem, when).toBeNull();
  expect(asideOf().length, when).toBe(isDamaged ? 1 : 0);
  // A lab that was killed before its first run was kept has told nobody.
  if (isDamaged && !stages.includes('own') && runs.length === 0) expect(notice, when).toContain(asideOf()[0]);
  else expect(notice, when).toBeNull();

  const shown = new Set(runs.map(({ id }) => id));
  const gone = new Set(evicted.map(({ id }) => id));
  const isHere = (id: string): boolean => shown.has(id) || gone.has(id);
  const has = (stage: (typeof STAGES)[number]): boolean => stages.includes(stage);
  expect(shown.size, when).toBe(runs.length);
  if (!isDamaged) expect(isHere('old'), when).toBe(true);
  if (has('own')) expect(history.open('own'), when).toMatchObject({ outcome: 'done', loss: [2, 1.9, 1.8] });
  if (has('named')) expect(history.open('own').name, when).toBe('mine');
  if (has('imported')) expect(shown.has('f1'), when).toBe(true);
  // Removed, or on the way there and back.
  if (!has('imported')) expect(shown.has('f1'), when).toBe(shown.has('f2'));
  if (has('restored')) expect(shown.has('f2'), when).toBe(true);
  if (has('removed')) {
    history.restore(['f2']);
    expect(history.open('f2').loss, when).toHaveLength(3);
  }
  if (has('second')) expect(isHere('second'), when).toBe(true);
  // All of an import or none, and what went for it went with it.
  expect(shown.has('f3'), when).toBe(shown.has('f4'));
  if (has('made room')) expect(shown.has('f4'), when).toBe(true);
  // Two went, and one came back.
  const left = isDamaged ? 1 : 2;
  expect(gone.size, when).toBe(shown.has('f3') ? (shown.has('second') ? left - 1 : left) : 0);
  if (shown.has('f3')) expect(runs.length, when).toBeLessThanOrEqual(DAY_BOUNDS.runs + 1);
  if (has('undone')) expect(history.open('second').loss, when).toEqual([2, 1.9, 1.8]);
  for (const { id } of runs) expect(history.open(id).id, when).toBe(id);
  keepRun(history, 'next');
  expect(history.open('next').loss, when).toHaveLength(3);
  history.close();
}

describe.each([
  ['a sound file', false],
  ['a damaged file', true],
])('a lab that begins with %s and is killed', (_what, isDamaged) => {
  it('at any operation keeps what it acknowledged, and the next goes on from there', () => {
    const folder = leftFolder(isDamaged);
    const copies = freshFolder();
    const acknowledged: string[] = [];
    const killed: (readonly string[])[] = [];
    const history = historyIn(folder, {
      bounds: DAY_BOUNDS,
      load: () =>
        countingDriver(loadLibsql(), () => {
          // What a kill leaves: what was written is in the system's hands, synced or not.
          const copy = join(copies, `${killed.length}`);
          mkdirSync(copy);
          for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name));
          killed.push([...acknowledged]);
        }),
    });
    wholeDay(history, (stage) => acknowledged.push(stage));
    expect(history.list().runs.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['own', 'second', ...IMPORTED, ...MADE_ROOM_FOR]),
    );
    expect(killed.length).toBeGreaterThan(80);
    // In every stage.
    expect(new Set(killed.map(({ length }) => length)).size).toBe(STAGES.length);
    for (const [operation, stages] of killed.entries()) {
      const when = `killed at operation ${operation}, after ${stages.join(', ')}`;
      expectKept(join(copies, `${operation}`), isDamaged, stages, when);
    }
  });

  it('by SIGKILL as well, every few operations', () => {
    let stages: readonly string[] = [];
    for (let at = 2, signal: string | null = 'SIGKILL'; signal !== null; at += 31) {
      const folder = leftFolder(isDamaged);
      const child = spawnSync(process.execPath, [built.file('child'), folder, `${at}`], { encoding: 'utf8' });
      ({ signal } = child);
      stages = child.stdout.split('\n').filter((line) => line !== '');
      expectKept(folder, isDamaged, stages, `SIGKILL at operation ${at}, after ${stages.join(', ')}`);
    }
    expect(stages).toEqual(STAGES);
  });
});
