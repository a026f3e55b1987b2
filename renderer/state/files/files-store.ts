import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import { type Imported, MAX_IMPORT_BYTES, TOO_LARGE } from '../../../app/contract/import-file.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { createStore, type Store } from '../../shared/store.ts';

/** What became of the file that was opened last. */
export interface OpenedFile {
  readonly name: string;
  readonly imported: Imported | null;
  /** Why it could not be read, in one sentence; null while it is read and when it was. */
  readonly refusal: string | null;
}

export interface FilesStore extends Pick<Store<OpenedFile | null>, 'get' | 'subscribe'> {
  /** Reads a file; the one opened last wins. */
  open(file: File): Promise<void>;
}

export function createFilesStore(client: LabClient, onOpened: (imported: Imported) => void): FilesStore {
  const store = createStore<OpenedFile | null>(null);
  return {
    get: store.get,
    subscribe: store.subscribe,
    open: async (file) => {
      const { name } = file;
      const reading: OpenedFile = { name, imported: null, refusal: null };
      store.set(reading);
      const become = (part: Partial<OpenedFile>): boolean => {
        if (store.get() !== reading) return false;
        store.set({ ...reading, ...part });
        return true;
      };
      // The lab would drop the connection, which says less.
      if (file.size > MAX_IMPORT_BYTES) {
        become({ refusal: asSentence(TOO_LARGE) });
        return;
      }
      try {
        const imported = await client.importFile({ name: name.slice(-400), bytes: file });
        if (become({ imported })) onOpened(imported);
      } catch (error) {
        become({ refusal: asSentence(failureOf(error).message) });
      }
    },
  };
}
