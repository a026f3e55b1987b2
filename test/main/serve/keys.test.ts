import { describe, expect, it } from 'vitest';
import { SessionKeys } from '../../../main/serve/keys.ts';

const MINUTE = 60_000;

function keysAt() {
  let now = 0;
  const voided: string[] = [];
  const keys = new SessionKeys(
    (session) => voided.push(session),
    () => now,
  );
  const wait = (ms: number): void => {
    now += ms;
  };
  return { keys, voided, wait };
}

describe('the keys of a lab', () => {
  it('have 128 bits each, all different, with separate rights', () => {
    const { keys } = keysAt();
    const once = keys.issueOnce();
    const sessions = [keys.exchange(keys.printed), keys.exchange(once)];
    const all = [keys.printed, once, ...sessions];
    for (const key of all) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(all).size).toBe(4);
    expect(all.map((key) => keys.accepts(key ?? ''))).toEqual([false, false, true, true]);
    expect(sessions.map((session) => keys.exchange(session ?? ''))).toEqual([null, null]);
  });

  it('are exchanged: the printed one any number of times', () => {
    const { keys, wait } = keysAt();
    const first = keys.exchange(keys.printed);
    wait(1000 * MINUTE);
    expect(keys.exchange(keys.printed)).toBe(first);
    expect(keys.accepts(first ?? '')).toBe(true);
  });

  it('are exchanged: a command line’s key once; a second use voids the first session', () => {
    const { keys, voided } = keysAt();
    const once = keys.issueOnce();
    const thief = keys.exchange(once) ?? '';
    expect(keys.accepts(thief)).toBe(true);
    expect(keys.exchange(once)).toBeNull();
    expect(voided).toEqual([thief]);
    expect(keys.accepts(thief)).toBe(false);
    expect(keys.exchange(once)).toBeNull();
    expect(voided).toHaveLength(1);
  });

  it('of command lines are independent: voiding one keeps the others', () => {
    const { keys, voided } = keysAt();
    const [stolen, other, later] = [keys.issueOnce(), keys.issueOnce(), keys.issueOnce()];
    const [first, second] = [keys.exchange(stolen), keys.exchange(other)];
    keys.exchange(stolen);
    expect(voided).toEqual([first]);
    expect(keys.accepts(second ?? '')).toBe(true);
    expect(keys.exchange(later)).toMatch(/^[0-9a-f]{32}$/);
    // By the machine's own clock as well.
    const own = new SessionKeys(() => undefined);
    expect(own.exchange(own.issueOnce())).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of a command line are valid for a minute; used later, one opens nothing and voids nothing', () => {
    const { keys, voided, wait } = keysAt();
    const [used, late] = [keys.issueOnce(), keys.issueOnce()];
    wait(MINUTE);
    const session = keys.exchange(used) ?? '';
    wait(1);
    expect([keys.exchange(used), keys.exchange(late)]).toEqual([null, null]);
    expect(voided).toEqual([]);
    expect(keys.accepts(session)).toBe(true);
  });

  it.each(['', '0', '0'.repeat(32), 'f'.repeat(64)])('is not %j', (guess) => {
    const { keys } = keysAt();
    keys.issueOnce();
    expect([keys.exchange(guess), keys.accepts(guess)]).toEqual([null, false]);
    expect(keys.exchange(keys.printed.slice(0, -1))).toBeNull();
  });
});
