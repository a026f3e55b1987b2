import { describe, expect, it } from 'vitest';
import type { LimitsEvent } from '../../../../app/contract/limits.ts';
import { limitsRequestSchema } from '../../../../app/contract/limits.ts';
import type { Row } from '../../../../app/contract/results.ts';
import { decompositionOf } from '../../../../engine/exchange/decomposition-file.ts';
import { compareOrders } from '../../../../engine/pebbling/compare-orders.ts';
import { buildDivisionTree } from '../../../../engine/paper/build-division-tree.ts';
import { divisionTreeToJson } from '../../../../engine/paper/division-tree.ts';
import { evaluateUnderMaxTerm } from '../../../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../../../engine/problem.ts';
import type { TableRow } from '../../../../engine/tables/table.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { limitsEvents } from '../../../../main/solver/limits.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { readAddress, writeAddress } from '../../../../renderer/state/experiment/address.ts';
import { chosenDevice } from '../../../../renderer/state/experiment/device.ts';
import { FIRST_EXPERIMENT } from '../../../../renderer/state/experiment/experiment.ts';
import { singleNetworks } from '../../../../renderer/state/experiment/networks.ts';
import { limitsRequest, memoryFor } from '../../../../renderer/state/experiment/limits-settings.ts';
import { PRESETS, type Preset, presetOf } from '../../../../renderer/state/presets/presets.ts';
import { solvedTable } from '../../../support/solved-tables.ts';
import { eventsOf } from '../../support/fake-lab.ts';

const problemOf = ({ model, batch }: Preset['experiment']): Problem =>
  createProblem(buildModel(model, { batch }), 'pytorch');

const SCREENS = ['compare', 'graph', 'tables', 'limits', 'learn', 'train'];

interface Figures {
  readonly peak: number;
  readonly saved: number;
  readonly time: number;
  /** Share of the regular peak that no schedule can pass. */
  readonly bound: number;
  readonly checkpoints: number;
  /** MB of 2^20 bytes: the weights and what is kept for backward after the forward. */
  readonly held: number;
}

/** Figures of every strategy, by network and strategy: `vgg16 optimal`. */
function figuresOf({ experiment }: Preset): (name: string) => Figures {
  const all = new Map<string, Figures>();
  for (const single of singleNetworks(experiment)) {
    const events = eventsOf(single);
    const rows = events.flatMap((event): Row[] => (event.type === 'row' ? [event.row] : []));
    const parameters = events.reduce((n, event) => (event.type === 'head' ? event.head.parameters : n), 0);
    const regular = rows.find(({ strategy }) => strategy === 'regular')?.peakBytes ?? Number.NaN;
    for (const row of rows) {
      all.set(`${single.model} ${row.strategy}`, {
        peak: row.peakBytes ?? Number.NaN,
        saved: 1 - (row.peakBytes ?? Number.NaN) / regular,
        time: row.predictedOverhead ?? Number.NaN,
        bound: (row.lowerBoundBytes ?? Number.NaN) / regular,
        checkpoints: row.checkpoints.length,
        held: Math.floor(((4 * parameters + (row.savedBytes ?? Number.NaN)) / 2 ** 20) * 1e4 + 0.5) / 1e4,
      });
    }
  }
  return (name) => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`no figures of ${name}`);
    return found;
  };
}

/** Claims of each commentary, in the words of the engine. */
const CLAIMS: Readonly<Record<string, (preset: Preset) => void>> = {
  'table-2-resnets': (preset) => {
    const of = figuresOf(preset);
    const depths = ['resnet18', 'resnet34', 'resnet50', 'resnet101', 'resnet152'];
    for (const strategy of ['optimal', 'live']) {
      const saved = depths.map((name) => of(`${name} ${strategy}`).saved);
      expect(saved).toEqual([...saved].sort((a, b) => a - b));
    }
    for (const name of depths) {
      expect(of(`${name} optimal`).saved).toBeGreaterThanOrEqual(of(`${name} chen-sqrt`).saved);
      expect(of(`${name} optimal`).time).toBeCloseTo(of(`${name} chen-sqrt`).time, 1);
      expect(of(`${name} live`).saved).toBeGreaterThan(of(`${name} optimal`).saved);
      expect(of(`${name} live`).time).toBeLessThan(of(`${name} optimal`).time);
    }
  },
  'why-vgg': (preset) => {
    const of = figuresOf(preset);
    expect(of('vgg16 regular').bound).toBeGreaterThan(0.5);
    for (const strategy of ['chen-sqrt', 'optimal', 'live']) {
      expect(of(`resnet50 ${strategy}`).saved).toBeGreaterThan(1.5 * of(`vgg16 ${strategy}`).saved);
    }
  },
  'chen-and-ours-on-densenet': (preset) => {
    const of = figuresOf(preset);
    const [chen, optimal, live] = ['chen-sqrt', 'optimal', 'live'].map((name) => of(`densenet121 ${name}`));
    if (chen === undefined || optimal === undefined || live === undefined) throw new Error('no figures');
    expect(optimal.peak).toBeLessThan(chen.peak);
    expect(optimal.time).toBeLessThan(chen.time);
    expect(live.peak).toBeLessThan(Math.min(optimal.peak, of('densenet121 chen-greedy').peak));
    expect(live.time).toBeLessThan(chen.time / 2);
  },
  'largest-batch-2080-ti': ({ experiment }) => {
    const batches = new Map<string, number>();
    const memoryBytes = memoryFor(chosenDevice(experiment)) ?? 0;
    const request = limitsRequestSchema.parse(limitsRequest(experiment, memoryBytes));
    const take = (event: LimitsEvent): void => {
      if (event.type === 'row') batches.set(event.row.strategy, event.row.batch?.batch ?? 0);
    };
    limitsEvents(request, { memory: new SolverMemory(), control: NO_CONTROL, emit: take });
    const of = (name: string): number => batches.get(name) ?? Number.NaN;
    expect(of('chen-sqrt')).toBeGreaterThan(2 * of('regular'));
    expect(of('optimal')).toBeGreaterThan(3 * of('regular'));
    expect(of('live')).toBeGreaterThan(of('optimal'));
  },
  'fused-attention': (preset) => {
    const of = figuresOf(preset);
    const regular = of('gpt2 regular').peak - of('gpt2-fused regular').peak;
    expect(regular / of('gpt2 regular').peak).toBeCloseTo(0.4, 1);
    expect(of('gpt2 live').peak - of('gpt2-fused live').peak).toBeLessThan(regular / 10);
  },
  'skips-of-unet': (preset) => {
    const of = figuresOf(preset);
    expect(of('unet chen-sqrt').saved).toBeLessThan(0.2);
    expect(of('unet live').saved).toBeGreaterThan(3 * of('unet chen-sqrt').saved);
  },
  'two-towers': (preset) => {
    const of = figuresOf(preset);
    // 002: "there's no single node that can serve as a checkpoint candidate"; "a, b, c, d".
    expect(of('two-towers articulation').peak).toBeNaN();
    expect(of('two-towers manual').checkpoints).toBe(4);
    expect(of('two-towers manual').saved).toBeGreaterThan(0.6);
    expect(of('two-towers optimal')).toEqual(of('two-towers manual'));
  },
  'cvpr-figure-6': ({ experiment, view }) => {
    const {
      view: { tensors, representative },
      graph,
    } = problemOf(experiment);
    const tree = buildDivisionTree(tensors);
    const MIB = 2 ** 20;
    const members = (divisionTreeToJson(tree).children ?? []).map(({ cost }) => cost / MIB);
    // 000: "given C = 25, the cost of member IS is 10, 5, 10, 10, 30, 10 respectively"
    expect(members).toEqual([10, 5, 10, 10, 30, 10]);
    const { checkpoints } = evaluateUnderMaxTerm(tree, Number(view['c']) * experiment.batch);
    expect(Number(view['c']) * experiment.batch).toBe(25 * MIB);
    expect(checkpoints.map((v) => graph.ids[representative[v]!])).toEqual(['v2', 'v4', 'm5b', 'v5']);
  },
  'reforwarding-figure-9': ({ experiment }) => {
    const problem = problemOf(experiment);
    const { size, cost } = problem.view.tensors;
    const [ours, chen] = ['optimal', 'chen-greedy'].map((name) => solveRow(problem, name, { seed: 0 }));
    // 001, Table 2: Vgg16 has 22 vertices and a theoretical cut-off of 51 %.
    expect(size).toBe(22);
    const all = cost.reduce((a, b) => a + b, 0);
    expect(Math.round(100 * (1 - (ours?.paperCostBytes ?? 0) / all))).toBe(51);
    expect([ours?.checkpoints.length, chen?.checkpoints.length]).toEqual([2, 2]);
    expect(ours?.checkpoints[0]).toBe(chen?.checkpoints[0]);
    expect(ours?.checkpoints[1]).not.toBe(chen?.checkpoints[1]);
  },
  'reforwarding-figure-10': ({ experiment }) => {
    const problem = problemOf(experiment);
    // 001, Figure 10: "Chen's approach not applicable"
    expect(problem.view.tensors.size).toBe(35);
    expect(solveRow(problem, 'chen-greedy', { seed: 0 }).reason).toMatch(/no splitting vertex/);
    expect(solveRow(problem, 'optimal', { seed: 0 }).checkpoints).toHaveLength(4);
  },
  'resnet-in-bags': ({ experiment }) => {
    expect(decompositionOf(problemOf(experiment).view.tensors)).toMatchObject({ largestBag: 3, width: 2 });
  },
  'pebbles-in-order': ({ experiment }) => {
    const rows = compareOrders(problemOf(experiment));
    const of = (name: string): number => rows.find(({ order }) => order === name)?.pebbles ?? Number.NaN;
    // 002: "requiring 4 pebbles", "requiring 3 pebbles instead of original 4".
    expect([of('asap'), of('alap'), of('liu')]).toEqual([4, 3, 3]);
  },
  'a-thousand-layers': (preset) => {
    const of = figuresOf(preset);
    const chen = of('chain-1000 chen-sqrt');
    expect(chen.saved).toBeGreaterThan(0.9);
    expect(chen.time).toBeCloseTo(0.33, 1);
    expect(1000 / chen.checkpoints).toBeGreaterThan(28);
    expect(1000 / chen.checkpoints).toBeLessThan(36);
    const revolve = of('chain-1000 revolve');
    expect(1 - revolve.saved).toBeLessThan((1 - chen.saved) / 2);
    expect(revolve.time).toBeGreaterThan(0.5);
  },
  'cvpr-table-1': ({ view }) => {
    expect(view['table']).toBe('capabilities');
    const { rows } = solvedTable('capabilities');
    const of = (name: string): TableRow => rows.find((row) => row['name'] === name) ?? {};
    for (const name of ['chen-sqrt', 'revolve']) {
      expect([of(name)['equalChain'], of(name)['unequalChain']]).toEqual(['✓✓', '✓✗']);
    }
    const { equalChain, unequalChain, nonLinear, arbitrary } = of('optimal');
    expect([equalChain, unequalChain, nonLinear, arbitrary]).toEqual(Array(4).fill('✓✓'));
    expect(of('optimal')['cause']).toBe('');
  },
  'cvpr-figure-1': ({ experiment }) => {
    const memoryBytes = memoryFor(chosenDevice(experiment)) ?? 0;
    const request = limitsRequestSchema.parse(limitsRequest(experiment, memoryBytes));
    const rows = new Map<string, { readonly batch: number; readonly input: number }>();
    const take = (event: LimitsEvent): void => {
      if (event.type !== 'row') return;
      const { strategy, batch, input } = event.row;
      rows.set(strategy, { batch: batch?.batch ?? 0, input: input?.input ?? 0 });
    };
    limitsEvents(request, { memory: new SolverMemory(), control: NO_CONTROL, emit: take });
    const regular = rows.get('regular');
    const optimal = rows.get('optimal');
    expect(4 * (regular?.batch ?? 0)).toBeGreaterThanOrEqual(256);
    expect(4 * (regular?.batch ?? 0)).toBeLessThan(512);
    expect(4 * (optimal?.batch ?? 0)).toBeGreaterThanOrEqual(512);
    expect(regular?.input).toBeLessThan(320);
    expect(optimal?.input).toBeGreaterThanOrEqual(320);
  },
  'one-segment-of-forty-layers': (preset) => {
    const of = figuresOf(preset);
    expect(of('forty-layers regular').held.toFixed(4)).toBe('244.5352');
    expect(of('forty-layers manual').held.toFixed(4)).toBe('166.5352');
    expect(of('forty-layers manual').saved).toBeLessThan(0.05);
  },
  'forty-layers-in-segments': (preset) => {
    expect(preset.experiment.segments).toBe(6);
    const row = figuresOf(preset)('forty-layers sequential');
    expect(row.held).toBeCloseTo(188.5, 1);
    expect(row.saved).toBeGreaterThan(0.6);
  },
  'memory-against-depth': (preset) => {
    const of = figuresOf(preset);
    expect(Math.round(of('cifar-resnet-1202 articulation').peak / 1e9)).toBe(6);
    const growth = (strategy: string): number =>
      Math.log(of(`cifar-resnet-1202 ${strategy}`).peak / of(`cifar-resnet-110 ${strategy}`).peak) /
      Math.log(1202 / 110);
    expect(growth('regular')).toBeCloseTo(1, 1);
    expect(growth('chen-sqrt')).toBeCloseTo(0.5, 1);
    expect(growth('articulation')).toBeCloseTo(0.45, 1);
  },
  'the-collection-speed': (preset) => {
    const of = figuresOf(preset);
    expect(of('cifar-resnet-110 speed').time).toBeLessThan(0.01);
    expect(of('cifar-resnet-110 speed').saved).toBeCloseTo(0.5, 1);
    expect(of('cifar-resnet-110 articulation').saved).toBeGreaterThan(0.8);
    expect(of('cifar-resnet-110 articulation').time).toBeCloseTo(0.3, 1);
  },
};

describe('presets', () => {
  it.each(PRESETS.map((preset) => [preset.title, preset] as const))(
    '%s: the note is true',
    (_title, preset) => {
      const claim = CLAIMS[preset.id];
      if (claim === undefined) throw new Error(`no claim is checked for ${preset.id}`);
      claim(preset);
    },
    120_000,
  );

  it('survive in a link, so that a colleague reads the same note', () => {
    for (const { screen, selected, experiment, view, id } of PRESETS) {
      const address = readAddress(writeAddress({ screen, selected, experiment, view }), SCREENS);
      expect(presetOf(address.screen, address.experiment)?.id).toBe(id);
    }
  });

  it('show no note after a change, nor on a first visit', () => {
    for (const { screen, experiment } of PRESETS) {
      expect(presetOf(screen, { ...experiment, batch: experiment.batch + 1 })).toBeNull();
    }
    expect(SCREENS.map((screen) => presetOf(screen, FIRST_EXPERIMENT))).toEqual(SCREENS.map(() => null));
  });

  it('have names of their own', () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
    expect(new Set(PRESETS.map(({ title }) => title)).size).toBe(PRESETS.length);
  });
});
