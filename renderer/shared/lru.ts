/** Remembers the values that were used last: at most so many, the one unused for longest goes first. */
export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

export function createLru<V>(most: number): Lru<V> {
  const known = new Map<string, V>();
  const set = (key: string, value: V): void => {
    known.delete(key);
    known.set(key, value);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
  };
  return {
    get: (key) => {
      const value = known.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void known.delete(key),
  };
}
