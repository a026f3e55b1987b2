import { createStore } from '../../shared/store.ts';
import { FIRST_SETTINGS, type TrainSettings } from './train-settings.ts';

/** What the Train screen remembers while others are in front. */
export const settingsStore = createStore<TrainSettings>(FIRST_SETTINGS);

/** The strategy that the next run follows, whatever was chosen before. */
export function trainNext(strategy: string): void {
  settingsStore.set({ ...settingsStore.get(), strategy });
}

/** The next run searches for the largest batch of a strategy that this device trains. */
export function findLargestNext(strategy: string): void {
  settingsStore.set({ ...settingsStore.get(), strategy, mode: 'largest' });
}
