import { statedOptions } from '../../../../engine/options/options.ts';
import { useEffect, useMemo } from 'react';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { ParetoRequestInput } from '../../../../app/contract/pareto.ts';
import type { RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { useStore } from '../../../shared/store.ts';
import { useConnectionState, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import {
  createParetoStore,
  paretoKey,
  type ParetoState,
  type ParetoStore,
  type ToldBargain,
} from './pareto-store.ts';
import { roomOf } from '../../../state/experiment/device.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import { limitSession } from './limit-session.ts';
import type { ShownMemory } from '../../../state/comparison/shown-memory.ts';
import { boundBeside, knownFront, paretoPoints, type PlanPoint, strategyPoints } from './pareto-plot.ts';

const frontOf = ({ connection }: Workspace): ParetoStore => createParetoStore(connection.client);

export function paretoRequest(experiment: Experiment): ParetoRequestInput {
  const { model, batch, seed } = experiment;
  return { model, ...statedOptions(experiment, 'graph', 'memory'), batch, seed };
}

export interface ParetoView {
  readonly store: ParetoStore;
  readonly state: ParetoState;
  /** At the experiment's batch; empty while another network's are there. */
  readonly points: readonly PlanPoint[];
  readonly bound: RecomputeBound | null;
  /** The same of the activations alone, whichever memory is shown. */
  readonly activationBound: RecomputeBound | null;
}

/** The front of the experiment, searched when nothing else is being solved and only while it is in sight. */
export function useParetoFront(view: CompareView, memory: ShownMemory): ParetoView {
  const workspace = useWorkspace();
  const store = workspace.keep(frontOf);
  const state = useStore(store);
  const { experiment } = useLabView();
  const connection = useConnectionState();
  const request = useMemo(() => paretoRequest(experiment), [experiment]);
  // The plans of its points are answered by the thread that searches.
  const isHeld = useStore(workspace.keep(limitSession).limit, (bytes) => bytes !== null);
  const networksRun = useStore(workspace.networks, ({ running }) => running !== null);
  const isFree =
    connection === 'open' &&
    !isHeld &&
    !networksRun &&
    view.state.running === null &&
    view.state.failure === null &&
    !view.stale;

  useEffect(() => {
    if (isFree) void store.show(request);
    else store.pause();
  }, [store, request, isFree]);
  useEffect(() => store.pause, [store]);

  const isOwn = state.key === paretoKey(request);
  const { contextBytes } = roomOf(experiment);
  const points = useFrontPoints(memory);
  const proved = isOwn && state.proved?.batch === experiment.batch ? state.proved.bound : null;
  const beside = memory === 'device' ? constantOf(view.rows, contextBytes) : 0;
  const bound = useMemo(
    () => (proved === null || beside === null ? null : boundBeside(proved, beside)),
    [proved, beside],
  );
  return { store, state, points, bound, activationBound: view.stale ? null : proved };
}

/** The searched points at the experiment's batch; empty while another network's are there. */
function useFrontPoints(memory: ShownMemory): readonly PlanPoint[] {
  const store = useWorkspace().keep(frontOf);
  const { experiment } = useLabView();
  const key = useMemo(() => paretoKey(paretoRequest(experiment)), [experiment]);
  const points = useStore(store, (state) => (state.key === key ? state.points : NO_POINTS));
  const batch = useStore(store, (state) => state.batch);
  const context = memory === 'device' ? roomOf(experiment).contextBytes : null;
  return useMemo(
    () => paretoPoints(points, batch, experiment.batch, context),
    [points, batch, experiment.batch, context],
  );
}

const NO_POINTS: ParetoState['points'] = [];

/** Everything known of memory and recompute: the searched points and the strategies that no other beats. */
export function useFrontLine(view: CompareView, memory: ShownMemory): readonly PlanPoint[] {
  const points = useFrontPoints(memory);
  return useMemo(() => knownFront(points, strategyPoints(view.rows, memory)), [points, view.rows, memory]);
}

/** Bytes that every plan holds at every instant; null while no plan is known. */
function constantOf(rows: readonly StrategyRow[], contextBytes: number): number | null {
  const steps = rows.find(({ heldSteps }) => heldSteps !== null)?.heldSteps ?? null;
  return steps === null ? null : steps.constantBytes + contextBytes;
}

/** Bargain that the search of a front has told, at this batch or another; null while not known. */
export function useToldBargain(): ToldBargain | null {
  const workspace = useWorkspace();
  const told = useStore(workspace.keep(frontOf), (state) => state.told);
  const { experiment } = useLabView();
  const key = useMemo(() => paretoKey(paretoRequest(experiment)), [experiment]);
  return told?.key === key ? told : null;
}
