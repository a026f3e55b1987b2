import type { Experiment } from '../../app/contract/experiment.ts';
import type { ExportRequest } from '../../app/contract/export-file.ts';
import type { GraphRequest, GraphView } from '../../app/contract/graph-view.ts';
import type { Annotation, History, ImportedRuns } from '../../app/contract/history.ts';
import type { Imported } from '../../app/contract/import-file.ts';
import type { LimitsEvent, LimitsRequest } from '../../app/contract/limits.ts';
import type { LiveTensors, LiveTensorsRequest } from '../../app/contract/live-tensors.ts';
import type { ParetoEvent, ParetoRequest } from '../../app/contract/pareto.ts';
import type { RecordedRun } from '../../app/contract/recorded-run.ts';
import type { ComparisonEvent, ModelInfoRow, StrategyInfo } from '../../app/contract/results.ts';
import type { TableEvent, TableRequest } from '../../app/contract/tables.ts';
import type { SteerRequest, TrainEvent, TrainRequest } from '../../app/contract/training.ts';

export interface Catalog {
  readonly models: ModelInfoRow[];
  readonly strategies: StrategyInfo[];
}

/**
 * Solves elsewhere than in the host's own thread. Streams throw LabFailure; an aborted signal, or
 * leaving the stream early, stops the work and makes the stream throw CancelledError.
 */
export interface SolverService {
  catalog(): Promise<Catalog>;
  importFile(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Imported>;
  /** What was opened and is still kept, the oldest first. */
  openedFiles(): Imported[];
  exportFile(wanted: ExportRequest, signal?: AbortSignal): Promise<string>;
  compare(experiment: Experiment, signal?: AbortSignal): AsyncIterable<ComparisonEvent>;
  graphView(request: GraphRequest, signal?: AbortSignal): Promise<GraphView>;
  liveTensors(request: LiveTensorsRequest, signal?: AbortSignal): Promise<LiveTensors>;
  table(request: TableRequest, signal?: AbortSignal): AsyncIterable<TableEvent>;
  limits(request: LimitsRequest, signal?: AbortSignal): AsyncIterable<LimitsEvent>;
  pareto(request: ParetoRequest, signal?: AbortSignal): AsyncIterable<ParetoEvent>;
  close(): Promise<void>;
}

/** Trains in another process, one run at a time (BUSY meanwhile). Stops as SolverService does. */
export interface TrainerService {
  train(request: TrainRequest, signal?: AbortSignal): AsyncIterable<TrainEvent>;
  /** Pauses or resumes the run of this name at its next step; whether there is one. */
  steer(request: SteerRequest): boolean;
  close(): Promise<void>;
}

/** Keeps training runs for later. Throws BadInputError where it cannot do what is asked for. */
export interface HistoryService {
  list(): History;
  open(id: string): RecordedRun;
  remove(ids: readonly string[]): void;
  restore(ids: readonly string[]): void;
  annotate(annotation: Annotation): void;
  exportRuns(ids: readonly string[]): string;
  importRuns(bytes: Uint8Array): ImportedRuns;
  /** Passes a run's events on, and keeps them; a failure to keep them never reaches the run. */
  record(request: TrainRequest, events: AsyncIterable<TrainEvent>): AsyncIterable<TrainEvent>;
  close(): void;
}

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
