import type { LabClient } from '../../../../app/contract/client.ts';
import type { LiveTensors, LiveTensorsRequestInput } from '../../../../app/contract/live-tensors.ts';
import { once } from '../../../state/requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export interface TensorsState extends Standing {
  /** Of the request shown last; null until they come. */
  readonly tensors: LiveTensors | null;
}

/** The tensors of a plan; what was asked before is not asked again. */
export type TensorsStore = Follower<LiveTensorsRequestInput, TensorsState>;

const MOST_PLANS = 12;

export function createTensorsStore(client: LabClient): TensorsStore {
  return createFollower<LiveTensorsRequestInput, LiveTensors, TensorsState>({
    first: { ...AT_REST, tensors: null },
    keyOf: (request) => JSON.stringify(request),
    ask: (request, signal) => once(client.liveTensors(request, { signal })),
    begin: (state) => ({ ...state, running: true, tensors: null }),
    after: (state, tensors) => ({ ...state, tensors }),
    keeps: MOST_PLANS,
  });
}
