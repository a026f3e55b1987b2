import {
  type ExperimentFile,
  isExperimentFile,
  readExperimentFile,
  writeExperimentFile,
} from '../../../app/contract/experiment-file.ts';
import type { FilesStore } from './files-store.ts';
import type { PageStore } from '../page/page-store.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { download } from '../../shared/charts/export-chart.ts';
import { unknownScreen } from '../experiment/address.ts';
import { fileNameOf } from '../experiment/file-name.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';

/** An experiment is told from a network at the start of its file. */
const START = 200;
const MAX_BYTES = 4 * 1024 * 1024;

/** The same way to open files, for experiments too: they replace the view, and undo takes that back. */
export function withExperimentFiles(
  files: FilesStore,
  store: ExperimentStore,
  page: PageStore,
  screens: readonly string[],
): FilesStore {
  return {
    ...files,
    open: async (file) => {
      if (file.size > MAX_BYTES || !isExperimentFile(await file.slice(0, START).text()))
        return files.open(file);
      page.openDialog(null);
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
