import type { Coverage } from '../../engine/exchange/coverage.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import type { Shape } from '../../engine/ops/definition.ts';
import { createProblem } from '../../engine/problem.ts';
import { simulateTotals } from '../../engine/simulate/simulate.ts';
import { regular } from '../../engine/strategies/regular.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import type { Imported } from './imported.ts';

const LARGEST = 5;

/** Summary of an imported file, for people to check. */
export interface ImportSummary {
  readonly format: Imported['format'];
  readonly vertices: number;
  readonly edges: number;
  /** Operations that the capture supports; null for other files. */
  readonly coverage: Coverage | null;
  /** Samples that the file itself holds. */
  readonly samples: number;
  /** Caveats for the reader of the figures, in sentences. */
  readonly notices: readonly string[];
  /** Operations of the file that became part of another vertex or a constant. */
  readonly folded: number;
  /** Kinds of operations taken by their bytes alone, because nobody knows what their backward keeps. */
  readonly opaque: readonly string[];
  readonly parameters: number;
  /** Bytes that a regular step saves for backward, inputs included. */
  readonly keptBytes: number;
  readonly largestTensors: readonly { readonly id: string; readonly bytes: number; readonly shape: Shape }[];
}

export function summarise({
  graph,
  format,
  coverage,
  samples,
  notices,
  folded,
  unknown,
}: Imported): ImportSummary {
  return {
    format,
    vertices: graph.size,
    edges: graph.edgeCount,
    coverage,
    samples,
    notices,
    folded,
    opaque: [...new Set([...unknown, ...opaqueKinds(graph)])].sort(),
    parameters: graph.parameters.reduce((sum, count) => sum + count, 0),
    keptBytes: keptBytes(graph),
    largestTensors: largest(graph),
  };
}

function opaqueKinds(graph: Graph): readonly string[] {
  return graph.operations.flatMap((op) =>
    op.kind === 'opaque' && op.keeps === undefined ? [op.label || 'opaque'] : [],
  );
}

function keptBytes(graph: Graph): number {
  const problem = createProblem(graph, 'pytorch');
  const plan = regular.plan(problem, { seed: 1 }, NO_CONTROL);
  return plan.applicable ? simulateTotals(graph, problem.memory, plan.schedule).savedBytes : 0;
}

function largest(graph: Graph): ImportSummary['largestTensors'] {
  const order = Array.from(graph.bytes.keys()).sort(
    (a, b) => (graph.bytes[b] ?? 0) - (graph.bytes[a] ?? 0) || a - b,
  );
  return order.slice(0, LARGEST).map((v) => ({
    id: graph.ids[v] ?? '',
    bytes: graph.bytes[v] ?? 0,
    shape: graph.shapes[v] ?? [],
  }));
}
