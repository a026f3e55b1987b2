import type { Failure } from '../host/failure.ts';
import type { RunHistory } from './run-history.ts';

/** Methods that the host calls in the history process. */
export type HistoryMethod =
  | 'save'
  | 'list'
  | 'open'
  | 'remove'
  | 'restore'
  | 'annotate'
  | 'exportRuns'
  | 'importRuns'
  | 'copyTo'
  | 'close';

/** A call of one method; the answer has its `id`. */
export type HistoryCall = {
  [Name in HistoryMethod]: {
    readonly type: 'call';
    readonly id: number;
    readonly name: Name;
    readonly input: Parameters<RunHistory[Name]>;
  };
}[HistoryMethod];

/**
 * Messages between the host and the history process, the same over Node's child-process channel and Electron's utility
 * process. Plain data only. The process sends `ready` once; the host sends `folder` first. Each `call` gets one
 * `answer` or `refusal`.
 */
export type ToHistory =
  | { readonly type: 'folder'; readonly folder: string; readonly mustExist: boolean }
  | HistoryCall;

export type FromHistory =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure };
