import { createThrottle } from '../../shared/throttle.ts';
import type { Store } from '../../shared/store.ts';
import type { ExperimentStore, View } from './experiment-store.ts';

/** How a screen says a part of its state in the link: only what differs from a first visit. */
export interface ViewWords<T, B> {
  readonly names: readonly string[];
  /** @param previous what the same words meant on another basis; null when they are new */
  readonly read: (view: View, basis: B, previous: T | null) => T;
  readonly write: (value: T, basis: B) => View;
}

/** Context that the words need, such as the network whose tensors they name. */
export interface Basis<B> extends Pick<Store<B>, 'get' | 'subscribe'> {
  /** True when it is the basis that the words are meant for. Another may be shown until that one arrives. */
  readonly isOwn: () => boolean;
}

const NO_BASIS: Basis<null> = { get: () => null, subscribe: () => () => undefined, isOwn: () => true };

/**
 * A part of a screen's state whose home is the screen's view, and with it the link. Its setter sees that value
 * at once; the view follows every \`restMs\`, because a link need not follow every turn of a wheel. Words that come
 * from elsewhere, a link or the browser's way back, replace it.
 */
export function createViewPart<T, B = null>(
  lab: Pick<ExperimentStore, 'subscribe' | 'setView' | 'viewOf'>,
  screen: string,
  words: ViewWords<T, B>,
  restMs = 0,
  basis: Basis<B> = NO_BASIS as Basis<B>,
): Store<T> {
  const { names, read, write } = words;
  const listeners = new Set<() => void>();
  /** The value of the view's words, and one that the view does not have yet. */
  let known: { readonly view: View; readonly basis: B; readonly isOwn: boolean; readonly value: T } | null =
    null;
  let ahead: { readonly value: T } | null = null;

  const isSame = (a: View, b: View): boolean => names.every((name) => a[name] === b[name]);

  const get = (): T => {
    const view = lab.viewOf(screen);
    const on = basis.get();
    const isOld = known !== null && isSame(known.view, view);
    if (known === null || !isOld || known.basis !== on) {
      const previous = known !== null && isOld && known.isOwn ? (ahead ?? known).value : null;
      known = { view, basis: on, isOwn: basis.isOwn(), value: read(view, on, previous) };
      ahead = null;
    }
    return (ahead ?? known).value;
  };

  const flush = (): void => {
    const value = get();
    if (ahead === null) return;
    ahead = null;
    const now = lab.viewOf(screen);
    const own = write(value, basis.get());
    const others = Object.entries(now).filter(([name]) => !names.includes(name));
    const view = { ...Object.fromEntries(others), ...own };
    known = { view, basis: basis.get(), isOwn: basis.isOwn(), value };
    if (!isSame(view, now)) lab.setView(view, screen);
  };
  const throttle = createThrottle(flush, restMs);

  const set = (value: T): void => {
    if (Object.is(value, get())) return;
    ahead = { value };
    for (const listener of [...listeners]) listener();
    if (restMs === 0) flush();
    else throttle.poke();
  };
  // Words that mean less on another basis are said again.
  basis.subscribe(() => {
    if (known === null || known.basis === basis.get()) return;
    const value = get();
    ahead = { value };
    flush();
  });

  return {
    get,
    set,
    subscribe: (listener) => {
      listeners.add(listener);
      const stops = [lab.subscribe(listener), basis.subscribe(listener)];
      return () => {
        listeners.delete(listener);
        for (const stop of stops) stop();
      };
    },
  };
}
