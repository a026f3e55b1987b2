import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { freshFolder, historyIn } from './folders.ts';
import { bytesOf, recordOf } from './pass.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ child: 'test/main/history/importing-child.ts' });
});
afterAll(() => built.remove());

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const fileOf = (names: readonly string[]): string =>
  writeRunsFile(names.map((id) => ({ ...recordOf(id), name: '' })));

describe('an import that needs room', () => {
  it('of 1,000 runs says how many of 300 own ones would go, takes none, then moves them to where they can be restored', () => {
    let clock = 1_000_000;
    const folder = freshFolder();
    const history = historyIn(folder, { now: () => clock });
    const [own, others] = [ids('own', 300), ids('other', 1000)];
    expect(history.importRuns(bytesOf(fileOf(own))).added).toEqual(own);
    const file = bytesOf(fileOf(others));
    const asked = history.importRuns(file);
    expect(asked).toMatchObject({ added: [], needsRoom: true, lost: 0 });
    expect([...asked.evicted].sort()).toEqual([...own].sort());
    expect(history.list().runs).toHaveLength(300);
    expect(history.list().evicted).toEqual([]);

    const done = history.importRuns(file, true);
    expect(done).toMatchObject({ added: others, needsRoom: false, lost: 0 });
    expect(done.evicted).toHaveLength(300);
    const { runs, evicted } = history.list();
    expect(runs).toHaveLength(1000);
    expect(evicted.map(({ id }) => id).sort()).toEqual([...own].sort());
    history.close();

    // Within the day, over a restart: all of them come back.
    clock += 23 * 3600 * 1000;
    const later = historyIn(folder, { now: () => clock });
    later.remove(others);
    later.restore(own);
    expect(
      later
        .list()
        .runs.map(({ id }) => id)
        .sort(),
    ).toEqual([...own].sort());
    expect(later.list().evicted).toEqual([]);
    expect(later.open('own7').loss).toHaveLength(3);
  });
});

describe('an import that is cut off', () => {
  /** Dies at one statement of the database, as by SIGKILL. */
  const killedAt = (folder: string, file: string, statement: number): string => {
    const { stdout, signal } = spawnSync(
      process.execPath,
      [built.file('child'), folder, file, String(statement)],
      {
        encoding: 'utf8',
      },
    );
    return signal ?? stdout.split('\n')[0] ?? '';
  };

  it('has taken all runs or none, wherever its process was killed', () => {
    const file = join(freshFolder(), 'runs.json');
    writeFileSync(file, fileOf(['a', 'b', 'c']));
    const endings = new Map<number, number>();
    let finished = '';
    // Every few statements, to the end; each in a folder of its own.
    for (let at = 1; finished === ''; at += 9) {
      const folder = freshFolder();
      const how = killedAt(folder, file, at);
      if (how !== 'SIGKILL') finished = how;
      const { runs, problem, notice } = historyIn(folder).list();
      expect({ problem, notice }).toEqual({ problem: null, notice: null });
      endings.set(runs.length, (endings.get(runs.length) ?? 0) + 1);
      for (const { id } of runs) expect(historyIn(folder).open(id).loss).toHaveLength(3);
    }
    expect(finished).toBe('taken 3');
    expect([...endings.keys()].sort()).toEqual([0, 3]);
    expect(endings.get(0)).toBeGreaterThan(3);
  });
});

describe('a large file of runs', () => {
  /** Peak resident MiB of a process that reads a file. */
  function peakOf(text: string): { readonly said: string; readonly peakMib: number } {
    const folder = freshFolder();
    const file = join(folder, 'runs.json');
    writeFileSync(file, text);
    const { stdout } = spawnSync(process.execPath, [built.file('child'), folder, file], { encoding: 'utf8' });
    const [said = '', peak = '0'] = stdout.trim().split('\n');
    return { said, peakMib: Number(peak) / 1024 };
  }
  const MIB = 1024 * 1024;
  const run = (fill: string): string =>
    JSON.stringify({ ...recordOf('ID'), measured: [], name: '' }).replace(
      '"probes":[]',
      `"probes":[],"extra":${fill}`,
    );

  it('of 63 MiB takes memory for itself and one run at a time', () => {
    const numbers = run(`[${'0,'.repeat(5 * 512 * 1024)}0]`);
    const count = Math.floor((63 * MIB) / numbers.length);
    const runs = Array.from({ length: count }, (_, i) => numbers.replace('"ID"', `"run ${i}"`));
    const { said, peakMib } = peakOf(`{"format":"zigzag-runs","version":1,"runs":[${runs.join()}]}`);
    expect(said).toBe(`taken ${count}`);
    expect(peakMib).toBeLessThan(900);
  });

  it('that is one run of 60 MiB, or no runs at all, is refused in a sentence', () => {
    const one = run(`[${'0,'.repeat(30 * MIB)}0]`);
    const refused = peakOf(`{"format":"zigzag-runs","version":1,"runs":[${one}]}`);
    expect(refused.said).toMatch(/^runs\[0\] has 61 MiB, and the history takes at most 16 MiB a run/);
    expect(refused.peakMib).toBeLessThan(600);
    const other = peakOf(`[${'0,'.repeat(30 * MIB)}0]`);
    expect(other.said).toMatch(/^the file is not JSON of saved runs/);
    expect(other.peakMib).toBeLessThan(600);
    const many = peakOf(`{"format":"zigzag-runs","version":1,"runs":[${'0,'.repeat(20 * MIB)}0]}`);
    expect(many.said).toMatch(/^the file holds 20971521 runs/);
    expect(many.peakMib).toBeLessThan(600);
  });
});
