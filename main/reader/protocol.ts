import type { InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { SolverCalls } from '../../app/contract/solver-calls.ts';
import type { Failure } from '../host/failure.ts';

/** Calls whose input is a file from elsewhere. */
export type ReadCall = 'importFile' | 'readMeasured';

export type ReadInput = InputOf<SolverCalls[ReadCall]>;
export type ReadResult<Name extends ReadCall = ReadCall> = ResultOf<SolverCalls[Name]>;

/** One file at a time; it is asked for the next after its answer. */
export interface ToReader {
  readonly name: ReadCall;
  readonly input: ReadInput;
}

/** `ready` once, then one answer a file. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: ReadResult }
  | { readonly type: 'failure'; readonly failure: Failure };
