import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tablesCommand } from '../../../app/cli/commands/tables.ts';
import { runsIn } from '../../../app/start/where-ran.mjs';
import type { TableRow } from '../../../engine/tables/table.ts';
import { skippedFor } from '../../support/skipped.ts';
import { json, recorder } from '../cli/recorder.ts';
import { BRIDGE_FOLDER } from './bridge-file.ts';
import { hasPartitioners, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

type Rows = readonly TableRow[];

/** Runs a self-test on one network, and reads the table of its file. */
async function tested(python: string, args: readonly string[], path: string, env = {}): Promise<Rows> {
  const run = spawnSync(
    python,
    [...args, '--device', 'cpu', '--size', '1', '--cases', 'dense', '--out', path],
    {
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONWARNINGS: 'ignore', ...env },
      cwd: dirname(path),
    },
  );
  expect(run.stderr).not.toContain('Traceback');
  expect({ status: run.status, said: run.stdout }).toMatchObject({ status: 0 });
  return (await json<{ rows: Rows }>((terminal) => tablesCommand('measured', { json: true }, terminal, path)))
    .rows;
}

const rowOf = (rows: Rows, way: string): TableRow => rows.find((row) => row['way'] === way) ?? {};

function expectPromiseKept(rows: Rows): void {
  const { savedOverPromised, note } = rowOf(rows, 'plan');
  expect(note).toBe('bit-identical');
  expect(Math.abs((savedOverPromised as number) - 1)).toBeLessThan(0.1);
}

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
    let rows: Rows;

    beforeAll(async () => {
      await unpackWheel(folder);
      rows = await tested(python ?? 'python3', ['-m', 'zigzag_lab.selftest'], path, { PYTHONPATH: folder });
    }, 400_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('trains to the bit, in the bytes that the plan promised', () => expectPromiseKept(rows));

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
      for (const way of isNew ? PLANNED : PLANNED.slice(0, 2))
        expect(rowOf(rows, way)['peakPct']).toBeLessThan(95);
      const [checkpoint, ours] = ['checkpoint of each block', 'plan in its memory'].map(
        (way) => rowOf(rows, way)['peakMb'],
      );
      expect(ours as number).toBeLessThanOrEqual(1.05 * (checkpoint as number));
    });

    it('runs in the single file, without the engine', async () => {
      const file = join(folder, 'single.json');
      // Compilation is the package's and takes most of the time.
      const env = { PATH: '', TORCHDYNAMO_DISABLE: '1' };
      const program = join(BRIDGE_FOLDER, 'zigzag_torch.py');
      const single = await tested(python ?? 'python3', [program, 'selftest'], file, env);
      expectPromiseKept(single);
      expect(single.map((row) => row['way'])).toEqual(rows.map((row) => row['way']));
      const [plain, plan, checkpoint] = single.map((row) => row['peakMb'] as number);
      expect(plan).toBeLessThan(0.6 * (plain ?? 0));
      expect(plan).toBeLessThanOrEqual(1.05 * (checkpoint ?? 0));
      expect(rowOf(single, 'plan in its memory')).toMatchObject({
        peakMb: null,
        note: 'RuntimeError: requires the package zigzag_lab',
      });
      expect(runsIn(readFileSync(file, 'utf8'))).toMatchObject([{ part: 'pytorch-processor' }]);
      const asked = spawnSync(python ?? 'python3', [program], { encoding: 'utf8' });
      expect(asked).toMatchObject({ status: 1, stderr: expect.stringMatching(/^usage: .* selftest/) });
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
