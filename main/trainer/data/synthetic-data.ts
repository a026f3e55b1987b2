import { type Graph, successorsOf } from '../../../engine/graph/graph.ts';
import type { BatchSource } from './batch.ts';
import { SyntheticImages } from './synthetic.ts';
import { SyntheticScenes } from './synthetic-scenes.ts';
import { SyntheticTokens } from './synthetic-tokens.ts';

/**
 * Synthetic data that a network can learn: tokens if it starts with an embedding, scenes if it outputs an image of
 * logits, else images of one class each.
 */
export function syntheticData(graph: Graph, seed: number): BatchSource {
  const source = graph.shapes[0] ?? [];
  const target = graph.shapes.at(-1) ?? [];
  if (graph.operations[0]?.kind === 'tokens') {
    return new SyntheticTokens(source, target, vocabularyOf(graph), seed);
  }
  if (target.length === 4) return new SyntheticScenes(source, target, seed);
  return new SyntheticImages(source, target[1] ?? 1, seed);
}

/** Size of the vocabulary that every embedding of the source covers. */
function vocabularyOf(graph: Graph): number {
  const counts = Array.from(successorsOf(graph, 0), (v) => {
    const op = graph.operations[v];
    return op?.kind === 'embedding' ? op.count : 1;
  });
  return counts.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY);
}
