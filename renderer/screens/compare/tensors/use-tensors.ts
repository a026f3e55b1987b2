import { useEffect, useMemo } from 'react';
import { stepAt } from '../../../shared/charts/step-axis.ts';
import { useStore } from '../../../shared/store.ts';
import { useKept, useLabView } from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import type { ZigzagSession } from '../zigzag/zigzag-session.ts';
import { type LiveTensor, tensorsAt } from './tensor-list.ts';
import { tensorsRequest } from './tensors-request.ts';
import { createTensorsStore, type TensorsState, type TensorsStore } from './tensors-store.ts';
import { useSettled } from './use-settled.ts';

const storeOf = ({ connection }: Workspace): TensorsStore => createTensorsStore(connection.client);

/** A list that changes more often than this is not read. */
const REST_MS = 120;

export interface TensorsView {
  readonly state: TensorsState;
  /** The step at the cursor, or that of the peak; null while there is no curve. */
  readonly step: number | null;
  readonly isPeak: boolean;
  readonly live: readonly LiveTensor[];
}

/** What the strategy in front holds at the cursor, or at its peak while nothing is pointed at. */
export function useTensors(view: CompareView, session: ZigzagSession): TensorsView {
  const store = useKept(storeOf);
  const state = useStore(store);
  const { experiment } = useLabView();
  const scale = useStore(session.scale);
  const place = useSettled(session.cursor, REST_MS);
  const { front } = view;
  const { shown } = view.state;
  const name = front?.identity.name ?? null;
  const request = useMemo(
    () => (shown === null || name === null ? null : tensorsRequest(experiment, shown, name)),
    [experiment, shown, name],
  );
  useEffect(() => {
    if (request === null) store.rest({ tensors: null });
    else void store.show(request);
  }, [store, request]);
  useEffect(() => store.pause, [store]);

  const sized = front?.sized ?? null;
  const step = sized === null ? null : place === null ? sized.peakStep : stepAt(sized.axis, place, scale);
  const batch = sized?.batch ?? 0;
  const checkpoints = useMemo(() => new Set(front?.checkpoints), [front?.checkpoints]);
  const { tensors } = state;
  const live = useMemo(
    () =>
      tensors === null || step === null || shown === null
        ? []
        : tensorsAt({ tensors, step, batch, ids: shown.ids, checkpoints }),
    [tensors, step, batch, shown, checkpoints],
  );
  return { state, step, isPeak: place === null, live };
}
