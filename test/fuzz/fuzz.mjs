#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../../app/start/install.mjs';
import { fail, ROOT, say } from '../../app/start/root.mjs';
import { run } from '../../app/start/run.mjs';

const OUT = join(ROOT, 'dist', 'fuzz');
const FOUND = join(ROOT, 'test', 'fixtures', 'fuzz');
const NAMES = ['files', 'plans', 'graphs', 'snapshots', 'sizes', 'bombs'];
/** Limits of one case: of the processor, where the system tells it, so that a busy machine is no fault; and of the clock. */
const LIMIT_MS = 30_000;
const CLOCK_LIMIT_MS = 10 * LIMIT_MS;
const MEMORY_MB = 1024;
/** Bombs are to be refused by their readers' budget, before they take all that a process has. */
const BOMB_MEMORY_MB = 3072;
/** Ends a target: there is enough to mend. */
const MAX_FAULTS = 10;

/**
 * `npm run fuzz -- [--seconds N] [--seed S] [--target NAME]`: draws files, plans, graphs and long files from a printed
 * seed and tries what must hold of each (test/fuzz/targets.ts) in a process of its own with a limit of time and memory.
 * `--target bombs-pickle,bombs-gzip` draws bombs of these formats (test/support/bombs.ts); the time is shared.
 * A fault's case is made smaller and kept in test/fixtures/fuzz. ZIGZAG_RESULTS=test/bench/results keeps the figures.
 * The last line counts; exit 1 where there is a fault.
 */
async function main() {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, target: { type: 'string' } },
  });
  const seconds = Number(values.seconds ?? 60);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!(seconds > 0)) throw new Error('--seconds is a number above 0, e.g. --seconds 60.');
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error('--seed is a whole number from 0, e.g. --seed 7.');
  const names = values.target?.split(',') ?? NAMES;
  const unknown = names.find((name) => !NAMES.includes(name) && !/^bombs-\w+$/.test(name));
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}; choose ${NAMES.join(', ')}.`);
  await ensureInstalled();
  const [{ build }, { nodeConfig }] = await Promise.all([
    import('vite'),
    import('../../app/start/build.mjs'),
  ]);
  const input = { child: join(ROOT, 'test/fuzz/child.ts'), keep: join(ROOT, 'test/fuzz/keep.ts') };
  await build({ ...nodeConfig(input, OUT), logLevel: 'warn' });
  say(`fuzzing from seed ${seed} for ${seconds} s`);
  let cases = 0;
  let faults = 0;
  const share = seconds / names.length;
  for (const name of names) {
    const found = await tried(name, seed, share * 1000);
    keepFigures({ name, seed, seconds: share, ...found });
    say(`${name}: ${found.cases} cases, ${found.faults} faults`);
    cases += found.cases;
    faults += found.faults;
  }
  process.stdout.write(`${cases} cases, ${faults} faults (seed ${seed})\n`);
  if (faults > 0) process.exitCode = 1;
}

/** @param {string} name @param {number} seed @param {number} ms */
async function tried(name, seed, ms) {
  const until = performance.now() + ms;
  let [next, cases, faults] = [seed, 0, 0];
  while (performance.now() < until && faults < MAX_FAULTS) {
    const ended = await child(name, next, until);
    cases += ended.cases;
    faults += ended.faults.length;
    for (const fault of ended.faults) await keep(name, fault);
    next = ended.next;
  }
  return { cases, faults };
}

/**
 * Cases from a seed on, until the time is over, the process dies or there are enough faults.
 *
 * @param {string} name @param {number} seed @param {number} until
 * @returns {Promise<{ cases: number, next: number, faults: { seed: number, fault: string, whole?: boolean }[] }>}
 */
function child(name, seed, until) {
  return new Promise((resolve) => {
    const memory = name.startsWith('bombs') ? BOMB_MEMORY_MB : MEMORY_MB;
    const args = [`--max-old-space-size=${memory}`, join(OUT, 'child.js'), name, String(seed)];
    const process = spawn('node', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {{ seed: number, fault: string, whole?: boolean }[]} */
    const faults = [];
    let [at, begun, begunCpu, isOver, said] = [seed - 1, performance.now(), 0, false, ''];
    const stop = () => {
      isOver = true;
      process.kill('SIGKILL');
    };
    const watch = setInterval(() => {
      if (isOver) return;
      const now = performance.now();
      const cpu = cpuMs(process.pid);
      if (now - begun > CLOCK_LIMIT_MS || (cpu ?? now) - (cpu === null ? begun : begunCpu) > LIMIT_MS) {
        faults.push({ seed: at, fault: `takes longer than ${LIMIT_MS / 1000} s`, whole: true });
        stop();
      } else if (now > until) stop();
    }, 100);
    process.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-2000);
    });
    createInterface({ input: process.stdout }).on('line', (line) => {
      const told = JSON.parse(line);
      if (told.fault !== undefined) faults.push(told);
      else [at, begun, begunCpu] = [told.seed, performance.now(), cpuMs(process.pid) ?? 0];
      if (faults.length >= MAX_FAULTS) stop();
    });
    process.on('close', (code, signal) => {
      clearInterval(watch);
      if (!isOver)
        faults.push({
          seed: at,
          fault: `the process ended with ${signal ?? code}: ${said.trim()}`,
          whole: true,
        });
      // The last one was begun, not ended.
      resolve({ cases: at - seed + (isOver ? 0 : 1), next: at + 1, faults });
    });
  });
}

/**
 * Milliseconds of the processor that a process took; null where the system does not tell, or the process is gone.
 *
 * @param {number | undefined} pid
 */
function cpuMs(pid) {
  try {
    // Fields behind the name in brackets, in hundredths of a second (proc(5): utime, stime).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return null;
  }
}

/** @param {{ name: string, seed: number, seconds: number, cases: number, faults: number }} figures */
function keepFigures({ name, seed, seconds, cases, faults }) {
  const folder = process.env['ZIGZAG_RESULTS'];
  if (folder === undefined) return;
  const path = join(ROOT, folder, 'fuzz.md');
  const before = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const rows = before.filter((line) => /^\| \w.*\d/.test(line) && !line.startsWith(`| ${name} |`));
  const day = new Date().toISOString().slice(0, 10);
  const device = cpus()[0]?.model.trim() ?? process.arch;
  rows.push(`| ${name} | ${day} | ${device} | ${seconds.toFixed()} | ${seed} | ${cases} | ${faults} |`);
  const text = `# Cases drawn, and faults found

Written by \`npm run fuzz\`: the latest run of each target. A fault is mended, and its case is tried again by
\`test/fuzz/found.test.ts\`.

| target | date | processor | seconds | seed | cases | faults |
| --- | --- | --- | --: | --: | --: | --: |
${rows.sort().join('\n')}
`;
  writeFileSync(path, text);
}

/** @param {string} name @param {{ seed: number, fault: string, whole?: boolean }} found */
async function keep(name, { seed, fault, whole }) {
  const path = join(FOUND, `${name}-${seed}.json`);
  say(`${name}, seed ${seed}: ${fault}`);
  const args = [join(OUT, 'keep.js'), name, String(seed), path, fault, ...(whole ? ['whole'] : [])];
  const { code } = await run('node', args, { timeoutMs: 120_000 });
  say(
    code === 0 ? `kept in ${path}` : 'it could not be made smaller in two minutes; the seed gives it again',
  );
}

main().catch(fail);
