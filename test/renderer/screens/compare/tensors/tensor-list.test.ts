import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LiveTensors, liveTensorsRequestSchema } from '../../../../../app/contract/live-tensors.ts';
import { strategyOf } from '../../../../../engine/strategies/registry.ts';
import { NO_CONTROL } from '../../../../../engine/strategies/strategy/strategy.ts';
import { liveTensors } from '../../../../../main/solver/live-tensors.ts';
import { SolverMemory } from '../../../../../main/solver/memory.ts';
import {
  type NetworkResults,
  ownOf,
  withEvent,
} from '../../../../../renderer/state/comparison/comparison.ts';
import {
  type LiveTensor,
  tensorsAt,
  liveTable,
  matching,
  sumBytes,
} from '../../../../../renderer/screens/compare/tensors/tensor-list.ts';
import { tensorsRequest } from '../../../../../renderer/screens/compare/tensors/tensors-request.ts';
import { HEAD, treeMap } from '../../../../../renderer/screens/compare/tensors/tree-map.ts';
import { keyOf } from '../../../../../renderer/state/comparison/comparison.ts';
import { drawnRows } from '../../../../../renderer/state/comparison/zigzag.ts';
import { strategyRows } from '../../../../../renderer/state/comparison/rows.ts';
import {
  HOLDERS,
  holdersAt,
  type SizedTimeline,
} from '../../../../../renderer/state/comparison/sized-timeline.ts';
import { eventsOf, experimentOf } from '../../../support/fake-lab.ts';

const experiment = experimentOf({ model: 'resnet18', batch: 8, strategies: ['chen-sqrt'] });

describe('the list of live tensors', () => {
  let results: NetworkResults;
  let sized: SizedTimeline;
  let tensors: LiveTensors;
  const at = (step: number): LiveTensor[] =>
    tensorsAt({
      tensors,
      step,
      batch: experiment.batch,
      ids: results.ids,
      checkpoints: new Set(['layer1.0.relu_1']),
    });

  const inBackward = (): number => sized.timeline.backwardStart + 20;

  beforeAll(() => {
    let built: NetworkResults | undefined;
    for (const event of eventsOf(experiment)) {
      built = withEvent(built, keyOf(experiment), experiment.batch, event, experiment);
    }
    results = built!;
    const rows = strategyRows({ results, experiment, titles: new Map(), measured: new Map() });
    sized = drawnRows(rows)[0]!.sized;
    const request = tensorsRequest(experiment, results, 'chen-sqrt');
    tensors = liveTensors(liveTensorsRequestSchema.parse(request), {
      memory: new SolverMemory(),
      control: NO_CONTROL,
    });
  });

  it('adds up to the curve and to each of its shades at every step', () => {
    for (let step = 0; step < sized.live.length; step++) {
      const live = at(step);
      expect(sumBytes(live)).toBe(sized.live[step]);
      const holders = holdersAt(sized, step);
      for (const holder of HOLDERS) {
        expect(sumBytes(live.filter((tensor) => tensor.holder === holder))).toBe(holders[holder]);
      }
    }
  });

  it('lists the largest first, with layer, role and steps', () => {
    const live = at(inBackward());
    for (let i = 1; i < live.length; i++) expect(live[i]!.bytes).toBeLessThanOrEqual(live[i - 1]!.bytes);
    expect(live.find(({ holder }) => holder === 'input')).toMatchObject({ label: 'input', since: 1 });
    for (const { since, until } of live) {
      expect(since).toBeLessThanOrEqual(inBackward() + 1);
      expect(until).toBeGreaterThanOrEqual(inBackward() + 1);
    }
    const inBlock = live.filter(({ layer }) => layer !== '');
    expect(inBlock.length).toBeGreaterThan(0);
    for (const { id, layer, label } of inBlock) expect(id).toBe(`${layer}.${label}`);
    expect(liveTable(live, 'c').rows[0]).toHaveLength(6);
  });

  it('is searched by layer, name and role', () => {
    const live = at(inBackward());
    expect(matching(live, '')).toBe(live);
    const wanted = live.find(({ layer, what }) => layer !== '' && what === 'gradient')!;
    const found = matching(live, `${wanted.layer.toUpperCase()} gradient`);
    expect(found).toContain(wanted);
    for (const { id, what } of found) {
      expect(id).toContain(wanted.layer);
      expect(what).toBe('gradient');
    }
    expect(matching(live, 'nothing like it')).toEqual([]);
  });

  it('is requested at the curve’s batch, and not while another network is shown', () => {
    const larger = { ...experiment, batch: 64, checkpoints: ['a'], budgetBytes: 5 };
    expect(tensorsRequest(larger, results, 'chen-sqrt')).toMatchObject({ batch: 8, strategy: 'chen-sqrt' });
    expect(tensorsRequest(larger, results, 'chen-sqrt')).not.toHaveProperty('checkpoints');
    expect(tensorsRequest({ ...experiment, model: 'vgg11' }, results, 'chen-sqrt')).toBeNull();
    expect(tensorsRequest(experiment, results, 'unsolved')).toBeNull();
  });

  it('is requested with the strategy’s options, and not while the curve is outdated', () => {
    const own = {
      ...experiment,
      checkpoints: ['a'],
      budgetBytes: 5,
      segments: 2,
      plan: 'plan:0123456789abcdef',
    };
    const request = (strategy: string, now = own) => {
      const { reads } = strategyOf(strategy);
      const solved = { ...results.solved.get('chen-sqrt')!, reads, own: ownOf(own, reads) };
      return tensorsRequest(now, { ...results, solved: new Map([[strategy, solved]]) }, strategy);
    };
    const { plan, checkpoints, budgetBytes, segments } = own;
    const told = [
      ['plan', { plan }],
      ['manual', { checkpoints }],
      ['sequential', { segments }],
      ['budget', { budgetBytes }],
      ['chain-dp', { budgetBytes }],
    ] as const;
    for (const [strategy, expected] of told) {
      const asked = liveTensorsRequestSchema.parse(request(strategy));
      const { model, batch, profile, dtype, seed } = experiment;
      expect(asked).toEqual({ model, batch, profile, dtype, seed, strategy, ...expected });
      const other = {
        ...own,
        plan: 'plan:fedcba9876543210',
        checkpoints: ['b'],
        budgetBytes: 6,
        segments: 3,
      };
      expect(request(strategy, other)).toBeNull();
    }
  });
});

describe('the tree map', () => {
  const tensor = fc.record({
    layer: fc.constantFrom('', 'a', 'a.b', 'a.c', 'd.e.f', 'd.e.g'),
    bytes: fc.integer({ min: 1, max: 1_000_000 }),
    holder: fc.constantFrom(...HOLDERS),
  });

  it('gives every tensor its share of the area, in tiles that do not meet', () => {
    fc.assert(
      fc.property(fc.array(tensor, { minLength: 1, maxLength: 60 }), (drawn) => {
        const live = drawn.map(
          ({ layer, bytes, holder }, vertex): LiveTensor => ({
            key: String(vertex),
            vertex,
            id: layer === '' ? `t${vertex}` : `${layer}.t${vertex}`,
            label: `t${vertex}`,
            layer,
            holder,
            what: holder,
            bytes,
            since: 1,
            until: 1,
          }),
        );
        const groups = treeMap(live, 800, 400);
        const tiles = groups.flatMap((group) => group.tiles);
        expect(tiles.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(sumBytes(live));
        for (const { left, top, width, height } of tiles.filter((tile) => tile.width * tile.height > 0)) {
          expect(left).toBeGreaterThanOrEqual(-1);
          expect(top + height).toBeLessThanOrEqual(401);
          expect(left + width).toBeLessThanOrEqual(801);
        }
        for (const group of groups) {
          const room = group.width * (group.height - (groups.length > 1 ? HEAD : 0));
          const [a, b] = group.tiles;
          if (a === undefined || b === undefined || room < 4000) continue;
          // Gaps of a pixel take a little from each.
          if (Math.min(a.width, a.height, b.width, b.height) < 16) continue;
          const ratio = (a.width * a.height) / (b.width * b.height) / (a.bytes / b.bytes);
          expect(ratio).toBeGreaterThan(0.75);
          expect(ratio).toBeLessThan(1.33);
        }
      }),
    );
  });

  it('sums tensors that are too small to see, and names layers as finely as space allows', () => {
    const live = Array.from({ length: 2000 }, (_, vertex): LiveTensor => {
      const layer = `block${vertex % 20}.layer${vertex % 100}`;
      const bytes = 10_000 - vertex;
      const rest = { holder: 'gradients', what: 'gradient', since: 1, until: 2 } as const;
      return { key: `${vertex}`, vertex, id: `${layer}.t`, label: 't', layer, bytes, ...rest };
    });
    const groups = treeMap(live, 800, 400);
    expect(groups).toHaveLength(20);
    const tiles = groups.flatMap((group) => group.tiles);
    expect(tiles.length).toBeLessThanOrEqual(420);
    expect(tiles.some(({ label }) => label === '80 more')).toBe(true);
    expect(tiles.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(sumBytes(live));
    expect(treeMap([], 800, 400)).toEqual([]);
  });
});
