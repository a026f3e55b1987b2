import { describe, expect, test } from 'vitest';
import type { TrainEvent, TrainRequest } from '../../../app/contract/training.ts';
import { BadInputError, CancelledError, InfeasibleError } from '../../../engine/errors.ts';
import {
  DeviceLostError,
  failureOf,
  NoBackendError,
  OutOfMemoryError,
  typedError,
} from '../../../main/trainer/errors.ts';
import type { HostMessage, TrainerMessage } from '../../../main/trainer/protocol.ts';
import { type SettleFunction, serveTrainer, type TrainFunction } from '../../../main/trainer/serve.ts';

const REQUEST = { model: 'any' } as unknown as TrainRequest;
const EVENT: TrainEvent = { event: 'iteration', iteration: 0, ms: 1, loss: 2, measuredPeakBytes: 3 };

const noChoice: SettleFunction = async () => {
  throw new Error('no choice was asked for');
};

/** A host and a trainer in one process. */
function connect(train: TrainFunction, choose: SettleFunction = noChoice) {
  const received: TrainerMessage[] = [];
  let deliver: (message: HostMessage) => void = () => undefined;
  serveTrainer(
    {
      send: (message) => received.push(structuredClone(message)),
      onMessage: (listener) => {
        deliver = listener;
      },
    },
    train,
    choose,
  );
  return { received, send: (message: HostMessage) => deliver(structuredClone(message)) };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs until it is cancelled. */
const endless: TrainFunction = (_request, emit, { signal }) =>
  new Promise((_resolve, reject) => {
    emit(EVENT);
    signal.addEventListener('abort', () => reject(new CancelledError()));
  });

describe('the trainer at its port', () => {
  test('announces itself, passes events on and ends a run once', async () => {
    const { received, send } = connect(async (_request, emit) => {
      emit(EVENT);
      await settle();
      emit(EVENT);
    });
    expect(received).toEqual([{ type: 'ready' }]);
    send({ type: 'run', id: 7, request: REQUEST });
    await settle();
    await settle();
    expect(received.slice(1)).toEqual([
      { type: 'event', id: 7, event: EVENT },
      { type: 'event', id: 7, event: EVENT },
      { type: 'end', id: 7 },
    ]);
  });

  test('cancels only the named run, then accepts the next', async () => {
    const { received, send } = connect(endless);
    send({ type: 'run', id: 1, request: REQUEST });
    send({ type: 'cancel', id: 2 });
    await settle();
    expect(received).toHaveLength(2);
    send({ type: 'cancel', id: 1 });
    await settle();
    expect(received.at(-1)).toMatchObject({ type: 'error', id: 1, failure: { code: 'CANCELLED' } });
    send({ type: 'run', id: 3, request: REQUEST });
    await settle();
    expect(received.at(-1)).toEqual({ type: 'event', id: 3, event: EVENT });
  });

  test('refuses a second run without disturbing the first', async () => {
    const { received, send } = connect(endless);
    send({ type: 'run', id: 1, request: REQUEST });
    send({ type: 'run', id: 2, request: REQUEST });
    await settle();
    expect(received.at(-1)).toMatchObject({ type: 'error', id: 2, failure: { code: 'BUSY' } });
    send({ type: 'cancel', id: 1 });
    await settle();
    expect(received.at(-1)).toMatchObject({ id: 1, failure: { code: 'CANCELLED' } });
  });

  test('reports a lost device as the end of its process, and no other error', async () => {
    const errors = [new DeviceLostError('driver reset'), new OutOfMemoryError('full', null)];
    const { received, send } = connect(() => Promise.reject(errors.shift()));
    send({ type: 'run', id: 1, request: REQUEST });
    await settle();
    send({ type: 'run', id: 2, request: REQUEST });
    await settle();
    expect(received.slice(1)).toMatchObject([
      {
        id: 1,
        failure: {
          code: 'INTERNAL',
          message: 'the GPU was lost (driver reset); the next run opens it again',
        },
        isBroken: true,
      },
      { id: 2, failure: { code: 'OUT_OF_MEMORY' }, isBroken: false },
    ]);
  });

  test('recognizes libraries’ out-of-memory errors', () => {
    const full = 'Invalid TF_Status: 8\nMessage: OOM when allocating tensor with shape[64,64,112,112]\n at x';
    expect(typedError(new Error(full))).toBeInstanceOf(OutOfMemoryError);
    expect((typedError(new Error(full)) as Error).message).toBe(
      'the device has no room (OOM when allocating tensor with shape[64,64,112,112]); choose a smaller batch or another strategy',
    );
    expect(typedError(new RangeError('Array buffer allocation failed'))).toBeInstanceOf(OutOfMemoryError);
    const other = new Error('Invalid TF_Status: 3');
    expect(typedError(other)).toBe(other);
  });

  test('turns every error into a failure with a code', async () => {
    expect(failureOf(new BadInputError('no', 'model'))).toEqual({
      code: 'BAD_INPUT',
      message: 'model: no',
      data: { path: 'model' },
    });
    expect(failureOf(new InfeasibleError('too little'))).toMatchObject({
      code: 'INFEASIBLE',
      data: { leastBytes: null },
    });
    expect(failureOf(new OutOfMemoryError('full', 12))).toEqual({
      code: 'OUT_OF_MEMORY',
      message: 'full',
      data: { bytes: 12 },
    });
    expect(failureOf('odd')).toMatchObject({ code: 'INTERNAL', message: 'the trainer failed: odd' });
    const { received, send } = connect(() => {
      throw new RangeError('broken');
    });
    send({ type: 'run', id: 1, request: REQUEST });
    await settle();
    expect(received.at(-1)).toMatchObject({ id: 1, failure: { code: 'INTERNAL' } });
  });

  test('chooses the backend before the run, and reports the reason at its start', async () => {
    const asked: unknown[] = [];
    const start = { event: 'start', backendReason: 'wasm: asked for' } as TrainEvent;
    const { received, send } = connect(
      async (request, emit) => {
        asked.push(request.backend);
        emit(start);
        emit(EVENT);
      },
      async (request, { among, skipped }) => ({
        request: { ...request, backend: among[0] },
        reason: [...skipped, 'using wasm'].join('; '),
      }),
    );
    const choice = { among: ['wasm'], skipped: ['webgpu: no adapter'] } as const;
    send({ type: 'run', id: 1, request: REQUEST, choice });
    await settle();
    expect(asked).toEqual(['wasm']);
    expect(received.slice(1)).toEqual([
      { type: 'event', id: 1, event: { ...start, backendReason: 'webgpu: no adapter; using wasm' } },
      { type: 'event', id: 1, event: EVENT },
      { type: 'end', id: 1 },
    ]);
  });

  test('does not start a run if no backend of the choice works', async () => {
    const skipped = ['tensorflow: not installed'];
    const { received, send } = connect(
      () => {
        throw new Error('it began');
      },
      async () => {
        throw new NoBackendError(skipped);
      },
    );
    send({ type: 'run', id: 1, request: REQUEST, choice: { among: ['tensorflow'], skipped: [] } });
    await settle();
    expect(received.at(-1)).toEqual({
      type: 'error',
      id: 1,
      failure: {
        code: 'NO_BACKEND',
        message: 'backend: no backend works here (tensorflow: not installed)',
        skipped,
        onProcessor: null,
      },
      isBroken: false,
    });
  });

  test('cancels a run during the choice of its backend', async () => {
    let opened = (): void => undefined;
    const { received, send } = connect(
      () => {
        throw new Error('it began');
      },
      (request) =>
        new Promise((resolve) => {
          opened = () => resolve({ request, reason: '' });
        }),
    );
    send({ type: 'run', id: 1, request: REQUEST, choice: { among: ['webgpu'], skipped: [] } });
    send({ type: 'cancel', id: 1 });
    opened();
    await settle();
    expect(received.at(-1)).toMatchObject({ id: 1, failure: { code: 'CANCELLED' } });
  });
});
