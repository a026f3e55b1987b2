import { measuredProblem, type MeasuredGraph, type MeasuredVertex } from './measured-graphs.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { draws } from './draws.ts';
import { between, chance, createRng, pick, type Rng } from './rng.ts';

/** Vertices of a stage beside the one that ends it. */
const SIZES = [0, 0, 1, 1, 2, 3, 4] as const;

/**
 * A random chain of stages as data: each a few vertices between two that every path passes, with shortcuts from the stage's
 * entry, and everything that a file can state of what backward keeps, auxiliaries, views and operations in place.
 */
export function stagedGraph(rng: Rng, vertices: number): MeasuredGraph {
  const graph: MeasuredVertex[] = [{ bytes: between(rng, 0, 4), flops: 0, inputs: [] }];
  const most = pick(rng, [4, 12, 40]);
  const rate = pick(rng, [0, 0.3, 0.8]);
  let entry = 0;
  while (graph.length < vertices) {
    const inner = Math.min(pick(rng, SIZES), vertices - graph.length - 1);
    const open = new Set<number>();
    for (let i = 0; i <= inner; i++) {
      const v = graph.length;
      const isEnd = i === inner;
      const first = isEnd && open.size > 0 ? [...open] : [between(rng, entry, v - 1)];
      const inputs = new Set(first.filter((u) => u >= entry));
      if (inputs.size === 0) inputs.add(entry);
      if (v > entry + 1 && chance(rng, 0.4)) inputs.add(between(rng, entry, v - 1));
      const own = chance(rng, 0.5) ? [...inputs] : [...inputs].reverse();
      for (const u of own) open.delete(u);
      open.add(v);
      graph.push(vertex(rng, graph, own, most, rate));
    }
    entry = graph.length - 1;
  }
  return graph;
}

function vertex(
  rng: Rng,
  graph: MeasuredGraph,
  inputs: readonly number[],
  most: number,
  rate: number,
): MeasuredVertex {
  const plain = { bytes: chance(rng, 0.1) ? 0 : between(rng, 1, most), flops: 0, inputs };
  if (!chance(rng, rate)) return plain;
  const keeps = {
    inputs: inputs.map((_, position) => position).filter(() => chance(rng, 0.5)),
    output: chance(rng, 0.4),
    auxBytes: chance(rng, 0.2) ? between(rng, 1, 6) : 0,
    fixedAuxBytes: chance(rng, 0.1) ? between(rng, 1, 6) : 0,
  };
  if (!chance(rng, 0.4)) return { ...plain, keeps };
  const alias = pick(rng, ['view', 'inplace'] as const);
  const bytes = graph[inputs[0]!]!.bytes;
  return {
    ...plain,
    keeps,
    alias,
    bytes: alias === 'view' && chance(rng, 0.5) ? Math.min(bytes, plain.bytes) : bytes,
  };
}

/** A stream of them, each with its text for a message. */
export function* stagedProblems(
  count: number,
  seed: number,
  { least = 4, most = 11 }: { readonly least?: number; readonly most?: number } = {},
): Generator<[string, Problem]> {
  const rng = createRng(seed);
  for (let i = 0; i < draws(count); i++) {
    const graph = stagedGraph(rng, between(rng, least, most));
    yield [`seed ${seed}, graph ${i}: ${JSON.stringify(graph)}`, measuredProblem(graph)];
  }
}
