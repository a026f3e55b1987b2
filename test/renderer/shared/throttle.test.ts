import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottle } from '../../../renderer/shared/throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs at once, then at most once per period, and never drops the last call', () => {
  const run = vi.fn();
  const throttle = createThrottle(run, 100, Date.now);
  throttle.poke();
  expect(run).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 9; i++) {
    vi.advanceTimersByTime(10);
    throttle.poke();
  }
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10);
  expect(run).toHaveBeenCalledTimes(2);
  throttle.poke();
  throttle.flush();
  expect(run).toHaveBeenCalledTimes(3);
  throttle.poke();
  throttle.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(3);
});
