import type { Experiment } from '../../app/contract/experiment.ts';
import type { ExportRequest } from '../../app/contract/export-file.ts';
import type { GraphRequest, GraphView } from '../../app/contract/graph-view.ts';
import type { Imported } from '../../app/contract/import-file.ts';
import type { LimitsEvent, LimitsRequest } from '../../app/contract/limits.ts';
import type { LiveTensors, LiveTensorsRequest } from '../../app/contract/live-tensors.ts';
import type { ParetoEvent, ParetoRequest } from '../../app/contract/pareto.ts';
import type { ComparisonEvent } from '../../app/contract/results.ts';
import type { TableEvent, TableRequest } from '../../app/contract/tables.ts';
import type { Failure } from '../host/failure.ts';
import type { Catalog } from '../host/services.ts';
import type { KeptFile } from './kept-files.ts';

/**
 * Messages between the host and the solver's thread; plain data. `id` is chosen by the host and names one
 * request. The host sends a request when the one before has been answered, so the thread needs no queue.
 * A request is answered by any number of `event`s, one `catalog`, `imported`, `exported`, `live-tensors` or `graph-view`, then by exactly one `end`
 * or `error`.
 */
export type SolverRequest =
  | { readonly type: 'catalog'; readonly id: number }
  | { readonly type: 'export'; readonly id: number; readonly wanted: ExportRequest }
  | { readonly type: 'import'; readonly id: number; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: 'graph-view'; readonly id: number; readonly network: GraphRequest }
  | { readonly type: 'live-tensors'; readonly id: number; readonly wanted: LiveTensorsRequest }
  | { readonly type: 'table'; readonly id: number; readonly table: TableRequest }
  | { readonly type: 'limits'; readonly id: number; readonly limits: LimitsRequest }
  | { readonly type: 'pareto'; readonly id: number; readonly network: ParetoRequest }
  | { readonly type: 'compare'; readonly id: number; readonly experiment: Experiment };

export type SolverReply =
  | { readonly type: 'catalog'; readonly id: number; readonly catalog: Catalog }
  | { readonly type: 'exported'; readonly id: number; readonly text: string }
  | { readonly type: 'imported'; readonly id: number; readonly imported: Imported }
  | { readonly type: 'graph-view'; readonly id: number; readonly view: GraphView }
  | { readonly type: 'live-tensors'; readonly id: number; readonly tensors: LiveTensors }
  | { readonly type: 'table'; readonly id: number; readonly event: TableEvent }
  | { readonly type: 'limits'; readonly id: number; readonly event: LimitsEvent }
  | { readonly type: 'pareto'; readonly id: number; readonly event: ParetoEvent }
  | { readonly type: 'event'; readonly id: number; readonly event: ComparisonEvent }
  | { readonly type: 'end'; readonly id: number }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly failure: Failure | { readonly code: 'CANCELLED' };
    };

/** What the thread is started with. */
export interface SolverData {
  /**
   * One shared integer: the id of the request that was cancelled last. A thread that solves reads no
   * messages, but it can look here whenever a strategy ticks.
   */
  readonly cancelled: Int32Array;
  /** Files that a former thread was given. */
  readonly files: readonly KeptFile[];
}
