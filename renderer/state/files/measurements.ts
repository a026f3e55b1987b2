import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { MeasuredColumns } from '../../../engine/tables/measured.ts';
import { askForFile } from '../../shared/ask-for-file.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { createStore, type Store } from '../../shared/store.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';
import type { FileKind } from './files-store.ts';
import { MAX_MEASUREMENTS_BYTES } from '../../../engine/exchange/read-limits.ts';

/** Columns that the opened file of measurements adds to its table; null where none is open. */
export interface MeasurementsStore
  extends FileKind,
    Pick<Store<MeasuredColumns | null>, 'get' | 'subscribe'> {
  /** Reads a file and shows the table; what cannot be read is said in a notice, and what was open stays. */
  readonly open: (file: File) => Promise<void>;
  close(): void;
}

const SCREEN = 'tables';

/** Apart from the first screen: reading them needs all networks and strategies. */
const reader = () => import('../../../app/contract/measurements.ts');

export function createMeasurementsStore(
  client: Pick<LabClient, 'measuredColumns'>,
  experiment: ExperimentStore,
): MeasurementsStore {
  const store = createStore<MeasuredColumns | null>(null);
  let latest: File | null = null;
  return {
    get: store.get,
    subscribe: store.subscribe,
    is: async (start) => (await reader()).isMeasurementsFile(new TextDecoder().decode(start)),
    open: async (file) => {
      latest = file;
      try {
        if (file.size > MAX_MEASUREMENTS_BYTES)
          throw new Error(`${file.name} is too large to be measurements`);
        const { readMeasurements } = await reader();
        const columns = await client.measuredColumns(readMeasurements(await file.text()));
        if (latest !== file) return;
        store.set(columns);
        experiment.goTo(SCREEN);
        experiment.setView({ ...experiment.viewOf(SCREEN), table: 'cvpr' });
      } catch (error) {
        if (latest !== file) return;
        const reason = error instanceof Error ? error.message : failureOf(error).message;
        experiment.settle(experiment.get().experiment, [asSentence(reason)]);
      }
    },
    close: () => {
      latest = null;
      store.set(null);
    },
  };
}

export function chooseMeasurements(measurements: MeasurementsStore): void {
  askForFile((file) => void measurements.open(file));
}
