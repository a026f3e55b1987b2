import type { ServiceOf } from '../../app/contract/calls.ts';
import type { SetupCalls } from '../../app/contract/setup-calls.ts';
import type { SolverCalls } from '../../app/contract/solver-calls.ts';
import type { TrainerCalls } from '../../app/contract/trainer-calls.ts';
import type { Annotation, ExportedRuns, History, ImportedRuns } from '../../app/contract/history.ts';
import type { RecordedRun } from '../../app/contract/recorded-run.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';

/** Answers the solver's calls. */
export type SolverService = ServiceOf<SolverCalls> & { close(): Promise<void> };

/** Trains in another process, one run at a time (BUSY meanwhile). */
export type TrainerService = ServiceOf<TrainerCalls> & { close(): Promise<void> };

/** Installs optional parts of the lab. */
export type SetupService = ServiceOf<SetupCalls> & { close(): Promise<void> };

type Soon<T> = T | Promise<T>;

/** Stores training runs. Throws BadInputError for a request that it cannot fulfil. */
export interface HistoryService {
  list(): Soon<History>;
  open(id: string): Soon<RecordedRun>;
  remove(ids: readonly string[]): Soon<void>;
  restore(ids: readonly string[]): Soon<void>;
  annotate(annotation: Annotation): Soon<void>;
  exportRuns(ids: readonly string[]): Soon<ExportedRuns>;
  importRuns(bytes: Uint8Array, makeRoom: boolean): Soon<ImportedRuns>;
  /** Passes a run's events on and stores them; a failure to store them never reaches the run. */
  record(request: TrainRequest, events: AsyncIterable<TrainEvent>): AsyncGenerator<TrainEvent, void, void>;
  close(): Soon<void>;
}

export interface LabInfo {
  readonly version: string;
  readonly carrier: 'desktop' | 'browser' | 'site' | 'test';
  readonly platform: string;
  readonly logicalCpus: number;
  readonly memoryBytes: number | null;
  /** Address of the static site for self-contained links. */
  readonly site: string | null;
}

/** The five parts of the lab host; every carrier serves the same. */
export interface LabServices {
  readonly solver: SolverService;
  readonly trainer: TrainerService;
  readonly history: HistoryService;
  readonly setup: SetupService;
  readonly info: LabInfo;
}
