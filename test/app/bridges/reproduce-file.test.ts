import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { reproduceFile } from '../../../app/bridges/torch/reproduce-file.ts';
import { readMeasurements } from '../../../app/contract/measurements.ts';
import { CVPR_TABLE_2 } from '../../../engine/tables/paper-tables.ts';
import { MEASURED_STRATEGIES, rowPlans } from '../../../engine/tables/row-plans.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { skippedFor } from '../../support/skipped.ts';
import { runReference, torchPythons } from './python.ts';

const folder = mkdtempSync(join(tmpdir(), 'zigzag-reproduce-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NETWORK = 'resnet18';
const SMALL = ['--device', 'cpu', '--input', '32', '--iterations', '1', '--warm-up', '0'];
const only = reproduceFile(NETWORK);

describe('the measured plans', () => {
  it.each(['alexnet', 'resnet18', 'densenet121'])(
    '%s: segments are all operations, once, in order',
    (name) => {
      const { size } = buildModel(name, { batch: 1 });
      for (const strategy of MEASURED_STRATEGIES) {
        if (strategy === 'regular') continue;
        const plans = rowPlans(name, strategy, 3);
        expect(plans.map(({ seed }) => seed)).toEqual(strategy === 'random' ? [0, 1, 2] : [null]);
        for (const { segments, checkpoints } of plans) {
          const all = segments.flatMap(({ vertices }) => vertices).sort((a, b) => a - b);
          expect(all).toEqual(Array.from({ length: size - 1 }, (_, i) => i + 1));
          expect(segments.some(({ again }) => again)).toBe(checkpoints.length > 0);
        }
      }
    },
  );

  it('say that a network is not in the table', () => {
    expect(() => reproduceFile('unet')).toThrow(/^unet is not in CVPR Table 2; choose from alexnet, /);
  });
});

describe.each(torchPythons())('on $title', ({ python = 'python3', reason, title }) => {
  const file = join(folder, `${title}.py`);
  const out = join(folder, `${title}.json`);
  writeFileSync(file, only);
  const run = (path: string, ...args: string[]) =>
    spawnSync(python, [path, ...SMALL, '--out', out, ...args], { encoding: 'utf8', timeout: 1_200_000 });
  const rows = () => readMeasurements(readFileSync(out, 'utf8')).rows;

  it.skipIf(reason !== '')(
    `it measures, goes on where it was, and equals regular training${skippedFor(reason)}`,
    () => {
      const first = run(file, '--batch', '2', '--strategies', 'regular');
      expect(first.stderr).toBe('');
      expect(rows().map(({ strategy }) => strategy)).toEqual(['regular']);
      const second = run(file, '--batch', '2', '--strategies', 'regular,optimal');
      expect(second.stdout).toContain('1 of 2 measurements to do');
      run(file, '--batch', '2', '--strategies', 'chen', '--checkpointing', 'non-reentrant');
      expect(run(file, '--batch', '2', '--strategies', 'regular,optimal').stdout).toContain('0 of 2');
      expect(rows().map(({ strategy, checkpointing }) => [strategy, checkpointing])).toEqual([
        ['regular', null],
        ['optimal', 'reentrant'],
        ['chen', 'non-reentrant'],
      ]);
      const [regular, ...others] = rows();
      for (const row of others) {
        expect(row.gradientDifference).toBeLessThan(1e-5);
        expect((row.peakBytes ?? 0) - (row.startBytes ?? 0)).toBeGreaterThan(0);
        expect(row.startBytes).toBe(regular?.startBytes);
        expect(row.checkpoints.length).toBeGreaterThan(0);
      }
    },
    300_000,
  );

  it.skipIf(reason !== '')(`rows that do not fit or crash are recorded${skippedFor(reason)}`, () => {
    rmSync(out, { force: true });
    expect(run(file, '--batch', '9000000000', '--strategies', 'regular').status).toBe(0);
    const crashing = join(folder, `${title} crashing.py`);
    writeFileSync(crashing, only.replace('def _profiled(step):\n', 'def _profiled(step):\n    os.abort()\n'));
    expect(run(crashing, '--batch', '2', '--strategies', 'regular').status).toBe(0);
    const written = JSON.parse(readFileSync(out, 'utf8')) as { rows: Record<string, unknown>[] };
    expect(written.rows).toMatchObject([
      { outcome: 'out-of-memory', message: expect.stringMatching(/can't allocate memory|invalid/i) },
      { outcome: 'failed', message: expect.stringMatching(/^the process was ended by signal 6/) },
    ]);
  });
});

const { python = 'python3', reason } = torchPythons()[0]!;
describe.skipIf(reason !== '')(`the file as a program${skippedFor(reason)}`, () => {
  const file = join(folder, 'program.py');
  writeFileSync(file, only);
  const refused = (...args: string[]): string => {
    const { status, stderr } = spawnSync(python, [file, ...args], { encoding: 'utf8' });
    expect(status).toBe(2);
    return stderr.trim().split('\n').at(-1) ?? '';
  };

  it('refuses invalid arguments in one sentence', () => {
    expect(refused('--networks', 'unet')).toContain('"unet" does not exist; choose from resnet18');
    expect(refused('--batch', '-1')).toContain('expected a whole number from 1, got "-1"');
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"format": "zigzag-measurements", "version": 2, "rows": []}');
    expect(refused(...SMALL, '--out', other)).toMatch(
      /other\.json is not a zigzag-measurements\/1 file; name another/,
    );
    const elsewhere = { format: 'zigzag-measurements', version: 1, device: 'another', torch: '', rows: [] };
    writeFileSync(other, JSON.stringify(elsewhere));
    expect(refused(...SMALL, '--out', other)).toMatch(/measured with device another, and this is cpu /);
    expect(JSON.parse(readFileSync(other, 'utf8'))).toEqual(elsewhere);
  });

  it('gives the same rows in shards as at once, and merges files measured alike', () => {
    const did = (...args: string[]) => spawnSync(python, [file, ...args], { cwd: folder, encoding: 'utf8' });
    const small = [...SMALL, '--batch', '2', '--strategies', 'regular,optimal'];
    for (const shard of ['1/2', '2/2']) {
      const { status, stdout } = did(...small, '--shard', shard);
      expect(status).toBe(0);
      expect(stdout).toContain('1 of 1 measurements to do');
    }
    const parts = ['1', '2'].map((k) => `zigzag-measurements-${k}-of-2.json`);
    const { stdout } = did('--merge', ...parts, parts[0]!, '--out', 'merged.json');
    expect(stdout).toContain('2 measurements are in merged.json');
    const { rows } = readMeasurements(readFileSync(join(folder, 'merged.json'), 'utf8'));
    expect(rows.map(({ strategy, outcome }) => [strategy, outcome])).toEqual([
      ['regular', 'ok'],
      ['optimal', 'ok'],
    ]);
    const other = JSON.parse(readFileSync(join(folder, parts[1]!), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(folder, 'else.json'), JSON.stringify({ ...other, device: 'another' }));
    expect(refused('--merge', join(folder, parts[0]!), join(folder, 'else.json'))).toMatch(
      /else\.json was measured with device another, and this is cpu /,
    );
    expect(refused('--merge', join(folder, 'none.json'))).toContain('does not exist');
    expect(refused('--shard', '3/2')).toContain('expected a shard such as 3/64, got "3/2"');
  });

  it('keeps finished rows when it is stopped', async () => {
    const out = join(folder, 'stopped.json');
    const child = spawn(python, [file, ...SMALL, '--batch', '2', '--out', out], { detached: true });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (text) => /1\/6/.test(`${text}`) && resolve()),
    );
    // As a terminal does, to the whole group.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).toBe(130);
    expect(readMeasurements(readFileSync(out, 'utf8')).rows.length).toBeGreaterThan(0);
    expect(existsSync(`${out}.tmp`)).toBe(false);
  });
});

const second = torchPythons()[1]!;
describe.skipIf(second.reason !== '')(`beside torchvision${skippedFor(second.reason)}`, () => {
  it('the networks have its parameters by name, and with its weights its outputs', () => {
    const file = join(folder, 'all.py');
    writeFileSync(file, reproduceFile());
    const found = JSON.parse(runReference('torch_reproduce.py', [file], 580_000, second.python)) as Record<
      string,
      number
    >;
    const nas = ['nasnet', 'amoebanet', 'darts'];
    expect(Object.keys(found)).toEqual(
      CVPR_TABLE_2.map(({ network }) => network).filter((name) => !nas.includes(name)),
    );
    for (const [name, difference] of Object.entries(found)) expect(difference, name).toBeLessThan(1e-4);
  });
});
