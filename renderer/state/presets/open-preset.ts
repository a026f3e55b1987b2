import type { ExperimentStore } from '../experiment/experiment-store.ts';
import type { Action } from '../page/actions.ts';
import { createStore } from '../../shared/store.ts';
import { PRESETS, type Preset } from './presets.ts';

/** Id of the preset whose commentary was put away. */
export const dismissedStore = createStore<string | null>(null);

/** Replaces the experiment and the screen; undo brings the former experiment back. */
export function openPreset(store: ExperimentStore, { screen, selected, experiment, view }: Preset): void {
  dismissedStore.set(null);
  store.open({ screen, selected, experiment, view, faults: [] });
}

export function presetActions(store: ExperimentStore): Action[] {
  return PRESETS.map((preset) => ({
    id: `preset-${preset.id}`,
    group: 'Preset',
    title: preset.title,
    words: `preset example show ${preset.experiment.model}`,
    run: () => openPreset(store, preset),
  }));
}
