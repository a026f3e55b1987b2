import type { InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { SolverCalls } from '../../app/contract/solver-calls.ts';
import type { Failure } from '../host/failure.ts';

/** Calls whose input is an untrusted file. */
export type ReadCall = 'importFile' | 'readMeasured';

export type ReadInput = InputOf<SolverCalls[ReadCall]>;
export type ReadResult<Name extends ReadCall = ReadCall> = ResultOf<SolverCalls[Name]>;

/** One file at a time: the next is sent after the answer. */
export interface ToReader {
  readonly name: ReadCall;
  readonly input: ReadInput;
}

/** `ready` once, then one answer per file. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: ReadResult }
  | { readonly type: 'failure'; readonly failure: Failure };
