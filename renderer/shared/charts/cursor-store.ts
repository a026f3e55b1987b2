import { createStore, type Store } from '../store.ts';

/**
 * A place on the step axis that all charts of a screen share; null when nothing is pointed at. It follows the
 * pointer until it is held: by a click, or by keys. Then it stays until it is let go.
 */
export interface StepCursorStore extends Store<number | null> {
  readonly held: Store<boolean>;
  readonly hold: (place: number) => void;
  readonly letGo: () => void;
}

export function createStepCursor(): StepCursorStore {
  const place = createStore<number | null>(null);
  const held = createStore(false);
  return {
    ...place,
    held,
    hold: (next) => {
      held.set(true);
      place.set(next);
    },
    letGo: () => {
      held.set(false);
      place.set(null);
    },
  };
}
