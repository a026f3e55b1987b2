import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../engine/errors.ts';
import {
  CAP_SECONDS,
  DEFAULT_LIMIT_SECONDS,
  SearchLimit,
} from '../../../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { CANCELLED, clock } from '../../../support/search-limits.ts';

describe('SearchLimit', () => {
  it('asks whether to go on after every few milliseconds of work', () => {
    let asked = 0;
    const limit = new SearchLimit({}, { tick: () => void asked++ });
    for (let i = 0; i < 1000; i++) limit.look(10_000);
    expect(asked).toBe(10);
    const cancelled = new SearchLimit({}, CANCELLED);
    expect(() => cancelled.look(1e7)).toThrow(CancelledError);
  });

  it('says nothing where all was searched, and adds up what was left out', () => {
    const limit = new SearchLimit({ timeLimitSeconds: 2, now: clock(1800) }, NO_CONTROL);
    expect(limit.ending).toEqual({});
    expect(limit.look(2e6)).toBe(true);
    expect(limit.ending).toEqual({});
    limit.leave('moves', 10.5, 100);
    limit.leave('moves', 20, 100);
    limit.leave('budgets', 3, null);
    expect(limit.ending.stopped).toEqual({
      limitSeconds: 2,
      by: 'clock',
      unfinished: [
        { what: 'moves', tried: 30, of: 200 },
        { what: 'budgets', tried: 3, of: null },
      ],
    });
  });

  it('places the shares of a part within the whole', () => {
    const shares: number[] = [];
    const limit = new SearchLimit({}, { tick: (done) => void shares.push(done) });
    limit.part(0.2, 0.6, () => {
      limit.tick(0.5);
      limit.part(0.5, 1, () => limit.tick(0.5));
    });
    limit.tick(0.8);
    expect(shares.map((share) => Math.round(share * 100))).toEqual([40, 50, 80]);
  });

  it('is work where no limit is given, whatever the clock says below its cap, and the clock where one is', () => {
    for (const ms of [0.001, 50]) {
      const limit = new SearchLimit({ now: clock(ms) }, NO_CONTROL);
      let looks = 0;
      while (!limit.look(1e6)) looks += 1e6;
      expect(looks + 1e6).toBe(2e8 * DEFAULT_LIMIT_SECONDS);
      limit.leave('moves', 0, 1);
      expect(limit.ending.stopped).toMatchObject({ by: 'work', limitSeconds: DEFAULT_LIMIT_SECONDS });
    }
    const late = new SearchLimit({ now: clock(1000 * CAP_SECONDS) }, NO_CONTROL);
    expect(late.look(1e6)).toBe(true);
    late.leave('moves', 0, 1);
    expect(late.ending.stopped).toMatchObject({ by: 'clock', limitSeconds: CAP_SECONDS });
    const given = new SearchLimit({ timeLimitSeconds: 1, now: clock(0.0001) }, NO_CONTROL);
    expect(given.look(1e12)).toBe(false);
  });

  it('never tells of less progress than before', () => {
    const shares: number[] = [];
    const limit = new SearchLimit({}, { tick: (done) => void shares.push(done) });
    for (const done of [0.2, 0.1, 0.5, 1.5]) limit.tick(done);
    expect(shares).toEqual([0.2, 0.2, 0.5, 1]);
    expect(limit.poll()).toBe(false);
  });

  it('counts two hundred million looks as a second, and reports which limit came first', () => {
    const limit = new SearchLimit({ timeLimitSeconds: 0.5 }, NO_CONTROL);
    expect(limit.look(99e6)).toBe(false);
    expect(limit.isReached).toBe(false);
    expect(limit.look(1e6)).toBe(true);
    expect(limit.isReached).toBe(true);
    limit.leave('starts', 1, 4);
    limit.leave('orders', 1, null);
    limit.leave('orders', 2, 5);
    limit.leave('values', 2, 5.5);
    limit.leave('values', 0.5, null);
    expect(limit.ending.stopped).toEqual({
      limitSeconds: 0.5,
      by: 'work',
      unfinished: [
        { what: 'starts', tried: 1, of: 4 },
        { what: 'orders', tried: 3, of: null },
        { what: 'values', tried: 2, of: null },
      ],
    });
    const whole = new SearchLimit({}, NO_CONTROL);
    expect(whole.look(2e8 * DEFAULT_LIMIT_SECONDS - 1)).toBe(false);
    expect(whole.look(1e6)).toBe(true);
    const rounded = new SearchLimit({ timeLimitSeconds: 1e-9 }, NO_CONTROL);
    rounded.look(1e6);
    rounded.leave('moves', 1.9, 2.1);
    expect(rounded.ending.stopped?.unfinished).toEqual([{ what: 'moves', tried: 1, of: 3 }]);
  });

  it('leaves a sixth of the time for what is to be done with what was found', () => {
    let now = 5000;
    const limit = new SearchLimit({ timeLimitSeconds: 2, now: () => now }, NO_CONTROL);
    now += 1699;
    limit.tick(0);
    expect(limit.isReached).toBe(false);
    now += 1;
    // The clock is looked at now and then.
    expect(limit.look(999_999)).toBe(false);
    expect(limit.look(1)).toBe(true);
    // It stays reached, by what came first.
    now = 0;
    limit.tick(1);
    expect(limit.isReached).toBe(true);
    limit.look(1e9);
    limit.leave('trials', 0, 1);
    expect(limit.ending.stopped?.by).toBe('clock');
  });

  it('takes up the whole where a part has ended', () => {
    const shares: number[] = [];
    const limit = new SearchLimit({}, { tick: (done) => void shares.push(done) });
    expect(
      limit.part(0.5, 0.75, () => {
        limit.look(1e6);
        limit.tick(1);
        return 'what it found';
      }),
    ).toBe('what it found');
    limit.look(1e6);
    limit.tick(1);
    expect(shares).toEqual([0.5, 0.75, 0.75, 1]);
  });
});
