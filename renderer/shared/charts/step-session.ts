import { createStore, type Store } from '../store.ts';
import { createStepCursor, type StepCursorStore } from './cursor-store.ts';
import { placeOf, positionAt, type StepAxis, type StepScale } from './step-axis.ts';
import type { StepWindow } from './step-window.ts';
import { type VerticalView, WHOLE_HEIGHT } from './vertical-view.ts';

export interface StepSession {
  readonly scale: Store<StepScale>;
  readonly window: Store<StepWindow | null>;
  readonly height: Store<VerticalView>;
  readonly cursor: StepCursorStore;
  /** Another scale shows the same operations of a curve (its axis with a clock), and the cursor stays on its step. */
  readonly setScale: (next: StepScale, axis: StepAxis | null) => void;
}

/** Stores of the session, its own or those of a screen that has them in the link. */
export interface StepParts {
  readonly scale: Store<StepScale>;
  readonly window: Store<StepWindow | null>;
  readonly height: Store<VerticalView>;
  readonly held: Store<number | null>;
}

const ownParts = (): StepParts => ({
  scale: createStore<StepScale>('pass'),
  window: createStore<StepWindow | null>(null),
  height: createStore(WHOLE_HEIGHT),
  held: createStore<number | null>(null),
});

export function createStepSession({ scale, window, height, held }: StepParts = ownParts()): StepSession {
  const cursor = createStepCursor(held);
  return {
    scale,
    window,
    height,
    cursor,
    setScale: (next, axis) => {
      const now = scale.get();
      const shown = window.get();
      const place = cursor.get();
      scale.set(next);
      if (axis === null) {
        window.set(null);
        cursor.letGo();
        return;
      }
      const moved = (at: number): number => placeOf(axis, positionAt(axis, at, now), next);
      if (shown !== null) window.set({ from: moved(shown.from), to: moved(shown.to) });
      if (place !== null) cursor.set(moved(place));
    },
  };
}
