import type { LabClient } from '../../../../app/contract/client.ts';
import type {
  Bargain,
  ParetoPoint,
  ParetoEvent,
  ParetoRequestInput,
} from '../../../../app/contract/pareto.ts';
import type { RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import type { Progress } from '../../../shared/progress/time-left.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export interface ParetoState extends Standing<Progress> {
  /** Network of the points, without its batch; empty before the first. */
  readonly key: string;
  readonly batch: number;
  /** By falling memory. */
  readonly points: readonly ParetoPoint[];
  /** False where the search was stopped: it leaves what it had found. */
  readonly complete: boolean;
  /** Points of the search under way while another batch's front, scaled, says more. */
  readonly found: readonly ParetoPoint[];
  readonly told: ToldBargain | null;
  readonly proved: Proved | null;
}

export interface Proved {
  readonly batch: number;
  readonly bound: RecomputeBound;
}

export interface ToldBargain {
  /** All but the batch. */
  readonly key: string;
  readonly batch: number;
  readonly bargain: Bargain | null;
}

/** Searches fronts after a quiet moment; paused while another experiment is compared or the chart is out of sight. */
export type ParetoStore = Follower<ParetoRequestInput, ParetoState>;

const QUIET_MS = 600;
const MAX_FRONTS = 12;

export const NO_PARETO_FRONT: ParetoState = {
  ...AT_REST,
  key: '',
  batch: 1,
  points: [],
  complete: false,
  found: [],
  told: null,
  proved: null,
};

/** All but the batch: the front is nearly proportional to that. */
export function paretoKey({ batch: _batch, ...network }: ParetoRequestInput): string {
  return JSON.stringify(network, Object.keys(network).sort());
}

export function createParetoStore(client: LabClient, quietMs: number = QUIET_MS): ParetoStore {
  return createFollower<ParetoRequestInput, ParetoEvent, ParetoState>({
    first: NO_PARETO_FRONT,
    keyOf: (request) => `${request.batch} ${paretoKey(request)}`,
    ask: (request, signal) => client.pareto(request, { signal }),
    begin: (state, request) => {
      const key = paretoKey(request);
      const own =
        state.key === key
          ? state
          : { ...state, key, batch: request.batch, points: [], complete: false, proved: null };
      return { ...own, found: [], running: { done: 0, since: performance.now() } };
    },
    after: (state, event, request) => {
      const { batch } = request;
      if (event.type === 'progress') {
        const since = state.running?.since ?? performance.now();
        return { ...state, running: { done: event.done, since } };
      }
      if (event.type === 'bound') return { ...state, proved: { batch, bound: event.bound } };
      if (event.type === 'bargain') {
        return { ...state, told: { key: paretoKey(request), batch, bargain: event.bargain } };
      }
      const found = { ...state, found: event.points };
      return state.complete ? found : { ...found, batch, points: event.points };
    },
    done: (state, { batch }) => ({ ...state, batch, points: state.found, complete: true }),
    quietMs,
    keeps: MAX_FRONTS,
  });
}
