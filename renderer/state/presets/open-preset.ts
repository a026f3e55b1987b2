import type { ExperimentStore } from '../experiment/experiment-store.ts';
import type { Action } from '../page/actions.ts';
import type { PageStore } from '../page/page-store.ts';
import { PRESETS, type Preset } from './presets.ts';

interface PresetDesk {
  readonly experiment: ExperimentStore;
  readonly page: PageStore;
}

/** Replaces the experiment and the screen; undo brings the previous experiment back. */
export function openPreset(desk: PresetDesk, { screen, selected, experiment, view }: Preset): void {
  desk.page.dismiss(null);
  desk.experiment.open({ screen, selected, experiment, view, faults: [] });
}

export function presetActions(desk: PresetDesk): Action[] {
  return PRESETS.map((preset) => ({
    id: `preset-${preset.id}`,
    group: 'Preset',
    title: preset.title,
    words: `preset example show ${preset.experiment.model}`,
    run: () => openPreset(desk, preset),
  }));
}
