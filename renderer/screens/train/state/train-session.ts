import { createStepSession, type StepSession } from '../../../shared/charts/step-session.ts';
import { createStore, type Store } from '../../../shared/store.ts';

/** The run in front, or two that are compared; keys of runs. */
export interface RunsInFront {
  readonly front: string | null;
  readonly pair: readonly [string, string] | null;
}

/** What the Train screen remembers while others are in front, besides how the next run is done. */
export interface TrainSession {
  readonly chart: StepSession;
  readonly inFront: Store<RunsInFront>;
}

export const LATEST: RunsInFront = { front: null, pair: null };

export const trainSession = (): TrainSession => ({
  chart: createStepSession(),
  inFront: createStore(LATEST),
});
