import { describe, expect, it } from 'vitest';
import type { SweptRow } from '../../../app/cli/sweep/solve-cells.ts';
import { peersReport } from './report.ts';

const ASKED = { strategies: ['dtr', 'budget'], budgets: ['80%', '50%'], seconds: 2 };

const row = (strategy: string, budget: string, recomputeFraction: number | null, more = {}): SweptRow =>
  ({
    model: 'net',
    strategy,
    budget,
    recomputeFraction,
    recomputeBoundFraction: recomputeFraction === null ? null : 0.01,
    peakBytes: recomputeFraction === null ? null : 75,
    regularPeakBytes: 100,
    processorMs: 1500,
    ...more,
  }) as SweptRow;

describe('the report on peers', () => {
  it('finds every cell in which a peer does better than budget', () => {
    const rows = [
      row('dtr', '80%', 0.04),
      row('budget', '80%', 0.02),
      row('dtr', '50%', 0.3),
      row('budget', '50%', null),
    ];
    const { text, violations } = peersReport(rows, ASKED);
    expect(violations).toBe(1);
    expect(text).toContain('- net at 50%: `dtr` 30.00 %, `budget` has no plan');
    const less = rows.map((one) => (one.strategy === 'dtr' ? { ...one, recomputeFraction: 0.015 } : one));
    expect(peersReport(less, ASKED).violations).toBe(2);
    const same = rows.map((one) => ({ ...one, recomputeFraction: 0.02 }));
    expect(peersReport(same, ASKED)).toMatchObject({ violations: 0 });
  });

  it('has a line a budget, with the proof, the peak, the time and what the limit ended', () => {
    const rows = [row('dtr', '80%', 0.04), row('budget', '80%', 0.02, { stoppedEarly: true })];
    const { text } = peersReport(rows, ASKED);
    expect(text).toContain('| net | 80% | 1.00 | 4.00; 75.0; 1.5 | 2.00*; 75.0; 1.5 | 1.00 |');
    expect(text).toContain('| net | 50% |  | – | – |  |');
    // Meets one of two; not the least, but within 1 % of it? 4 against 2 is not.
    expect(text).toMatch(/\| dtr \| 1 \| 0 \| 0 \| 1\.020, 1\.020, 1\.020 \| 3\.00 \| 0 \|/);
    expect(text).toMatch(/\| budget \| 1 \| 1 \| 1 \| 1\.000, 1\.000, 1\.000 \| 1\.00 \| 1 \|/);
  });
});
