import type { z } from 'zod';

/**
 * One thing that can be asked for: what it takes, and whether it is answered by one value or by events. All
 * else follows from a map of these: the contract's procedures, the router, the service, what crosses to a
 * thread and the stub of a test.
 */
export interface Call {
  readonly kind: 'result' | 'events';
  readonly input: z.ZodType;
  /** Schema of the result, or of one event. */
  readonly output: z.ZodType;
  /** Answered alike for as long as the lab runs, so that it is asked once; a failure is not remembered. */
  readonly once?: true;
}

export type Calls = Readonly<Record<string, Call>>;

/** Input after defaults are filled in. */
export type InputOf<C extends Call> = z.output<C['input']>;
export type OutputOf<C extends Call> = z.output<C['output']>;
export type EventOf<C extends Call> = C['kind'] extends 'events' ? OutputOf<C> : never;
/** A stream's own result is unused. */
export type ResultOf<C extends Call> = C['kind'] extends 'result' ? OutputOf<C> : unknown;

/**
 * Answers to the calls, wherever the work is done. Failures are LabFailure or the engine's; an aborted
 * signal, or leaving a stream early, stops the work, and what was asked for then throws CancelledError.
 */
export type ServiceOf<C extends Calls> = {
  readonly [Name in keyof C]: (
    input: InputOf<C[Name]>,
    signal?: AbortSignal,
  ) => C[Name]['kind'] extends 'events' ? AsyncIterable<OutputOf<C[Name]>> : Promise<OutputOf<C[Name]>>;
};

export function result<I extends z.ZodType, O extends z.ZodType>(input: I, output: O) {
  return { kind: 'result', input, output } as const;
}

export function events<I extends z.ZodType, O extends z.ZodType>(input: I, output: O) {
  return { kind: 'events', input, output } as const;
}
