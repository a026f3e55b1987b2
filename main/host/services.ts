import type { ServiceOf } from '../../app/contract/calls.ts';
import type { SolverCalls } from '../../app/contract/solver-calls.ts';
import type { TrainerCalls } from '../../app/contract/trainer-calls.ts';
import type { RunHistory } from '../history/run-history.ts';

/** Answers the solver's calls. */
export type SolverService = ServiceOf<SolverCalls> & { close(): Promise<void> };

/** Trains in another process, one run at a time (BUSY meanwhile). */
export type TrainerService = ServiceOf<TrainerCalls> & { close(): Promise<void> };

/** Keeps training runs for later. Throws BadInputError where it cannot do what is asked for. */
export type HistoryService = Omit<RunHistory, 'problem' | 'recorder'>;

export interface LabInfo {
  readonly version: string;
  readonly carrier: 'desktop' | 'browser' | 'test';
  readonly platform: string;
  readonly logicalCpus: number;
  readonly memoryBytes: number;
}

/** What the lab host is made of; each carrier serves the same four. */
export interface LabServices {
  readonly solver: SolverService;
  readonly trainer: TrainerService;
  readonly history: HistoryService;
  readonly info: LabInfo;
}
