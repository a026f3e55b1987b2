import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addonFile, planSizes, refuseObstacles } from '../../../app/start/tensorflow-plan.mjs';
import { type Manners, StubTools } from './support/stub-tools.ts';

const SCRIPT = join(import.meta.dirname, '../../../app/start/setup-tensorflow.mjs');
const NOTHING_KEPT = 'nothing of it was kept, and what was there before is as it was';

let tools: StubTools;
afterEach(() => tools.remove());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Called {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Called when the fake pip is at work. */
  readonly meanwhile?: (child: ReturnType<typeof spawn>) => void;
}

async function setUp({ args = [], env = {}, meanwhile }: Called = {}): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    env: { ...process.env, ...tools.env(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (meanwhile !== undefined) {
    await vi.waitFor(() => expect(existsSync(tools.pidFile)).toBe(true));
    meanwhile(child);
  }
  return { code: await ended, out, err };
}

const useTools = (manners: Manners = {}): void => {
  tools = new StubTools(manners);
};
const ours = (): string[] => readdirSync(tools.folder).filter((name) => /^tensorflow(?!\.lock)/.test(name));

/** As an earlier command left it. */
function built(): void {
  mkdirSync(tools.target);
  writeFileSync(join(tools.target, 'package.json'), '{"name":"zigzag-tensorflow"}');
  writeFileSync(join(tools.target, 'earlier'), '');
}

// Its downloads are known for these platforms; its stubs are shell scripts.
const isPinned = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

describe.runIf(isPinned)('npm run setup:tensorflow', () => {
  it('names download and disk sizes first, shows progress, and leaves a working library', async () => {
    useTools();
    built();
    const { code, out, err } = await setUp();
    expect(err).toMatch(
      /TensorFlow for the processor: fetches \d+ MB, leaves \d+ MB in .*tensorflow\n.*addon's sources\n.*TensorFlow\n.*unpacking TensorFlow\n.*compiling the addon\n.*trying it\n.*done: /s,
    );
    expect({ code, out }).toEqual({ code: 0, out: '' });
    // The stub's output does not run, and only what runs is kept.
    expect(err).toMatch(
      /without the lab's own fused operations, so transformers train slower: Error: .+\.\n/,
    );
    expect(existsSync(addonFile(tools.target))).toBe(true);
    expect(existsSync(join(tools.target, 'earlier'))).toBe(false);
    expect(ours()).toEqual(['tensorflow']);
    expect(readdirSync(tools.target).sort()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
      'python',
    ]);
  });

  it('reports progress to a program, line by line', async () => {
    useTools();
    const { code, out, err } = await setUp({ args: ['--json'] });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const told = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([...new Set(told.map(({ step }) => step))]).toEqual([
      'sources',
      'library',
      'unpacking',
      'compiling',
      'trying',
    ]);
    const sizes = planSizes({ platform: 'linux', arch: process.arch, cuda: false });
    const library = told.find(({ step }) => step === 'library');
    expect(library).toMatchObject({ event: 'progress', bytes: expect.any(Number) });
    expect(library.of).toBeLessThan(sizes.downloadBytes);
    expect(told).toContainEqual({ event: 'progress', step: 'library', bytes: 60_000_000, of: library.of });
  });

  it('with --about says the same and does nothing', async () => {
    useTools();
    const { code, err } = await setUp({ args: ['--about'] });
    expect(code).toBe(0);
    expect(err).toMatch(/^zigzag: TensorFlow for the processor: fetches .* in .*tensorflow\n$/);
    const { out } = await setUp({ args: ['--about', '--json'] });
    expect(JSON.parse(out)).toMatchObject({
      folder: tools.target,
      cpu: { downloadBytes: expect.any(Number), diskBytes: expect.any(Number) },
    });
    expect(ours()).toEqual([]);
  });

  it.each([
    [
      { npm: 'offline' },
      "the addon's sources could not be fetched, because the name of its server could not be resolved",
    ],
    [
      { python: 'offline' },
      'TensorFlow could not be fetched, because the name of its server could not be resolved',
    ],
    [{ python: 'full' }, 'TensorFlow could not be fetched, because the disk is full: make room'],
    [
      { compiler: 'failing' },
      'g++ could not compile the addon (tfjs_backend.cc:1:10: fatal error: no such header)',
    ],
    [{ python: 'absent' }, 'python3 with pip is needed (Debian: sudo apt install python3-pip).'],
    [
      { python: 'absent', compiler: 'absent' },
      'python3 with pip and a C++ compiler are needed (Debian: sudo apt install python3-pip g++).',
    ],
    [{ npm: 'absent' }, 'npm is needed (Debian: sudo apt install npm).'],
  ] as const)(
    '%o: says in one sentence why not, and leaves an earlier setup unchanged',
    async (manners, why) => {
      useTools(manners);
      built();
      const { code, out } = await setUp({ args: ['--json'] });
      expect(code).toBe(1);
      const { event, reason } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
      expect(event).toBe('failed');
      expect(reason).toContain(why);
      expect(reason).toMatch(/^[^\n]+[.?]$/);
      expect(ours()).toEqual(['tensorflow']);
      expect(readdirSync(tools.target).sort()).toEqual(['earlier', 'package.json']);
    },
  );

  it('does not keep a broken addon', async () => {
    useTools();
    const { code, err } = await setUp({ env: tools.env(true) });
    expect(code).toBe(1);
    expect(err).toMatch(
      /the addon was built but does not run here \(Error: libtensorflow_cc\.so\.2: .*\)\.\n$/,
    );
    expect(ours()).toEqual([]);
  });

  it.each([
    ['npm', { npm: 'stalling' }, "no byte of the addon's sources arrived for 1 seconds: look at the network"],
    ['pip', { python: 'stalling' }, 'no byte of TensorFlow arrived for 1 seconds: look at the network'],
  ] as const)('ends %s when no more data arrives', async (_name, manners, why) => {
    useTools(manners);
    const { code, err } = await setUp({ env: { ZIGZAG_STALL_MS: '1200' } });
    expect(code).toBe(1);
    expect(err).toContain(why);
    expect(ours()).toEqual([]);
  });

  it('continues while bytes arrive', async () => {
    useTools({ python: 'slow' });
    const { code, err } = await setUp({ env: { ZIGZAG_STALL_MS: '6000' } });
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('done: ') });
  });

  it('ends at its time limit', async () => {
    useTools({ python: 'stalling' });
    const { code, err } = await setUp({ args: ['--time-limit', '4'] });
    expect(code).toBe(1);
    expect(err).toContain(`it was not done within 4 seconds (--time-limit): give it more; ${NOTHING_KEPT}.`);
    expect(ours()).toEqual([]);
  });

  it('refuses an invalid time limit', async () => {
    useTools();
    const { code, err } = await setUp({ args: ['--time-limit', 'soon'] });
    expect(code).toBe(1);
    expect(err).toMatch(/^zigzag: --time-limit soon is no number of seconds: [^\n]*\n$/);
  });

  it.each([
    ['Ctrl+C', [], (child: ReturnType<typeof spawn>) => child.kill('SIGINT')],
    ['the end of its host', ['--json'], (child: ReturnType<typeof spawn>) => child.stdin?.end()],
  ] as const)('is cancelled by %s, with every process that it started', async (_how, args, meanwhile) => {
    useTools({ python: 'stalling' });
    built();
    const { code, out, err } = await setUp({ args, meanwhile });
    expect(code).toBe(130);
    expect(out + err).toContain(`it was cancelled: ${NOTHING_KEPT}.`);
    const pip = Number(readFileSync(tools.pidFile, 'utf8'));
    expect(() => process.kill(pid(pip), 0)).toThrow('ESRCH');
    expect(ours()).toEqual(['tensorflow']);
    expect(existsSync(join(tools.target, 'earlier'))).toBe(true);
  });

  it('recovers after a power cut during a rename', async () => {
    useTools({ python: 'offline' });
    built();
    const { renameSync } = await import('node:fs');
    renameSync(tools.target, `${tools.target}.old`);
    mkdirSync(`${tools.target}.new`);
    await setUp();
    expect(ours()).toEqual(['tensorflow']);
    expect(existsSync(join(tools.target, 'earlier'))).toBe(true);
  });

  it('replaces no foreign folder, and does not fill a disk', async () => {
    useTools();
    mkdirSync(tools.target);
    writeFileSync(join(tools.target, 'thesis.tex'), '');
    const { code, err } = await setUp();
    expect(code).toBe(1);
    expect(err).toMatch(/holds something else: name a new folder in ZIGZAG_TENSORFLOW, or unset it\.\n$/);
    expect(existsSync(join(tools.target, 'thesis.tex'))).toBe(true);
    const much = { downloadBytes: 1e17, unpackedBytes: 1e17, diskBytes: 1 };
    vi.stubEnv('PATH', tools.env()['PATH']);
    vi.stubEnv('npm_execpath', '');
    expect(() => refuseObstacles(join(tools.folder, 'free'), much)).toThrow(
      /^200000000\.00 GB of the disk of .* are needed, [\d.]+ [MG]B are free: make room first\.$/,
    );
    vi.unstubAllEnvs();
  });
});

const pid = (given: number): number => {
  expect(given).toBeGreaterThan(1);
  return given;
};
