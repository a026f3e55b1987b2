import { createStore, type Store } from '../../shared/store.ts';

const STORED_AS = 'zigzag-exercises';
const MOST = 1000;
/** `sqrt.peak.3`: lesson, exercise and seed. */
const NAME = /^[a-z0-9]+\.[a-z0-9-]+\.\d{1,4}$/;

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

/** Exercises that were solved on this device without being shown the answer first. */
export interface SolvedStore extends Pick<Store<ReadonlySet<string>>, 'get' | 'subscribe'> {
  solve(lesson: string, exercise: string, seed: number): void;
}

export const solvedName = (lesson: string, exercise: string, seed: number): string =>
  `${lesson}.${exercise}.${seed}`;

export function isSolved(solved: ReadonlySet<string>, lesson: string, exercise: string): boolean {
  const start = `${lesson}.${exercise}.`;
  for (const name of solved) if (name.startsWith(start)) return true;
  return false;
}

export function createSolved(shelf: () => Shelf): SolvedStore {
  const store = createStore<ReadonlySet<string>>(readSolved(shelf));
  return {
    get: store.get,
    subscribe: store.subscribe,
    solve: (lesson, exercise, seed) => {
      const name = solvedName(lesson, exercise, seed);
      if (store.get().has(name)) return;
      const all = new Set([...store.get(), name].slice(-MOST));
      store.set(all);
      try {
        shelf().setItem(STORED_AS, [...all].join(','));
      } catch {
        // Without storage they count as long as the page lasts.
      }
    },
  };
}

function readSolved(shelf: () => Shelf): ReadonlySet<string> {
  try {
    const names = (shelf().getItem(STORED_AS) ?? '').split(',').filter((name) => NAME.test(name));
    return new Set(names.slice(-MOST));
  } catch {
    return new Set();
  }
}
