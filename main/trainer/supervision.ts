import { PauseGate } from './pause-gate.ts';

/** How a run is stopped and paused from outside, and how it announces silence. */
export interface Supervision {
  readonly signal: AbortSignal;
  /** The gate at which a run waits while it is paused. */
  readonly gate: PauseGate;
  /** Announces that the next message may take this many milliseconds. */
  announce(ms: number): void;
}

/** No pause and no watcher. */
export function supervised(signal: AbortSignal = new AbortController().signal): Supervision {
  return { signal, gate: new PauseGate(), announce: () => undefined };
}
