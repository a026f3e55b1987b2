/**
 * Calls `run` at most once every `ms`: at once when it has been quiet, and once more at the end of a
 * burst, so that the last state is always shown.
 */
export interface Throttle {
  readonly poke: () => void;
  /** Runs now if a call is due, and forgets the timer. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

export function createThrottle(
  run: () => void,
  ms: number,
  now: () => number = () => performance.now(),
): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fire = (): void => {
    clearTimeout(timer);
    timer = undefined;
    last = now();
    run();
  };
  return {
    poke: () => {
      if (timer !== undefined) return;
      const wait = last + ms - now();
      if (wait <= 0) fire();
      else timer = setTimeout(fire, wait);
    },
    flush: () => {
      if (timer !== undefined) fire();
    },
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
