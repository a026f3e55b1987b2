import type { LabClient } from '../../../app/contract/client.ts';
import type { Imported } from '../../../app/contract/import-file.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { follow, once } from '../requests/follow.ts';
import { skimFile } from './skim-file.ts';
import { MAX_IMPORT_BYTES } from '../../../engine/exchange/read-limits.ts';

export interface OpenedFile {
  readonly name: string;
  readonly imported: Imported | null;
  /** Why it could not be read, in one sentence; null while it is read and when it was. */
  readonly refusal: string | null;
}

export interface FilesStore extends Pick<Store<OpenedFile | null>, 'get' | 'subscribe'> {
  /** Reads a file; the one opened last wins. */
  open(file: File): Promise<void>;
  refuse(name: string, reason: string): void;
}

/** @param skim a file that is too large for the lab, without its weights */
export function createFilesStore(
  client: LabClient,
  onOpened: (imported: Imported) => void,
  skim = skimFile,
): FilesStore {
  const store = createStore<OpenedFile | null>(null);
  let abort = new AbortController();
  return {
    get: store.get,
    subscribe: store.subscribe,
    refuse: (name, reason) => {
      abort.abort();
      store.set({ name, imported: null, refusal: reason });
    },
    open: async (file) => {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      const reading: OpenedFile = { name: file.name, imported: null, refusal: null };
      store.set(reading);
      const sent = async (): Promise<Imported> => {
        // The lab would drop the connection of a larger one, which says less.
        const bytes = file.size > MAX_IMPORT_BYTES ? await skim(file, signal) : file;
        return client.importFile({ name: file.name.slice(-400), bytes }, { signal });
      };
      const failure = await follow(
        () => once(sent()),
        signal,
        (imported) => {
          store.set({ ...reading, imported });
          onOpened(imported);
        },
      );
      if (failure !== null && failure.code !== 'ABORTED')
        store.set({ ...reading, refusal: asSentence(failure.message) });
    },
  };
}
