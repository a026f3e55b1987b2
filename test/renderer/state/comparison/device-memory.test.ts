import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitting } from '../../../../app/cli/fitting.ts';
import { openNetwork } from '../../../../app/cli/network.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { type NetworkResults, withEvent } from '../../../../renderer/state/comparison/comparison.ts';
import { withDeviceMemory } from '../../../../renderer/state/comparison/device-memory.ts';
import { strategyRows } from '../../../../renderer/state/comparison/rows.ts';
import { holdersAt, holdersOf } from '../../../../renderer/state/comparison/sized-timeline.ts';
import { drawnRows, isFlat, zigzag } from '../../../../renderer/state/comparison/zigzag.ts';
import { roomOf } from '../../../../renderer/state/experiment/device.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';

const STRATEGIES = ['regular', 'chen-sqrt', 'live'];
const FRAME = { scale: 'pass', window: { from: 0, to: 2 }, columns: 300 } as const;

async function solve([target, flags, strategies, device]: Case) {
  const asked = openNetwork('fit', target, flags);
  const room = roomOf(device);
  let results: NetworkResults | undefined;
  const { batch } = asked.network;
  await asked.solver.answer('compare', { ...asked.network, strategies, room }, NO_CONTROL, (event) => {
    results = withEvent(results, 'key', batch, event);
  });
  const experiment = { ...asked.network, ...device, strategies } as Experiment;
  const rows = strategyRows({ results: results!, experiment, titles: new Map() });
  return {
    asked,
    room,
    results: results!,
    rows,
    drawn: drawnRows(withDeviceMemory(rows, room.contextBytes)),
  };
}

/** A network as another program gives it: bytes and edges, no weights. */
function graphFile(): string {
  const vertices = Array.from({ length: 9 }, (_, i) => ({ id: `v${i}`, bytes: 1000 * (i + 3) }));
  const edges = vertices.slice(1).map(({ id }, i) => [`v${i}`, id]);
  const path = join(freshFolder(), 'chain.json');
  writeFileSync(path, JSON.stringify({ format: 'zigzag-graph', version: 1, name: 'chain', vertices, edges }));
  return path;
}

type Case = readonly [target: string, flags: Record<string, string>, strategies: string[], device: object];

const CASES: readonly Case[] = [
  ['tiny-residual', { batch: '64' }, [...STRATEGIES, 'budget'], { deviceGiB: 0.7 }],
  ['tiny-residual', { batch: '1', optimizer: 'adamw' }, STRATEGIES, { device: 'custom', deviceGiB: 0.6 }],
  [
    'tiny-transformer',
    { batch: '8', precision: 'amp-bf16', optimizer: 'adam' },
    STRATEGIES,
    { deviceGiB: 1 },
  ],
  ['resnet18', { batch: '16', accumulate: '4' }, ['regular', 'chen-sqrt'], { deviceGiB: 2 }],
  ['resnet18', { batch: '16', precision: 'amp-fp16' }, ['regular', 'random'], {}],
  ['resnet18', { batch: '16', budget: '190MB', link: '25' }, ['regular', 'offload'], {}],
  [graphFile(), {}, STRATEGIES, { deviceGiB: 0.6 }],
];

const solved = new Map<Case, ReturnType<typeof solve>>();

function rowsOf(at: number): ReturnType<typeof solve> {
  const one = CASES[at]!;
  const known = solved.get(one) ?? solve(one);
  solved.set(one, known);
  return known;
}

describe('the device’s memory of one training step', () => {
  it.each([...CASES.keys()])(
    'of case %i is one number: the curve’s highest, the row’s needs, the verdict',
    async (at) => {
      const { results, rows, drawn, room } = await rowsOf(at);
      expect(drawn.length).toBeGreaterThan(1);
      for (const { identity, sized, verdict } of drawn) {
        expect(sized.peakBytes, identity.name).toBe(verdict!.totalBytes);
        const { curves, bands } = zigzag(drawn, identity.name, results.ids, FRAME);
        const points = curves.find(({ id }) => id === identity.name)!.points;
        expect(Math.max(...points.map(({ y }) => y))).toBe(verdict!.totalBytes);
        expect(verdict!.fits).toBe(sized.peakBytes <= room.memoryBytes);
        expect(bands[0]?.id).toBe('constant');
      }
      // The activations alone are as they were.
      expect(drawnRows(rows).map(({ sized }) => sized.peakBytes)).toEqual(drawn.map((row) => row.peakBytes));
    },
  );

  it.each([...CASES.keys()])(
    'of case %i equals the sum of the areas, and its base never changes',
    async (at) => {
      const { drawn } = await rowsOf(at);
      const feet = new Set(drawn.map(({ sized }) => sized.device!.constantBytes));
      expect(feet.size).toBe(1);
      for (const { sized } of drawn) {
        for (let step = 0; step < sized.live.length; step++) {
          const held = holdersAt(sized, step);
          expect(holdersOf(sized).reduce((sum, holder) => sum + held[holder], 0)).toBe(sized.live[step]);
          for (const holder of holdersOf(sized)) expect(held[holder], holder).toBeGreaterThanOrEqual(0);
        }
      }
    },
  );

  it('equals the output of zigzag fit to the byte', async () => {
    for (const at of [6]) {
      const { asked, room, drawn } = await rowsOf(at);
      const { rows } = await fitting(asked, room, () => undefined);
      for (const { identity, sized } of drawn) {
        const { totalBytes, fits } = rows.find(({ strategy }) => strategy === identity.name)!;
        expect(sized.peakBytes, identity.name).toBe(totalBytes);
        expect(sized.peakBytes <= room.memoryBytes).toBe(fits);
      }
    }
  });

  it('keeps its line for any selected row, and folds its base away', async () => {
    const { results, drawn, room } = await rowsOf(0);
    const limit = { bytes: room.memoryBytes, text: '' };
    const foot = drawn[0]!.sized.device!.constantBytes;
    for (const { identity } of drawn) {
      const open = zigzag(drawn, identity.name, results.ids, FRAME, limit);
      const folded = zigzag(drawn, identity.name, results.ids, FRAME, limit, true);
      expect([open.limit, folded.limit]).toEqual([limit, limit]);
      expect(folded.curves).toEqual(open.curves);
      expect(open.bytes.range).toBeUndefined();
      expect(folded.bytes.range?.low).toBe(foot);
      expect(folded.bands.map(({ id }) => id)).toEqual(open.bands.slice(1).map(({ id }) => id));
    }
  });

  it('is flat if little lies above its base; folded, its curves fill the axis', async () => {
    const { drawn, results } = await rowsOf(1);
    expect(isFlat(drawn)).toBe(true);
    expect(isFlat((await rowsOf(3)).drawn)).toBe(false);
    const { bytes, curves } = zigzag(drawn, 'regular', results.ids, FRAME, undefined, true);
    const most = Math.max(...curves.flatMap(({ points }) => points.map(({ y }) => y)));
    expect(most - bytes.range!.low).toBeGreaterThan((bytes.range!.top - bytes.range!.low) / 2);
  });
});
