import { useEffect, useMemo } from 'react';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { ParetoRequestInput } from '../../../../app/contract/pareto.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { useStore } from '../../../shared/store.ts';
import { useConnectionState, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { createParetoStore, paretoKey, type ParetoState, type ParetoStore } from './pareto-store.ts';
import { paretoPoints, type PlanPoint } from './pareto-plot.ts';

const frontOf = ({ connection }: Workspace): ParetoStore => createParetoStore(connection.client);

/** The network of an experiment, as the front is asked for: no device, no strategies. */
export function paretoRequest(experiment: Experiment): ParetoRequestInput {
  const { model, batch, input, dropout, profile, dtype, precision } = experiment;
  return {
    model,
    batch,
    profile,
    dtype,
    ...(precision === undefined ? {} : { precision }),
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  };
}

export interface ParetoView {
  readonly store: ParetoStore;
  readonly state: ParetoState;
  /** Of the experiment's network at its batch; empty while another's are there. */
  readonly points: readonly PlanPoint[];
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
  return { store, state, points };
}
