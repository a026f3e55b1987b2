import type { RunSource } from '../../app/contract/history.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { Failure } from '../host/failure.ts';
import type { ResumedRun } from './recorder.ts';
import type { RunHistory } from './run-history.ts';

/** What the history's process is asked for by name. */
export type HistoryMethod =
  | 'list'
  | 'open'
  | 'remove'
  | 'restore'
  | 'annotate'
  | 'exportRuns'
  | 'importRuns'
  | 'copyTo'
  | 'close';

/** A run that the host has recorded; `key` is the host's name for it. */
export interface BegunRun {
  readonly key: number;
  readonly id: string;
  readonly spare: string;
  readonly source: RunSource;
  readonly begunMs: number;
  readonly request: TrainRequest;
  /** What it told so far: a process before this one may have written some of it. */
  readonly resumed: ResumedRun | null;
}

/** A call of one method; the answer has its `id`. */
export type HistoryCall = {
  [Name in HistoryMethod]: {
    readonly type: 'call';
    readonly id: number;
    readonly name: Name;
    readonly input: Parameters<RunHistory[Name]>;
  };
}[HistoryMethod];

export interface EndOfRun {
  readonly type: 'end';
  readonly id: number;
  readonly key: number;
  readonly outcome: 'over' | 'cancelled' | 'failed';
  readonly failure: string | null;
}

/**
 * Messages between the host and the process that has the database, the same over Node's child-process channel and
 * Electron's utility process. Plain data only. The process sends `ready` once; `folder` comes first. Each `call` and
 * each `end` is answered by one `answer` or `refusal`; `problem` comes when what keeps runs from being kept changes.
 */
export type ToHistory =
  | { readonly type: 'folder'; readonly folder: string; readonly mustExist?: true }
  | { readonly type: 'begin'; readonly run: BegunRun }
  | { readonly type: 'take'; readonly key: number; readonly event: TrainEvent }
  | HistoryCall
  | EndOfRun;

export type FromHistory =
  | { readonly type: 'ready' }
  | { readonly type: 'problem'; readonly problem: string | null }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure };
