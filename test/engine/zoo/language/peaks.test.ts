import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keptRow } from '../../../support/bench-results.ts';
import {
  COMPARED_CASES,
  highest,
  INSTANTS,
  MAX_PEAK_DIFFERENCE,
  PEAK_CASES,
  type PeakCase,
  type Peaks,
  peakDifference,
  predictedPeaks,
} from '../../../support/llm-peaks.ts';

const GIB = 2 ** 30;

/** Peak that MemTracker counted, from test/bench/results/llm-peaks.md. */
function keptPeaks({ name }: PeakCase): Peaks {
  const row = keptRow('llm-peaks', name);
  if (row === undefined) throw new Error(`measure it: ZIGZAG_CASES='^${name}$' npm run bench llm-peaks`);
  const bytes = INSTANTS.map((instant) => [instant, Number(row[`MemTracker, ${instant}`]) * GIB]);
  return Object.fromEntries(bytes) as Peaks;
}

describe('peaks of language models in their real sizes', () => {
  it.each(PEAK_CASES)('$name: within 2 % of what PyTorch’s MemTracker counted', (one) => {
    expect(peakDifference(predictedPeaks(one), keptPeaks(one))).toBeLessThan(MAX_PEAK_DIFFERENCE);
  });

  it('are those of the guide, beside what other calculators printed', () => {
    const guide = readFileSync('docs/guides/language-models.md', 'utf8').split('\n');
    const peak = (peaks: Peaks): number => peaks[highest(peaks)] / GIB;
    for (const one of COMPARED_CASES) {
      const { model, ...others } = keptRow('llm-calculators', one.name) ?? {};
      const figures = [peak(keptPeaks(one)), peak(predictedPeaks(one)), ...Object.values(others).map(Number)];
      expect(figures).toHaveLength(5);
      expect(guide).toContain(`| ${[model, ...figures.map((gib) => gib.toFixed(1))].join(' | ')} |`);
    }
  });
});
