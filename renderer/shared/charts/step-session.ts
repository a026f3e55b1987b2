import { createStore, type Store } from '../store.ts';
import { createStepCursor, type StepCursorStore } from './cursor-store.ts';
import { placeOf, positionAt, type StepAxis, type StepScale } from './step-axis.ts';
import type { StepWindow } from './step-window.ts';

/** What a chart over the steps remembers: the axis, the part of it in view, the step pointed at. */
export interface StepSession {
  readonly scale: Store<StepScale>;
  readonly window: Store<StepWindow | null>;
  readonly cursor: StepCursorStore;
  /** Another scale shows the same operations of a curve (its axis with a clock), and the cursor stays on its step. */
  readonly setScale: (next: StepScale, axis: StepAxis | null) => void;
}

export function createStepSession(): StepSession {
  const scale = createStore<StepScale>('pass');
  const window = createStore<StepWindow | null>(null);
  const cursor = createStepCursor();
  return {
    scale,
    window,
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
