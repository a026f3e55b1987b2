import { createStepSession, type StepSession } from '../../../shared/charts/step-session.ts';
import { createStore, type Store } from '../../../shared/store.ts';

export interface RunsInFront {
  readonly front: string | null;
  readonly pair: readonly [string, string] | null;
}

export interface TrainSession {
  readonly chart: StepSession;
  readonly inFront: Store<RunsInFront>;
}

export const LATEST: RunsInFront = { front: null, pair: null };

export const trainSession = (): TrainSession => ({
  chart: createStepSession(),
  inFront: createStore(LATEST),
});
