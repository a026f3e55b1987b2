import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { DisconnectedError } from '../../../../app/contract/client.ts';
import {
  AT_REST,
  createFollower,
  type Rules,
  type Standing,
} from '../../../../renderer/state/requests/follower.ts';
import { createRng, pick } from '../../../support/rng.ts';
import { settled } from '../../support/fake-lab.ts';

/** A request is the name of its answer; an event is the name and a number. */
interface Told extends Standing {
  readonly events: readonly string[];
}

/** A call that the test answers by hand. */
interface Call {
  readonly request: string;
  readonly signal: AbortSignal;
  tell(number: number): void;
  end(error?: unknown): void;
}

function lab() {
  const calls: Call[] = [];
  const ask = (request: string, signal: AbortSignal): AsyncIterable<string> => {
    const queue: (() => IteratorResult<string>)[] = [];
    let wake = (): void => undefined;
    const push = (item: () => IteratorResult<string>): void => {
      queue.push(item);
      wake();
    };
    calls.push({
      request,
      signal,
      tell: (number) => push(() => ({ done: false, value: `${request}${number}` })),
      end: (error) =>
        push(() => {
          if (error !== undefined) throw error;
          return { done: true, value: undefined };
        }),
    });
    // It goes on after an abort: a lab may.
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
          return queue.shift()!();
        },
      }),
    };
  };
  return { calls, ask };
}

function followed(rules: Partial<Rules<string, string, Told>> = {}) {
  const { calls, ask } = lab();
  const follower = createFollower<string, string, Told>({
    first: { ...AT_REST, events: [] },
    keyOf: (request) => request,
    ask,
    begin: (state) => ({ ...state, running: true }),
    after: (state, event) => ({
      ...state,
      events: state.events.at(-1)?.[0] === event[0] ? [...state.events, event] : [event],
    }),
    keeps: 2,
    ...rules,
  });
  const finish = async (call: Call | undefined, ...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) call?.tell(number);
    call?.end();
    await settled();
  };
  const names = (): string => calls.map(({ request }) => request).join('');
  return { follower, calls, finish, names };
}

describe('following the latest request', () => {
  it('passes events on in order, and reports work until the end', async () => {
    const { follower, calls } = followed();
    const shown = follower.show('a');
    expect(follower.get()).toMatchObject({ running: true, events: [] });
    for (const number of [1, 2, 3]) calls[0]?.tell(number);
    await settled();
    expect(follower.get()).toMatchObject({ running: true, events: ['a1', 'a2', 'a3'] });
    calls[0]?.end();
    await shown;
    expect(follower.get()).toEqual({ ...AT_REST, events: ['a1', 'a2', 'a3'] });
  });

  it('asks once for equal requests, during work and afterwards', async () => {
    const { follower, calls, finish, names } = followed();
    void follower.show('a');
    void follower.show('a');
    await finish(calls[0], 1);
    void follower.show('a');
    expect(names()).toBe('a');
  });

  it('keeps the last answer until the next arrives, and never shows a late one', async () => {
    const { follower, calls, finish } = followed();
    void follower.show('a');
    await finish(calls[0], 1);
    void follower.show('b');
    void follower.show('c');
    expect(calls[1]?.signal.aborted).toBe(true);
    await finish(calls[1], 1, 2);
    expect(follower.get()).toMatchObject({ running: true, events: ['a1'] });
    await finish(calls[2], 1);
    expect(follower.get().events).toEqual(['c1']);
  });

  it('shows a cached answer at once and requests an evicted one again', async () => {
    const { follower, calls, finish, names } = followed();
    for (const request of ['a', 'b', 'c']) {
      void follower.show(request);
      await finish(calls.at(-1), 1);
    }
    void follower.show('b');
    expect(follower.get()).toEqual({ ...AT_REST, events: ['b1'] });
    void follower.show('a');
    expect(names()).toBe('abca');
    void follower.show('b');
    expect(calls[3]?.signal.aborted).toBe(true);
    expect(follower.get()).toEqual({ ...AT_REST, events: ['b1'] });
  });

  it('sends only the last request of a burst, after a pause', async () => {
    const { follower, calls, finish, names } = followed({ quietMs: 1 });
    void follower.show('a');
    void follower.show('b');
    const last = follower.show('c');
    expect(follower.get().running).toBeNull();
    while (calls.length === 0) await settled();
    await finish(calls[0], 1);
    await last;
    expect(names()).toBe('c');
  });

  it('can report work before the pause ends', () => {
    const { follower, names } = followed({ quietMs: 1000, beginsAtOnce: true });
    void follower.show('a');
    expect(follower.get().running).toBe(true);
    follower.cancel();
    expect(follower.get()).toMatchObject({ running: null, cancelled: true });
    expect(names()).toBe('');
  });
});

describe('an unfinished request', () => {
  it('stays cancelled until requested again, and keeps its events', async () => {
    const { follower, calls, finish, names } = followed();
    void follower.show('a');
    calls[0]?.tell(1);
    await settled();
    follower.cancel();
    expect(follower.get()).toEqual({ ...AT_REST, cancelled: true, events: ['a1'] });
    void follower.show('a');
    expect(names()).toBe('a');
    void follower.again();
    expect(follower.get()).toMatchObject({ running: true, cancelled: false });
    await finish(calls[0], 9);
    await finish(calls[1], 2);
    expect(follower.get()).toEqual({ ...AT_REST, events: ['a1', 'a2'] });
  });

  it('shows why it failed, waits for a retry, and clears the failure at the next request', async () => {
    const { follower, calls, names } = followed();
    void follower.show('a');
    calls[0]?.end(new ORPCError('BAD_INPUT', { message: 'no.', data: { path: 'model' } }));
    await settled();
    expect(follower.get()).toMatchObject({ running: null, failure: { code: 'BAD_INPUT', message: 'no.' } });
    void follower.show('a');
    follower.reconnected();
    expect(names()).toBe('a');
    void follower.again();
    expect(follower.get().failure).toBeNull();
    calls[1]?.end(new Error('broken'));
    await settled();
    expect(follower.get().failure?.code).toBe('INTERNAL');
    void follower.show('b');
    expect(follower.get().failure).toBeNull();
    void follower.show('a');
    expect(names()).toBe('aaba');
  });

  it('is repeated after a reconnect', async () => {
    const { follower, calls, finish, names } = followed();
    void follower.show('a');
    calls[0]?.end(new DisconnectedError());
    await settled();
    expect(follower.get().failure?.code).toBe('DISCONNECTED');
    follower.reconnected();
    await finish(calls[1], 1);
    expect(follower.get()).toEqual({ ...AT_REST, events: ['a1'] });
    follower.reconnected();
    expect(names()).toBe('aa');
  });

  it('is repeated even if the reconnect comes before the old connection’s error', async () => {
    const { follower, calls, finish, names } = followed();
    void follower.show('a');
    follower.reconnected();
    expect(names()).toBe('a');
    calls[0]?.end(new DisconnectedError());
    await settled();
    expect(names()).toBe('aa');
    await finish(calls[1], 1);
    expect(follower.get()).toEqual({ ...AT_REST, events: ['a1'] });
  });

  it('is repeated after a pause, also after a failure, but not after a cancel', async () => {
    const { follower, calls, names } = followed();
    void follower.show('a');
    follower.pause();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(follower.get()).toEqual({ ...AT_REST, events: [] });
    void follower.show('a');
    calls[1]?.end(new DisconnectedError());
    await settled();
    follower.pause();
    follower.reconnected();
    expect(names()).toBe('aa');
    void follower.show('a');
    follower.cancel();
    follower.pause();
    void follower.show('a');
    expect(names()).toBe('aaa');
  });

  it('shows nothing when no request is needed', async () => {
    const { follower, calls, finish } = followed();
    void follower.show('a');
    follower.rest({ events: ['-'] });
    await finish(calls[0], 1);
    expect(follower.get()).toEqual({ ...AT_REST, events: ['-'] });
  });

  it('settles its state, in any way of ending', async () => {
    const { follower } = followed();
    const first = follower.show('a');
    const second = follower.show('b');
    follower.cancel();
    await Promise.all([first, second]);
  });
});

it('any actions in any order run one request, the last one, and ignore all others', async () => {
  const rng = createRng(20261121);
  for (let round = 0; round < 40; round++) {
    const { follower, calls } = followed({ keeps: rng.below(3) });
    const told = new Map<Call, number>();
    const ended = new Set<Call>();
    let wanted = '';
    const speak = async (): Promise<void> => {
      // Any call may still speak, those that were left too.
      const call = pick(rng, calls);
      const before = follower.get();
      if (rng.below(3) === 0) {
        ended.add(call);
        call.end(rng.below(2) === 0 ? undefined : new Error('broken'));
      } else if (!ended.has(call)) {
        const number = (told.get(call) ?? 0) + 1;
        told.set(call, number);
        call.tell(number);
        await settled();
        if (!call.signal.aborted) expect(follower.get().events.at(-1)).toBe(`${call.request}${number}`);
      }
      await settled();
      if (call.signal.aborted) expect(follower.get()).toBe(before);
    };
    const acts = [
      () => {
        wanted = pick(rng, ['a', 'b', 'c']);
        void follower.show(wanted);
      },
      () => follower.cancel(),
      () => follower.pause(),
      () => void follower.again(),
    ];
    for (let step = 0; step < 40; step++) {
      if (calls.length > 0 && rng.below(2) === 0) await speak();
      else pick(rng, acts)();
      const { running, events } = follower.get();
      const open = calls.filter((call) => !call.signal.aborted && !ended.has(call));
      expect(open.map(({ request }) => request)).toEqual(running === null ? [] : [wanted]);
      expect(new Set(events.map(([name]) => name)).size).toBeLessThanOrEqual(1);
    }
  }
});
