import type { TensorGraph } from '../../../../engine/paper/tensor-graph.ts';

/** The edges of a computation graph as pairs, by their number. */
export const edgesOf = ({ edgeFrom, edgeTo }: TensorGraph): (readonly [from: number, to: number])[] =>
  Array.from(edgeFrom, (from, e) => [from, edgeTo[e]!]);
