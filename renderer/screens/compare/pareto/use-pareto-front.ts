import { useEffect, useMemo } from 'react';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { ParetoRequestInput } from '../../../../app/contract/pareto.ts';
import type { RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { useStore } from '../../../shared/store.ts';
import { useConnectionState, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import {
  bargainKey,
  createParetoStore,
  paretoKey,
  type ParetoState,
  type ParetoStore,
  type ToldBargain,
} from './pareto-store.ts';
import { paretoPoints, type PlanPoint } from './pareto-plot.ts';

const frontOf = ({ connection }: Workspace): ParetoStore => createParetoStore(connection.client);

export function paretoRequest(experiment: Experiment): ParetoRequestInput {
  const { model, batch, profile, dtype, seed } = experiment;
  const { input, dropout, precision, optimizer, optimizerState, accumulate, gradients } = experiment;
  const rare = { input, dropout, precision, optimizer, optimizerState, accumulate, gradients };
  const said = Object.entries(rare).filter(([, value]) => value !== undefined);
  return { model, batch, profile, dtype, seed, ...Object.fromEntries(said) };
}

export interface ParetoView {
  readonly store: ParetoStore;
  readonly state: ParetoState;
  /** At the experiment's batch; empty while another network's are there. */
  readonly points: readonly PlanPoint[];
  readonly bound: RecomputeBound | null;
}

/** The front of the experiment, searched when nothing else is being solved and only while it is in sight. */
export function useParetoFront(view: CompareView): ParetoView {
  const workspace = useWorkspace();
  const store = workspace.keep(frontOf);
  const state = useStore(store);
  const { experiment } = useLabView();
  const connection = useConnectionState();
  const request = useMemo(() => paretoRequest(experiment), [experiment]);
  const networksRun = useStore(workspace.networks, ({ running }) => running !== null);
  const isFree =
    connection === 'open' &&
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
  const points = useMemo(
    () => (isOwn ? paretoPoints(state.points, state.batch, experiment.batch) : []),
    [isOwn, state.points, state.batch, experiment.batch],
  );
  const isProved = isOwn && state.proved?.batch === experiment.batch;
  return { store, state, points, bound: isProved ? state.proved.bound : null };
}

/** Bargain that the search of a front has told, at this batch or another; null while not known. */
export function useToldBargain(): ToldBargain | null {
  const workspace = useWorkspace();
  const told = useStore(workspace.keep(frontOf), (state) => state.told);
  const { experiment } = useLabView();
  const key = useMemo(() => bargainKey(paretoRequest(experiment)), [experiment]);
  return told?.key === key ? told : null;
}
