import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import { type TrainRequestInput, trainRequestSchema } from '../../../app/contract/training.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import { TrainerClient } from '../../../main/trainer-client/client.ts';
import type { TrainerProcess } from '../../../main/trainer-client/process.ts';
import type { TrainerMessage } from '../../../main/trainer/protocol.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { CARRIERS, type Carried } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';

const REQUEST: TrainRequestInput = {
  model: 'tiny-residual',
  batch: 2,
  strategy: 'chen-sqrt',
  iterations: 2,
  backend: 'wasm',
};

/** So many that the run is not over before it is told to hold. */
const STEERED = 60;

let built: BuiltEntries;
let carried: Carried;
let client: LabClient;
const processes: TrainerProcess[] = [];

beforeAll(async () => {
  built = await buildEntries({ trainer: 'main/trainer/process.ts' });
  const spawn = childProcessSpawner(built.file('trainer'));
  const trainer = new TrainerClient(() => {
    const started = spawn();
    processes.push(started);
    return started;
  });
  const webSocket = CARRIERS.find(([name]) => name === 'WebSocket');
  if (webSocket === undefined) throw new Error('no WebSocket');
  carried = await webSocket[1]({ ...stubServices({}), trainer });
  client = carried.client;
});
afterAll(async () => {
  await carried.close();
  built.remove();
});

async function trained(
  request: TrainRequestInput,
  onEvent = (_event: string): void => undefined,
  signal?: AbortSignal,
) {
  const events: string[] = [];
  try {
    for await (const { event } of await client.train(request, {
      ...(signal === undefined ? {} : { signal }),
    })) {
      events.push(event);
      onEvent(event);
    }
  } catch (error) {
    return { events, failure: failureOf(error, signal) };
  }
  return { events, failure: null };
}

describe('the real trainer behind the contract', () => {
  it('trains from start to done', async () => {
    const { events, failure } = await trained(REQUEST);
    expect(failure).toBeNull();
    expect(events[0]).toBe('start');
    expect(events.filter((event) => event === 'iteration')).toHaveLength(2);
    expect(events.at(-1)).toBe('done');
  });

  it('refuses invalid sizes with one sentence', async () => {
    const { failure } = await trained({ ...REQUEST, model: 'alexnet', input: 8 });
    expect(failure).toMatchObject({
      code: 'BAD_INPUT',
      path: 'input',
      message: expect.stringContaining('alexnet'),
    });
  });

  it('cancels at once and trains again in the same process', async () => {
    const controller = new AbortController();
    const stop = (event: string): void => {
      if (event === 'iteration') controller.abort();
    };
    const { failure } = await trained({ ...REQUEST, iterations: 10_000 }, stop, controller.signal);
    expect(failure?.code).toBe('ABORTED');
    expect((await trained(REQUEST)).failure).toBeNull();
    expect(processes).toHaveLength(1);
  });

  it('reports a lack of memory as such, and trains again in the same process', async () => {
    const before = processes.length;
    const { events, failure } = await trained({ ...REQUEST, memoryCapBytes: 900 });
    expect(events).toEqual([]);
    expect(failure).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(/^one step needs .*, and the cap allows 900 B; choose a smaller batch/),
    });
    expect((await trained(REQUEST)).failure).toBeNull();
    expect(processes).toHaveLength(before);
  });

  it('pauses and resumes by the run’s name, with the losses of an uninterrupted run', async () => {
    const lossOf = async (steer: boolean): Promise<{ losses: number[]; held: boolean[] }> => {
      const losses: number[] = [];
      const held: boolean[] = [];
      for await (const event of await client.train({ ...REQUEST, iterations: STEERED, run: 'mine' })) {
        if (event.event === 'iteration') losses.push(event.loss);
        if (steer && event.event === 'iteration' && event.iteration === 1) {
          expect(await client.steerTraining({ run: 'other', paused: true })).toEqual({ running: false });
          await client.steerTraining({ run: 'mine', paused: true });
        }
        if (event.event === 'paused') {
          held.push(event.paused);
          if (event.paused) await client.steerTraining({ run: 'mine', paused: false });
        }
      }
      return { losses, held };
    };
    const { losses } = await lossOf(false);
    expect(losses).toHaveLength(STEERED);
    const steered = await lossOf(true);
    expect(steered.held).toEqual([true, false]);
    expect(steered.losses).toEqual(losses);
    expect(await client.steerTraining({ run: 'mine', paused: true })).toEqual({ running: false });
  });

  it('reports a hung process, keeps the measurements, and trains again in a new one', async () => {
    let pid = 0;
    const hung = new TrainerClient(
      () => {
        const child = fork(built.file('trainer'), [], {
          serialization: 'advanced',
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
          execArgv: [],
        });
        pid = child.pid ?? 0;
        return {
          send: (message) => child.connected && child.send(message, () => undefined),
          onMessage: (listener) => child.on('message', (message) => listener(message as TrainerMessage)),
          onExit: (listener) => child.once('close', () => listener('gone')),
          kill: () => void child.kill('SIGKILL'),
        };
      },
      { silenceMs: 4000 },
    );
    const seen: string[] = [];
    const run = async (iterations: number, stop: boolean): Promise<void> => {
      for await (const { event } of hung.train(trainRequestSchema.parse({ ...REQUEST, iterations }))) {
        seen.push(event);
        // Alive and silent, as a driver that never returns makes it.
        if (stop && event === 'iteration') process.kill(pid, 'SIGSTOP');
      }
    };
    await expect(run(10_000, true)).rejects.toMatchObject({
      failure: { code: 'WORKER_DIED', message: expect.stringContaining('it stopped answering') },
    });
    expect(seen).toContain('steps');
    const first = pid;
    seen.length = 0;
    await run(2, false);
    expect(seen.at(-1)).toBe('done');
    expect(pid).not.toBe(first);
    await hung.close();
  });

  it('survives a crash of its process', async () => {
    const kill = (event: string): void => {
      if (event === 'iteration') processes.at(-1)?.kill();
    };
    const before = processes.length;
    const { events, failure } = await trained({ ...REQUEST, iterations: 10_000 }, kill);
    expect(events).toContain('steps');
    expect(failure).toMatchObject({
      code: 'WORKER_DIED',
      message: expect.stringContaining('killed by SIGKILL'),
    });
    expect((await trained(REQUEST)).failure).toBeNull();
    expect(processes).toHaveLength(before + 1);
  });

  it('ends with its host', async () => {
    const child = fork(built.file('trainer'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    const exit = once(child, 'exit');
    child.disconnect();
    expect(await exit).toEqual([0, null]);
  });
});
