export interface Progress {
  /** Share of 1. */
  readonly done: number;
  /** When it began, on the clock of `performance.now`. */
  readonly since: number;
}

/** Less work or time than this says nothing about the rest. */
const MIN_DONE = 0.02;
const LEAST_MS = 400;

/** Milliseconds that the work still needs if it goes on as it did; null while nobody can tell. */
export function msLeft({ done, since }: Progress, now: number): number | null {
  const passed = now - since;
  if (done < MIN_DONE || passed < LEAST_MS) return null;
  return passed * (1 / done - 1);
}

/** `about 3 s left`, `about 2 min left`. */
export function sayLeft(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `about ${seconds}\u202fs left` : `about ${Math.round(seconds / 60)}\u202fmin left`;
}
