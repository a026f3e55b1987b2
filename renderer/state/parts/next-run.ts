import { createStore, type Store } from '../../shared/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { FIRST_SETTINGS, type TrainSettings } from '../runs/train-settings.ts';

/** Settings of the next run, shared by the Train screen and whatever opens it. */
export const nextRun = (_workspace: Workspace): Store<TrainSettings> =>
  createStore<TrainSettings>(FIRST_SETTINGS);

/** Opens the Train screen on a strategy, whatever was chosen there before. */
export function openTrain(workspace: Workspace, strategy: string, part: Partial<TrainSettings> = {}): void {
  const settings = workspace.keep(nextRun);
  workspace.experiment.select(strategy);
  settings.set({ ...settings.get(), strategy, ...part });
  workspace.experiment.goTo('train');
}
