import { describe, expect, it } from 'vitest';
import { type Held, TERMS } from '../../../engine/training-memory/held.ts';
import {
  cheapestThatFits,
  verdictSentence,
  type VerdictInput,
} from '../../../app/report/verdict-sentence.ts';

const GIB = 2 ** 30;
const HELD = {
  instant: 'backward' as const,
  terms: Object.fromEntries(TERMS.map((term) => [term, 0])) as Held['terms'],
};
const BUDGET = { ...HELD, title: 'Budget', totalBytes: 10.9 * GIB, fits: true, overhead: 0.002, kept: 193 };
const LIVE = { ...HELD, title: 'Live', totalBytes: 3.6 * GIB, fits: true, overhead: 0.28, kept: 49 };
const CHEN = { ...HELD, title: 'Chen √n', totalBytes: 12 * GIB, fits: false, overhead: 0.3, kept: 9 };
const TOO_LARGE: VerdictInput = {
  network: 'ResNet-152',
  batch: 96,
  tensors: 516,
  memoryBytes: 11 * GIB,
  regular: { totalBytes: 17.2 * GIB, fits: false, largestBatch: 60 },
  plans: [],
  isSearching: false,
};

const say = (change: Partial<VerdictInput>): string =>
  verdictSentence({ ...TOO_LARGE, ...change })
    .map(({ text }) => text)
    .join('')
    .replaceAll('\u202f', ' ');

const START = 'ResNet-152 at batch 96 does not fit 11 GiB (needs 17.2 GiB). ';

describe('the verdict', () => {
  it('says that training fits, and up to which batch', () => {
    expect(say({ regular: { totalBytes: 6.12 * GIB, fits: true, largestBatch: 124 }, plans: [LIVE] })).toBe(
      'ResNet-152 at batch 96 fits 11 GiB (needs 6.12 GiB). The largest batch is 124.',
    );
  });

  it('keeps its subject while plans arrive, and names the fastest one that fits', () => {
    expect(say({ isSearching: true })).toBe(`${START}Looking for a plan that fits…`);
    expect(say({ isSearching: true, plans: [CHEN] })).toBe(`${START}Looking for a plan that fits…`);
    expect(say({ isSearching: true, plans: [CHEN, LIVE] })).toBe(
      `${START}It fits under Live with 28 % more time (predicted): keep 49 of 516 tensors.`,
    );
    expect(say({ plans: [CHEN, LIVE, BUDGET] })).toBe(
      `${START}It fits under Budget with 0.2 % more time (predicted): keep 193 of 516 tensors.`,
    );
    expect(say({ plans: [{ ...BUDGET, overhead: 0.0001, kept: 0 }] })).toBe(
      `${START}It fits under Budget at no extra time (predicted).`,
    );
    expect(say({ plans: [{ ...BUDGET, overhead: null }] })).toContain('under Budget with unknown extra time');
  });

  it('names the least memory needed if nothing fits', () => {
    const more = { ...CHEN, title: 'Random', totalBytes: 14 * GIB };
    expect(say({ plans: [more, CHEN] })).toBe(
      `${START}No strategy in this comparison makes it fit. The smallest, Chen √n, needs 12.0 GiB.`,
    );
    const atOptimizer = { ...CHEN, instant: 'optimizer' as const };
    expect(say({ plans: [more, atOptimizer] })).toBe(
      `${START}Checkpointing cannot help: the optimizer’s step alone needs 12.0 GiB.`,
    );
    const rounded = { ...atOptimizer, terms: { ...HELD.terms, rounding: 1.5 * GIB } };
    expect(say({ plans: [rounded] })).toContain('No strategy in this comparison makes it fit.');
    expect(say({})).toBe(`${START}No strategy in this comparison has a plan for it.`);
  });

  it('prefers less time, then less memory', () => {
    expect(cheapestThatFits([LIVE, BUDGET, CHEN])).toBe(BUDGET);
    const smaller = { ...BUDGET, totalBytes: 9 * GIB };
    expect(cheapestThatFits([BUDGET, smaller])).toBe(smaller);
    expect(cheapestThatFits([CHEN])).toBeNull();
  });
});
