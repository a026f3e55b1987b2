import { readAddress, writeAddress } from './address.ts';
import { createThrottle } from '../../shared/throttle.ts';
import type { ExperimentStore } from './experiment-store.ts';

/** Browsers refuse more than a hundred changes of the address in half a minute. */
const WRITE_MS = 400;

/**
 * Keeps the page's address and the store in step, so that any view can be sent. Another screen is a new
 * entry of the browser's history; a changed experiment replaces the entry (undo is the lab's own).
 */
export function syncAddress(store: ExperimentStore, screens: readonly string[], page: Window): () => void {
  let { screen } = store.get();
  const write = (): void => {
    const hash = writeAddress(store.get());
    if (hash === page.location.hash) return;
    if (store.get().screen === screen) page.history.replaceState(null, '', hash);
    else page.history.pushState(null, '', hash);
    screen = store.get().screen;
  };
  const throttle = createThrottle(write, WRITE_MS);
  const follow = (): void => {
    if (store.get().screen === screen) throttle.poke();
    else write();
  };
  const read = (): void => {
    throttle.cancel();
    if (writeAddress(store.get()) === page.location.hash) return;
    const address = readAddress(page.location.hash, screens);
    screen = address.screen;
    store.open(address);
    write();
  };
  write();
  const stop = store.subscribe(follow);
  page.addEventListener('hashchange', read);
  page.addEventListener('popstate', read);
  return () => {
    stop();
    throttle.flush();
    page.removeEventListener('hashchange', read);
    page.removeEventListener('popstate', read);
  };
}
