import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RecordedRun, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { howItEnded } from '../../../app/bridges/stderr-summary.ts';
import { HistoryClient } from '../../../main/history/client.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { pass, recordOf } from './pass.ts';
import { giveAway } from './rights.ts';
import { fileOf } from './days.ts';

/** Faults below the database: those of the system itself, put on the real process of the history. */
const NO_SHELL = process.platform === 'win32' && 'Windows sets no limits on a process from a shell';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({
    process: 'test/main/history/faulty-process.ts',
    child: 'test/main/history/child.ts',
  });
});
afterAll(() => built.remove());

const clients: HistoryClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

interface Limits {
  /** A command of the shell that starts the process, such as `ulimit -f 8`. */
  readonly shell?: string;
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function clientIn(folder: string, { shell = ':', node = [], env = {} }: Limits): HistoryClient {
  const client = new HistoryClient(
    () => {
      const child = spawn(
        'sh',
        ['-c', `${shell}; exec "$@"`, 'sh', process.execPath, ...node, built.file('process')],
        {
          serialization: 'advanced',
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
          env: { ...process.env, NODE_OPTIONS: '', ...env },
        },
      );
      return {
        send: (message: ToHistory) => child.connected && child.send(message, () => undefined),
        onMessage: (listener: (message: FromHistory) => void) =>
          child.on('message', (message) => listener(message as FromHistory)),
        onExit: (listener: (reason: string) => void) =>
          child.once('close', (code, signal) => listener(howItEnded(code, signal, (how) => how))),
        kill: () => child.kill('SIGKILL'),
      };
    },
    { folder, by: 'usual' },
  );
  clients.push(client);
  return client;
}

/** A folder with a run of an earlier lab. */
function folderWithRun(): string {
  const folder = freshFolder();
  const earlier = historyIn(folder);
  earlier.keep('old');
  earlier.close();
  return folder;
}

interface Day {
  /** Runs that were promised. */
  readonly acknowledged: ReadonlySet<string>;
  /** Messages about the rest, a sentence each. */
  readonly told: readonly string[];
}

/** Calls of a lab to a history with limits, one of them with a larger file. */
async function shortDay(client: HistoryClient, file: Uint8Array): Promise<Day> {
  const acknowledged = new Set<string>();
  const told: string[] = [];
  const tried = async (fact: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      acknowledged.add(fact);
    } catch (error) {
      told.push(error instanceof Error ? error.message : String(error));
    }
  };
  await tried('named', () => client.annotate({ id: 'old', name: 'mine' }));
  // The lab goes on: every event arrives, whatever becomes of it.
  const events = wholeRun();
  expect(await pass(client, events, { id: 'own' })).toEqual(events);
  const { runs, problem } = await client.list();
  if (problem !== null) told.push(problem);
  if (runs.some(({ id, outcome }) => id === 'own' && outcome === 'done')) acknowledged.add('own');
  else expect(problem).not.toBeNull();
  await tried('file', () => client.importRuns(file, false));
  await client.close();
  if (client.problem !== null) told.push(client.problem);
  for (const sentence of told)
    expect(sentence).toMatch(/^[A-Z][^\n]{20,}\.$|^this run is no longer in the history/);
  return { acknowledged, told };
}

/** A run of a file with as many iterations as take some memory. */
function longRun(id: string): RecordedRun {
  const count = 5000;
  const content = wholeRun(count).reduce(afterEvent, emptyContent());
  return { ...recordOf(id), ...runContentSchema.parse(content) };
}

/** Content of the folder that a lab without limits then finds. */
function expectKept(folder: string, { acknowledged }: Day, when: string): void {
  const history = historyIn(folder);
  const { runs, problem, notice } = history.list();
  expect({ problem, notice }, when).toEqual({ problem: null, notice: null });
  const ids = runs.map(({ id }) => id);
  expect(history.open('old').loss, when).toEqual([2, 1.9, 1.8]);
  if (acknowledged.has('named')) expect(history.open('old').name, when).toBe('mine');
  if (acknowledged.has('own'))
    expect(history.open('own'), when).toMatchObject({ outcome: 'done', loss: [2, 1.9, 1.8] });
  const taken = ids.filter((id) => id.startsWith('f')).length;
  if (acknowledged.has('file')) expect(taken, when).toBeGreaterThan(0);
  else expect(taken, when).toBe(0);
  for (const id of ids) expect(history.open(id).id, when).toBe(id);
  history.keep('next');
  history.close();
}

/** Tries a day under each limit; some are met and some are not, or the limits are the wrong ones. */
async function tryEach(
  limits: readonly (readonly [string, Limits])[],
  file: Uint8Array = fileOf('f1', 'f2'),
): Promise<Day[]> {
  const days: Day[] = [];
  for (const [name, limit] of limits) {
    const folder = folderWithRun();
    const day = await shortDay(clientIn(folder, limit), file);
    expectKept(folder, day, `${name}: ${[...day.acknowledged].join(', ')}; ${day.told.join(' ')}`);
    days.push(day);
  }
  return days;
}

const fewest = (days: readonly Day[]): number => Math.min(...days.map((day) => day.acknowledged.size));
const most = (days: readonly Day[]): number => Math.max(...days.map((day) => day.acknowledged.size));

describe('a history that is short of', () => {
  it('disk space: no file may grow beyond any given size', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    // Blocks of 512 bytes, from none to enough; a write that reaches the end is cut short, the next one fails.
    const blocks = [0, 8, 63, 65, 80, 97, 112, 131, 160, 199, 250, 4000];
    const days = await tryEach(blocks.map((count) => [`${count} blocks`, { shell: `ulimit -f ${count}` }]));
    expect([fewest(days), most(days)]).toEqual([0, 3]);
  });

  it('descriptors: with any small number of them', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    const days = await tryEach(
      Array.from({ length: 10 }, (_, free) => [
        `${free} free`,
        { shell: 'ulimit -n 100', env: { ZIGZAG_TEST_DESCRIPTORS: `${free}` } },
      ]),
    );
    expect([fewest(days), most(days)]).toEqual([0, 3]);
  });

  it('descriptors, so that none of its processes starts', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    const days = await tryEach([10, 18].map((count) => [`${count}`, { shell: `ulimit -n ${count}` }]));
    expect(fewest(days)).toBe(0);
    for (const { told } of days) expect(told.join(' ')).toContain('stop');
  });

  it('memory: an import too large for its process is stored whole or not at all', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    // A few MiB, which are objects while they are read.
    const long = Array.from({ length: 30 }, (_, i) => longRun(`f${i}`));
    const file = new TextEncoder().encode(writeRunsFile(long));
    const days = await tryEach(
      [10, 16, 400].map((mib) => [`${mib} MiB`, { node: [`--max-old-space-size=${mib}`] }]),
      file,
    );
    expect(days[0]?.acknowledged.has('file')).toBe(false);
    expect(days[0]?.told.join(' ')).toMatch(/The history stopped unexpectedly \(.*\)/);
    expect(most(days)).toBe(3);
  });

  it('memory, so that none of its processes starts', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    if (process.platform === 'darwin') skip('macOS takes no limit on the size of a process');
    const days = await tryEach([['300 MB', { shell: 'ulimit -v 300000' }]]);
    expect(most(days)).toBe(0);
    expect(days[0]?.told.join(' ')).toContain('stops at every start');
  });
});

describe('a history without write permission', () => {
  it('says so, shows unstored runs as refused, and stores all once permitted', async ({ skip }) => {
    if (process.platform === 'win32') skip('Windows has no folder that its owner may not write');
    const folder = folderWithRun();
    giveAway(folder);
    const paths = readdirSync(folder).map((name) => join(folder, name));
    for (const path of paths) chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const env = { ZIGZAG_TEST_AS_NOBODY: '1' };
    const day = await shortDay(clientIn(folder, { env }), fileOf('f1', 'f2'));
    expect([...day.acknowledged]).toEqual([]);
    expect(day.told.join(' ')).toMatch(
      /^Runs cannot be stored in .* now \(.*\); training continues\. Check that/,
    );
    expect(readdirSync(folder)).toHaveLength(paths.length);
    chmodSync(folder, 0o755);
    for (const path of paths) chmodSync(path, 0o644);
    expectKept(folder, day, 'writable again');
  });

  it.each(['runs.db', 'runs.lock', 'runs.db-wal'])(
    'because %s is a folder says so, and does not count it as damage',
    async (name) => {
      const folder = freshFolder();
      mkdirSync(join(folder, name));
      const history = historyIn(folder);
      expect(() => history.keep('own')).toThrow(
        /^Runs cannot be stored in .* now \(.*\); training continues\./,
      );
      expect(history.list()).toMatchObject({ runs: [], notice: null });
      history.close();
      expect(readdirSync(folder).filter((file) => file.includes('damaged'))).toEqual([]);
      rmdirSync(join(folder, name));
      const again = historyIn(folder);
      again.keep('own');
      expect(again.open('own').loss).toHaveLength(3);
    },
  );
});

describe('a large file of runs', () => {
  /** Output of a process that imports a text with a heap that holds it four times. */
  function importing(text: string): string {
    const file = join(freshFolder(), 'runs.json');
    writeFileSync(file, text);
    const args = ['--max-old-space-size=256', built.file('child'), 'import', freshFolder(), '', file];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
  }
  const MIB = 1024 * 1024;
  const fileWith = (runs: string): string => `{"format":"zigzag-runs","version":1,"runs":[${runs}]}`;
  const numbers = (count: number): string => `[${'0,'.repeat(count)}0]`;
  const run = (extra: string): string =>
    JSON.stringify({ ...recordOf('ID'), measured: [], name: '' }).replace(
      '"probes":[]',
      `"probes":[],"extra":${extra}`,
    );

  it('of 63 MiB needs memory for itself and one run at a time', () => {
    const one = run(numbers(2.5 * MIB));
    const runs = Array.from({ length: Math.floor((63 * MIB) / one.length) }, (_, i) =>
      one.replace('"ID"', `"run ${i}"`),
    );
    expect(importing(fileWith(runs.join()))).toBe(`taken ${runs.length}\n`);
  });

  it.each([
    [
      'is one run of 60 MiB',
      () => fileWith(run(numbers(30 * MIB))),
      /^runs\[0\] has 61 MiB, and the history stores at most/,
    ],
    ['holds no runs at all', () => numbers(30 * MIB), /^the file holds no runs/],
    ['holds too many', () => fileWith(numbers(20 * MIB).slice(1, -1)), /^the file holds 20971521 runs/],
  ])('that %s is refused in a sentence', (_what, text, sentence) => {
    expect(importing(text())).toMatch(sentence);
  });
});
