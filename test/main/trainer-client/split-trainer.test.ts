import { afterEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../app/contract/backends.ts';
import {
  type TrainEvent,
  type TrainRequestInput,
  trainRequestSchema,
} from '../../../app/contract/training.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { failureOf, NoBackendError, OutOfMemoryError } from '../../../main/trainer/errors.ts';
import type { HostMessage, TrainerMessage } from '../../../main/trainer/protocol.ts';
import { TrainerClient } from '../../../main/trainer-client/client.ts';
import type { ProcessSpawner } from '../../../main/trainer-client/process.ts';
import { SplitTrainer } from '../../../main/trainer-client/split-trainer.ts';
import { collected } from '../../support/collected.ts';

type Run = Extract<HostMessage, { type: 'run' }>;

/** Behaviour of a place in a run: works, lacks the backend, dies, runs out of memory, or goes on until cancelled. */
type Behaviour = 'works' | 'works on the processor' | 'lacks' | 'dies' | 'is full' | 'goes on';

const ITERATION = { event: 'iteration', iteration: 0, ms: 1, loss: 1, measuredPeakBytes: 1 } as const;

/** A place in this process, which does with each backend as it is told. */
function place(behaviours: Partial<Record<Backend, Behaviour>>) {
  const runs: Run[] = [];
  const steered: HostMessage[] = [];
  const spawn: ProcessSpawner = () => {
    let tell: (message: TrainerMessage) => void = () => undefined;
    let die: (reason: string) => void = () => undefined;
    const later = (message: TrainerMessage): void => queueMicrotask(() => tell(message));
    later({ type: 'ready' });
    const run = (message: Run): void => {
      const { id, choice, request } = message;
      const backend = request.backend ?? choice?.among[0] ?? 'cpu';
      const reason = [...(choice?.skipped ?? []), `using ${backend}`].join('; ');
      const start = { event: 'start', backend, backendReason: reason } as TrainEvent;
      const fail = (error: Error) => later({ type: 'error', id, failure: failureOf(error), isBroken: false });
      const told = behaviours[backend] ?? 'works';
      const isSlow = told === 'works on the processor';
      const behaviour = isSlow ? (choice?.onlyGpu === true ? 'waits' : 'works') : told;
      if (behaviour === 'waits')
        fail(new NoBackendError([...(choice?.skipped ?? []), `${backend}: no CUDA`], backend));
      if (behaviour === 'lacks')
        fail(new NoBackendError([...(choice?.skipped ?? []), `${backend}: not here`]));
      if (behaviour === 'dies') queueMicrotask(() => die('its window crashed'));
      if (behaviour === 'is full') fail(new OutOfMemoryError('no room', 5));
      if (behaviour === 'works' || behaviour === 'goes on') later({ type: 'event', id, event: start });
      if (behaviour === 'works') {
        later({ type: 'event', id, event: ITERATION });
        later({ type: 'end', id });
      }
    };
    return {
      send(message) {
        if (message.type === 'run') {
          runs.push(message);
          run(message);
        } else {
          steered.push(message);
          if (message.type === 'cancel') {
            const failure = failureOf(new CancelledError());
            later({ type: 'error', id: message.id, failure, isBroken: false });
          }
        }
      },
      onMessage(listener) {
        tell = listener;
      },
      onExit(listener) {
        die = listener;
      },
      kill: () => undefined,
    };
  };
  return { client: new TrainerClient(spawn), runs, steered, behaviours };
}

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

function desktop(inProcess: Partial<Record<Backend, Behaviour>>, inWindow: Behaviour = 'works') {
  const process = place(inProcess);
  const window = place({ webgpu: inWindow });
  const trainer = new SplitTrainer({ process: process.client, window: window.client });
  close = () => trainer.close();
  const train = async (change: Partial<TrainRequestInput> = {}, signal?: AbortSignal) => {
    const request = { model: 'vgg11', batch: 1, strategy: 'regular', iterations: 1, ...change };
    const [start] = await collected(trainer.train(trainRequestSchema.parse(request), signal));
    return start?.event === 'start' ? start.backendReason : null;
  };
  return { trainer, process, window, train };
}

describe('the trainer of the desktop', () => {
  it.each<[Backend, 'process' | 'window']>([
    ['tensorflow', 'process'],
    ['wasm', 'process'],
    ['cpu', 'process'],
    ['webgpu', 'window'],
  ])('runs %s in its %s, and does nothing in the other', async (backend, where) => {
    const both = desktop({});
    expect(await both.train({ backend })).toBe(`using ${backend}`);
    expect(both[where].runs.map(({ request, choice }) => [request.backend, choice])).toEqual([
      [backend, undefined],
    ]);
    expect(both[where === 'process' ? 'window' : 'process'].runs).toEqual([]);
  });

  it('uses tensorflow by default if it works, without opening a window', async () => {
    const { train, window } = desktop({});
    expect(await train()).toBe('using tensorflow');
    expect(window.runs).toEqual([]);
  });

  it('tries processes in order of preference and says why each was skipped', async () => {
    const withGpu = desktop({ tensorflow: 'lacks' });
    expect(await withGpu.train()).toBe('tensorflow: not here; using webgpu');
    const without = desktop({ tensorflow: 'lacks' }, 'lacks');
    expect(await without.train()).toBe('tensorflow: not here; webgpu: not here; using wasm');
    expect(without.process.runs.map(({ choice }) => choice?.among)).toEqual([['tensorflow'], ['wasm']]);
  });

  it('prefers a GPU in another process to a processor here, and uses the processor without a GPU', async () => {
    const withGpu = desktop({ tensorflow: 'works on the processor' });
    expect(await withGpu.train()).toBe('tensorflow: no CUDA; using webgpu');
    const without = desktop({ tensorflow: 'works on the processor' }, 'lacks');
    expect(await without.train()).toBe('tensorflow: no CUDA; webgpu: not here; using tensorflow');
    expect(without.process.runs.map(({ choice }) => [choice?.among, choice?.onlyGpu])).toEqual([
      [['tensorflow'], true],
      [['tensorflow'], false],
    ]);
  });

  it('says for each why none works', async () => {
    const { train } = desktop({ tensorflow: 'lacks', wasm: 'lacks' }, 'lacks');
    await expect(train()).rejects.toMatchObject({
      failure: {
        code: 'BAD_INPUT',
        data: { path: 'backend' },
        message: 'backend: no backend works here (tensorflow: not here; webgpu: not here; wasm: not here)',
      },
    });
  });

  it('continues if a process dies in the attempt, and does not retry it automatically', async () => {
    const { train, trainer, window } = desktop({ tensorflow: 'lacks' }, 'dies');
    expect(await train()).toBe('tensorflow: not here; webgpu: its window crashed; using wasm');
    expect(await train()).toBe(
      'tensorflow: not here; webgpu: its window crashed when it was tried; name it to try again; using wasm',
    );
    expect(window.runs).toHaveLength(1);
    trainer.renew();
    expect(await train()).toBe('tensorflow: not here; webgpu: its window crashed; using wasm');
    window.behaviours.webgpu = 'works';
    expect(await train({ backend: 'webgpu' })).toBe('using webgpu');
    expect(await train()).toBe('tensorflow: not here; using webgpu');
  });

  it('fails with the last process, and at once with any other error', async () => {
    const dead = desktop({ tensorflow: 'lacks', wasm: 'dies' }, 'lacks');
    await expect(dead.train()).rejects.toMatchObject({ failure: { code: 'WORKER_DIED' } });
    const full = desktop({ tensorflow: 'lacks' }, 'is full');
    await expect(full.train()).rejects.toMatchObject({
      failure: { code: 'OUT_OF_MEMORY', data: { bytes: 5 } },
    });
    expect(full.process.runs).toHaveLength(1);
  });

  it('sends data folders to a process that can read them', async () => {
    const { train, window } = desktop({ tensorflow: 'lacks' });
    expect(await train({ dataFolder: '/data' })).toBe(
      'tensorflow: not here; webgpu: its window reads no folders; using wasm',
    );
    expect(window.runs).toEqual([]);
  });

  it.each<Backend>(['webgpu', 'wasm'])('refuses a second run anywhere while %s runs', async (backend) => {
    const { trainer, train, process, window } = desktop({ wasm: 'goes on' }, 'goes on');
    const first = trainer.train(
      trainRequestSchema.parse({ model: 'vgg11', batch: 1, strategy: 'regular', iterations: 1, backend }),
    );
    await first.next();
    for (const other of ['webgpu', 'wasm', undefined] as const) {
      await expect(train(other === undefined ? {} : { backend: other })).rejects.toMatchObject({
        failure: { code: 'BUSY' },
      });
    }
    expect([...process.runs, ...window.runs]).toHaveLength(1);
    await first.return();
    expect(await train({ backend: 'tensorflow' })).toBe('using tensorflow');
  });

  it('cancels in any process', async () => {
    const { train, window } = desktop({ tensorflow: 'lacks' }, 'goes on');
    const controller = new AbortController();
    const run = train({}, controller.signal);
    await expect.poll(() => window.runs.length).toBe(1);
    controller.abort();
    await expect(run).rejects.toBeInstanceOf(CancelledError);
    await expect(train({}, controller.signal)).rejects.toBeInstanceOf(CancelledError);
    expect(window.runs).toHaveLength(1);
  });

  it('pauses the named run in any process', async () => {
    const { trainer, train, window } = desktop({ tensorflow: 'lacks' }, 'goes on');
    const controller = new AbortController();
    const run = train({ run: 'a' }, controller.signal);
    await expect.poll(() => window.runs.length).toBe(1);
    expect(await trainer.steerTraining({ run: 'b', paused: true })).toEqual({ running: false });
    expect(await trainer.steerTraining({ run: 'a', paused: true })).toEqual({ running: true });
    expect(window.steered).toContainEqual({ type: 'pause', id: 1, paused: true });
    controller.abort();
    await expect(run).rejects.toBeInstanceOf(CancelledError);
    expect(await trainer.steerTraining({ run: 'a', paused: false })).toEqual({ running: false });
  });
});
