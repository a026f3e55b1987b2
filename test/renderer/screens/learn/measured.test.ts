import { describe, expect, it } from 'vitest';
import { measuredSentence } from '../../../../renderer/screens/learn/model/measured.ts';
import { newRun, type Run, runAfter } from '../../../../renderer/state/runs/run.ts';
import { experimentOf } from '../../support/fake-lab.ts';
import { startEvent } from '../train/train-events.ts';

const MIB = 1024 ** 2;
const experiment = experimentOf({ model: 'tiny-residual', batch: 4 });

function finished(part: Partial<Run>): Run {
  const run = newRun(1, { model: 'tiny-residual', batch: 4, strategy: 'optimal', iterations: 1 });
  return { ...runAfter(run, startEvent()), outcome: 'done', measuredPeakBytes: 3 * MIB, ...part };
}

describe('the measurement of a run beside the waterfall', () => {
  it('is shown for the same network, size and strategy only', () => {
    const runs = [finished({})];
    expect(measuredSentence(runs, experiment, 'optimal')).toMatch(
      /^Your run on \w+ measured a peak of 3\.00.MiB/,
    );
    expect(measuredSentence(runs, experiment, 'regular')).toBeNull();
    expect(measuredSentence(runs, { ...experiment, batch: 8 }, 'optimal')).toBeNull();
    expect(measuredSentence(runs, { ...experiment, input: 64 }, 'optimal')).toBeNull();
    expect(measuredSentence([finished({ outcome: 'running' })], experiment, 'optimal')).toBeNull();
    expect(measuredSentence([], experiment, 'optimal')).toBeNull();
    const newest = finished({ measuredPeakBytes: 7 * MIB });
    expect(measuredSentence([newest, ...runs], experiment, 'optimal')).toContain('7.00');
  });

  it('names other memory on the device, if known', () => {
    const run = finished({});
    const stationary = run.start?.stationaryBytes ?? 0;
    const text = measuredSentence([finished({ deviceBytes: 5 * MIB + stationary })], experiment, 'optimal');
    expect(text).toMatch(/2\.00.MiB workspace/);
  });
});
