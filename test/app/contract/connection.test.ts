import { afterEach, describe, expect, it, vi } from 'vitest';
import { DisconnectedError, failureOf, type LabLink, NoAccessError } from '../../../app/contract/client.ts';
import {
  createLabConnection,
  type DialledCarrier,
  type LabConnection,
  type LabConnectionState,
} from '../../../app/contract/connection.ts';

const TIMES = { patienceMs: 60, firstPauseMs: 1, longestPauseMs: 4, refusedPauseMs: 2 };

afterEach(() => void vi.useRealTimers());

/** A carrier whose every call answers with its number, until it is dropped. */
function carrier(number: number): DialledCarrier & { readonly drop: () => void } {
  let drop = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    drop = resolve;
  });
  const link = { call: async () => number } as unknown as LabLink;
  return { link, closed, drop, close: drop };
}

/** Dials carriers 1, 2, 3…; fails where `fails` says so. */
function dialler(fails: (attempt: number) => boolean = () => false) {
  const dialled: ReturnType<typeof carrier>[] = [];
  let attempts = 0;
  return {
    dialled,
    attempts: () => attempts,
    async dial(): Promise<DialledCarrier> {
      if (fails(++attempts)) throw new Error('refused');
      const made = carrier(dialled.length + 1);
      dialled.push(made);
      return made;
    },
  };
}

function statesOf(connection: LabConnection): LabConnectionState[] {
  const states = [connection.state];
  connection.subscribe(() => states.push(connection.state));
  return states;
}

describe('createLabConnection', () => {
  it('holds calls until a carrier is open', async () => {
    const { dial } = dialler((attempt) => attempt < 3);
    const connection = createLabConnection(dial, TIMES);
    expect(connection.state).toBe('connecting');
    expect(await connection.client.about()).toBe(1);
    expect(connection.state).toBe('open');
    connection.close();
  });

  it('reconnects after a drop, under the same client', async () => {
    const { dial, dialled } = dialler();
    const connection = createLabConnection(dial, TIMES);
    const states = statesOf(connection);
    await connection.opened();
    dialled[0]?.drop();
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'open', 'lost', 'open']));
    expect(await connection.client.about()).toBe(2);
    connection.close();
  });

  it('ends a call with one sentence if nobody answers, and keeps trying', async () => {
    const { dial } = dialler((attempt) => attempt < 40);
    const connection = createLabConnection(dial, TIMES);
    const error = await connection.client.about().catch((reason) => reason);
    expect(error).toBeInstanceOf(DisconnectedError);
    expect(failureOf(error)).toMatchObject({
      code: 'DISCONNECTED',
      message: expect.stringMatching(/does not answer/),
    });
    await vi.waitFor(() => expect(connection.state).toBe('open'));
    connection.close();
  });

  it('reports at once that the lab refuses this page, and reconnects when it no longer does', async () => {
    let refuses = true;
    const { dial, dialled } = dialler();
    const connection = createLabConnection(() => (refuses ? Promise.reject(new NoAccessError()) : dial()), {
      ...TIMES,
      patienceMs: 60_000,
    });
    const states = statesOf(connection);
    for (const call of [connection.client.about(), connection.opened()]) {
      const error = await call.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(failureOf(error)).toMatchObject({
        code: 'DISCONNECTED',
        message: expect.stringMatching(/^No access/),
      });
    }
    expect(connection.state).toBe('refused');
    await expect(connection.client.about()).rejects.toThrow(NoAccessError);
    refuses = false;
    await vi.waitFor(() => expect(connection.state).toBe('open'));
    expect(await connection.client.about()).toBe(1);
    refuses = true;
    dialled[0]?.drop();
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'refused', 'open', 'lost', 'refused']));
    connection.close();
  });

  it('uses the sentence of its page', async () => {
    const { dial } = dialler(() => true);
    const connection = createLabConnection(dial, TIMES, 'Quit, and start it again.');
    const error = await connection.client.about().catch((reason) => reason);
    expect(failureOf(error).message).toBe('Quit, and start it again.');
    connection.close();
  });

  it('ends a waiting call when its signal aborts', async () => {
    const { dial } = dialler(() => true);
    const connection = createLabConnection(dial, { ...TIMES, patienceMs: 60_000 });
    const controller = new AbortController();
    const call = connection.client.about(undefined, { signal: controller.signal });
    controller.abort();
    const error = await call.catch((reason) => reason);
    expect(failureOf(error, controller.signal).code).toBe('ABORTED');
    await expect(connection.opened(AbortSignal.abort())).rejects.toThrow();
    connection.close();
  });

  it('tells a listener nothing after it left, and stops for good when closed', async () => {
    vi.useFakeTimers();
    const { dial, dialled, attempts } = dialler();
    const connection = createLabConnection(dial, TIMES);
    const listener = vi.fn();
    const leave = connection.subscribe(listener);
    await connection.opened();
    leave();
    const told = listener.mock.calls.length;
    connection.close();
    await dialled[0]?.closed;
    await vi.advanceTimersByTimeAsync(10 * TIMES.longestPauseMs);
    expect(listener).toHaveBeenCalledTimes(told);
    expect(attempts()).toBe(1);
  });
});
