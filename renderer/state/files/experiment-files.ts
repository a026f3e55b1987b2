import {
  type ExperimentFile,
  isExperimentFile,
  readExperimentFile,
  writeExperimentFile,
} from '../../../app/contract/experiment-file.ts';
import type { FileKind } from './files-store.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { download } from '../../shared/charts/export-chart.ts';
import { unknownScreen } from '../experiment/address.ts';
import { fileNameOf } from '../experiment/file-name.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Experiments replace the view, and undo takes that back. */
export function experimentFiles(store: ExperimentStore, screens: readonly string[]): FileKind {
  return {
    is: (start, { size }) => size <= MAX_BYTES && isExperimentFile(new TextDecoder().decode(start)),
    open: async (file) => {
      try {
        show(store, readExperimentFile(await file.text()), screens);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        store.settle(store.get().experiment, [asSentence(reason)]);
      }
    },
  };
}

function show(store: ExperimentStore, file: ExperimentFile, screens: readonly string[]): void {
  const { screen, selected, view, experiment } = file;
  const known = screens.includes(screen);
  store.open({
    screen: known ? screen : (screens[0] ?? 'compare'),
    selected,
    view,
    experiment,
    faults: known ? [] : [unknownScreen(screen)],
  });
}

export function saveExperiment(store: ExperimentStore): void {
  const { screen, selected, view = {}, experiment } = store.get();
  const text = writeExperimentFile({ screen, selected, view: { ...view }, experiment });
  download(new Blob([text], { type: 'application/json' }), `${fileNameOf(experiment)}.experiment.json`);
}
