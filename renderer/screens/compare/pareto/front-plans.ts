import type { LabClient } from '../../../../app/contract/client.ts';
import type { FrontPlanRequestInput } from '../../../../app/contract/pareto.ts';
import { createLru } from '../../../shared/lru.ts';
import { createStore, type Store } from '../../../shared/store.ts';
import type { Solved } from '../../../state/comparison/comparison.ts';

/** The plan of the point of the front that is asked for last; null while none is shown. */
export interface FrontPlans extends Pick<Store<Solved | null>, 'get' | 'subscribe'> {
  /** Shows the plan as soon as it is there, and the previous one until then. */
  ask(request: FrontPlanRequestInput): void;
  /** Requests what may be asked for next, in this order, while nothing else is. */
  prefetch(requests: readonly FrontPlanRequestInput[]): void;
  show(plan: Solved): void;
  clear(): void;
}

const MAX_PLANS = 64;

/**
 * One request at a time: a plan takes milliseconds, and of those that a drag passes meanwhile only the last is asked for.
 * Nothing is cancelled, because a cancelled call may cost the solver the thread that knows the front. Half of the time
 * to a plan's curve is its request, so the plans around the limit are requested before it moves there.
 */
export function createFrontPlans(client: Pick<LabClient, 'frontPlan'>): FrontPlans {
  const store = createStore<Solved | null>(null);
  const known = createLru<Solved>(MAX_PLANS);
  let wanted: FrontPlanRequestInput | null = null;
  let ahead: FrontPlanRequestInput[] = [];
  let isAsking = false;

  const asked = async (request: FrontPlanRequestInput): Promise<Solved | null> => {
    const plan = await client.frontPlan(request).catch(() => null);
    return plan === null ? null : { ...plan, batch: request.batch, own: '' };
  };
  const next = (): FrontPlanRequestInput | undefined => wanted ?? ahead.shift();
  const answer = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    for (let request = next(); request !== undefined; request = next()) {
      const key = JSON.stringify(request);
      const plan = known.get(key) ?? (await asked(request));
      if (plan !== null) known.set(key, plan);
      if (wanted !== request) continue;
      wanted = null;
      if (plan !== null) store.set(plan);
    }
    isAsking = false;
  };
  const drop = (): void => {
    wanted = null;
    ahead = [];
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    ask: (request) => {
      wanted = request;
      void answer();
    },
    prefetch: (requests) => {
      ahead = requests.filter((request) => known.get(JSON.stringify(request)) === undefined);
      void answer();
    },
    show: (plan) => {
      drop();
      store.set(plan);
    },
    clear: () => {
      drop();
      store.set(null);
    },
  };
}
