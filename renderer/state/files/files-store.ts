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

/** A kind of file beside networks and plans, told by how it starts. */
export interface FileKind {
  readonly is: (start: Uint8Array, file: File) => boolean | Promise<boolean>;
  readonly open: (file: File) => Promise<void>;
}

const START = 400;

/**
 * @param kinds are asked first, in their order
 * @param skim a file that is too large for the lab, without its weights
 */
export function createFilesStore(
  client: LabClient,
  onOpened: (imported: Imported) => void,
  kinds: readonly FileKind[] = [],
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
      const read = async (): Promise<Imported | FileKind> => {
        const start = new Uint8Array(await file.slice(0, START).arrayBuffer());
        for (const kind of kinds) if (await kind.is(start, file)) return kind;
        // The lab would drop the connection of a larger one, which says less.
        const bytes = file.size > MAX_IMPORT_BYTES ? await skim(file, signal) : file;
        return client.importFile({ name: file.name.slice(-400), bytes }, { signal });
      };
      let elsewhere: FileKind | undefined;
      const failure = await follow(
        () => once(read()),
        signal,
        (answer) => {
          if ('is' in answer) {
            elsewhere = answer;
            return store.set(null);
          }
          store.set({ ...reading, imported: answer });
          onOpened(answer);
        },
      );
      await elsewhere?.open(file);
      if (failure !== null && failure.code !== 'ABORTED')
        store.set({ ...reading, refusal: asSentence(failure.message) });
    },
  };
}
