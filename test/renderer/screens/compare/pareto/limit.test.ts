import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../../app/contract/client.ts';
import type { FrontPlanRequestInput } from '../../../../../app/contract/pareto.ts';
import { createFrontPlans } from '../../../../../renderer/screens/compare/pareto/front-plans.ts';
import {
  limitAfterKey,
  limitRange,
  plansAround,
  planWithin,
} from '../../../../../renderer/screens/compare/pareto/limit-range.ts';
import { budgetAt } from '../../../../../renderer/state/comparison/budget-limit.ts';
import { paretoPoints } from '../../../../../renderer/screens/compare/pareto/pareto-plot.ts';
import { until } from '../../../support/fake-lab.ts';

/** Beside the activations a plan holds 5, the device 2. */
const point = (peakBytes: number, recomputeFraction: number) => ({
  peakBytes,
  recomputeFraction,
  predictedOverhead: recomputeFraction,
  checkpoints: 1,
  held: [
    { fixed: 0, perSample: 1 },
    { fixed: peakBytes + 5, perSample: 0 },
  ],
});
const LINE = paretoPoints([point(100, 0), point(60, 0.2), point(40, 0.9)], 8, 8, 2);

describe('the memory limit', () => {
  it('lies between the lowest known plan and regular training, in total device memory', () => {
    expect(limitRange(LINE)).toEqual({ low: 47, high: 107 });
    expect(limitRange(LINE.slice(0, 1))).toBeNull();
    expect(limitRange([])).toBeNull();
  });

  it('takes the least recompute within it, never more at a higher limit', () => {
    let last = Number.POSITIVE_INFINITY;
    for (let limit = 40; limit <= 120; limit++) {
      const plan = planWithin(LINE, limit);
      if (limit < 47) expect(plan).toBeNull();
      else {
        expect(plan!.bytes).toBeLessThanOrEqual(limit);
        expect(plan!.recompute).toBeLessThanOrEqual(last);
        expect(budgetAt(limit, plan!)).toBe(limit - 7);
        last = plan!.recompute;
      }
    }
    expect(last).toBe(0);
  });

  it('moves by keys inside its ends', () => {
    const range = { low: 100, high: 200 };
    const moved = (key: string, at: number) => limitAfterKey(key, at, range);
    expect([moved('ArrowUp', 150), moved('ArrowDown', 150)]).toEqual([151, 149]);
    expect([moved('PageUp', 150), moved('PageDown', 150)]).toEqual([160, 140]);
    expect([moved('Home', 150), moved('End', 150), moved('x', 150)]).toEqual([100, 200, null]);
    expect([moved('ArrowDown', 100), moved('PageUp', 195)]).toEqual([100, 200]);
  });
});

describe('plans during a drag', () => {
  const request = (peakBytes: number): FrontPlanRequestInput => ({ model: 'x', batch: 4, peakBytes });

  function lab() {
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const client = {
      frontPlan: ({ peakBytes }: FrontPlanRequestInput) => {
        asked.push(peakBytes);
        return new Promise((resolve, reject) => {
          answers.push(() => {
            if (peakBytes < 0) reject(new Error('lost'));
            else resolve(peakBytes === 0 ? null : { row: { peakBytes } });
          });
        });
      },
    } as unknown as LabClient;
    return { asked, answers, plans: createFrontPlans(client) };
  }

  it('are requested one after the other, each once, skipping those already passed', async () => {
    const { asked, answers, plans } = lab();
    for (const peak of [1, 2, 3]) plans.ask(request(peak));
    expect(asked).toEqual([1]);
    answers[0]!();
    await until(() => asked.length === 2);
    expect(asked).toEqual([1, 3]);
    expect(plans.get()).toBeNull();
    answers[1]!();
    await until(() => plans.get() !== null);
    expect(plans.get()).toMatchObject({ row: { peakBytes: 3 }, batch: 4 });
    plans.ask(request(1));
    await until(() => plans.get()?.row.peakBytes === 1);
    expect(asked).toHaveLength(2);
    plans.clear();
    expect(plans.get()).toBeNull();
  });

  it('are prefetched around the limit, after the one asked for, each once', async () => {
    const { asked, answers, plans } = lab();
    plans.prefetch([1, 2, 3].map(request));
    plans.ask(request(4));
    for (let i = 0; i < 2; i++) {
      answers[i]!();
      await until(() => asked.length === i + 2);
    }
    expect(asked).toEqual([1, 4, 2]);
    expect(plans.get()?.row.peakBytes).toBe(4);
    plans.prefetch([1, 5].map(request));
    answers[2]!();
    await until(() => asked.length === 4);
    expect(asked).toEqual([1, 4, 2, 5]);
    plans.ask(request(2));
    answers[3]!();
    await until(() => plans.get()?.row.peakBytes === 2);
    expect(plansAround(LINE, 50).map(({ bytes }) => bytes)).toEqual([47, 67, 107]);
  });

  it('keep the previous one if a plan is no longer known', async () => {
    const { asked, answers, plans } = lab();
    plans.ask(request(5));
    answers[0]!();
    await until(() => plans.get() !== null);
    for (const peak of [0, -1]) {
      plans.ask(request(peak));
      await until(() => answers.length === asked.length && asked.at(-1) === peak);
      answers.at(-1)!();
    }
    plans.ask(request(6));
    await until(() => asked.at(-1) === 6);
    answers.at(-1)!();
    await until(() => plans.get()?.row.peakBytes === 6);
    expect(asked).toEqual([5, 0, -1, 6]);
  });
});
