import { describe, expect, it } from 'vitest';
import { solverCalls } from '../../../app/contract/solver-calls.ts';
import { BadInputError, CancelledError } from '../../../engine/errors.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { solverAnswers } from '../../../main/solver/answers.ts';
import { FileNetworks } from '../../../main/solver/file-networks.ts';
import { localSolver, Solver } from '../../../main/solver/solver.ts';
import { experiment } from '../support/experiment.ts';
import { collected } from '../../support/collected.ts';

const TINY = experiment({ model: 'tiny-residual', strategies: ['regular', 'milp'] });

describe('localSolver', () => {
  it('answers every call of the map', () => {
    const { close: _, ...calls } = localSolver();
    expect(Object.keys(calls).sort()).toEqual(Object.keys(solverCalls).sort());
    expect(Object.keys(solverAnswers).sort()).toEqual(Object.keys(solverCalls).sort());
  });

  it('returns results and events without a thread, and gives MILP strategies their solver', async () => {
    const solver = localSolver();
    // Small enough for the exact search to end in milliseconds.
    const chain = { ...TINY, model: 'chain-4' };
    const events = await collected(solver.compare(chain));
    const rows = events.flatMap((event) => (event.type === 'row' ? [event.row] : []));
    expect(rows.map(({ strategy, applicable }) => [strategy, applicable])).toEqual([
      ['regular', true],
      ['milp', true],
    ]);
    const { text } = await solver.exportFile({ experiment: chain, strategy: 'milp', form: 'plan' });
    expect(JSON.parse(text)).toMatchObject({ format: 'zigzag-plan' });
    expect(await solver.catalog()).toBe(await solver.catalog());
  });

  it('keeps files, and accepts those that were kept before', async () => {
    const kept: unknown[] = [];
    const bytes = new TextEncoder().encode(JSON.stringify(graphFile(buildModel('vgg11', { batch: 1 }))));
    const solver = localSolver(new Solver(new FileNetworks([], (file) => kept.push(file))));
    const imported = await solver.importFile({ name: 'vgg11.json', bytes });
    expect(kept).toMatchObject([{ imported }]);
    const again = localSolver(
      new Solver(new FileNetworks(kept as ConstructorParameters<typeof FileNetworks>[0])),
    );
    expect(await again.openedFiles()).toEqual([imported]);
    if (imported.kind !== 'network') throw new Error('a network was sent');
    const { vertices } = await again.graphView({ model: imported.model, batch: 1, dtype: 'float32' });
    expect(vertices).toHaveLength(imported.tensorVertices);
  });

  it('rejects an invalid request, after its earlier events', async () => {
    const solver = localSolver();
    await expect(solver.graphView({ model: 'nothing', batch: 1, dtype: 'float32' })).rejects.toBeInstanceOf(
      BadInputError,
    );
    const ofNobody = solver.compare({ ...TINY, strategies: ['nobody'] });
    await expect(collected(ofNobody)).rejects.toBeInstanceOf(BadInputError);
    const cancelled = solver.compare(TINY, AbortSignal.abort());
    await expect(collected(cancelled)).rejects.toBeInstanceOf(CancelledError);
  });
});

it('Solver sends events while it solves, and stops when the control says so', async () => {
  const told: string[] = [];
  const tick = (done: number): void => {
    if (done >= 0.5) throw new CancelledError();
  };
  const answer = new Solver().answer('compare', TINY, { tick }, ({ type }) => told.push(type));
  await expect(answer).rejects.toBeInstanceOf(CancelledError);
  expect(told).toEqual(['head', 'row']);
});
