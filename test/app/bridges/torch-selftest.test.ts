import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tablesCommand } from '../../../app/cli/commands/tables.ts';
import type { TableRow } from '../../../engine/tables/table.ts';
import { skippedFor } from '../../support/skipped.ts';
import { json, recorder } from '../cli/recorder.ts';
import { hasPartitioners, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

const PLANNED = ['plan', 'plan in its memory', 'plan in the memory of selective'];
const OF_NEWER = [
  'selective checkpointing',
  'plan in the memory of selective',
  'compiled',
  'compiled with a memory budget',
  'compiled with Partitioner in its memory',
];

describe.each(torchPythons())('$title', ({ python, reason }) => {
  describe.skipIf(reason !== '')(`the self-test of the Python package${skippedFor(reason)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-selftest-'));
    const path = join(folder, 'zigzag-selftest.json');
    let rows: readonly TableRow[];

    beforeAll(async () => {
      await unpackWheel(folder);
      const args = ['-m', 'zigzag_lab.selftest', '--device', 'cpu', '--size', '1', '--cases', 'dense'];
      const env = { ...process.env, PYTHONPATH: folder, OMP_NUM_THREADS: '1', PYTHONWARNINGS: 'ignore' };
      const run = spawnSync(python ?? 'python3', [...args, '--out', path], {
        encoding: 'utf8',
        env,
        cwd: folder,
      });
      expect(run.stderr).not.toContain('Traceback');
      expect({ status: run.status, said: run.stdout }).toMatchObject({ status: 0 });
      ({ rows } = await json<{ rows: readonly TableRow[] }>((terminal) =>
        tablesCommand('measured', { json: true }, terminal, path),
      ));
    }, 400_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const rowOf = (way: string): TableRow => rows.find((row) => row['way'] === way) ?? {};

    it('trains to the bit, in the bytes that the plan promised', () => {
      const { savedOverPromised, note } = rowOf('plan');
      expect(note).toBe('bit-identical');
      expect(Math.abs((savedOverPromised as number) - 1)).toBeLessThan(0.1);
    });

    it('has a figure of each way that this PyTorch knows, and a reason of each other', () => {
      const isNew = hasPartitioners(python);
      expect(rows.map((row) => row['way'])).toEqual([
        'plain',
        'plan',
        'checkpoint of each block',
        'plan in its memory',
        ...OF_NEWER,
      ]);
      for (const row of rows) {
        const isThere = isNew || !OF_NEWER.includes(row['way'] as string);
        expect(typeof row['peakMb'], `${row['way']}: ${row['note']}`).toBe(isThere ? 'number' : 'object');
        if (!isThere) expect(row['note']).toMatch(/Error: /);
      }
      for (const way of isNew ? PLANNED : PLANNED.slice(0, 2)) expect(rowOf(way)['peakPct']).toBeLessThan(95);
      const [checkpoint, ours] = ['checkpoint of each block', 'plan in its memory'].map(
        (way) => rowOf(way)['peakMb'],
      );
      expect(ours as number).toBeLessThanOrEqual(1.05 * (checkpoint as number));
    });

    it('is refused in one sentence where the file is another one', async () => {
      const read = (name: string): Promise<void> =>
        tablesCommand('measured', {}, recorder(), join(folder, name));
      const file = JSON.parse(readFileSync(path, 'utf8')) as { cases: unknown };
      writeFileSync(join(folder, 'old.json'), JSON.stringify({ ...file, version: 1 }));
      writeFileSync(join(folder, 'none.json'), JSON.stringify({ ...file, cases: [] }));
      await expect(read('old.json')).rejects.toThrow(/this lab reads zigzag-selftest\/2, and the file is /);
      await expect(read('none.json')).rejects.toThrow(
        /none\.json: the results of the self-test: cases: expected /,
      );
      await expect(tablesCommand('measured', {}, recorder())).rejects.toThrow(/name the file/);
      await expect(tablesCommand('cvpr', {}, recorder(), path)).rejects.toThrow(
        /the table cvpr takes no file/,
      );
    });
  });
});
