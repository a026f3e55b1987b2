import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../../engine/problem.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { isTwiceAtMost, baselinePlans } from '../../../../engine/strategies/search/baseline-plans.ts';
import { SearchLimit } from '../../../../engine/strategies/search/search-limit.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { bytesChain, bytesProblem } from '../../../support/problems.ts';
import { drawn, steps } from '../../../support/schedule-text.ts';

const chain = (size: number): Problem =>
  createProblem(bytesChain(new Array<number>(size).fill(1)), 'pytorch');
const unlimited = (): SearchLimit => new SearchLimit({}, NO_CONTROL);

const QUICK = ['regular', 'chen-sqrt', 'chen-greedy', 'chen-memonger', 'articulation', 'random'];
const OTHERS = ['linear-optimal', 'optimal', 'sequential', 'revolve', 'bptt'];

describe('the plans of the other strategies', () => {
  it('are what each has by itself, those that have none passed over', () => {
    const problem = chain(12);
    const found = baselinePlans(problem, { seed: 3 }, unlimited()).map((schedule) => drawn(schedule));
    // The graph names no convolution: speed has no plan.
    const names = [...QUICK, ...OTHERS, 'memory-poor', 'chain-dp'];
    const expected = names.map((name) => {
      const { schedule } = solveRow(problem, name, { seed: 3 });
      if (schedule === null) throw new Error(name);
      return drawn(schedule);
    });
    expect(found).toEqual(expected);
    // One without a splitting vertex: neither chains nor segments.
    const rigid = bytesProblem([1, 1, 1, 1], '0>1 1>2 2>3 0>2 1>3');
    expect(baselinePlans(rigid, { seed: 3 }, unlimited()).length).toBeLessThan(5);
  });

  it('keep to a budget where they take one, and have no plan where they cannot', () => {
    const problem = chain(12);
    const { graph, memory } = problem;
    const peaks = (budgetBytes?: number): number[] =>
      baselinePlans(
        problem,
        { seed: 3, ...(budgetBytes === undefined ? {} : { budgetBytes }) },
        unlimited(),
      ).map((schedule) => simulate(graph, memory, schedule).peakBytes);
    const regular = solveRow(problem, 'regular', { seed: 3 }).peakBytes ?? 0;
    // chain-dp is the last.
    expect(peaks().at(-1)).toBeLessThan(regular);
    expect(peaks(regular).at(-1)).toBe(regular);
    expect(peaks(regular)).toHaveLength(peaks().length);
    expect(peaks(1)).toHaveLength(peaks().length - 1);
  });

  it('are fewer on large graphs, and none on the largest', () => {
    // Memory-poor is not asked beyond; chain-dp has no plan for so many stages.
    const numbers = [400, 401].map((size) => baselinePlans(chain(size), { seed: 3 }, unlimited()).length);
    expect(numbers).toEqual([12, 11]);
    expect(baselinePlans(chain(2001), { seed: 3 }, unlimited())).toEqual([]);
  });

  it('end with the time of who asks', () => {
    let now = 0;
    const over = new SearchLimit({ timeLimitSeconds: 1, now: () => (now += 2000) }, NO_CONTROL);
    over.tick(0);
    expect(baselinePlans(chain(12), { seed: 3 }, over)).toEqual([]);
    // Each of their own ticks counts as work.
    let ticks = 0;
    const counted = new SearchLimit({}, { tick: () => void ticks++ });
    baselinePlans(chain(40), { seed: 3 }, counted);
    expect(ticks).toBeGreaterThan(0);
  });

  it('pass on what is no budget that cannot be met', () => {
    const stopped = new SearchLimit(
      {},
      {
        tick: () => {
          throw new Error('asked to stop');
        },
      },
    );
    expect(() => baselinePlans(chain(200), { seed: 3 }, stopped)).toThrow('asked to stop');
  });
});

describe('forwarded twice at most', () => {
  it('counts the forwards of each vertex', () => {
    expect(isTwiceAtMost(steps('F1 F2 F1 F2 B2 B1'), 3)).toBe(true);
    expect(isTwiceAtMost(steps('F1 F2 F1 B2 F1 B1'), 3)).toBe(false);
    expect(isTwiceAtMost(steps('F1 X1 A1 F1 B1 X1'), 2)).toBe(true);
  });
});
