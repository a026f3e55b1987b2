import { type Keeps, KEEPS_NOTHING } from '../ops/definition.ts';
import type { ChunkedLoss, Graph } from './graph.ts';

/** The graph with a loss in place of the scores of its last vertex, whose backward computes nothing. */
export function endInLoss(graph: Graph, chunkedLoss: ChunkedLoss): Graph {
  const last = graph.size - 1;
  const changed = (column: Float64Array, value: number): Float64Array => {
    const own = Float64Array.from(column);
    own[last] = value;
    return own;
  };
  return {
    ...graph,
    shapes: [...graph.shapes.slice(0, last), [1]],
    bytes: changed(graph.bytes, graph.bytesPerElement),
    flops: changed(graph.flops, chunkedLoss.products * (graph.flops[last] ?? 0)),
    backwardFlops: changed(graph.backwardFlops, 0),
    chunkedLoss,
  };
}

/**
 * Backward scales the gradient of the input, which forward has computed. No plan may drop it, as if it were of every batch
 * alike: to compute the loss again costs the head's three products and saves nothing at that time.
 *
 * @param inputBytes of that gradient
 */
export const keepsOfLoss = (inputBytes: number): Keeps => ({ ...KEEPS_NOTHING, fixedAuxBytes: inputBytes });
