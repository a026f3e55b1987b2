import type { Graph } from '../../engine/graph/graph.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { BatchSource } from './data/batch.ts';
import type { Progress } from './progress.ts';
import type { Supervision } from './supervision.ts';

/** The common context of all measurements of one run. */
export interface MeasurementContext {
  readonly backend: OpenBackend;
  readonly seed: number;
  readonly supervision: Supervision;
  readonly progress: Progress;
  /** Batches for a network, from the run's data. */
  dataOf(graph: Graph): BatchSource;
}
