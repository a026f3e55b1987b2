import { createStore, type Store } from '../store.ts';

/**
 * A place on the step axis that all charts of a screen share; null when nothing is pointed at. It follows the
 * pointer until it is held: by a click, or by keys. Then it stays until it is let go.
 */
export interface StepCursorStore extends Store<number | null> {
  readonly held: Pick<Store<boolean>, 'get' | 'subscribe'>;
  readonly hold: (place: number) => void;
  readonly letGo: () => void;
}

/** @param held where the cursor is held; null while it follows the pointer */
export function createStepCursor(
  held: Store<number | null> = createStore<number | null>(null),
): StepCursorStore {
  const pointed = createStore<number | null>(null);
  return {
    get: () => held.get() ?? pointed.get(),
    set: (next) => (held.get() === null ? pointed : held).set(next),
    subscribe: (listener) => {
      const stops = [held.subscribe(listener), pointed.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    held: { get: () => held.get() !== null, subscribe: held.subscribe },
    hold: (place) => {
      held.set(place);
      pointed.set(null);
    },
    letGo: () => {
      pointed.set(null);
      held.set(null);
    },
  };
}
