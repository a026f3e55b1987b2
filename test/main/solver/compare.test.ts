import { describe, expect, it } from 'vitest';
import { type ComparisonEvent, comparisonEventSchema } from '../../../app/contract/results.ts';
import { BadInputError, CancelledError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { compareEvents, comparisonOf } from '../../../main/solver/compare.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { experiment } from '../support/experiment.ts';

const NAMES = STRATEGIES.map(({ name }) => name).filter((name) => name !== 'milp');

function eventsOf(of: ReturnType<typeof experiment>, memory = new SolverMemory()): ComparisonEvent[] {
  const events: ComparisonEvent[] = [];
  compareEvents(of, { memory, control: NO_CONTROL, emit: (event) => events.push(event) });
  return events;
}

const rowsIn = (events: readonly ComparisonEvent[]) => events.filter((event) => event.type === 'row');

describe('compareEvents', () => {
  it('emits the head and then one row a strategy, in the order asked for, all valid under the contract', () => {
    const events = eventsOf(experiment({ strategies: ['optimal', 'regular', 'chen-sqrt'] }));
    expect(events[0]?.type).toBe('head');
    expect(rowsIn(events).map(({ row }) => row.strategy)).toEqual(['optimal', 'regular', 'chen-sqrt']);
    for (const event of events) expect(comparisonEventSchema.parse(event)).toEqual(event);
  });

  it.each(['alexnet', 'vgg11', 'resnet18', 'resnet50'])('agrees with solveRow on %s', (model) => {
    const problem = createProblem(buildModel(model, { batch: 4 }), 'pytorch');
    const { rows } = comparisonOf(experiment({ model, batch: 4, strategies: NAMES }));
    for (const row of rows) {
      const { schedule: _s, timeline: _t, ...expected } = solveRowOrReason(problem, row.strategy);
      const { solveMs, ...figures } = row;
      expect(figures).toEqual(expected);
      expect(solveMs).toBeGreaterThanOrEqual(0);
    }
  });

  it.each(['vgg11', 'resnet18'])('scales every series of %s to other batches exactly', (model) => {
    const [head, ...events] = eventsOf(experiment({ model, batch: 3, strategies: NAMES }));
    if (head?.type !== 'head') throw new Error('no head');
    for (const batch of [1, 2, 7, 64]) {
      const { graph, memory } = createProblem(buildModel(model, { batch }), 'pytorch');
      expect(head.bytesPerSample.map((bytes) => bytes * batch)).toEqual([...graph.bytes]);
      for (const { timeline, row } of rowsIn(events)) {
        if (timeline === null) continue;
        const schedule = {
          kinds: Uint8Array.from(timeline.kinds),
          vertices: Int32Array.from(timeline.vertices),
        };
        const simulated = simulate(graph, memory, schedule);
        for (const name of ['live', 'checkpoints', 'recomputed', 'gradients', 'auxiliaries'] as const) {
          const { fixed, perSample } = timeline[name];
          const scaled = fixed.map((bytes, i) => bytes + batch * (perSample[i] ?? 0));
          expect(scaled, `${row.strategy} ${name} at batch ${batch}`).toEqual([...simulated[name]]);
        }
        expect(timeline.backwardStart).toBe(simulated.backwardStart);
      }
    }
  });

  it('gives the same rows regardless of earlier requests: a plan serves every batch', () => {
    const used = new SolverMemory();
    eventsOf(experiment({ batch: 1, strategies: NAMES }), used);
    const later = rowsIn(eventsOf(experiment({ batch: 48, strategies: NAMES }), used));
    const fresh = rowsIn(eventsOf(experiment({ batch: 48, strategies: NAMES })));
    const figures = (events: typeof later) =>
      events.map(({ row: { solveMs: _, ...row }, timeline }) => ({ row, timeline }));
    const expected = figures(fresh);
    for (const [i, actual] of figures(later).entries()) {
      expect(actual.row).toEqual(expected[i]?.row);
      expect(actual.timeline).toEqual(expected[i]?.timeline);
    }
  });

  it('gives the plan for the requested budget, regardless of earlier requests', () => {
    const used = new SolverMemory();
    const peaks = [undefined, 60e6, 45e6].map((budgetBytes) => {
      const asked = experiment({
        model: 'resnet18',
        batch: 2,
        strategies: ['chain-dp', 'budget'],
        budgetBytes,
      });
      const [later, fresh] = [rowsIn(eventsOf(asked, used)), rowsIn(eventsOf(asked))];
      const figures = ({ row: { solveMs: _, ...row } }: (typeof later)[number]) => row;
      expect(later.map(figures)).toEqual(fresh.map(figures));
      return later[0]?.row.peakBytes;
    });
    expect(new Set(peaks).size).toBe(3);
  });

  it('refuses unknown networks, strategies and sizes before the first event', () => {
    for (const [change, sentence] of [
      [{ model: 'resnet51' }, /resnet50/],
      [{ strategies: ['regular', 'optimum'] }, /optimal/],
      [{ model: 'alexnet', input: 3 }, /alexnet needs 63/],
    ] as const) {
      const events: ComparisonEvent[] = [];
      const emit = (event: ComparisonEvent) => events.push(event);
      const asked = experiment(change as object);
      const run = () => compareEvents(asked, { memory: new SolverMemory(), control: NO_CONTROL, emit });
      expect(run).toThrow(BadInputError);
      expect(run).toThrow(sentence);
      expect(events).toEqual([]);
    }
  });

  it('stops when the control says so', () => {
    const events: ComparisonEvent[] = [];
    const tick = (done: number): void => {
      if (done >= 0.5) throw new CancelledError();
    };
    const of = experiment({ strategies: ['regular', 'chen-sqrt'] });
    const emit = (event: ComparisonEvent) => events.push(event);
    const stopped = { memory: new SolverMemory(), control: { tick }, emit };
    expect(() => compareEvents(of, stopped)).toThrow(CancelledError);
    expect(rowsIn(events).map(({ row }) => row.strategy)).toEqual(['regular']);
  });
});

function solveRowOrReason(problem: ReturnType<typeof createProblem>, strategy: string) {
  try {
    return solveRow(problem, strategy, { seed: 0 });
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    return { ...solveRow(problem, 'manual', { seed: 0 }), strategy, reason: error.message };
  }
}
