import { parentPort, workerData } from 'node:worker_threads';
import type { Experiment } from '../../app/contract/experiment.ts';
import { CancelledError } from '../../engine/errors.ts';
import { failureFrom } from '../host/failure.ts';
import { catalogOf } from './catalog.ts';
import { compareEvents } from './compare.ts';
import { exportText } from './export-file.ts';
import { FileNetworks } from './file-networks.ts';
import { graphViewOf } from './graph-view.ts';
import { limitsEvents } from './limits.ts';
import { liveTensors } from './live-tensors.ts';
import { SolverMemory } from './memory.ts';
import { paretoEvents } from './pareto.ts';
import type { SolverData, SolverReply, SolverRequest } from './protocol.ts';
import { tableEvents } from './tables.ts';

/** Entry of the solver's thread. Keeps graphs and plans between requests. */
const { cancelled, files } = workerData as SolverData;
const fileNetworks = new FileNetworks(files);
const memory = new SolverMemory(fileNetworks);

const send = (reply: SolverReply): void => parentPort?.postMessage(reply);

/** Loads HiGHS when it is first asked for. Where it cannot be loaded, `milp` says that it has no solver. */
let equipped = false;
async function equip(experiment: Pick<Experiment, 'strategies'>): Promise<void> {
  if (equipped || !experiment.strategies.includes('milp')) return;
  equipped = true;
  const { createHighsSolver } = await import('../../app/bridges/highs.ts');
  await createHighsSolver().then(
    (solver) => memory.equip(solver),
    () => undefined,
  );
}

async function answer(request: SolverRequest): Promise<void> {
  const { id } = request;
  if (request.type === 'catalog') return send({ type: 'catalog', id, catalog: catalogOf() });
  if (request.type === 'import') {
    return send({ type: 'imported', id, imported: fileNetworks.open(request.name, request.bytes) });
  }
  if (request.type === 'graph-view') {
    return send({ type: 'graph-view', id, view: graphViewOf(request.network, memory) });
  }
  const tick = (): void => {
    if (Atomics.load(cancelled, 0) === id) throw new CancelledError();
  };
  if (request.type === 'export') {
    const { wanted } = request;
    await equip({ strategies: [wanted.strategy] });
    return send({ type: 'exported', id, text: exportText(wanted, { tick }, memory) });
  }
  if (request.type === 'live-tensors') {
    const { wanted } = request;
    await equip({ strategies: [wanted.strategy] });
    return send({ type: 'live-tensors', id, tensors: liveTensors(wanted, { tick }, memory) });
  }
  if (request.type === 'table') {
    return tableEvents(request.table, { tick }, (event) => send({ type: 'table', id, event }));
  }
  if (request.type === 'pareto') {
    return paretoEvents(request.network, { tick }, (event) => send({ type: 'pareto', id, event }), memory);
  }
  if (request.type === 'limits') {
    await equip(request.limits);
    return limitsEvents(request.limits, { tick }, (event) => send({ type: 'limits', id, event }), memory);
  }
  await equip(request.experiment);
  compareEvents(request.experiment, { tick }, (event) => send({ type: 'event', id, event }), memory);
}

parentPort?.on('message', async (request: SolverRequest) => {
  const { id } = request;
  try {
    await answer(request);
    send({ type: 'end', id });
  } catch (error) {
    const failure = error instanceof CancelledError ? ({ code: 'CANCELLED' } as const) : failureFrom(error);
    send({ type: 'error', id, failure });
  }
});
