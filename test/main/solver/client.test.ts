import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import type { SolverService } from '../../../main/host/services.ts';
import { solverClient } from '../../../main/solver/client.ts';
import { experiment } from '../support/experiment.ts';
import { fakeThreads } from '../support/fake-solver.ts';
import { collected } from '../../support/collected.ts';

const NETWORK = { batch: 1, seed: 0, profile: 'pytorch', dtype: 'float32' } as const;

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** No thread stands ready before one was lost, unless a test says when. */
function solver(graceMs = 50, spareAfterMs = 1e6) {
  const threads = fakeThreads();
  const client = solverClient({ start: threads.start, graceMs, spareAfterMs });
  close = () => client.close();
  const ask = (model: string, signal?: AbortSignal) =>
    collected(client.compare(experiment({ model }), signal));
  return { client, ask, started: threads.started };
}

/** A signal that aborts when the first event has arrived, so that the request is known to be running. */
async function abortAfterFirst(client: SolverService, model: string): Promise<unknown> {
  const controller = new AbortController();
  try {
    for await (const _ of client.compare(experiment({ model }), controller.signal)) controller.abort();
  } catch (error) {
    return error;
  }
  return null;
}

describe('solverClient', () => {
  it('starts its thread at the first request and keeps it', async () => {
    const { ask, started } = solver();
    expect(started).toHaveLength(0);
    await Promise.all([ask('a'), ask('b')]);
    expect(await ask('c')).toHaveLength(1);
    expect(started).toHaveLength(1);
  });

  it.each([
    ['exit', /exit code 3/],
    ['throw', /no such luck/],
  ])(
    'fails every request when the thread ends by %s, then continues with a new one',
    async (model, reason) => {
      const { ask, started } = solver();
      const died = { failure: { code: 'WORKER_DIED', message: expect.stringMatching(reason) } };
      const results = await Promise.allSettled([ask(model), ask('behind')]);
      for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: died });
      expect(await ask('next')).toHaveLength(1);
      expect(started).toHaveLength(2);
    },
  );

  it('survives a thread that is killed while it is idle', async () => {
    const { ask, started } = solver();
    await ask('a');
    await started[0]?.terminate();
    expect(await ask('b')).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it('cancels a solve that ticks and keeps the thread', async () => {
    const { client, ask, started } = solver(10_000);
    expect(await abortAfterFirst(client, 'ticking')).toBeInstanceOf(CancelledError);
    expect(await ask('next')).toHaveLength(1);
    expect(started).toHaveLength(1);
  });

  it('cancels a solve that never ticks by ending the thread; requests behind it continue', async () => {
    const { client, ask, started } = solver();
    const stuck = abortAfterFirst(client, 'stuck');
    const behind = ask('behind');
    expect(await stuck).toBeInstanceOf(CancelledError);
    expect(await behind).toHaveLength(1);
    expect(started).toHaveLength(3);
    // The one that stands ready since then is the next to go on.
    expect(await abortAfterFirst(client, 'stuck')).toBeInstanceOf(CancelledError);
    expect(await ask('next')).toHaveLength(1);
    expect(started).toHaveLength(4);
    await client.close();
    // None is left.
    await vi.waitFor(() => expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1, -1, -1]));
  });

  it('has a spare thread during a long call, which knows every file and is replaced when it dies', async () => {
    const { client, ask, started } = solver(10, 1);
    const answers = (model: string, signal?: AbortSignal) =>
      collected(client.pareto({ ...NETWORK, model }, signal));
    const away = new AbortController();
    const long = answers('ticking', away.signal);
    await vi.waitFor(() => expect(started).toHaveLength(2));
    const spare = started[1]!;
    const gone = once(spare, 'exit');
    await spare.terminate();
    await gone;
    // The other calls take the place of the one that died, not it.
    expect(await ask('keeps')).toHaveLength(1);
    away.abort();
    await expect(long).rejects.toBeInstanceOf(CancelledError);
    const stuck = new AbortController();
    const lost = answers('stuck', stuck.signal);
    await vi.waitFor(() => expect(started.length).toBeGreaterThanOrEqual(4));
    stuck.abort();
    await expect(lost).rejects.toBeInstanceOf(CancelledError);
    expect(await answers('a')).toEqual([expect.objectContaining({ done: 1 })]);
  });

  it('has a spare thread some time after a short call, and starts none after close', async () => {
    const { client, ask, started } = solver(50, 5);
    await ask('a');
    await vi.waitFor(() => expect(started).toHaveLength(2));
    expect(await abortAfterFirst(client, 'stuck')).toBeInstanceOf(CancelledError);
    expect(await ask('next')).toHaveLength(1);
    await client.close();
    const all = started.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(started).toHaveLength(all);
  });

  it('cancels when the consumer leaves the stream', async () => {
    const { client, ask } = solver();
    for await (const _ of client.compare(experiment({ model: 'ticking' }))) break;
    expect(await ask('next')).toHaveLength(1);
  });

  it('cancels a request that waits behind another', async () => {
    const { client, ask } = solver();
    const first = abortAfterFirst(client, 'ticking');
    const controller = new AbortController();
    const waiting = ask('exit', controller.signal);
    controller.abort();
    await expect(waiting).rejects.toBeInstanceOf(CancelledError);
    await first;
    expect(await ask('next')).toHaveLength(1);
  });

  it('answers during a front, whose thread knows each file of the other', async () => {
    const { client, ask, started } = solver();
    const [away, front] = [new AbortController(), { ...NETWORK, model: 'ticking' }];
    const searching = client.pareto(front, away.signal)[Symbol.asyncIterator]();
    await searching.next();
    expect(await ask('keeps')).toEqual([{ type: 'progress', strategy: 'regular', done: 1 }]);
    expect(started).toHaveLength(2);
    away.abort();
    await expect(searching.next()).rejects.toBeInstanceOf(CancelledError);
    const known = await collected(client.pareto({ ...NETWORK, model: 'a' }));
    expect(known).toEqual([expect.objectContaining({ done: 1 })]);
    expect(started).toHaveLength(2);
    expect(await client.openedFiles()).toHaveLength(1);
  });

  it('answers during a table', async () => {
    const { client, ask } = solver();
    const away = new AbortController();
    const solving = client.table({ name: 'cvpr' }, away.signal)[Symbol.asyncIterator]();
    await solving.next();
    expect(await ask('a')).toHaveLength(1);
    away.abort();
    await expect(solving.next()).rejects.toBeInstanceOf(CancelledError);
  });

  it('tells a later thread of fronts about existing files', async () => {
    const { client, ask } = solver();
    await ask('keeps');
    const known = await collected(client.pareto({ ...NETWORK, model: 'a' }));
    expect(known).toEqual([expect.objectContaining({ done: 1 })]);
  });

  it('does nothing for a signal that was already aborted', async () => {
    const { ask, started } = solver();
    await expect(ask('a', AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError);
    expect(started).toHaveLength(0);
  });

  it('asks for the catalog once', async () => {
    const { client } = solver();
    const [first, second] = await Promise.all([client.catalog(), client.catalog()]);
    expect(first).toBe(second);
  });
});
