import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainEvent } from '../../../app/contract/training.ts';
import { loadLibsql, type OpenDatabase } from '../../../main/history/database.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { doneEvent, iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { freshFolder, historyIn } from './folders.ts';

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ child: 'test/main/history/recording-child.ts' });
});
afterAll(() => built.remove());

async function* paced(events: readonly TrainEvent[], before: (index: number) => void) {
  for (const [i, event] of events.entries()) {
    before(i);
    yield event;
  }
}

/** A driver that a test can reach into. */
function driver(prepare: (database: ReturnType<OpenDatabase>) => void): () => OpenDatabase {
  return () => (file) => {
    const database = loadLibsql()(file);
    prepare(database);
    return database;
  };
}

describe('a history that meets trouble', () => {
  it('keeps the partial curve of a run whose process was killed, as interrupted', async () => {
    const folder = freshFolder();
    const child = spawn(process.execPath, [built.file('child'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => {
        said += data.toString();
        if (said.includes('written')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`the child ended with ${code}: ${said}`)));
    });
    const during = historyIn(folder).list().runs[0];
    expect(during).toMatchObject({ id: 'killed', outcome: 'running', endedMs: null });
    child.removeAllListeners('exit');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;

    const history = historyIn(folder);
    const [run] = history.list().runs;
    expect(run).toMatchObject({ id: 'killed', outcome: 'interrupted', failure: null });
    expect(run?.endedMs).toBeGreaterThan(0);
    const whole = history.open('killed');
    expect(whole.measured).toHaveLength(6);
    expect(whole.loss.length).toBeGreaterThan(0);
    expect(whole.loss.length).toBe(run?.done);
    expect(history.list().notice).toBeNull();
  });

  it.each([
    ['no database at all', Buffer.from('this was a history once '.repeat(400))],
    ['cut short', null],
  ])('sets a damaged file aside (%s), names it, and begins a new one', async (_what, bytes) => {
    const folder = freshFolder();
    const file = join(folder, 'runs.db');
    const first = historyIn(folder);
    for (let i = 0; i < 20; i++) {
      for await (const _ of first.record(
        requestOf({ run: `run ${i}` }),
        paced(wholeRun(200), () => undefined),
      ));
    }
    first.close();
    const sound = readFileSync(file);
    writeFileSync(file, bytes ?? sound.subarray(0, sound.length / 2));
    const history = historyIn(folder);
    const { notice, problem, runs } = history.list();
    expect(problem).toBeNull();
    expect(runs).toEqual([]);
    const aside = readdirSync(folder).find((name) => /^runs-damaged-.*\.db$/.test(name)) ?? 'none';
    expect(notice).toContain(aside);
    for await (const _ of history.record(
      requestOf({ run: 'next' }),
      paced(wholeRun(), () => undefined),
    ));
    expect(history.list().runs.map(({ id }) => id)).toEqual(['next']);
  });

  it('says in one sentence that the disk is full, while the run goes on; what fits again is whole', async () => {
    const folder = freshFolder();
    let limit = (_pages: number): void => undefined;
    let clock = 0;
    const history = historyIn(folder, {
      elapsed: () => clock,
      load: driver((database) => {
        limit = (pages) => void database.exec(`PRAGMA max_page_count = ${pages}`);
      }),
    });
    expect(history.list().problem).toBeNull();
    limit(1);
    const events = [
      startEvent(),
      ...Array.from({ length: 2000 }, (_, i) => iterationEvents(i)).flat(),
      doneEvent(2000),
    ];
    const seen: TrainEvent[] = [];
    const passed = history.record(
      requestOf({ run: 'big', iterations: 2000 }),
      paced(events, (i) => {
        clock += 100;
        if (i === events.length - 1) limit(1_000_000);
      }),
    );
    for await (const event of passed) {
      seen.push(event);
      if (seen.length === 3000)
        expect(history.list().problem).toMatch(/^The disk of .* is full.* training goes on\..*\.$/);
    }
    expect(seen).toEqual(events);
    expect(history.list().problem).toBeNull();
    expect(history.open('big').loss).toHaveLength(2000);
  });

  it.each(['list', 'close'] as const)(
    'keeps a run that ends while the disk is full, once there is room at %s',
    async (when) => {
      const folder = freshFolder();
      let limit = (_pages: number): void => undefined;
      const load = driver((database) => {
        limit = (pages) => void database.exec(`PRAGMA max_page_count = ${pages}`);
      });
      const history = historyIn(folder, { load });
      expect(history.list().problem).toBeNull();
      limit(1);
      const events = history.record(
        requestOf({ run: 'late' }),
        paced(wholeRun(2000), () => undefined),
      );
      for await (const _ of events);
      const { problem, runs } = history.list();
      expect(problem).toMatch(/^The disk of .* is full/);
      expect(runs.map(({ outcome }) => outcome)).not.toContain('done');
      limit(1_000_000);
      if (when === 'list')
        expect(history.list()).toMatchObject({ problem: null, runs: [{ outcome: 'done' }] });
      else {
        history.close();
        expect(historyIn(folder).list()).toMatchObject({ problem: null, runs: [{ outcome: 'done' }] });
      }
    },
  );

  it('serves two labs at once', async () => {
    const folder = freshFolder();
    const [one, two] = [historyIn(folder), historyIn(folder)];
    for (const [history, id] of [
      [one, 'a'],
      [two, 'b'],
      [one, 'c'],
    ] as const) {
      for await (const _ of history.record(
        requestOf({ run: id }),
        paced(wholeRun(), () => undefined),
      ));
    }
    expect(
      one
        .list()
        .runs.map(({ number }) => number)
        .sort(),
    ).toEqual([1, 2, 3]);
    expect(two.list()).toEqual(one.list());
  });
});
