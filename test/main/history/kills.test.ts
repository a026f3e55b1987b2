import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLibsql } from '../../../main/history/database.ts';
import { countingDriver } from '../../support/faulty-database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { DAY_BOUNDS, fileOf, STAGES, wholeDay } from './days.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ child: 'test/main/history/child.ts' });
});
afterAll(() => built.remove());

const childOf = (...args: readonly string[]) =>
  spawnSync(process.execPath, [built.file('child'), ...args], { encoding: 'utf8' });
const DAMAGE = 'this was a history once '.repeat(400);

/** A folder as an earlier lab left it: with a run, or with a file that is no longer a database. */
function leftFolder(isDamaged: boolean): string {
  const folder = freshFolder();
  if (isDamaged) writeFileSync(join(folder, 'runs.db'), DAMAGE);
  else {
    const earlier = historyIn(folder);
    earlier.keep('old');
    earlier.close();
  }
  return folder;
}

const asideIn = (folder: string) => readdirSync(folder).filter((name) => /^runs-damaged-.*\.db$/.test(name));

/** Checks on a folder whose lab was killed after these stages. */
function expectKept(folder: string, isDamaged: boolean, stages: readonly string[], when: string): void {
  const history = historyIn(folder, { bounds: DAY_BOUNDS });
  const { runs, evicted, problem, notice } = history.list();
  expect(problem, when).toBeNull();
  const aside = asideIn(folder);
  expect(aside.length, when).toBe(isDamaged ? 1 : 0);
  // A lab that was killed before its first run was kept has told nobody.
  if (isDamaged && !stages.includes('own') && runs.length === 0) expect(notice, when).toContain(aside[0]);
  else expect(notice, when).toBeNull();

  const shown = new Set(runs.map(({ id }) => id));
  const gone = new Set(evicted.map(({ id }) => id));
  const isHere = (id: string): boolean => shown.has(id) || gone.has(id);
  const has = (stage: string): boolean => stages.includes(stage);
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
  if (has('undone')) expect(history.open('second').loss, when).toEqual([2, 1.9, 1.8]);
  for (const { id } of runs) expect(history.open(id).id, when).toBe(id);
  history.keep('next');
  expect(history.open('next').loss, when).toHaveLength(3);
  history.close();
}

describe.each([
  ['a sound file', false],
  ['a damaged file', true],
])('a lab that starts with %s and is killed', (_what, isDamaged) => {
  it('at any operation keeps acknowledged data, and the next lab continues from there', () => {
    const folder = leftFolder(isDamaged);
    const copies = freshFolder();
    const acknowledged: string[] = [];
    const killed: (readonly string[])[] = [];
    const history = historyIn(folder, {
      bounds: DAY_BOUNDS,
      load: () =>
        countingDriver(loadLibsql(), () => {
          // State after a kill: written data is in the system's hands, synced or not.
          const copy = join(copies, `${killed.length}`);
          mkdirSync(copy);
          for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name));
          killed.push([...acknowledged]);
        }),
    });
    wholeDay(history, (stage) => acknowledged.push(stage));
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
      const child = childOf('day', folder, `${at}`);
      ({ signal } = child);
      stages = child.stdout.split('\n').filter((line) => line !== '');
      expectKept(folder, isDamaged, stages, `SIGKILL at operation ${at}, after ${stages.join(', ')}`);
    }
    expect(stages).toEqual(STAGES);
  });
});

describe('a lab that is killed', () => {
  it('during a run leaves the written part as interrupted', async () => {
    const folder = freshFolder();
    const child = spawn(process.execPath, [built.file('child'), 'record', folder]);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    for await (const data of child.stdout) if (String(data).includes('written')) break;
    expect(historyIn(folder).list().runs[0]).toMatchObject({ outcome: 'running', endedMs: null });
    child.kill('SIGKILL');
    await gone;
    const history = historyIn(folder);
    const [run] = history.list().runs;
    expect(run).toMatchObject({ id: 'killed', outcome: 'interrupted', failure: null });
    expect(run?.endedMs).toBeGreaterThan(0);
    const { measured, loss } = history.open('killed');
    expect([measured.length, loss.length]).toEqual([6, run?.done]);
    expect(history.list().notice).toBeNull();
  });

  it('during an import has stored all of its runs or none', () => {
    const file = join(freshFolder(), 'runs.json');
    writeFileSync(file, fileOf('a', 'b', 'c'));
    const counts = new Set<number>();
    // Every few operations, to the end; each in a folder of its own.
    for (let at = 1, signal: string | null = 'SIGKILL'; signal !== null; at += 7) {
      const folder = freshFolder();
      const child = childOf('import', folder, `${at}`, file);
      ({ signal } = child);
      const history = historyIn(folder);
      const { runs, problem, notice } = history.list();
      expect({ problem, notice }).toEqual({ problem: null, notice: null });
      for (const { id } of runs) expect(history.open(id).loss).toHaveLength(3);
      counts.add(runs.length);
      if (signal === null) expect(child.stdout).toMatch(/^taken 3\n/);
    }
    expect([...counts].sort()).toEqual([0, 3]);
  });
});

it('several labs at once set a damaged file aside once, and see each other’s runs', async () => {
  for (let round = 0; round < 3; round++) {
    const folder = leftFolder(true);
    const said = ['a', 'b', 'c'].map(async (id) => {
      const child = spawn(process.execPath, [built.file('child'), 'open', folder, '', id]);
      let text = '';
      for await (const data of child.stdout) text += data;
      return text;
    });
    writeFileSync(join(folder, 'go'), '');
    expect(await Promise.all(said)).toEqual(['kept', 'kept', 'kept']);
    expect(asideIn(folder)).toHaveLength(1);
    const ids = historyIn(folder)
      .list()
      .runs.map(({ id }) => id);
    expect(ids.sort()).toEqual(['a', 'b', 'c']);
  }
});

it('a disk that is full keeps what fitted, reports the rest, and stores all once there is room', ({
  annotate,
}) => {
  const disk = freshFolder();
  const free = [0, 4, 12, 36, 44, 60, 80, 100, 140, 400].map((kib) => 1024 * kib);
  const mount = ['-m', 'sh', '-c', 'mount -t tmpfs -o size=1500k tmpfs "$0" && exec "$@"', disk];
  const command = [process.execPath, built.file('child'), 'full', disk, '', free.join()];
  const ways = [mount, ['-r', ...mount]].map((args) =>
    spawnSync('unshare', [...args, ...command], { encoding: 'utf8' }),
  );
  const done = ways.find(({ status }) => status === 0);
  if (done === undefined) {
    // Files that may not grow (`limits.test.ts`) fail as those of a full disk do, on every Unix and without rights.
    void annotate(`no disk can be mounted here: ${ways[0]?.error?.message ?? ways[0]?.stderr}`);
    return;
  }
  const days = done.stdout.trim().split('\n');
  expect(days).toHaveLength(free.length);
  for (const when of days) {
    const { acknowledged, told, kept, problem, notice } = JSON.parse(when);
    expect({ problem, notice }, when).toEqual({ problem: null, notice: null });
    for (const sentence of told)
      expect(sentence).toMatch(/^The disk of .* is full, so runs are not stored now; training continues\./);
    const ids = new Map<string, object>(kept.map((one: { id: string }) => [one.id, one]));
    const has = (fact: string): boolean => acknowledged.includes(fact);
    expect(ids.get('old'), when).toMatchObject({ done: 3, ...(has('named') && { name: 'mine' }) });
    if (has('own')) expect(ids.get('own'), when).toMatchObject({ done: 3 });
    expect([ids.has('f1'), ids.has('f2')], when).toEqual([has('file'), has('file')]);
    expect(acknowledged.length + told.length, when).toBe(3);
  }
  expect(JSON.parse(days[0] ?? '').acknowledged).toEqual([]);
  expect(JSON.parse(days.at(-1) ?? '').acknowledged).toEqual(['named', 'own', 'file']);
});
