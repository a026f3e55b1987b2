import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { SolverCall, SolverCalls } from '../../app/contract/solver-calls.ts';
import type { Failure } from '../host/failure.ts';
import type { KeptFile } from './kept-files.ts';

/**
 * Messages between the host and the solver's thread; plain data. `id` is chosen by the host and names one
 * request. The host sends a request when the one before has been answered, so the thread needs no queue.
 * A request is answered by any number of `event`s, then by exactly one `end`, with the call's result, or `error`.
 * Data that the thread must know again after it was lost, and every other thread at once, it gives away by `keep`.
 */
export interface SolverRequest<Name extends SolverCall = SolverCall> {
  readonly id: number;
  readonly name: Name;
  readonly input: InputOf<SolverCalls[Name]>;
}

/** Told to a thread, which answers nothing: a file that another one was given. */
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
   * One shared integer: the id of the request that was cancelled last. A thread that solves reads no
   * messages, but it can look here whenever a strategy ticks.
   */
  readonly cancelled: Int32Array;
  /** Files that a previous thread was given. */
  readonly files: readonly KeptFile[];
}
