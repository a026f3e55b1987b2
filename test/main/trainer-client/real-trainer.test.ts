import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { TrainRequestInput } from '../../../app/contract/training.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import { TrainerClient } from '../../../main/trainer-client/client.ts';
import type { TrainerProcess } from '../../../main/trainer-client/process.ts';
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

  it('refuses what the network does not admit with one sentence', async () => {
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

  it('survives the death of its process', async () => {
    const kill = (event: string): void => {
      if (event === 'iteration') processes.at(-1)?.kill();
    };
    const { failure } = await trained({ ...REQUEST, iterations: 10_000 }, kill);
    expect(failure).toMatchObject({
      code: 'WORKER_DIED',
      message: expect.stringContaining('killed by SIGKILL'),
    });
    expect((await trained(REQUEST)).failure).toBeNull();
    expect(processes).toHaveLength(2);
  });
});
