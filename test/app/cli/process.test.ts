import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trainEventSchema } from '../../../app/contract/training.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

/** The command line as scripts call it: `npm run -s zigzag -- ARGS` runs exactly this. */
function zigzag(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const result = spawnSync(process.execPath, ['app/start/zigzag.mjs', ...args], { encoding: 'utf8' });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

describe('zigzag', () => {
  it('prints one JSON document on standard output and nothing on standard error', () => {
    zigzag('models');
    const { status, stdout, stderr } = zigzag('solve', 'resnet18', '--json');
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  it('prints the licences of what ships, of pages too', () => {
    const { status, stdout } = zigzag('licenses');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Zigzag ships \d{3} packages of others\./);
    for (const name of ['ws', 'libsql', 'react', '@mantine/core']) {
      expect(stdout).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
    }
  });

  it('trains by measured times, saves them, and solves by them', () => {
    const folder = freshFolder();
    const file = join(folder, 'costs.json');
    const size = ['--batch', '4', '--input', '16'];
    const run = zigzag(
      'train',
      'tiny-residual',
      ...size,
      '--backend',
      'wasm',
      '--save-costs',
      file,
      '--pairs',
      '1',
      '--batch-difference',
      '--json',
    );
    expect(run.status).toBe(0);
    const events = run.stdout
      .trim()
      .split('\n')
      .map((line) => trainEventSchema.parse(JSON.parse(line)));
    const order = events
      .map(({ event }) => event)
      .filter((event) => event !== 'progress' && event !== 'steps');
    const iterations = ['iteration', 'iteration', 'iteration'];
    expect(order).toEqual(['costs', 'start', ...iterations, 'overhead', 'difference', 'done']);
    const solved = zigzag('solve', 'tiny-residual', ...size, '--profile', 'tfjs', '--costs', file, '--json');
    expect(solved.status).toBe(0);
    const [start] = events.filter((event) => event.event === 'start');
    const { costs, rows } = JSON.parse(solved.stdout);
    expect(costs).toMatchObject({ backend: 'wasm', batch: 4, input: 16 });
    expect(rows[0]).toMatchObject({
      strategy: 'optimal',
      forwardFlops: null,
      peakBytes: start?.predictedPeakBytes,
    });
    expect(rows[0].forwardMs).toBeGreaterThan(rows[0].recomputeMs);
    // The same schedule, by the same times but for their rounding in the file.
    expect(rows[0].predictedOverhead).toBeCloseTo(start!.predictedOverheadMeasuredCosts!, 2);
    expect(zigzag('compare', 'tiny-residual', ...size, '--costs', file).stdout).toMatch(
      /costs: times of wasm on /,
    );
    const wrong = zigzag('solve', 'resnet18', '--costs', file);
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^the costs are of tiny-residual, not of resnet18; .*\n$/);
  });

  const data = freshFolder();

  /** Interrupts a training run as a terminal does: every process of it. */
  async function interrupted(twice: boolean): Promise<{ code: number | null; stderr: string }> {
    const args = ['train', 'tiny-residual', '--backend', 'wasm', '--iterations', '100000'];
    const env = { ...process.env, ZIGZAG_DATA: data };
    const child = spawn(process.execPath, ['app/start/zigzag.mjs', ...args], { detached: true, env });
    const group = -(child.pid ?? 0);
    let stderr = '';
    let lines = 0;
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdout.on('data', () => {
      if (++lines !== 5) return;
      process.kill(group, 'SIGINT');
      if (twice) process.kill(group, 'SIGINT');
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stderr };
  }

  it.each([
    ['once, at the next step', false],
    ['twice, at once', true],
  ])('is interrupted: %s', async (_how, twice) => {
    const { code, stderr } = await interrupted(twice);
    expect(code).toBe(130);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('cancelled');
    const [run] = new RunHistory({ folder: data }).list().runs;
    expect(run).toMatchObject({ source: 'command line', outcome: 'cancelled', model: 'tiny-residual' });
  });

  it('serves the lab with the network of a file in front', async () => {
    const file = join(data, 'own network.json');
    writeFileSync(file, zigzag('export', 'chain-5', '--to', 'graph').stdout);
    const args = ['app/start/zigzag.mjs', 'serve', file, '--budget', '1MiB', '--json'];
    const child = spawn(process.execPath, args, { env: { ...process.env, ZIGZAG_DATA: data } });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const line = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    child.kill();
    await closed;
    const { hash } = new URL(JSON.parse(String(line)).url);
    expect(hash).toMatch(
      /^#\/compare\?model=file%3A[0-9a-f]{16}&batch=1&budgetBytes=1048576&strategies=regular,.*budget&select=budget$/,
    );
  });

  const failures: [string, string[], number, RegExp][] = [
    ['bad input', ['solve', 'resnt50'], 2, /did you mean resnet50/],
    ['bad usage', ['solve'], 2, /missing required argument/],
    ['costs that are not there', ['solve', 'resnet18', '--costs', 'nowhere.json'], 2, /there is no file/],
    ['costs in no folder', ['train', 'resnet18', '--save-costs', 'no/where.json'], 2, /cannot be written/],
    ['a file to serve that is none', ['serve', 'nowhere.json'], 2, /^nowhere.json cannot be opened: /],
    ['an unknown command', ['frobnicate'], 2, /unknown command/],
    ['an infeasible budget', ['solve', 'resnet18', '--strategy', 'budget', '--budget', '1MiB'], 3, /least/],
    [
      'an option that nothing reads',
      ['solve', 'resnet18', '--strategy', 'regular', '--budget', '1MiB'],
      2,
      /leave/,
    ],
  ];
  it.each(failures)('ends %s with its exit code and one line', (_what, args, status, sentence) => {
    const result = zigzag(...args);
    expect(result.status).toBe(status);
    expect(result.stdout).toBe('');
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(result.stderr).toMatch(sentence);
  });
});
