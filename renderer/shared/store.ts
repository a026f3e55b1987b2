import { useSyncExternalStore } from 'react';

/** A value that several components watch. Small on purpose: state here is plain data, replaced as a whole. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function partOf<T extends object, K extends keyof T>(whole: Store<T>, name: K): Store<T[K]> {
  return {
    get: () => whole.get()[name],
    set: (next) => {
      const value = whole.get();
      if (!Object.is(next, value[name])) whole.set({ ...value, [name]: next });
    },
    subscribe: whole.subscribe,
  };
}

/** Re-renders when the selected part changes; `select` must return the same object for the same state. */
export function useStore<T, S = T>(store: Pick<Store<T>, 'get' | 'subscribe'>, select?: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () =>
    select === undefined ? (store.get() as unknown as S) : select(store.get()),
  );
}
