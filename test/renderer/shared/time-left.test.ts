import { describe, expect, it } from 'vitest';
import { msLeft, sayLeft } from '../../../renderer/shared/progress/time-left.ts';

const progress = (done: number) => ({ strategy: 'live', done, since: 1000 });

describe('time left', () => {
  it('extrapolates from the finished part', () => {
    expect(msLeft(progress(0.25), 3000)).toBe(6000);
    expect(msLeft(progress(1), 3000)).toBe(0);
  });

  it('is empty at the start', () => {
    expect(msLeft(progress(0), 3000)).toBeNull();
    expect(msLeft(progress(0.5), 1100)).toBeNull();
  });

  it('is given in whole seconds or minutes', () => {
    expect(sayLeft(200)).toBe('about 1\u202fs left');
    expect(sayLeft(12_300)).toBe('about 12\u202fs left');
    expect(sayLeft(150_000)).toBe('about 3\u202fmin left');
  });
});
