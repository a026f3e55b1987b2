import { PauseGate } from './pause-gate.ts';

/** How a run is stopped and held from outside, and how it asks for patience. */
export interface Supervision {
  readonly signal: AbortSignal;
  /** The gate at which a run waits while it is paused. */
  readonly gate: PauseGate;
  /** Says that the next message may honestly take so many milliseconds. */
  announce(ms: number): void;
}

/** Nobody pauses it and nobody waits. */
export function supervised(signal: AbortSignal = new AbortController().signal): Supervision {
  return { signal, gate: new PauseGate(), announce: () => undefined };
}
