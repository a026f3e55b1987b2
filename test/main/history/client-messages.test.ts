import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import { iterationEvents, requestOf, startEvent, wholeRun } from './events.ts';
import { stream } from './pass.ts';
import { scriptedClient } from './scripted-process.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = { runs: [], evicted: [], folder: '/a/folder', problem: null, notice: null };
const refusal = { code: 'BAD_INPUT', message: 'no such run', data: { path: '' } } as const;
/** Lets what was promised already happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the host of the history', () => {
  it('starts no process before it is needed, and tells it nothing before it is ready', async () => {
    const { client, started, told } = scriptedClient();
    expect(started).toHaveLength(0);
    const [listed, opened] = [client.list(), client.open('a')];
    expect(started).toHaveLength(1);
    expect(told(0)).toEqual([]);
    started[0]?.say({ type: 'ready' });
    expect(started[0]?.sent[0]).toEqual({ type: 'folder', folder: '/a/folder' });
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

  it('asks for each thing by its name, with all that it brings', async () => {
    const { client, started } = scriptedClient();
    const bytes = Uint8Array.of(1, 2);
    const calls = [
      client.restore(['a']),
      client.exportRuns(['b', 'c']),
      client.importRuns(bytes, true),
      client.annotate({ id: 'a', note: 'x' }),
    ];
    started[0]?.say({ type: 'ready' });
    expect(started[0]?.sent.slice(1)).toMatchObject([
      { type: 'call', name: 'restore', input: [['a']] },
      { type: 'call', name: 'exportRuns', input: [['b', 'c']] },
      { type: 'call', name: 'importRuns', input: [bytes, true] },
      { type: 'call', name: 'annotate', input: [{ id: 'a', note: 'x' }] },
    ]);
    for (const name of ['restore', 'exportRuns', 'importRuns', 'annotate']) started[0]?.answer(name, name);
    expect(await Promise.all(calls)).toEqual(['restore', 'exportRuns', 'importRuns', 'annotate']);
  });

  it('has a number of its own for every call, every run and every end', async () => {
    const { client, started } = scriptedClient();
    const runs = [1, 2, 3].map(() => client.record(requestOf(), stream([startEvent()])));
    const asked = () => client.list().catch(() => null);
    void asked();
    started[0]?.say({ type: 'ready' });
    for (const run of runs) {
      for await (const _ of run) void asked();
      void asked();
    }
    const numbers = started[0]?.sent.flatMap((one) =>
      one.type === 'begin' ? [one.run.key] : one.type === 'call' || one.type === 'end' ? [one.id] : [],
    );
    expect(numbers).toHaveLength(3 + 3 + 7);
    expect(new Set(numbers).size).toBe(3 + 3 + 7);
    // Where it was started, when nobody says.
    expect(started[0]?.sent[2]).toMatchObject({ type: 'begin', run: { source: 'lab' } });
  });

  it('gives each call its own answer, a refusal as one, and lets an unknown answer pass', async () => {
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
    // What is refused lists none either, and is no word of a process that died.
    const listed = client.list();
    const id = first?.sent.at(-1);
    first?.say({ type: 'refusal', id: id?.type === 'call' ? id.id : 0, failure: refusal });
    await expect(listed).rejects.toMatchObject({ failure: refusal });
  });

  it('asks once more what a process died of, then gives up on it alone', async () => {
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

  it('tells in a list that it was started again, besides what the history has to tell', async () => {
    const { client, started } = scriptedClient();
    const call = client.list();
    started[0]?.say({ type: 'ready' });
    started[0]?.die('exit code 1');
    started[1]?.say({ type: 'ready' });
    started[1]?.answer('list', { ...nothing, notice: 'One run is damaged.' });
    expect((await call).notice).toBe(
      'The history of runs stopped unexpectedly (exit code 1) and was started again; ' +
        'what was written before is there, and training goes on. One run is damaged.',
    );
  });

  it('lists nothing, with the reason, where every process dies', async () => {
    const { client, started } = scriptedClient();
    const call = client.list();
    started[0]?.die('exit code 1');
    started[1]?.die('exit code 2');
    expect(await call).toEqual({
      ...nothing,
      problem:
        'Runs are not kept, because the history stops each time that it is started (exit code 2); training goes on. ' +
        'Move runs.db out of /a/folder, and a new one is begun.',
    });
    expect(started).toHaveLength(2);
    expect(client.problem).toBeNull();
  });

  it('passes on what keeps runs from being kept, and that nothing does any more', () => {
    const { client, started } = scriptedClient();
    void client.list();
    started[0]?.say({ type: 'ready' });
    started[0]?.say({ type: 'problem', problem: 'The disk is full.' });
    expect(client.problem).toBe('The disk is full.');
    started[0]?.say({ type: 'problem', problem: null });
    expect(client.problem).toBeNull();
  });
});

describe('a run over the process of the history', () => {
  it('is told as it goes: its beginning before its first event, its end once', async () => {
    const { client, started, told } = scriptedClient();
    const listed = client.list();
    started[0]?.say({ type: 'ready' });
    started[0]?.answer('list', nothing);
    await listed;
    const events = client.record(requestOf({ run: 'a' }), stream(wholeRun()), 'command line');
    for await (const _ of events);
    expect(told(0).slice(2)).toEqual(['begin', ...wholeRun().map(() => 'take'), 'end']);
    const [begin, take] = started[0]?.sent.slice(2) ?? [];
    expect(begin).toMatchObject({
      run: { id: 'a', source: 'command line', request: { run: 'a' }, resumed: null },
    });
    expect(begin?.type === 'begin' && begin.run.spare).toMatch(/^[0-9a-f-]{36}$/);
    expect(take).toMatchObject({ event: startEvent() });
    expect(started[0]?.sent.at(-1)).toMatchObject({ outcome: 'over', failure: null });
  });

  it('keeps no run that was refused before it said anything', async () => {
    const { client, started } = scriptedClient();
    const error = new Error('there is no such model');
    await expect(client.record(requestOf(), stream([], error)).next()).rejects.toBe(error);
    expect(started).toHaveLength(0);
  });

  it.each([
    ['failed', new Error('No room.'), 'No room.'],
    ['cancelled', new CancelledError(), null],
  ])('says that it %s, and why', async (outcome, error, failure) => {
    const { client, started, told } = scriptedClient();
    const run = client.record(requestOf(), stream([startEvent()], error));
    await run.next();
    started[0]?.say({ type: 'ready' });
    await expect(run.next()).rejects.toBe(error);
    expect(told(0)).toEqual(['folder', 'begin', 'end']);
    expect(started[0]?.sent.at(-1)).toMatchObject({ type: 'end', outcome, failure });
  });

  it('is told whole to the process that comes after, with all that it said so far', async () => {
    const { client, started, told } = scriptedClient({ patienceMs: 0 });
    const events = [startEvent(), ...iterationEvents(0), ...iterationEvents(1)];
    const run = client.record(requestOf({ run: 'a' }), stream([...events, ...wholeRun().slice(-1)]));
    for (const _ of events) await run.next();
    started[0]?.say({ type: 'ready' });
    expect(started[0]?.sent[1]).toMatchObject({
      type: 'begin',
      run: { id: 'a', resumed: { sawLast: false, content: { loss: [2, 1.9], start: { event: 'start' } } } },
    });
    started[0]?.die();
    expect(started).toHaveLength(2);
    await run.next();
    await run.next();
    started[1]?.say({ type: 'ready' });
    expect(told(1)).toEqual(['folder', 'begin', 'end']);
    expect(started[1]?.sent[1]).toMatchObject({ run: { resumed: { sawLast: true } } });
    // Its end is answered, so that the next process knows nothing of it.
    const end = started[1]?.sent[2];
    started[1]?.say({ type: 'answer', id: end?.type === 'end' ? end.id : 0, value: null });
    await settled();
    started[1]?.die();
    expect(started).toHaveLength(2);
    void client.list();
    started[2]?.say({ type: 'ready' });
    expect(told(2)).toEqual(['folder', 'list']);
  });

  it('starts no process again before ten seconds are over where the last one died', async () => {
    const { client, started } = scriptedClient();
    const run = client.record(requestOf(), stream(wholeRun()));
    await run.next();
    expect(started).toHaveLength(1);
    started[0]?.die('exit code 7');
    expect(started).toHaveLength(1);
    expect(client.problem).toMatch(/^Runs are not kept, .*\(exit code 7\); training goes on\..*begun\.$/);
    vi.advanceTimersByTime(9999);
    await run.next();
    expect(started).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await run.next();
    expect(started).toHaveLength(2);
    // One that lived as long is started again at once.
    started[1]?.say({ type: 'ready' });
    vi.advanceTimersByTime(10_000);
    started[1]?.die();
    expect(started).toHaveLength(3);
  });

  it('whose end no process lived to write is a problem that is told', async () => {
    const { client, started } = scriptedClient();
    const run = client.record(requestOf(), stream([startEvent()]));
    await run.next();
    await run.next();
    started[0]?.die('exit code 1');
    expect(client.problem).toBeNull();
    started[1]?.die('exit code 2');
    await settled();
    expect(client.problem).toContain('(exit code 2)');
    expect(started).toHaveLength(2);
  });
});

describe('the end of the host', () => {
  it('waits for what was asked for, ends the process, and starts none for it', async () => {
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

  it('waits five seconds at most, and cancels what is not done by then', async () => {
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
