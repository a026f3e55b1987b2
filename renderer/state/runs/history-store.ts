import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import { type History, type RunSummary, TOO_MANY_RUNS } from '../../../app/contract/history.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { follow, once } from '../requests/follow.ts';
import { type Run, reopenedRun } from './run.ts';
import { MAX_RUNS_FILE_BYTES } from '../../../engine/exchange/read-limits.ts';

export interface HistoryState extends Pick<History, 'problem' | 'notice' | 'folder'> {
  /** Newest first. */
  readonly lines: readonly RunSummary[];
  readonly loaded: boolean;
  readonly opened: ReadonlyMap<string, Run>;
  /** Runs that were deleted last, for as long as that can be undone here. */
  readonly deleted: readonly RunSummary[];
  /** Runs that went to make room and can be restored, without those that were said to be understood. */
  readonly evicted: History['evicted'];
  /** Outcome of the last act in one sentence; `file` when it asks whether to import it still. */
  readonly said: { readonly text: string; readonly isFault: boolean; readonly file?: File } | null;
}

export interface HistoryStore extends Pick<Store<HistoryState>, 'get' | 'subscribe'> {
  load(): Promise<void>;
  /** Fetches whole runs that are not here yet; those that are gone are left out and said. */
  open(ids: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  undo(): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  annotate(id: string, note: string): Promise<void>;
  /** The text of a file with these runs; null where that failed, which is said. */
  exportRuns(ids: readonly string[]): Promise<string | null>;
  /** @param makeRoom whether older runs may go for it; otherwise that is asked by `said` where they would have to */
  importRuns(file: File, makeRoom?: boolean): Promise<void>;
  restoreEvicted(): Promise<void>;
  /** Says no more of what went to make room so far. */
  understood(): void;
  dismiss(): void;
}

const EMPTY: HistoryState = {
  lines: [],
  loaded: false,
  problem: null,
  notice: null,
  folder: '',
  opened: new Map(),
  deleted: [],
  evicted: [],
  said: null,
};

/** More whole runs than this are not held; the ones opened longest ago go. */
const MAX_OPENED = 30;

const count = (runs: number): string => `${runs} ${runs === 1 ? 'run' : 'runs'}`;

function roomSentence(file: string, evicted: number, lost: number): string {
  const going = [
    ...(evicted === 0
      ? []
      : [`${count(evicted)}, the oldest, would be removed to make room, and can be restored for a day`]),
    ...(lost === 0
      ? []
      : [`${count(lost)} that ${lost === 1 ? 'was' : 'were'} deleted before would be deleted for good`]),
  ];
  return `Nothing was added from ${file} yet: ${going.join('; ')}.`;
}

export function createHistoryStore(
  client: LabClient,
  onLines: (numbers: ReadonlyMap<string, number>) => void = () => undefined,
): HistoryStore {
  const store = createStore<HistoryState>(EMPTY);
  const change = (part: Partial<HistoryState>): void => store.set({ ...store.get(), ...part });
  const say = ({ message }: { readonly message: string }): void =>
    change({ said: { text: asSentence(message), isFault: true } });
  const fail = (error: unknown): void => say(failureOf(error));

  const acknowledged = new Set<string>();
  let listing = new AbortController();
  /** The list as it is now: one that was asked for before says less. */
  const load = async (): Promise<void> => {
    listing.abort();
    listing = new AbortController();
    const { signal } = listing;
    const failure = await follow(
      () => once(client.listRuns(undefined, { signal })),
      signal,
      ({ runs, folder, problem, notice, evicted: gone }) => {
        const evicted = gone.filter(({ id }) => !acknowledged.has(id));
        change({ lines: runs, folder, problem, notice, evicted, loaded: true });
        onLines(new Map(runs.map(({ id, number }) => [id, number])));
      },
    );
    if (failure !== null && failure.code !== 'ABORTED' && failure.code !== 'DISCONNECTED') say(failure);
  };

  /** Does something to the history and shows it as it is then. */
  const act = async (work: () => Promise<Partial<HistoryState>>): Promise<void> => {
    try {
      change(await work());
    } catch (error) {
      fail(error);
    }
    await load();
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    load,
    open: async (ids) => {
      for (const id of ids) {
        const line = store.get().lines.find((known) => known.id === id);
        const known = store.get().opened.get(id);
        if (known !== undefined && known.outcome === line?.outcome) continue;
        try {
          const run = reopenedRun(await client.openRun({ id }), line?.number ?? 0);
          const others = [...store.get().opened].filter(([key]) => key !== id).slice(1 - MAX_OPENED);
          change({ opened: new Map([...others, [id, run]]) });
        } catch (error) {
          fail(error);
        }
      }
    },
    remove: (ids) =>
      act(async () => {
        const { lines } = store.get();
        await client.removeRuns({ ids: [...ids] });
        const gone = new Set(ids);
        const opened = new Map([...store.get().opened].filter(([id]) => !gone.has(id)));
        return { deleted: lines.filter(({ id }) => gone.has(id)), opened, said: null };
      }),
    undo: () =>
      act(async () => {
        const { deleted } = store.get();
        const ids = deleted.map(({ id }) => id);
        if (ids.length > 0) await client.restoreRuns({ ids });
        return { deleted: [] };
      }),
    rename: (id, name) =>
      act(async () => {
        await client.annotateRun({ id, name });
        return {};
      }),
    annotate: (id, note) =>
      act(async () => {
        await client.annotateRun({ id, note });
        return {};
      }),
    exportRuns: async (ids) => {
      try {
        const { text, leftOut } = await client.exportRuns({ ids: [...ids] });
        if (leftOut.length > 0) {
          say({
            message: `${count(leftOut.length)} left out, because their records are damaged: ${leftOut.join(', ')}`,
          });
        }
        return text;
      } catch (error) {
        fail(error);
        return null;
      }
    },
    importRuns: (file, makeRoom = false) =>
      act(async () => {
        // The lab would drop the connection, which says less.
        if (file.size > MAX_RUNS_FILE_BYTES)
          return { said: { text: asSentence(TOO_MANY_RUNS), isFault: true } };
        const { added, known, evicted, lost, needsRoom } = await client.importRuns({ bytes: file, makeRoom });
        if (needsRoom) {
          return { said: { text: roomSentence(file.name, evicted.length, lost), isFault: false, file } };
        }
        const rest =
          known.length === 0
            ? ''
            : `; of the file, ${count(known.length)} ${known.length === 1 ? 'was' : 'were'} here already`;
        const text = `${added.length === 0 ? 'No new run' : count(added.length)} added from ${file.name}${rest}.`;
        return { said: { text, isFault: false } };
      }),
    restoreEvicted: () =>
      act(async () => {
        const ids = store.get().evicted.map(({ id }) => id);
        if (ids.length > 0) await client.restoreRuns({ ids });
        return {};
      }),
    understood: () => {
      for (const { id } of store.get().evicted) acknowledged.add(id);
      change({ evicted: [] });
    },
    dismiss: () => change({ said: null, deleted: [] }),
  };
}
