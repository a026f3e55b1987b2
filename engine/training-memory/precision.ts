import type { Graph } from '../graph/graph.ts';
import { inHalf, underAutocast } from './autocast.ts';
import { isMixed, type Precision, weightBytes } from './setup.ts';

/**
 * A graph with the bytes that a precision gives its tensors. Networks of the zoo come built in `weightBytes`, and only a
 * mixed precision changes them; a file's tensors are changed from float32, one by one, wherever they are that.
 */
export function inPrecision(graph: Graph, precision: Precision): Graph {
  if (isMixed(precision)) return underAutocast(graph);
  return weightBytes(precision) < graph.bytesPerElement ? inHalf(graph) : graph;
}
