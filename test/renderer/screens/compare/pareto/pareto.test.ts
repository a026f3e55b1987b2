import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../../app/contract/client.ts';
import type { ParetoEvent, ParetoRequestInput } from '../../../../../app/contract/pareto.ts';
import type { StrategyRow } from '../../../../../renderer/state/comparison/rows.ts';
import {
  knownFront,
  paretoPoints,
  paretoSteps,
  isBeyond,
  paretoTable,
  recomputeAxis,
  sayPoint,
  strategyPoints,
  comparisonTable,
} from '../../../../../renderer/screens/compare/pareto/pareto-plot.ts';
import { createParetoStore } from '../../../../../renderer/screens/compare/pareto/pareto-store.ts';
import { parseBytes } from '../../../../../renderer/shared/format/parse-bytes.ts';
import { identityOf } from '../../../../../renderer/state/strategies/identity.ts';
import { settled, until } from '../../../support/fake-lab.ts';

const point = (peakBytes: number, recomputeFraction: number) => ({
  peakBytes,
  recomputeFraction,
  predictedOverhead: recomputeFraction / 3,
  checkpoints: 3,
  held: [],
});
const FRONT = [point(100, 0), point(60, 0.2), point(40, 0.9), point(30, 79)];

const row = (part: Partial<StrategyRow>): StrategyRow => ({
  identity: identityOf('optimal', 'Optimal'),
  state: 'solved',
  reason: null,
  sized: null,
  peakBytes: 50,
  held: [],
  heldSteps: null,
  verdict: null,
  budgetBytes: null,
  cut: 0.5,
  paperCostBytes: null,
  lowerBoundBytes: 20,
  gap: 1.5,
  checkpoints: ['a', 'b'],
  checkpointing: null,
  recomputeFraction: 0.98,
  sentBytes: 0,
  copies: null,
  predictedOverhead: 0.33,
  measuredOverhead: null,
  measuredNote: null,
  solveMs: 1,
  stopped: null,
  claim: null,
  savesNothing: false,
  ...part,
});

describe('the plane of memory and recompute', () => {
  it('has a point for every strategy that applies', () => {
    const points = strategyPoints([row({}), row({ state: 'refused', peakBytes: null })], 'activations');
    expect(points).toHaveLength(1);
    expect(sayPoint(points[0] ?? paretoPoints(FRONT, 1, 1, null)[0]!)).toMatch(
      /^Optimal: 50.B, 98.% recomputed, 33.% more time, 2/,
    );
  });

  it('has a front that includes every strategy’s plan', () => {
    const searched = paretoPoints([point(100, 0), point(60, 0.2), point(40, 0.9)], 1, 1, null);
    const own = strategyPoints(
      [
        // Beats 60 at 0.2; as good as 100 at 0; beaten by 40 at 0.9.
        row({ identity: identityOf('live', 'Live'), peakBytes: 55, recomputeFraction: 0.15 }),
        row({ identity: identityOf('regular', 'Regular'), peakBytes: 100, recomputeFraction: 0 }),
        row({ identity: identityOf('random', 'Random'), peakBytes: 45, recomputeFraction: 1 }),
        row({ identity: identityOf('milp', 'MILP'), peakBytes: 30, recomputeFraction: 1.2 }),
      ],
      'activations',
    );
    const front = knownFront(searched, own);
    expect(front.map(({ id }) => id)).toEqual(['front-40', 'live', 'regular', 'milp']);
    expect(knownFront(front, [])).toEqual(front);
    expect(knownFront(searched, [])).toEqual(searched);
  });

  it('scales the front to another batch until the new search', () => {
    expect(paretoPoints(FRONT, 2, 4, null).map(({ bytes }) => bytes)).toEqual([200, 120, 80, 60]);
  });

  it('steps down monotonically: from a point on, its recompute is the least', () => {
    const steps = paretoSteps(paretoPoints(FRONT, 1, 1, null), 120);
    expect(steps.map(({ x }) => x)).toEqual([30, 40, 60, 100, 120]);
    expect(steps.map(({ y }) => y)).toEqual([79, 0.9, 0.2, 0, 0]);
    expect(paretoSteps([], 5)).toEqual([]);
  });

  it('draws plans with very much recompute at the edge', () => {
    const points = paretoPoints(FRONT, 1, 1, null);
    const axis = recomputeAxis(points);
    expect(axis.top).toBeGreaterThanOrEqual(0.9);
    expect(axis.top).toBeLessThan(2);
    expect(points.map((p) => isBeyond(p, axis))).toEqual([false, false, false, true]);
    expect(paretoTable(points).rows).toHaveLength(4);
  });

  it('exports strategies and front as one table', () => {
    const head = { model: 'x', batch: 2, input: 32, profile: 'pytorch', regularPeakBytes: 100 };
    const refused = row({
      state: 'refused',
      reason: 'not linear',
      peakBytes: null,
      identity: identityOf('revolve'),
    });
    const bound = {
      floorBytes: 10,
      forwardWork: 100,
      workUnit: 0,
      lines: [{ price: 1, sum: 90, fixedBytes: 0 }],
    };
    const within = row({ identity: identityOf('budget'), budgetBytes: 60 });
    const rows = [row({}), refused];
    const proved = comparisonTable(head, [...rows, within], paretoPoints(FRONT, 1, 1, null), bound);
    const at = (line: number, column: string) => proved.rows[line]?.[proved.columns.indexOf(column)];
    // 90 less its bytes are to be done again, of a forward of 100.
    expect(at(0, 'recompute_bound_fraction')).toBeCloseTo(0.4, 9);
    expect(at(0, 'recompute_gap')).toBeCloseTo(0.58, 9);
    expect(at(1, 'recompute_bound_fraction')).toBeNull();
    expect(at(2, 'recompute_bound_fraction')).toBeCloseTo(0.3, 9);
    expect(at(4, 'recompute_bound_fraction')).toBeCloseTo(0.3, 9);
    const table = comparisonTable(head, rows, paretoPoints(FRONT, 1, 1, null), null);
    expect(table.rows[0]?.[table.columns.indexOf('recompute_gap')]).toBeNull();
    expect(table.rows).toHaveLength(6);
    expect(table.rows[0]?.[table.columns.indexOf('cutoff')]).toBe(0.5);
    expect(table.rows[1]?.[table.columns.indexOf('not_applicable_because')]).toBe('not linear');
    expect(table.rows[2]?.[table.columns.indexOf('strategy')]).toBe('budget (front)');
  });
});

it('budgets are read with their unit', () => {
  expect(parseBytes('2.5 GiB', 'Budget')).toEqual({ bytes: 2.5 * 1024 ** 3 });
  expect(parseBytes('800mib', 'Budget')).toEqual({ bytes: 800 * 1024 ** 2 });
  expect(parseBytes('1,5 GB', 'Budget')).toEqual({ bytes: 1.5e9 });
  for (const text of ['', '5', '0 GiB', '-1 GiB', '3 parsec', '1e9 GiB']) {
    expect(parseBytes(text, 'Budget'), text).toHaveProperty('error');
  }
});

describe('the search of the front', () => {
  const events: ParetoEvent[] = [
    { type: 'progress', done: 0.5 },
    { type: 'front', points: FRONT.slice(0, 2) },
    { type: 'front', points: FRONT },
  ];
  const request: ParetoRequestInput = { model: 'resnet18', batch: 4 };

  function lab() {
    const asked: ParetoRequestInput[] = [];
    const signals: AbortSignal[] = [];
    let open = (): void => undefined;
    const valve = new Promise<void>((resolve) => (open = resolve));
    const client = {
      pareto: async (input: ParetoRequestInput, options: { signal: AbortSignal }) => {
        asked.push(input);
        signals.push(options.signal);
        return (async function* () {
          await valve;
          yield* events;
        })();
      },
    } as unknown as LabClient;
    return { client, asked, signals, open };
  }

  it('asks once, keeps the answer and asks again for another batch', async () => {
    const { client, asked, open } = lab();
    const store = createParetoStore(client, 0);
    open();
    store.show(request);
    store.show(request);
    await until(() => store.get().complete);
    expect(store.get()).toMatchObject({ batch: 4, running: null });
    store.show(request);
    await settled();
    expect(asked).toHaveLength(1);
    store.show({ ...request, batch: 8 });
    await until(() => store.get().batch === 8 && store.get().complete);
    expect(asked).toHaveLength(2);
  });

  it('shows points while they are found, and counts a stopped search as unfinished', async () => {
    let next = (): void => undefined;
    const asked: ParetoRequestInput[] = [];
    const client = {
      pareto: async (input: ParetoRequestInput) => {
        asked.push(input);
        return (async function* () {
          for (const event of events) {
            yield event;
            await new Promise<void>((resolve) => (next = resolve));
          }
        })();
      },
    } as unknown as LabClient;
    const store = createParetoStore(client, 0);
    store.show(request);
    await until(() => store.get().running?.done === 0.5);
    next();
    await until(() => store.get().points.length === 2);
    expect(store.get()).toMatchObject({ complete: false, batch: 4 });
    next();
    await until(() => store.get().points.length === FRONT.length);
    store.pause();
    expect(store.get()).toMatchObject({ complete: false, points: FRONT });
    store.show(request);
    await until(() => asked.length === 2);
  });

  it('leaves the solver when paused, and stays cancelled until asked again', async () => {
    const { client, asked, signals } = lab();
    const store = createParetoStore(client, 0);
    store.show(request);
    await until(() => asked.length === 1);
    store.pause();
    expect(signals[0]?.aborted).toBe(true);
    expect(store.get().running).toBeNull();
    store.show(request);
    await until(() => asked.length === 2);
    store.cancel();
    expect(store.get().cancelled).toBe(true);
    store.show(request);
    await settled();
    expect(asked).toHaveLength(2);
    store.again();
    await until(() => asked.length === 3);
  });
});
