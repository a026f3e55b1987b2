import { useEffect, useState } from 'react';
import type { Store } from '../../../shared/store.ts';
import { createThrottle } from '../../../shared/throttle.ts';

/** The value of a store, a few times a second while it moves and its last one when it rests. */
export function useSettled<T>(store: Pick<Store<T>, 'get' | 'subscribe'>, ms: number): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const throttle = createThrottle(() => setValue(store.get), ms);
    throttle.poke();
    const stop = store.subscribe(throttle.poke);
    return () => {
      stop();
      throttle.cancel();
    };
  }, [store, ms]);
  return value;
}
