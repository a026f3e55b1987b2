import { describe, expect, it } from 'vitest';
import type { ModelInfoRow } from '../../../../../app/contract/results.ts';
import type { TableRow } from '../../../../../engine/tables/table.ts';
import { catalogOf } from '../../../../../main/solver/catalog.ts';
import {
  measuredOf,
  measuringOf,
  pairsFor,
  sayMeasured,
  withMeasured,
} from '../../../../../renderer/screens/tables/state/measure.ts';
import { newRun, type Run } from '../../../../../renderer/state/runs/run.ts';

function run(id: number, strategy: string, iterationMs: number[], part: Partial<Run> = {}): Run {
  const request = { model: 'vgg11', batch: 2, input: 32, strategy, iterations: 5 };
  const start = { backend: 'wasm', device: 'WebAssembly', input: 32 } as Run['start'];
  return { ...newRun(id, request), outcome: 'done', start, iterationMs, ...part };
}

describe('measuring a row here', () => {
  it('uses a size that every network of the tables admits', () => {
    for (const model of catalogOf().models as ModelInfoRow[]) {
      const { input, batch, strategy, pairs } = pairsFor(model);
      expect(input, model.name).toBeGreaterThanOrEqual(model.minInput);
      expect(input % (model.inputMultiple ?? 1), model.name).toBe(0);
      expect(batch).toBeLessThanOrEqual(8);
      expect([strategy, pairs]).toEqual(['optimal', 8]);
    }
  });

  it('is the ratio of medians of two runs on the same backend, if no pairs were measured', () => {
    const runs = [run(2, 'optimal', [12, 13, 14]), run(1, 'regular', [10, 10, 11])];
    const found = measuredOf(runs, 'vgg11', 224);
    expect(found?.overhead.share).toBeCloseTo(0.3, 9);
    expect(found).toMatchObject({ batch: 2, input: 32, backend: 'wasm', overhead: { interval: null } });
    expect(measuredOf(runs, 'vgg13', 224)).toBeNull();
    const elsewhere = run(1, 'regular', [10, 10, 11], { start: { backend: 'webgpu' } as Run['start'] });
    expect(measuredOf([runs[0] as Run, elsewhere], 'vgg11', 224)).toBeNull();
    expect(measuredOf([run(2, 'optimal', [12, 13])], 'vgg11', 224)).toBeNull();
  });

  it('prefers pairs to two runs, and shows their interval', () => {
    const overhead = { measured: 0.31, interval: [0.28, 0.35], pairs: 8 } as unknown as Run['overhead'];
    const runs = [run(2, 'optimal', [12], { overhead }), run(1, 'regular', [10, 10, 10, 10])];
    const found = measuredOf(runs, 'vgg11', 224)!;
    expect(found.overhead).toEqual({ share: 0.31, interval: [0.28, 0.35], pairs: 8 });
    expect(sayMeasured(found).replaceAll('\u202f', ' ')).toBe(
      'Measured at batch 2, 32 × 32 pixels, on WebAssembly (wasm): +31 % (+28 % to +35 %), median of 8 pairs of a regular and an optimal iteration; in brackets the 95 % confidence interval. The paper’s size needs the paper’s GPU.',
    );
  });

  it('fills the measured column and nothing else', () => {
    const measured = new Map([
      [
        'vgg11',
        measuredOf([run(2, 'optimal', [13, 13, 13, 13]), run(1, 'regular', [10, 10, 10, 10])], 'vgg11', 224),
      ],
    ]);
    const found = measured.get('vgg11');
    if (found == null) throw new Error('nothing measured');
    const rows: TableRow[] = [
      { network: 'vgg11', measuredOverheadPct: null, overheadPct: 34 },
      { network: 'vgg13', measuredOverheadPct: null },
    ];
    expect(withMeasured(rows, new Map([['vgg11', found]]))).toEqual([
      { network: 'vgg11', measuredOverheadPct: 30, overheadPct: 34 },
      { network: 'vgg13', measuredOverheadPct: null },
    ]);
  });

  it('fills nothing in if the measurement is too noisy', () => {
    const noisy = measuredOf(
      [run(2, 'optimal', [5, 13, 20, 9]), run(1, 'regular', [10, 4, 22, 10])],
      'vgg11',
      224,
    )!;
    const rows: TableRow[] = [{ network: 'vgg11', measuredOverheadPct: null }];
    expect(withMeasured(rows, new Map([['vgg11', noisy]]))).toEqual(rows);
    expect(sayMeasured(noisy)).toContain(': too noisy to tell, medians of two runs');
  });

  it('reports its progress', () => {
    expect(measuringOf([], 'vgg11')).toEqual({ state: 'idle' });
    expect(measuringOf([run(1, 'regular', [9], { outcome: 'running' })], 'vgg11')).toEqual({
      state: 'running',
      text: 'regular 1/5',
    });
    const failure = { code: 'OUT_OF_MEMORY', message: 'too large', path: '' } as const;
    expect(measuringOf([run(1, 'regular', [], { outcome: 'failed', failure })], 'vgg11')).toEqual({
      state: 'failed',
      reason: 'too large',
    });
  });
});
