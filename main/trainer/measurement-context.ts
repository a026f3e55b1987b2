import type { Graph } from '../../engine/graph/graph.ts';
import type { OpenBackend } from './backends/backend.ts';
import type { BatchSource } from './data/batch.ts';
import type { Progress } from './progress.ts';
import type { Supervision } from './supervision.ts';

/** Context that all measurements of one run share. */
export interface MeasurementContext {
  readonly backend: OpenBackend;
  readonly seed: number;
  readonly supervision: Supervision;
  readonly progress: Progress;
  /** Batches for a network, from the run's data. */
  dataOf(graph: Graph): BatchSource;
}
