import { beforeAll, describe, expect, it } from 'vitest';
import { limitsRequestSchema } from '../../../../app/contract/limits.ts';
import { samplesPerSecond } from '../../../../engine/limits/throughput.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { limitsEvents } from '../../../../main/solver/limits.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { chosenDevice, deviceGroups, GIB, withDevice } from '../../../../renderer/state/experiment/device.ts';
import { batchAxis } from '../../../../renderer/screens/limits/memory/batch-axis.ts';
import { fourGpus } from '../../../../renderer/screens/limits/four-gpus/four-gpus.ts';
import { fastestSentence, limitsHeadline } from '../../../../renderer/screens/limits/headline/headline.ts';
import {
  afterLimitsEvent,
  type LimitsState,
  NO_LIMITS,
} from '../../../../renderer/screens/limits/state/limits-store.ts';
import {
  memoryCurves,
  memoryData,
  memoryTable,
  valueAt,
} from '../../../../renderer/screens/limits/memory/memory-lines.ts';
import { bytesAt, fastestRow, limitRows, widestRow } from '../../../../renderer/screens/limits/state/rows.ts';
import {
  limitsRequest,
  memoryFor,
  readSettings,
  speedOf,
  writeSettings,
} from '../../../../renderer/state/experiment/limits-settings.ts';
import { countedOf } from '../../../../renderer/screens/limits/state/counted.ts';
import {
  throughputCurves,
  throughputTable,
} from '../../../../renderer/screens/limits/throughput/throughput-curves.ts';
import { experimentOf } from '../../support/fake-lab.ts';

const STRATEGIES = ['regular', 'optimal', 'linear-optimal'];
const TITLES = new Map([['optimal', 'Optimal (ACG solver)']]);
const experiment = experimentOf({
  model: 'resnet18',
  input: 64,
  batch: 4,
  strategies: STRATEGIES,
  device: 'v100-16',
});
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('limits on a device', () => {
  let state: LimitsState = NO_LIMITS;
  const device = chosenDevice({ device: 'custom', deviceGiB: 1.5, contextGiB: 0.5 });
  const settings = readSettings({});
  const speed = speedOf(device, settings);
  const memory = memoryFor(device) ?? 0;
  const rowsNow = () => limitRows({ state, strategies: STRATEGIES, titles: TITLES, speed });

  beforeAll(() => {
    const request = limitsRequestSchema.parse(limitsRequest(experiment, memory));
    limitsEvents(request, {
      memory: new SolverMemory(),
      control: NO_CONTROL,
      emit: (event) => (state = afterLimitsEvent(state, event)),
    });
  });

  it('requests regular in addition to the strategies, independent of the device', () => {
    const request = limitsRequest({ ...experiment, strategies: ['optimal'] }, memory);
    expect(request.strategies).toEqual(['regular', 'optimal']);
    expect(request).not.toHaveProperty('device');
    expect(memory).toBe(GIB);
  });

  it('finds the widest and the fastest strategy, and says so', () => {
    const rows = rowsNow();
    const [regular, optimal, linear] = rows;
    expect(linear).toMatchObject({ state: 'refused', batch: null });
    expect(optimal?.factor).toBeCloseTo((optimal?.batch ?? 0) / (regular?.batch ?? 1), 9);
    expect(widestRow(rows)?.identity.name).toBe('optimal');
    expect(fastestRow(rows)?.identity.name).toBe('regular');
    const sentence = limitsHeadline('ResNet-18', 'a V100', rows)
      .map(({ text }) => text)
      .join('');
    expect(sentence).toMatch(/^On a V100, ResNet-18 trains regularly up to batch \d+; Optimal reaches/);
    expect(fastestSentence(rows)).toMatch(
      /^Regular training at batch .* is the fastest; Optimal .* slower\./,
    );
    const capped = rows.map((row) => ({ ...row, batch: 65536 }));
    expect(limitsHeadline('ResNet-18', 'a V100', capped).map(({ text }) => plain(text))).toContain(
      'at least 65 536',
    );
    expect(limitsHeadline('X', 'a Y', [])[0]?.text).toMatch(/^Solving the limits of X/);
  });

  it('finds the batch from which recompute pays', () => {
    // Only the batch counts when starting operations is the only cost.
    const rows = limitRows({
      state,
      strategies: STRATEGIES,
      titles: TITLES,
      speed: { flopsPerSecond: 1e18, secondsPerOperation: 1e-3 },
    });
    const [regular, optimal] = rows;
    const pays = optimal?.paysFrom ?? 0;
    expect(pays).toBeGreaterThan(regular?.batch ?? 0);
    expect(pays).toBeLessThanOrEqual(optimal?.batch ?? 0);
    if (optimal?.work == null || regular?.rate == null) throw new Error('no rate');
    const fast = { flopsPerSecond: 1e18, secondsPerOperation: 1e-3 };
    expect(samplesPerSecond(optimal.work, fast, pays)).toBeGreaterThanOrEqual(regular.rate);
    expect(fastestSentence(rows)).toMatch(/pays from batch/);
  });

  it('draws memory up to the device’s line and throughput up to the largest batch', () => {
    const rows = rowsNow();
    const axis = batchAxis(rows[1]?.batch ?? 1);
    const curves = memoryCurves(rows, 0.5 * GIB, axis.top);
    expect(curves.map(({ id }) => id)).toEqual(['regular', 'optimal']);
    for (const { end, points } of curves) {
      expect(end?.y ?? 0).toBeLessThanOrEqual(1.5 * GIB);
      expect(valueAt(points, end?.x ?? 0)).toBe(end?.y);
    }
    const limit = rows[0]?.limit;
    if (limit == null) throw new Error('no limit');
    expect(bytesAt(limit, (rows[0]?.batch ?? 0) + 1, 0.5 * GIB)).toBeGreaterThan(1.5 * GIB);
    const rates = throughputCurves(rows, speed, countedOf(state.head));
    expect(rates[0]?.points.at(-1)?.x).toBe(rows[0]?.batch);
    expect(memoryTable(curves, axis.ticks).rows[0]).toHaveLength(3);
    expect(memoryData(rows, 0, axis.ticks).rows.length).toBeGreaterThan(4);
    expect(throughputTable(rows, countedOf(state.head)).rows).toHaveLength(2);
  });

  it('multiplies the batch by four devices, and not the input', () => {
    const rows = rowsNow();
    const found = fourGpus(rows, 4);
    expect(found?.strategy.identity.name).toBe('optimal');
    expect(found?.lines[0]?.regular.replace('\u202f', '')).toBe(String(4 * (rows[0]?.batch ?? 0)));
    expect(plain(found?.lines[1]?.what ?? '')).toBe('Largest input at batch 16');
    expect(fourGpus([], 4)).toBeNull();
  });
});

describe('the counted unit', () => {
  const headOf = (model: string): LimitsState['head'] => {
    let state: LimitsState = NO_LIMITS;
    const request = limitsRequestSchema.parse({
      ...experiment,
      model,
      strategies: ['regular'],
      memoryBytes: GIB,
      input: undefined,
      largestInput: false,
    });
    limitsEvents(request, {
      memory: new SolverMemory(),
      control: NO_CONTROL,
      emit: (event) => (state = afterLimitsEvent(state, event)),
    });
    return state.head;
  };

  it('is images, the tokens of a sequence, or samples', () => {
    expect(countedOf(headOf('resnet18'))).toMatchObject({
      one: 'image',
      perSample: 1,
      size: 'At 224 × 224 pixels',
    });
    const tokens = countedOf(headOf('tiny-transformer'));
    expect(tokens).toMatchObject({ one: 'sequence', rate: 'Tokens per second' });
    expect(tokens.size).toBe(`At sequences of ${tokens.perSample} tokens`);
    const [part] = limitsHeadline('GPT-2', 'a V100', [], tokens.one);
    expect(part?.text).toMatch(/^Solving the limits of GPT-2/);
  });
});

describe('settings and axes', () => {
  it('are written into the link and read from it; invalid values become defaults', () => {
    const settings = readSettings({ tflops: '7.5', us: '-1' });
    expect(settings).toMatchObject({ teraflops: 7.5, microseconds: undefined });
    expect(writeSettings(settings)).toEqual({ tflops: '7.5' });
    expect(writeSettings(readSettings({ tflops: 'x' }))).toEqual({});
  });

  it('devices store only figures that the user changed', () => {
    const edited = { ...experiment, deviceGiB: 8, contextGiB: 1 };
    expect(chosenDevice(edited)).toMatchObject({ memoryGiB: 8, contextGiB: 1, edited: true });
    expect(withDevice(edited, 'h100')).not.toHaveProperty('deviceGiB');
    expect(withDevice(edited, 'custom')).toMatchObject({ deviceGiB: 8, contextGiB: 1 });
    expect(memoryFor(chosenDevice({ ...experiment, deviceGiB: 1, contextGiB: 3 }))).toBeNull();
    const choices = deviceGroups(chosenDevice(edited)).flatMap(({ items }) => items);
    expect(choices).toHaveLength(14);
    expect(choices.filter(({ label }) => label.endsWith('(edited)'))).toEqual([
      { value: 'v100-16', label: 'V100 16 GB (edited)' },
    ]);
    expect(chosenDevice({ ...experiment, deviceGiB: 16 }).title).toBe('V100 16 GB');
  });

  it('compute at the rate of the precision; without native bfloat16 as in float32', () => {
    const rateOf = (device: string, precision?: 'tf32' | 'amp-bf16' | 'amp-fp16') => {
      const chosen = chosenDevice({ device, ...(precision === undefined ? {} : { precision }) });
      return [speedOf(chosen, readSettings({})).flopsPerSecond / 1e12, chosen.lacksBf16];
    };
    expect(rateOf('rtx-2080-ti')).toEqual([0.4 * 13.4, false]);
    expect(rateOf('rtx-2080-ti', 'amp-fp16')).toEqual([0.4 * 53.8, false]);
    expect(rateOf('rtx-2080-ti', 'amp-bf16')).toEqual([0.4 * 13.4, true]);
    expect(rateOf('a100-40', 'amp-bf16')).toEqual([0.4 * 312, false]);
    expect(rateOf('a100-40', 'tf32')).toEqual([0.4 * 156, false]);
    expect(rateOf('rtx-2080-ti', 'tf32')).toEqual([0.4 * 13.4, false]);
    expect(rateOf('apple-128', 'tf32')).toEqual([0.4 * 14.2, false]);
    expect(rateOf('custom', 'amp-bf16')).toEqual([0.4 * 20, false]);
  });

  it('have round ticks that start at zero', () => {
    expect(batchAxis(517).ticks).toEqual([0, 100, 200, 300, 400, 500]);
    expect(batchAxis(1).ticks).toEqual([0, 1, 2]);
  });
});
