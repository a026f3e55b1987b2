import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import { requestOf, wholeRun } from './events.ts';
import { stream } from './pass.ts';
import { type ScriptedProcess, scriptedClient } from './scripted-process.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = { runs: [], evicted: [], folder: '/a/folder', problem: null, notice: null };
const refusal = { code: 'BAD_INPUT', message: 'no such run', data: { path: '' } } as const;
/** Lets what was promised already happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the host of the history', () => {
  it('starts its process on first use, and sends nothing before it is ready', async () => {
    const { client, started, told } = scriptedClient();
    expect(started).toHaveLength(0);
    const [listed, opened] = [client.list(), client.open('a')];
    expect(started).toHaveLength(1);
    expect(told(0)).toEqual([]);
    started[0]?.say({ type: 'ready' });
    expect(started[0]?.sent[0]).toEqual({ type: 'folder', folder: '/a/folder', mustExist: false });
    expect(told(0)).toEqual(['folder', 'list', 'open']);
    started[0]?.answer('open', { id: 'a' });
    started[0]?.answer('list', nothing);
    expect(await listed).toEqual(nothing);
    expect(await opened).toEqual({ id: 'a' });
    const later = client.remove(['a', 'b']);
    expect(started[0]?.sent.at(-1)).toMatchObject({ type: 'call', name: 'remove', input: [['a', 'b']] });
    started[0]?.answer('remove', undefined);
    await later;
  });

  it('sends each call by name, with its whole input', async () => {
    const { client, started } = scriptedClient('choice');
    const bytes = Uint8Array.of(1, 2);
    const calls = [
      client.restore(['a']),
      client.exportRuns(['b', 'c']),
      client.importRuns(bytes, true),
      client.annotate({ id: 'a', note: 'x' }),
    ];
    started[0]?.say({ type: 'ready' });
    expect(started[0]?.sent).toMatchObject([
      { type: 'folder', folder: '/a/folder', mustExist: true },
      { type: 'call', name: 'restore', input: [['a']] },
      { type: 'call', name: 'exportRuns', input: [['b', 'c']] },
      { type: 'call', name: 'importRuns', input: [bytes, true] },
      { type: 'call', name: 'annotate', input: [{ id: 'a', note: 'x' }] },
    ]);
    for (const name of ['restore', 'exportRuns', 'importRuns', 'annotate']) started[0]?.answer(name, name);
    expect(await Promise.all(calls)).toEqual(['restore', 'exportRuns', 'importRuns', 'annotate']);
  });

  it('gives each call its own answer or refusal, and ignores an unknown answer', async () => {
    const { client, started } = scriptedClient();
    const calls = [client.open('a'), client.open('b')];
    const [first] = started;
    first?.say({ type: 'ready' });
    const ids = first?.sent.flatMap((one) => (one.type === 'call' ? [one.id] : [])) ?? [];
    expect(new Set(ids).size).toBe(2);
    first?.say({ type: 'answer', id: 999, value: 'for nobody' });
    first?.say({ type: 'refusal', id: 999, failure: refusal });
    first?.say({ type: 'answer', id: ids[1] ?? 0, value: 'b' });
    first?.say({ type: 'refusal', id: ids[0] ?? 0, failure: refusal });
    expect(await calls[1]).toBe('b');
    await expect(calls[0]).rejects.toMatchObject({ message: 'no such run', failure: refusal });
    // A refused call lists none either, and does not count as the last words of a process.
    const listed = client.list();
    const id = first?.sent.at(-1);
    first?.say({ type: 'refusal', id: id?.type === 'call' ? id.id : 0, failure: refusal });
    await expect(listed).rejects.toMatchObject({ failure: refusal });
  });

  it('repeats a call that ended the process once, then fails only that call', async () => {
    const { client, started, told } = scriptedClient();
    const call = client.open('a');
    started[0]?.say({ type: 'ready' });
    started[0]?.die('exit code 1');
    expect(started).toHaveLength(2);
    // Nothing reaches the one that died, and nothing is heard of it.
    const late = client.annotate({ id: 'a', name: 'x' });
    started[0]?.say({ type: 'ready' });
    started[0]?.die();
    expect([started.length, told(0), told(1)]).toEqual([2, ['folder', 'open'], []]);
    started[1]?.say({ type: 'ready' });
    expect(told(1)).toEqual(['folder', 'open', 'annotate']);
    started[1]?.die('killed by SIGABRT');
    await expect(call).rejects.toMatchObject({
      failure: { code: 'WORKER_DIED', data: { worker: 'history', reason: 'killed by SIGABRT' } },
    });
    expect(started).toHaveLength(3);
    started[2]?.say({ type: 'ready' });
    expect(told(2)).toEqual(['folder', 'annotate']);
    started[2]?.answer('annotate', undefined);
    await late;
    started[2]?.die();
    expect(started).toHaveLength(3);
  });

  it('reports a restart in a list, in addition to the history’s own notices', async () => {
    const { client, started } = scriptedClient();
    const call = client.list();
    started[0]?.say({ type: 'ready' });
    started[0]?.die('exit code 1');
    started[1]?.say({ type: 'ready' });
    started[1]?.answer('list', { ...nothing, notice: 'One run is damaged.' });
    expect((await call).notice).toBe(
      'The history of runs stopped unexpectedly (exit code 1) and was restarted; ' +
        'earlier data is kept, and training continues. One run is damaged.',
    );
  });

  it('lists nothing, with the reason, if every process dies', async () => {
    const { client, started } = scriptedClient();
    const call = client.list();
    started[0]?.die('exit code 1');
    started[1]?.die('exit code 2');
    expect(await call).toEqual({
      ...nothing,
      problem:
        'Runs are not stored, because the history stops at every start (exit code 2); training continues. ' +
        'Move runs.db out of /a/folder, and a new one is created.',
    });
    expect(started).toHaveLength(2);
    expect(client.problem).toBeNull();
  });
});

describe('a run over the process of the history', () => {
  const saves = (process: ScriptedProcess | undefined) =>
    process?.sent.flatMap((one) => (one.type === 'call' && one.name === 'save' ? one.input : [])) ?? [];

  it('is saved whole, from its first event to its end, and obstacles are reported', async () => {
    const { client, started, told } = scriptedClient();
    const events = client.record(requestOf({ run: 'a' }), stream(wholeRun()), 'command line');
    expect(started).toHaveLength(0);
    await events.next();
    started[0]?.say({ type: 'ready' });
    started[0]?.answer('save', 'The disk is full.');
    await settled();
    expect(client.problem).toBe('The disk is full.');
    for await (const _ of events);
    expect(told(0)).toEqual(['folder', 'save', 'save']);
    const [first, last] = saves(started[0]);
    expect(first).toMatchObject({
      id: 'a',
      source: 'command line',
      outcome: 'running',
      request: { run: 'a' },
    });
    expect(last).toMatchObject({ spare: first?.spare, outcome: 'done', content: { loss: [2, 1.9, 1.8] } });
    expect(first?.spare).toMatch(/^[0-9a-f-]{36}$/);
    started[0]?.answer('save', null);
    await settled();
    expect(client.problem).toBeNull();
    // A run without a name has one of its own, and comes from the lab where nobody says.
    const other = client.record(requestOf(), stream(wholeRun()));
    await other.next();
    expect(saves(started[0]).at(-1)).toMatchObject({
      source: 'lab',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is not stored without events', async () => {
    const { client, started } = scriptedClient();
    const error = new Error('there is no such model');
    await expect(client.record(requestOf(), stream([], error)).next()).rejects.toBe(error);
    expect(started).toHaveLength(0);
  });

  it('is sent first to a new process after a crash', async () => {
    const { client, started, told } = scriptedClient();
    const run = client.record(requestOf({ run: 'a' }), stream(wholeRun()));
    await run.next();
    started[0]?.say({ type: 'ready' });
    started[0]?.answer('save', null);
    await settled();
    const listed = client.list();
    await run.next();
    started[0]?.die();
    started[1]?.say({ type: 'ready' });
    expect(told(1)).toEqual(['folder', 'save', 'list']);
    expect(saves(started[1])).toMatchObject([
      { id: 'a', outcome: 'running', content: { measured: expect.any(Array) } },
    ]);
    started[1]?.answer('list', nothing);
    await listed;
    for await (const _ of run);
    // Its end is answered, so that the next process hears nothing of it.
    for (const one of started[1]?.sent ?? [])
      if (one.type === 'call') started[1]?.say({ type: 'answer', id: one.id, value: null });
    await settled();
    started[1]?.die();
    expect(started).toHaveLength(2);
    void client.open('a');
    started[2]?.say({ type: 'ready' });
    expect(told(2)).toEqual(['folder', 'open']);
  });

  it('is reported as a problem if no process can write it, with the next try after ten seconds', async () => {
    const { client, started } = scriptedClient();
    const run = client.record(requestOf(), stream(wholeRun()));
    await run.next();
    started[0]?.die('exit code 1');
    expect(client.problem).toBeNull();
    started[1]?.die('exit code 2');
    await settled();
    expect(client.problem).toMatch(
      /^Runs are not stored, .*\(exit code 2\); training continues\..*created\.$/,
    );
    await run.next();
    vi.advanceTimersByTime(9000);
    expect(started).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(started).toHaveLength(3);
    await run.return();
  });

  it('continues in another folder, written there whole', async () => {
    const { client, started, told } = scriptedClient();
    const run = client.record(requestOf({ run: 'a' }), stream(wholeRun()));
    await run.next();
    started[0]?.say({ type: 'ready' });
    started[0]?.answer('save', 'The disk is full.');
    const remember = vi.fn();
    const moved = client.moveTo('/another', remember);
    expect([started[0]?.isKilled, remember.mock.calls]).toEqual([false, []]);
    started[0]?.answer('copyTo', true);
    expect(await moved).toBe(true);
    expect([started[0]?.isKilled, remember.mock.calls, client.problem]).toEqual([true, [[]], null]);
    started[1]?.say({ type: 'ready' });
    expect(started[1]?.sent[0]).toEqual({ type: 'folder', folder: '/another', mustExist: true });
    expect(told(1)).toEqual(['folder', 'save']);
    await run.return();
  });
});

describe('the end of the host', () => {
  it('waits for open calls, ends the process, and starts none', async () => {
    const unused = scriptedClient();
    await unused.client.close();
    expect(unused.started).toHaveLength(0);

    const { client, started, told } = scriptedClient();
    const opened = client.open('a');
    started[0]?.say({ type: 'ready' });
    const closing = client.close();
    await settled();
    expect([told(0), started[0]?.isKilled]).toEqual([['folder', 'open', 'close'], false]);
    started[0]?.answer('open', 'a');
    started[0]?.answer('close', undefined);
    await closing;
    expect(await opened).toBe('a');
    expect(started[0]?.isKilled).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    // It is no death that this one ends.
    started[0]?.die();
    expect(started).toHaveLength(1);
  });

  it('waits five seconds at most, then cancels open calls', async () => {
    const { client, started } = scriptedClient();
    const opened = client.open('a').catch((error: unknown) => error);
    const closing = client.close();
    vi.advanceTimersByTime(4999);
    await settled();
    expect(started[0]?.isKilled).toBe(false);
    vi.advanceTimersByTime(1);
    await closing;
    expect(started[0]?.isKilled).toBe(true);
    expect(await opened).toBeInstanceOf(CancelledError);
  });
});
