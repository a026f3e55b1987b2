import { useEffect, useMemo, useState } from 'react';
import { stepAt } from '../../../shared/charts/step-axis.ts';
import { type Store, useStore } from '../../../shared/store.ts';
import { useKept, useLabView } from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import type { ZigzagSession } from '../zigzag/zigzag-session.ts';
import { type LiveTensor, tensorsAt } from './tensor-list.ts';
import { tensorsRequest } from './tensors-request.ts';
import { createThrottle } from '../../../shared/throttle.ts';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { LiveTensors, LiveTensorsRequestInput } from '../../../../app/contract/live-tensors.ts';
import { once } from '../../../state/requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

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

/** The value of a store, a few times a second while it moves and its last one when it rests. */
function useSettled<T>(store: Pick<Store<T>, 'get' | 'subscribe'>, ms: number): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const throttle = createThrottle(() => setValue(store.get), ms);
    throttle.poke();
    const stop = store.subscribe(throttle.poke);
    return () => {
      stop();
      throttle.cancel();
    };
  }, [store, ms]);
  return value;
}

interface TensorsState extends Standing {
  readonly tensors: LiveTensors | null;
}

/** The tensors of a plan; what was asked before is not asked again. */
type TensorsStore = Follower<LiveTensorsRequestInput, TensorsState>;

const MAX_PLANS = 12;

function createTensorsStore(client: LabClient): TensorsStore {
  return createFollower<LiveTensorsRequestInput, LiveTensors, TensorsState>({
    first: { ...AT_REST, tensors: null },
    keyOf: (request) => JSON.stringify(request),
    ask: (request, signal) => once(client.liveTensors(request, { signal })),
    begin: (state) => ({ ...state, running: true, tensors: null }),
    after: (state, tensors) => ({ ...state, tensors }),
    keeps: MAX_PLANS,
  });
}
