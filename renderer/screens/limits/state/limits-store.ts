import type { LabClient } from '../../../../app/contract/client.ts';
import type { LimitsEvent, LimitsRequestInput, StrategyLimit } from '../../../../app/contract/limits.ts';
import type { Progress } from '../../../shared/progress/time-left.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export type LimitsHead = Extract<LimitsEvent, { type: 'head' }>;

/** The strategy at work, and how far it is; no strategy while the answer to the request is awaited. */
export interface Running extends Progress {
  readonly strategy: string | null;
}

export interface LimitsState extends Standing<Running> {
  readonly head: LimitsHead | null;
  readonly rows: ReadonlyMap<string, StrategyLimit>;
  /** Rows are those of a previous request, until the first new one comes. */
  readonly stale: boolean;
}

export type LimitsStore = Follower<LimitsRequestInput, LimitsState>;

const QUIET_MS = 250;

export const NO_LIMITS: LimitsState = { ...AT_REST, head: null, rows: new Map(), stale: false };

export function afterLimitsEvent(state: LimitsState, event: LimitsEvent): LimitsState {
  switch (event.type) {
    case 'head':
      return { ...state, head: event, rows: new Map(), stale: false };
    case 'progress':
      return { ...state, running: runningAt(state.running, event.strategy, event.done) };
    case 'row':
      return { ...state, rows: new Map([...state.rows, [event.row.strategy, event.row]]) };
  }
}

function runningAt(previous: Running | null, strategy: string, done: number): Running {
  const since = previous?.strategy === strategy ? previous.since : performance.now();
  return { strategy, done, since };
}

export function createLimitsStore(client: LabClient): LimitsStore {
  const follower = createFollower<LimitsRequestInput, LimitsEvent, LimitsState>({
    first: NO_LIMITS,
    keyOf: (request) => JSON.stringify(request),
    ask: (request, signal) => client.limits(request, { signal }),
    begin: (state) => ({
      ...state,
      stale: true,
      running: { strategy: null, done: 0, since: performance.now() },
    }),
    after: afterLimitsEvent,
    beginsAtOnce: true,
    keeps: 1,
  });
  const quietMs = (): number => (follower.get().head === null ? 0 : QUIET_MS);
  return {
    ...follower,
    show: (request) => follower.show(request, quietMs()),
    again: (request) => follower.again(request, quietMs()),
  };
}
