import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { isTold } from '../../../engine/strategies/strategy/strategy.ts';
import type { SolverService } from '../../../main/host/services.ts';
import { solverClient } from '../../../main/solver/client.ts';
import { threadOf } from '../../../main/solver/thread.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { experiment } from '../support/experiment.ts';

const VERTICES = 10_000;
const SMALL = experiment({ model: 'alexnet', batch: 1, strategies: ['regular'] });

/** A chain whose tensors differ, with a skip now and then. */
function largeFile(name: string): Uint8Array<ArrayBuffer> {
  const ids = Array.from({ length: VERTICES }, (_, v) => `v${v}`);
  const skips = ids.flatMap((id, v) => (v % 7 === 0 && v > 2 ? [[ids[v - 2], id]] : []));
  return new TextEncoder().encode(
    JSON.stringify({
      format: 'zigzag-graph',
      version: 1,
      name,
      vertices: ids.map((id, v) => ({ id, bytes: 1000 + ((v * 7919) % 1000) })),
      edges: [...ids.slice(1).map((id, v) => [ids[v], id]), ...skips],
    }),
  );
}

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ 'solver-worker': 'main/solver/worker.ts' });
});
afterAll(() => built.remove());

let solver: SolverService | null = null;
afterEach(() => solver?.close());

/** A solver that was given a large network, and the experiment with it. */
async function withFile() {
  solver = solverClient({ start: threadOf(built.file('solver-worker')) });
  const opened = await solver.importFile({ name: 'large.json', bytes: largeFile('large') });
  if (opened.kind !== 'network') throw new Error('it is a network');
  const large = experiment({
    model: opened.model,
    batch: 1,
    budgetBytes: Math.floor(opened.summary.keptBytes / 2),
    timeLimitSeconds: 60,
  });
  return { solver, large };
}

async function events(calls: AsyncIterable<unknown>, each: () => void = () => undefined): Promise<number> {
  let count = 0;
  for await (const _ of calls) {
    count++;
    each();
  }
  return count;
}

/** After a cancel, whatever it cost: the next question is answered, the file is there, and so is its network. */
async function expectNothingLost({ solver, large }: Awaited<ReturnType<typeof withFile>>): Promise<void> {
  expect(await events(solver.compare(SMALL))).toBe(2);
  expect((await solver.openedFiles()).map(({ title }) => title)).toEqual(['large']);
  expect(await events(solver.compare({ ...large, strategies: ['regular'] }))).toBe(2);
}

/** They search, or take so long on such a graph that a cancel comes in their middle. */
const LONG = STRATEGIES.filter(
  (strategy) =>
    isTold(strategy, { budgetBytes: 1 }) &&
    (strategy.reads.timeLimitSeconds !== undefined || ['dtr', 'bptt'].includes(strategy.name)),
).map(({ name }) => name);

describe('a cancel during work', () => {
  it.each(LONG)('of %s is answered, frees the solver and loses nothing', async (strategy) => {
    const lab = await withFile();
    const controller = new AbortController();
    const asked = { ...lab.large, strategies: [strategy] };
    // The head is there: from here on the strategy runs.
    const running = events(lab.solver.compare(asked, controller.signal), () => controller.abort());
    await expect(running).rejects.toBeInstanceOf(CancelledError);
    await expectNothingLost(lab);
  });

  it('of a front', async () => {
    const lab = await withFile();
    const controller = new AbortController();
    const { strategies: _, budgetBytes: _budget, ...network } = lab.large;
    const running = events(lab.solver.pareto(network, controller.signal), () => controller.abort());
    await expect(running).rejects.toBeInstanceOf(CancelledError);
    await expectNothingLost(lab);
  });

  it.each([
    [
      'opening a file',
      ({ solver }, signal) => solver.importFile({ name: 'b.json', bytes: largeFile('b') }, signal),
    ],
    [
      'building a network and simulating its first plan',
      ({ solver, large }, signal) => events(solver.compare({ ...large, strategies: ['regular'] }, signal)),
    ],
    ['its division tree', ({ solver, large }, signal) => solver.graphView(large, signal)],
    [
      'a file of its plan',
      ({ solver, large }, signal) =>
        solver.exportFile({ experiment: large, strategy: 'live', form: 'plan' }, signal),
    ],
  ] as [string, (lab: Awaited<ReturnType<typeof withFile>>, signal: AbortSignal) => Promise<unknown>][])(
    'of %s, without ticks',
    async (_phase, call) => {
      const lab = await withFile();
      const controller = new AbortController();
      const running = call(lab, controller.signal);
      setImmediate(() => controller.abort());
      await expect(running).rejects.toBeInstanceOf(CancelledError);
      await expectNothingLost(lab);
    },
  );

  it('of everything at once', async () => {
    const lab = await withFile();
    const controller = new AbortController();
    const all = ['live', 'budget', 'random'].map((strategy) =>
      events(lab.solver.compare({ ...lab.large, strategies: [strategy] }, controller.signal)),
    );
    setImmediate(() => controller.abort());
    for (const result of await Promise.allSettled(all))
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'CancelledError' } });
    await expectNothingLost(lab);
  });
});
