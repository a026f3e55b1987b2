import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { commonDivisor } from '../../../engine/strategies/search/common-divisor.ts';
import { budgetOf, segmentsOf, slotsOf } from '../../../engine/strategies/options.ts';
import { STRATEGIES, strategyOf } from '../../../engine/strategies/registry.ts';
import { limitOf } from '../../../engine/strategies/search/search-limit.ts';
import { isTold } from '../../../engine/strategies/strategy/strategy.ts';

/** The sentence with which an option refuses a value. */
function refuses<Value>(read: (value: Value) => unknown, values: readonly Value[], sentence: string): void {
  for (const value of values) {
    expect(() => read(value)).toThrow(BadInputError);
    expect(() => read(value)).toThrow(`${sentence}, got ${String(value)}`);
  }
}

describe('what strategies are told', () => {
  it('has a budget that is a positive number of bytes', () => {
    expect(budgetOf({ seed: 1 })).toBeUndefined();
    expect(budgetOf({ seed: 1, budgetBytes: 0.5 })).toBe(0.5);
    const read = (budgetBytes: number) => budgetOf({ seed: 1, budgetBytes });
    refuses(
      read,
      [0, -1, Number.NaN, Number.POSITIVE_INFINITY],
      'budgetBytes: expected a positive number of bytes',
    );
  });

  it('has slots from none, the logarithm of the stages where nobody says', () => {
    expect([1, 2, 3, 8, 9].map((stages) => slotsOf({ seed: 1 }, stages))).toEqual([0, 1, 2, 3, 4]);
    expect(slotsOf({ seed: 1, slots: 0 }, 9)).toBe(0);
    expect(slotsOf({ seed: 1, slots: 100 }, 9)).toBe(100);
    const read = (slots: number) => slotsOf({ seed: 1, slots }, 9);
    refuses(read, [-1, 0.5, Number.NaN, 2 ** 53], 'slots: expected a non-negative integer');
  });

  it('has from one segment to the number of stages', () => {
    expect(segmentsOf({ seed: 1 }, 4)).toBeUndefined();
    expect([1, 4].map((segments) => segmentsOf({ seed: 1, segments }, 4))).toEqual([1, 4]);
    const read = (segments: number) => segmentsOf({ seed: 1, segments }, 4);
    refuses(read, [0, 5, 1.5], 'segments: expected a whole number from 1 to 4, the number of stages');
  });

  it('has a limit of seconds above nothing', () => {
    expect(limitOf({})).toBeUndefined();
    expect(limitOf({ timeLimitSeconds: 0.1 })).toBe(0.1);
    const read = (timeLimitSeconds: number) => limitOf({ timeLimitSeconds });
    refuses(
      read,
      [0, -1, Number.POSITIVE_INFINITY],
      'timeLimitSeconds: expected a positive number of seconds',
    );
  });

  it('is enough where everything that a strategy needs is said', () => {
    const { manual, plan, budget } = {
      manual: strategyOf('manual'),
      plan: strategyOf('plan'),
      budget: strategyOf('budget'),
    };
    expect([manual, plan, budget].map((strategy) => isTold(strategy, {}))).toEqual([false, false, false]);
    expect(isTold(manual, { checkpoints: [] })).toBe(true);
    expect(isTold(manual, { plan: {}, budgetBytes: 1 })).toBe(false);
    expect(isTold(budget, { budgetBytes: 1 })).toBe(true);
    // A budget is taken, and not needed.
    expect(isTold(strategyOf('chain-dp'), {})).toBe(true);
  });
});

describe('the registry', () => {
  it('has every strategy once and finds it by its name', () => {
    const names = STRATEGIES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const strategy of STRATEGIES) expect(strategyOf(strategy.name)).toBe(strategy);
  });

  it('names the nearest for a name that no strategy has, all where none is near', () => {
    expect(() => strategyOf('revolv')).toThrow('no strategy is named "revolv"; did you mean revolve?');
    expect(() => strategyOf('chen')).toThrow('did you mean chen-sqrt, chen-greedy, chen-memonger?');
    expect(() => strategyOf('qqq')).toThrow(
      `no strategy is named "qqq"; there are ${STRATEGIES.map(({ name }) => name).join(', ')}`,
    );
    expect(() => strategyOf('qqq')).toThrow(BadInputError);
  });
});

it('the common divisor divides all sizes, and is one without sizes', () => {
  expect(commonDivisor([12, 18, 30])).toBe(6);
  expect(commonDivisor([0, 8, 0, 12])).toBe(4);
  expect(commonDivisor([7])).toBe(7);
  expect(commonDivisor([9, 10])).toBe(1);
  expect(commonDivisor([])).toBe(1);
  expect(commonDivisor([0, 0])).toBe(1);
});
