import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type TrainRequest, trainRequestSchema } from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import { TrainerClient, type TrainerTimes } from '../../../main/trainer-client/client.ts';
import type { ProcessSpawner, TrainerProcess } from '../../../main/trainer-client/process.ts';
import type { TrainerMessage } from '../../../main/trainer/protocol.ts';
import { FAKE_TRAINER } from '../support/fake-trainer.ts';
import { collected } from '../../support/collected.ts';

/** Time passes for the client when a test says so; the trainer, another process, has its own. */
const WATCHDOG: Parameters<typeof vi.useFakeTimers>[0] = { toFake: ['setTimeout', 'clearTimeout'] };
const RUN = 'mine';

let close: () => Promise<void> = async () => undefined;
afterEach(async () => {
  vi.useRealTimers();
  delete process.env['FAKE_TRAINER'];
  await close();
});

function request(model: string, run?: string): TrainRequest {
  const named = run === undefined ? {} : { run };
  return trainRequestSchema.parse({ model, batch: 1, strategy: 'regular', iterations: 2, ...named });
}

function trainer(times: Partial<TrainerTimes> = {}) {
  let spawned = 0;
  const spawn = childProcessSpawner(FAKE_TRAINER);
  const messages = new EventEmitter();
  const counted: ProcessSpawner = () => {
    spawned++;
    const started = spawn();
    const onMessage: TrainerProcess['onMessage'] = (listener) =>
      started.onMessage((message) => {
        listener(message);
        messages.emit(`heard ${message.type}`);
      });
    return { ...started, onMessage };
  };
  /** Resolves when the client has heard the next message of a type. */
  const heard = (type: TrainerMessage['type']): Promise<unknown> => once(messages, `heard ${type}`);
  const client = new TrainerClient(counted, times);
  close = () => client.close();
  const train = (model: string, signal?: AbortSignal) => collected(client.train(request(model, RUN), signal));
  /** Cancels after the first event; resolves to how the stream ended. */
  const trainAndCancel = async (model: string): Promise<unknown> => {
    const controller = new AbortController();
    try {
      for await (const _ of client.train(request(model), controller.signal)) controller.abort();
    } catch (error) {
      return error;
    }
    return null;
  };
  return { client, train, trainAndCancel, heard, spawned: () => spawned };
}

const died = (reason: RegExp) => ({
  failure: { code: 'WORKER_DIED', message: expect.stringMatching(reason), data: { worker: 'trainer' } },
});

describe('TrainerClient', () => {
  it('streams the events of a run and keeps the process for the next', async () => {
    const { train, spawned } = trainer();
    expect((await train('any')).map(({ event }) => event)).toEqual([
      'start',
      'iteration',
      'iteration',
      'done',
    ]);
    await train('any');
    expect(spawned()).toBe(1);
  });

  it('uses a new process for the next run after an installation, once the current run ends', async () => {
    const { client, train, spawned } = trainer();
    client.renew();
    await train('any');
    client.renew();
    await train('any');
    expect(spawned()).toBe(2);
    const events: string[] = [];
    for await (const { event } of client.train(request('any'))) {
      client.renew();
      events.push(event);
    }
    expect(events.at(-1)).toBe('done');
    expect(spawned()).toBe(2);
    await train('any');
    expect(spawned()).toBe(3);
  });

  it('refuses a second run meanwhile with one sentence', async () => {
    const { client, train } = trainer();
    for await (const { event } of client.train(request('any'))) {
      if (event !== 'start') continue;
      await expect(train('any')).rejects.toMatchObject({
        failure: { code: 'BUSY', message: expect.stringMatching(/^Another training run is in progress/) },
      });
    }
  });

  it('cancels gracefully, and the next run waits for that and uses the same process', async () => {
    const { train, trainAndCancel, spawned } = trainer();
    expect(await trainAndCancel('slow')).toBeInstanceOf(CancelledError);
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(1);
  });

  it('kills a process that does not stop within the grace', async () => {
    const { train, trainAndCancel, spawned } = trainer({ graceMs: 50 });
    expect(await trainAndCancel('stubborn')).toBeInstanceOf(CancelledError);
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(2);
  });

  it('cancels a run before the process listens', async () => {
    const { train, spawned } = trainer();
    const controller = new AbortController();
    const run = train('exit', controller.signal);
    controller.abort();
    await expect(run).rejects.toBeInstanceOf(CancelledError);
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(1);
  });

  it.each([
    ['exit', /exit code 9: Error: the fake gave up/],
    ['kill', /killed by SIGKILL/],
  ])('reports a process that ends by %s with the reason, then starts a new one', async (model, reason) => {
    const { train, spawned } = trainer();
    await expect(train(model)).rejects.toMatchObject(died(reason));
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(2);
  });

  it.each([
    ['falls silent', 'hang', 'event', 200],
    ['exceeds its announced silence', 'patient', 'patience', 1000],
  ] as const)('reports a run that %s as hung, then starts a new process', async (_how, model, last, ms) => {
    vi.useFakeTimers(WATCHDOG);
    const { train, heard, spawned } = trainer({ silenceMs: 200 });
    const run = expect(train(model)).rejects.toMatchObject(died(/stopped answering/));
    await heard(last);
    vi.advanceTimersByTime(ms);
    await run;
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(2);
  });

  it('waits for a run as long as it announced', async () => {
    vi.useFakeTimers(WATCHDOG);
    const { client, train, heard, spawned } = trainer({ silenceMs: 200 });
    const run = train('patient');
    await heard('patience');
    vi.advanceTimersByTime(999);
    await client.steerTraining({ run: RUN, paused: false });
    expect(await run).toHaveLength(4);
    expect(spawned()).toBe(1);
  });

  it('pauses a run by name for longer than it may be silent, and resumes it', async () => {
    vi.useFakeTimers(WATCHDOG);
    const { client, spawned } = trainer({ silenceMs: 200 });
    expect(await client.steerTraining({ run: 'mine', paused: true })).toEqual({ running: false });
    const controller = new AbortController();
    const iterations: number[] = [];
    const told: boolean[] = [];
    try {
      for await (const event of client.train(request('slow', 'mine'), controller.signal)) {
        if (event.event === 'iteration') iterations.push(event.iteration);
        if (event.event === 'iteration' && event.iteration === 2) {
          expect(await client.steerTraining({ run: 'another', paused: true })).toEqual({ running: false });
          expect(await client.steerTraining({ run: 'mine', paused: true })).toEqual({ running: true });
        }
        if (event.event === 'paused') {
          told.push(event.paused);
          if (event.paused) {
            vi.advanceTimersByTime(1000);
            void client.steerTraining({ run: 'mine', paused: false });
          }
        }
        if (told.length === 2 && event.event === 'iteration') controller.abort();
      }
    } catch (error) {
      expect(error).toBeInstanceOf(CancelledError);
    }
    expect(told).toEqual([true, false]);
    // Nothing was left out.
    expect(iterations).toEqual(iterations.map((_, i) => i));
    expect(spawned()).toBe(1);
  });

  it('pauses a run before its process listens', async () => {
    const { client, spawned } = trainer();
    const controller = new AbortController();
    const events: string[] = [];
    const stream = client.train(request('slow', 'mine'), controller.signal);
    const first = stream.next();
    expect(await client.steerTraining({ run: 'mine', paused: true })).toEqual({ running: true });
    events.push((await first).value?.event ?? 'end');
    for (let more = await stream.next(); more.done !== true; more = await stream.next()) {
      events.push(more.value.event);
      if (more.value.event === 'paused') break;
    }
    expect(events.at(-1)).toBe('paused');
    controller.abort();
    await expect(stream.next()).rejects.toBeInstanceOf(CancelledError);
    expect(spawned()).toBe(1);
  });

  it('cancels a paused run', async () => {
    const { client, train, spawned } = trainer();
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      for await (const event of client.train(request('slow', 'mine'), controller.signal)) {
        if (event.event === 'start') await client.steerTraining({ run: 'mine', paused: true });
        if (event.event === 'paused') controller.abort();
      }
    };
    await expect(run()).rejects.toBeInstanceOf(CancelledError);
    expect(await train('any')).toHaveLength(4);
    expect(spawned()).toBe(1);
  });

  it('reports the end of a paused process', async () => {
    let started: TrainerProcess | undefined;
    const spawn = childProcessSpawner(FAKE_TRAINER);
    const client = new TrainerClient(() => {
      started = spawn();
      return started;
    });
    close = () => client.close();
    const run = async (): Promise<void> => {
      for await (const event of client.train(request('slow', 'mine'))) {
        if (event.event === 'start') await client.steerTraining({ run: 'mine', paused: true });
        if (event.event === 'paused') started?.kill();
      }
    };
    await expect(run()).rejects.toMatchObject(died(/killed by SIGKILL/));
  });

  it('reports a process that never listens', async () => {
    process.env['FAKE_TRAINER'] = 'deaf';
    const { train } = trainer({ startMs: 100 });
    await expect(train('any')).rejects.toMatchObject(died(/did not start in time/));
  });

  it('reports a missing program', async () => {
    const client = new TrainerClient(childProcessSpawner(join(import.meta.dirname, 'nothing.mjs')));
    const run = async () => {
      for await (const _ of client.train(request('any'))) throw new Error('an event of nobody');
    };
    await expect(run()).rejects.toMatchObject(died(/Cannot find module/));
  });

  it('passes typed failures of the trainer on and keeps the process', async () => {
    const { train, spawned } = trainer();
    await expect(train('oom')).rejects.toMatchObject({
      failure: { code: 'OUT_OF_MEMORY', message: 'No room for 5 bytes.', data: { bytes: 5 } },
    });
    await train('any');
    expect(spawned()).toBe(1);
  });

  it('stops the run when the consumer leaves the stream', async () => {
    const { client, train } = trainer();
    for await (const _ of client.train(request('slow'))) break;
    expect(await train('any')).toHaveLength(4);
  });
});
