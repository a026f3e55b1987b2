import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { plainName, plainText } from '../../../app/cli/plain-text.ts';
import { RunHistory } from '../../../main/history/run-history.ts';
import { sessionOf } from '../../main/support/carriers.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { runProgram } from './recorder.ts';

/** Longer than any of these takes, shorter than a wait for the other end of a pipe. */
const LIMIT_MS = 600_000;

const folder = freshFolder();
const env = { ...process.env, ZIGZAG_DATA: join(folder, 'data') };

function zigzag(args: readonly string[], options: Parameters<typeof spawnSync>[2] = {}) {
  const all = { encoding: 'utf8', timeout: LIMIT_MS, killSignal: 'SIGKILL', env, ...options } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['app/start/zigzag.mjs', ...args], all);
  return { status, stdout: String(stdout), stderr: String(stderr) };
}

describe.skipIf(process.platform === 'win32')('a pipe in place of a file', () => {
  const pipe = join(folder, 'pipe');
  beforeAll(() => {
    execFileSync('mkfifo', [pipe]);
    mkdirSync(join(folder, 'cifar'));
    execFileSync('mkfifo', [join(folder, 'cifar', 'data_batch_1.bin')]);
    zigzag(['models']);
  }, LIMIT_MS);

  it.each([
    ['a network', ['solve', pipe]],
    ['a network to train', ['train', pipe]],
    ['a network to serve', ['serve', pipe]],
    ['a plan', ['solve', 'chain-4', '--plan', pipe]],
    ['a plan to train by', ['train', 'chain-4', '--plan', pipe]],
    ['costs', ['solve', 'chain-4', '--costs', pipe]],
    ['costs to write', ['train', 'chain-4', '--save-costs', pipe]],
    ['a report to write', ['compare', 'chain-4', '--html', pipe]],
    ['measurements', ['tables', 'cvpr', '--measured', pipe]],
    ['data', ['train', 'alexnet', '--batch', '1', '--backend', 'wasm', '--data', join(folder, 'cifar')]],
  ])('is refused as %s, in one sentence, and not waited for', (_what, args) => {
    const { status, stderr } = zigzag(args);
    expect(stderr).toMatch(/^.*(pipe|is no file).*name .*\n$/);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
  });
});

describe('standard output', () => {
  it.skipIf(process.platform !== 'linux').each([
    ['models', []],
    ['models', ['--json']],
    ['frobnicate', ['--json']],
  ])('on a full disk gives one sentence, no stack: %s %j', (command, options) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = zigzag([command, ...options], { stdio: ['ignore', full, 'pipe'] });
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^standard output cannot be written: ENOSPC/);
    expect(stderr).not.toContain(' at ');
    expect(status).toBe(2);
  });

  const evil = '\u001b]0;owned\u0007\u009b31m\nFAKE\u202e';
  it('contains no control sequences, from any source of names', () => {
    const [a, b, c] = ['a', `b${evil}`, `c${evil}`];
    const vertices = [a, b, c].map((id) => ({ id, bytes: 100 }));
    const edges = [
      [a, b],
      [b, c],
    ];
    const file = join(folder, 'evil.json');
    const graph = { format: 'zigzag-graph', version: 1, name: `n${evil}`, vertices, edges };
    writeFileSync(file, JSON.stringify(graph));
    const runs = [
      ['solve', file, '--strategy', 'memory-poor'],
      ['compare', file],
      ['compare', file, '--csv'],
      ['pebble', file, '--order', 'given'],
      ['export', file, '--to', 'dot'],
      ['solve', `no${evil}`],
      ['solve', 'chain-4', '--strategy', `no${evil}`],
      ['solve', 'chain-4', '--plan', join(folder, `no${evil}`)],
      [`no${evil}`],
    ];
    for (const args of runs) {
      const { stdout, stderr } = zigzag(args);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
      expect(stdout + stderr, args.join(' ')).not.toMatch(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202e]/);
      // A cell of CSV and a label of dot may have line breaks, in their quotes.
      if (!args.includes('--csv') && args[0] !== 'export') expect(stdout + stderr).not.toMatch(/^FAKE/m);
    }
    const { stdout } = zigzag(['solve', file, '--json']);
    expect(stdout).not.toContain('\u009b');
    expect(JSON.parse(stdout).model).toBe(graph.name);
  });

  it('escapes control characters as JSON does, and keeps lines', () => {
    const text = `"${'\u009b\u2028\u001b'}"`;
    expect(plainText(text)).toBe('"\\u009b\\u2028\\u001b"');
    expect(JSON.parse(plainText(JSON.stringify(evil)))).toBe(evil);
    expect(plainText('a\r\nb\tc\rd')).toBe('a\r\nb\tc\\u000dd');
    expect(plainName('a\nb')).toBe('a\\u000ab');
    expect(plainText('żółw 网络 ▁█')).toBe('żółw 网络 ▁█');
  });
});

describe('a failure with --json', () => {
  it.each([
    [['solve', 'resnt50'], 2, 'bad-input', /did you mean resnet50/],
    [['solve'], 2, 'bad-input', /missing required argument/],
    [['solve', 'chain-4', '--frob'], 2, 'bad-input', /unknown option/],
    [['solve', 'chain-4', '--bugdet', '1'], 2, 'bad-input', /'--bugdet'; did you mean --budget\?$/],
    [['solve', 'resnet50', '--budget', '1MiB'], 3, 'infeasible', /budget/],
    [['solve', 'resnet50', '--strategy', 'regular', '--budget', '1MiB'], 2, 'bad-input', /--budget changes/],
    [['compare', 'chain-4', '--csv'], 2, 'bad-input', /give one of/],
    [['tables', 'nothing'], 2, 'bad-input', /there is no table/],
    [
      ['train', 'tiny-residual', '--dropout', '0.97'],
      2,
      'bad-input',
      /^--dropout must be a number from 0 to 0.95/,
    ],
    [['train', 'tiny-residual', '--strategy', ''], 2, 'bad-input', /^no strategy is named ""/],
  ])('appears on both outputs: %j', async (args, exitCode, kind, message) => {
    const { code, out, err } = await runProgram(...args, '--json');
    expect(code).toBe(exitCode);
    expect(err.split('\n')).toHaveLength(1);
    expect(err).toMatch(message);
    expect(JSON.parse(out)).toEqual({ error: { kind, message: err, exitCode } });
    if (args[0] === 'train') expect(out[0]).not.toContain('\n');
  });

  it('is part of the answer if one exists', async () => {
    const { code, out, err } = await runProgram(
      'solve',
      'resnet50',
      '--strategy',
      'linear-optimal',
      '--json',
    );
    expect(code).toBe(2);
    const document = JSON.parse(out);
    expect(document.rows[0]).toMatchObject({ strategy: 'linear-optimal', applicable: false });
    expect(document.error).toEqual({ kind: 'bad-input', message: err, exitCode: 2 });
  });

  it('is one sentence without --json', async () => {
    const { code, out, err } = await runProgram('solve', 'resnt50');
    expect([code, out, err.split('\n').length]).toEqual([2, '', 1]);
  });
});

describe.skipIf(process.platform !== 'linux')('a signal', () => {
  /** Processes that a process has started, from Linux's own list. */
  const childrenOf = (parent: number): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => stat(pid)?.[1] === String(parent));
  const stat = (pid: number): string[] | null => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return text.slice(text.lastIndexOf(')') + 2).split(' ');
    } catch {
      return null;
    }
  };

  it.each([
    ['SIGTERM', 143, false],
    ['SIGTERM', 143, true],
    ['SIGHUP', 129, false],
  ] as const)(
    '%s ends a training with exit code %i and leaves no trainer (to all of the group: %s)',
    async (signal, code, toAll) => {
      const args = ['train', 'tiny-residual', '--backend', 'wasm', '--iterations', '100000', '--json'];
      const child = spawn(process.execPath, ['app/start/zigzag.mjs', ...args], { env, detached: true });
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      const pid = child.pid ?? 0;
      let trainers: number[] = [];
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        if (trainers.length > 0 || !text.includes('"iteration"')) return;
        trainers = childrenOf(pid);
        process.kill(toAll ? -pid : pid, signal);
      });
      expect(await closed).toBe(code);
      expect(trainers.length).toBeGreaterThan(0);
      expect(trainers.map(stat).filter((state) => state !== null && state[0] !== 'Z')).toEqual([]);
      const [run] = new RunHistory({ folder: env.ZIGZAG_DATA }).list().runs;
      expect(run).toMatchObject({ outcome: 'cancelled', model: 'tiny-residual' });
      const last = text.trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toEqual({
        error: { kind: 'cancelled', message: 'cancelled', exitCode: code },
      });
    },
  );
});

it(
  'an empty HOME creates nothing in the current folder',
  () => {
    const cwd = join(folder, 'cwd');
    mkdirSync(cwd);
    const start = join(process.cwd(), 'app', 'start', 'zigzag.mjs');
    const args = [start, 'train', 'tiny-residual', '--batch', '1', '--iterations', '1', '--backend', 'wasm'];
    const { ZIGZAG_DATA: _, ...others } = env;
    const bare = { ...others, HOME: '', XDG_DATA_HOME: join(folder, 'xdg') };
    const { status } = spawnSync(process.execPath, args, { cwd, env: bare, timeout: LIMIT_MS });
    expect(status).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(join(folder, 'xdg'))).toEqual(['zigzag']);
  },
  LIMIT_MS,
);

it.skipIf(process.platform !== 'linux')(
  'serve --open puts no lasting key into a command line',
  async () => {
    const bin = join(folder, 'bin');
    const told = join(folder, 'opened');
    mkdirSync(bin);
    // Records the arguments of the browser, and all that other users see of it.
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$*" > '${told}.part'; mv '${told}.part' '${told}'\n`,
      {
        mode: 0o755,
      },
    );
    const args = ['app/start/zigzag.mjs', 'serve', '--open', '--json'];
    const child = spawn(process.execPath, args, { env: { ...env, PATH: `${bin}:${process.env['PATH']}` } });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const line = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    await vi.waitUntil(() => existsSync(told), { timeout: LIMIT_MS });
    const [opened, printed] = [readFileSync(told, 'utf8').trim(), JSON.parse(String(line)).url];
    expect(new URL(opened).origin).toBe(new URL(printed).origin);
    expect(new URL(opened).searchParams.get('token')).not.toBe(new URL(printed).searchParams.get('token'));
    const sessions = [
      await sessionOf(opened),
      await sessionOf(opened),
      await sessionOf(printed),
      await sessionOf(printed),
    ];
    expect(sessions.map((session) => session !== null)).toEqual([true, false, true, true]);
    child.kill();
    await closed;
  },
  LIMIT_MS,
);
