import { describe, expect, it } from 'vitest';
import {
  measuredLimit,
  sayMeasuredLimit,
} from '../../../../../renderer/screens/limits/table/measured-limit.ts';
import type { LimitRow } from '../../../../../renderer/screens/limits/state/rows.ts';
import { newRun, type Run } from '../../../../../renderer/state/runs/run.ts';
import { identityOf } from '../../../../../renderer/state/strategies/identity.ts';

const row: LimitRow = {
  identity: identityOf('optimal', 'Optimal'),
  state: 'solved',
  reason: null,
  limit: {
    strategy: 'optimal',
    reason: null,
    lines: [{ fixed: 100, perSample: 50 }],
    held: [],
    batch: null,
    input: null,
    operations: 1,
    flopsPerSample: null,
  },
  batch: 1,
  factor: null,
  input: null,
  inputCapped: false,
  work: null,
  rate: null,
  paysFrom: null,
};
const WANTED = { model: 'vgg11', input: 224, stationaryBytes: 200 };

function search(part: Partial<Run['request']>, batch: number | null): Run {
  const request: Run['request'] = {
    model: 'vgg11',
    batch: 8,
    strategy: 'optimal',
    iterations: 1,
    largestBatch: true,
    memoryCapBytes: 1000,
    ...part,
  };
  return {
    ...newRun(1, request),
    largest: batch === null ? null : { event: 'largest', batch, isMost: false },
  };
}

describe('the largest batch measured here', () => {
  it('stands beside what is predicted under the cap of the search', () => {
    const found = measuredLimit([search({}, 13)], row, WANTED);
    expect(found).toEqual({ batch: 13, capBytes: 1000, predicted: 14 });
    if (found !== null) expect(sayMeasuredLimit(found)).toMatch(/batch 13 ran; 14 is predicted/);
  });

  it('says if the prediction ended at the cap of batches', () => {
    const found = { batch: 13, capBytes: 1024, predicted: 65536 };
    expect(sayMeasuredLimit(found)).toMatch(/batch 13 ran; at least 65.536 is predicted/);
  });

  it('is of the same network, input and strategy, and of a search that ended', () => {
    const others = [
      search({ model: 'vgg13' }, 5),
      search({ strategy: 'live' }, 5),
      search({ input: 32 }, 5),
      search({}, null),
    ];
    expect(measuredLimit(others, row, WANTED)).toBeNull();
    expect(measuredLimit([...others, search({ input: 224 }, 7)], row, WANTED)?.batch).toBe(7);
  });
});
