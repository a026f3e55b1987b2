import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import { looksMeasured } from '../../../app/contract/measured.ts';
import { type Measured, SNAPSHOT_TOO_LARGE } from '../../../engine/explain/measured.ts';
import { askForFile } from '../../shared/ask-for-file.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { createStore, type Store } from '../../shared/store.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';
import type { FileKind } from './files-store.ts';
import { MAX_IMPORT_BYTES, MAX_SNAPSHOT_BYTES } from '../../../engine/exchange/read-limits.ts';

export type MeasuredFile =
  | { readonly state: 'asking' }
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'refused'; readonly name: string; readonly reason: string }
  | {
      readonly state: 'open';
      readonly name: string;
      readonly measured: Measured;
      /** The shown device of a snapshot. */
      readonly cuda: number | undefined;
    };

export interface MeasuredFileStore extends FileKind, Pick<Store<MeasuredFile | null>, 'get' | 'subscribe'> {
  /** Reads a file and shows it; the one opened last wins. What cannot be read is said in its place. */
  readonly open: (file: File) => Promise<void>;
  /** Says what could be opened, and how it is recorded. */
  ask(): void;
  choose(cuda: number): void;
  close(): void;
}

const SCREEN = 'compare';
const USUAL = 'regular';
/** Below this a file is sent as it is. */
const SMALL_BYTES = 1024 * 1024;

export function createMeasuredFileStore(
  client: Pick<LabClient, 'readMeasured'>,
  experiment: ExperimentStore,
): MeasuredFileStore {
  const store = createStore<MeasuredFile | null>(null);
  let abort = new AbortController();
  const begin = (state: MeasuredFile | null): AbortSignal => {
    abort.abort();
    abort = new AbortController();
    store.set(state);
    return abort.signal;
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    ask: () => {
      begin({ state: 'asking' });
      experiment.goTo(SCREEN);
    },
    choose: (cuda) => {
      const now = store.get();
      if (now?.state === 'open') store.set({ ...now, cuda });
    },
    close: () => void begin(null),
    is: (start, { name }) => looksMeasured(start, name),
    open: async (file) => {
      const { name } = file;
      const signal = begin({ state: 'reading', name });
      experiment.goTo(SCREEN);
      try {
        if (file.size > MAX_SNAPSHOT_BYTES) throw new Error(SNAPSHOT_TOO_LARGE);
        const bytes = await packed(file);
        if (bytes.size > MAX_IMPORT_BYTES) throw new Error(SNAPSHOT_TOO_LARGE);
        const measured = await client.readMeasured({ name: name.slice(-400), bytes }, { signal });
        if (signal.aborted) return;
        const cuda = measured.kind === 'snapshot' ? measured.devices[0]?.device : undefined;
        store.set({ state: 'open', name, measured, cuda });
        // Most record plain training; who trained under a plan has chosen its strategy, or does so on the card.
        const { selected, experiment: now } = experiment.get();
        if (selected === null && now.strategies.includes(USUAL)) experiment.select(USUAL);
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : failureOf(error).message;
        store.set({ state: 'refused', name, reason: asSentence(reason) });
      }
    },
  };
}

/** Names repeat in every event: gzipped, a snapshot is a tenth, and a lab takes no more than 64 MiB at once. */
async function packed(file: File): Promise<Blob> {
  if (file.size <= SMALL_BYTES) return file;
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

export function chooseMeasuredFile(store: MeasuredFileStore): void {
  askForFile((file) => void store.open(file));
}
