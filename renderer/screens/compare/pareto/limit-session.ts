import { createStore, type Store } from '../../../shared/store.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { createFrontPlans, type FrontPlans } from './front-plans.ts';

export interface LimitSession {
  /** Bytes on the chart's axis while the handle is held; null otherwise. */
  readonly limit: Store<number | null>;
  readonly plans: FrontPlans;
  /** Lets the handle go where another network or batch is shown. */
  follow(network: string): void;
}

export function limitSession({ connection }: Workspace): LimitSession {
  const limit = createStore<number | null>(null);
  const plans = createFrontPlans(connection.client);
  let shown = '';
  const follow = (network: string): void => {
    if (network === shown) return;
    shown = network;
    limit.set(null);
    plans.clear();
  };
  return { limit, plans, follow };
}
