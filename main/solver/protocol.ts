import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { SolverCall, SolverCalls } from '../../app/contract/solver-calls.ts';
import type { Failure } from '../host/failure.ts';
import type { KeptFile } from './kept-files.ts';

/**
 * Messages between the host and the solver's thread; plain data. `id` is chosen by the host and names one request. The
 * host sends a request when the one before has been answered, so the thread needs no queue. A request is answered by
 * any number of `event`s, then by exactly one `end`, with the call's result, or `error`. With `keep`, a thread sends
 * data that other threads need now, and that its successor needs after a crash.
 */
export interface SolverRequest<Name extends SolverCall = SolverCall> {
  readonly id: number;
  readonly name: Name;
  readonly input: InputOf<SolverCalls[Name]>;
}

/** A file that another thread opened; not answered. */
export interface SolverNews {
  readonly keep: KeptFile;
}

export type SolverReply =
  | { readonly type: 'event'; readonly id: number; readonly event: EventOf<SolverCalls[SolverCall]> }
  | { readonly type: 'end'; readonly id: number; readonly result: ResultOf<SolverCalls[SolverCall]> }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly failure: Failure | { readonly code: 'CANCELLED' };
    }
  | { readonly type: 'keep'; readonly file: KeptFile };

/** Start data of the thread. */
export interface SolverData {
  /**
   * One shared integer: the id of the last cancelled request. A solving thread reads no messages, but checks this at
   * every tick.
   */
  readonly cancelled: Int32Array;
  /** Files that a previous thread opened. */
  readonly files: readonly KeptFile[];
}
