import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RecordedRun, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { howItEnded } from '../../../app/bridges/last-words.ts';
import { HistoryClient } from '../../../main/history/client.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';
import { pass, recordOf } from './pass.ts';
import { giveAway } from './rights.ts';
import { fileOf, keepRun } from './whole-day.ts';

/** Faults below the database: those of the system itself, put on the real process of the history. */
const NO_SHELL = process.platform === 'win32' && 'Windows sets no limits on a process from a shell';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({
    process: 'test/main/history/limited-process.ts',
    full: 'test/main/history/full-disk-child.ts',
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

interface LimitedClient {
  readonly client: HistoryClient;
  /** Kills the process that is there, as the system does where memory runs out. */
  kill(): Promise<void>;
}

function clientIn(folder: string, { shell = ':', node = [], env = {} }: Limits): LimitedClient {
  let kill = async (): Promise<void> => undefined;
  const client = new HistoryClient(() => {
    const child = spawn(
      'sh',
      ['-c', `${shell}; exec "$@"`, 'sh', process.execPath, ...node, built.file('process')],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { ...process.env, NODE_OPTIONS: '', ...env },
      },
    );
    kill = () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill('SIGKILL');
      });
    return {
      send: (message: ToHistory) => child.connected && child.send(message, () => undefined),
      onMessage: (listener: (message: FromHistory) => void) =>
        child.on('message', (message) => listener(message as FromHistory)),
      onExit: (listener: (reason: string) => void) =>
        child.once('close', (code, signal) => listener(howItEnded(code, signal, (how) => how))),
      kill: () => child.kill('SIGKILL'),
    };
  }, folder);
  clients.push(client);
  return { client: client, kill: () => kill() };
}

/** A folder with a run of an earlier lab. */
function folderWithRun(): string {
  const folder = freshFolder();
  const earlier = historyIn(folder);
  keepRun(earlier, 'old');
  earlier.close();
  return folder;
}

const FILE = ['f1', 'f2'];

interface Day {
  /** What was promised. */
  readonly acknowledged: ReadonlySet<string>;
  /** What was told of the rest, a sentence each. */
  readonly told: readonly string[];
}

/** What a lab asks of a history that is short of something, with a larger file than others. */
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
    expect(sentence).toMatch(/^[A-Z][^\n]{20,}\.$|^this run is not in the history/);
  return { acknowledged, told };
}

/** A run of a file with as many iterations as take some memory. */
function longRun(id: string): RecordedRun {
  const count = 5000;
  const content = wholeRun(count).reduce(afterEvent, emptyContent());
  return { ...recordOf(id), ...runContentSchema.parse(content) };
}

/** What a lab without limits finds in the folder then. */
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
  keepRun(history, 'next');
  history.close();
}

/** Tries a day under each limit; some are met and some are not, or the limits are the wrong ones. */
async function tryEach(
  limits: readonly (readonly [string, Limits])[],
  file: Uint8Array = fileOf(FILE),
): Promise<Day[]> {
  const days: Day[] = [];
  for (const [name, limit] of limits) {
    const folder = folderWithRun();
    const day = await shortDay(clientIn(folder, limit).client, file);
    expectKept(folder, day, `${name}: ${[...day.acknowledged].join(', ')}; ${day.told.join(' ')}`);
    days.push(day);
  }
  return days;
}

const fewest = (days: readonly Day[]): number => Math.min(...days.map((day) => day.acknowledged.size));
const most = (days: readonly Day[]): number => Math.max(...days.map((day) => day.acknowledged.size));

describe('a history that is short of', () => {
  it('room: no file may grow beyond a size, whichever', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    // Blocks of 512 bytes, from none to enough; a write that reaches the end is cut short, the next one fails.
    const blocks = [0, 8, 63, 65, 80, 97, 112, 131, 160, 199, 250, 4000];
    const days = await tryEach(blocks.map((count) => [`${count} blocks`, { shell: `ulimit -f ${count}` }]));
    expect([fewest(days), most(days)]).toEqual([0, 3]);
  });

  it('descriptors: with few of them, however few', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    const days = await tryEach(
      Array.from({ length: 10 }, (_, free) => [
        `${free} free`,
        { shell: 'ulimit -n 100', env: { ZIGZAG_TEST_DESCRIPTORS: `${free}` } },
      ]),
    );
    expect([fewest(days), most(days)]).toEqual([0, 3]);
  });

  it('descriptors so much that no process of it starts', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    const days = await tryEach([10, 18].map((count) => [`${count}`, { shell: `ulimit -n ${count}` }]));
    expect(fewest(days)).toBe(0);
    for (const { told } of days) expect(told.join(' ')).toContain('stop');
  });

  it('memory: an import that its process has no room for is taken whole or not at all', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    // Of some MiB, which are objects while they are read.
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

  it('memory so much that no process of it starts', async ({ skip }) => {
    if (NO_SHELL) skip(NO_SHELL);
    if (process.platform === 'darwin') skip('macOS takes no limit on the size of a process');
    const days = await tryEach([['300 MB', { shell: 'ulimit -v 300000' }]]);
    expect(most(days)).toBe(0);
    expect(days[0]?.told.join(' ')).toContain('stops each time that it is started');
  });
});

describe('a history that may not write', () => {
  it('says so, shows what it cannot keep as refused, and has all of it when it may again', async ({
    skip,
  }) => {
    if (process.platform === 'win32') skip('Windows has no folder that its owner may not write');
    const folder = folderWithRun();
    giveAway(folder);
    const paths = readdirSync(folder).map((name) => join(folder, name));
    for (const path of paths) chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const env = { ZIGZAG_TEST_AS_NOBODY: '1' };
    const day = await shortDay(clientIn(folder, { env }).client, fileOf(FILE));
    expect([...day.acknowledged]).toEqual([]);
    expect(day.told.join(' ')).toMatch(
      /^Runs cannot be kept in .* now \(.*\); training goes on\. Check that/,
    );
    expect(readdirSync(folder)).toHaveLength(paths.length);
    chmodSync(folder, 0o755);
    for (const path of paths) chmodSync(path, 0o644);
    expectKept(folder, day, 'writable again');
  });

  it.each(['runs.db', 'runs.lock', 'runs.db-wal'])(
    'because %s is a folder says so, and takes it for no damage',
    async (name) => {
      const folder = freshFolder();
      mkdirSync(join(folder, name));
      const history = historyIn(folder);
      expect(() => keepRun(history, 'own')).toThrow(
        /^Runs cannot be kept in .* now \(.*\); training goes on\./,
      );
      expect(history.list()).toMatchObject({ runs: [], notice: null });
      history.close();
      expect(readdirSync(folder).filter((file) => file.includes('damaged'))).toEqual([]);
      rmdirSync(join(folder, name));
      const again = historyIn(folder);
      keepRun(again, 'own');
      expect(again.open('own').loss).toHaveLength(3);
    },
  );
});

describe('a disk that is full', () => {
  it('keeps what fitted, tells the rest, and takes all when there is room', ({ annotate }) => {
    const disk = freshFolder();
    const free = [0, 4, 12, 36, 44, 60, 80, 100, 140, 400].map((kib) => `${1024 * kib}`);
    const size = 'size=1500k';
    const mount = ['-m', 'sh', '-c', `mount -t tmpfs -o ${size} tmpfs "$0" && exec "$@"`, disk];
    const run = (command: string, args: readonly string[]) =>
      spawnSync(command, [...args, process.execPath, built.file('full'), disk, ...free], {
        encoding: 'utf8',
      });
    const ways = [mount, ['-r', ...mount]].map((args) => run('unshare', args));
    const done = ways.find(({ status }) => status === 0);
    if (done === undefined) {
      // Files that may not grow (above) fail as those of a full disk do, on every Unix and without any rights.
      void annotate(`no disk can be mounted here: ${ways[0]?.error?.message ?? ways[0]?.stderr}`);
      return;
    }
    const days = done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(days).toHaveLength(free.length);
    for (const { bytes, acknowledged, told, kept, problem, notice } of days) {
      const when = `${bytes} bytes free: ${acknowledged}; ${told}`;
      expect({ problem, notice }, when).toEqual({ problem: null, notice: null });
      for (const sentence of told) {
        expect(sentence, when).toMatch(
          /^The disk of .* is full, so runs are not kept now; training goes on\./,
        );
      }
      const ids = new Map(kept.map((one: { id: string }) => [one.id, one]));
      expect(ids.get('old'), when).toMatchObject({
        done: 3,
        ...(acknowledged.includes('named') && { name: 'mine' }),
      });
      if (acknowledged.includes('own')) expect(ids.get('own'), when).toMatchObject({ done: 3 });
      expect(ids.has('f1'), when).toBe(acknowledged.includes('file'));
      expect(ids.has('f2'), when).toBe(acknowledged.includes('file'));
      expect(acknowledged.length + told.length, when).toBe(3);
    }
    expect(days[0].acknowledged).toEqual([]);
    expect(days.at(-1).acknowledged).toEqual(['named', 'own', 'file']);
  });
});

describe('the process of a history that is killed after each answer', () => {
  it('has what it answered, and the next one goes on', async () => {
    const folder = folderWithRun();
    const { client, kill } = clientIn(folder, {});
    const steps: readonly (() => Promise<unknown>)[] = [
      () => client.list(),
      () => client.annotate({ id: 'old', name: 'mine' }),
      async () => {
        await pass(client, wholeRun(), { id: 'own' });
        // Its end is answered before this.
        expect((await client.list()).runs[0]).toMatchObject({ id: 'own', outcome: 'done' });
      },
      () => client.importRuns(fileOf(FILE), false),
      () => client.remove(['f1']),
      () => client.annotate({ id: 'own', note: 'a note' }),
      () => client.restore(['f1']),
    ];
    for (const step of steps) {
      await step();
      await kill();
    }
    const { runs, notice } = await client.list();
    expect(notice).toMatch(
      /^The history of runs stopped unexpectedly \(killed by SIGKILL.*training goes on\.$/,
    );
    expect(new Set(runs.map(({ id }) => id))).toEqual(new Set(['old', 'own', 'f1', 'f2']));
    expect(await client.open('old')).toMatchObject({ name: 'mine' });
    expect(await client.open('own')).toMatchObject({ note: 'a note', loss: [2, 1.9, 1.8] });
    await client.close();
    expect(client.problem).toBeNull();
  });
});
