import { GraphBuilder } from '../../engine/graph/builder.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import {
  ADD,
  ADD_INPLACE,
  avgPool,
  batchNorm,
  CONCAT,
  conv2d,
  dropout,
  FLATTEN,
  IDENTITY,
  linear,
  MULTIPLY,
  maxPool,
  RELU,
  RELU_INPLACE,
  SHIFT,
} from '../../engine/ops/make.ts';
import type { Profile } from '../../engine/ops/definition.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { draws } from './draws.ts';
import { GRAPH_KINDS, type RandomStGraph, randomStGraph } from './random-graphs.ts';
import { between, chance, createRng, pick, type Rng } from './rng.ts';

/** A graph of vertices known by their bytes alone, called v0, v1, ... */
export function bytesGraph({ n, edges, cost }: RandomStGraph): Graph {
  const inputs: number[][] = Array.from({ length: n }, () => []);
  for (const [from, to] of edges) inputs[to]?.push(from);
  const builder = new GraphBuilder('bytes');
  for (let v = 0; v < n; v++)
    builder.addOpaque(
      `v${v}`,
      cost[v] ?? 0,
      (inputs[v] ?? []).sort((a, b) => a - b),
    );
  return builder.build();
}

/** A chain v0 -> v1 -> ... of vertices known by their bytes alone. */
export function bytesChain(cost: readonly number[]): Graph {
  const edges = cost.slice(1).map((_, i): [number, number] => [i, i + 1]);
  return bytesGraph({ n: cost.length, edges, cost: [...cost] });
}

/** Bytes-only problem drawn with edges such as `0>1 1>2 0>2`. */
export function bytesProblem(cost: readonly number[], drawing: string): Problem {
  const edges = drawing.split(/\s+/).map((edge): [number, number] => {
    const [from, to] = edge.split('>').map(Number);
    return [from ?? 0, to ?? 0];
  });
  return createProblem(bytesGraph({ n: cost.length, edges, cost: [...cost] }), 'pytorch');
}

/**
 * The same as a capture of PyTorch says it: backward of some vertices allocates more at once than the gradients of its
 * inputs, or hands its own gradient on to them, and some results are held by the program.
 */
export function asCaptured(rng: Rng, { graph, memory, view }: Problem): Problem {
  const last = graph.size - 1;
  const observed = {
    backwardBytes: graph.bytes.map((own) => (chance(rng, 0.5) ? 0 : between(rng, 0, 3 * own))),
    heldUntil: Int32Array.from(graph.ids, (_, v) =>
      v > 0 && v < last && chance(rng, 0.3) ? between(rng, v + 1, last) : 0,
    ),
    besideBytes: graph.bytes.map((own, v) => (v === 0 || chance(rng, 0.7) ? 0 : between(rng, 0, own))),
    sharesGradient: Uint8Array.from(graph.ids, () => (chance(rng, 0.4) ? 1 : 0)),
  };
  return {
    graph: { ...graph, ...observed, keepsOrder: true },
    memory: { ...memory, ...observed },
    view,
  };
}

/**
 *       .-> v2 -.
 * v0 > v1       > v4 > v5 > v6
 *       '-> v3 -'
 */
export const FORK = bytesProblem([1, 1, 2, 3, 1, 1, 1], '0>1 1>2 1>3 2>4 3>4 4>5 5>6');
/** A complicate segment over everything: v0 > v1 > v2 > v3 with skips of two. */
export const RIGID = bytesProblem([1, 1, 1, 1], '0>1 1>2 2>3 0>2 1>3');

/** A small network of every kind of operation that keeps, shares or overwrites something. */
export function randomNetwork(rng: Rng, operations: number, batch = 2): Graph {
  const b = new GraphBuilder('random network');
  const open = new Set<number>([b.input('x', [batch, 4, 4, 4])]);
  const all = [0];
  const add = (...args: Parameters<GraphBuilder['add']>): number => {
    const v = b.add(...args);
    for (const u of args[2]) open.delete(Number(u));
    open.add(v);
    all.push(v);
    return v;
  };
  const take = (): number => (chance(rng, 0.7) ? pick(rng, [...open]) : pick(rng, all));
  const conv = conv2d(4, 3, { padding: 1 });
  for (let i = 0; b.size < operations; i++) {
    const u = take();
    const choice = rng.below(12);
    if (choice <= 1) add(`conv${i}`, conv, [u]);
    else if (choice === 2) add(`relu${i}`, RELU, [u]);
    else if (choice === 3) {
      add(`relu${i}`, RELU_INPLACE, [add(`conv${i}`, conv, [u])], 'join');
    } else if (choice === 4) {
      add(`relu${i}`, RELU_INPLACE, [add(`bn${i}`, batchNorm(), [u])], chance(rng, 0.5) ? 'join' : 'own');
    } else if (choice === 5) add(`pool${i}`, maxPool(3, { stride: 1, padding: 1 }), [u]);
    else if (choice === 6) add(`mean${i}`, avgPool(3, { stride: 1, padding: 1 }), [u]);
    else if (choice === 7) add(`drop${i}`, dropout(chance(rng, 0.8) ? 0.5 : 0), [u]);
    else if (choice === 8) add(`id${i}`, IDENTITY, [u]);
    else if (choice === 9) {
      const w = take();
      if (chance(rng, 0.5)) add(`add${i}`, chance(rng, 0.5) ? ADD_INPLACE : ADD, [u, w]);
      else add(`mul${i}`, MULTIPLY, [u, w]);
    } else if (choice === 10) {
      // A view of a part of its input, brought back to the common shape.
      const part = add(`shift${i}`, SHIFT, [u]);
      add(`conv${i}`, conv2d(4, 2, { padding: 1 }), [part]);
      all.splice(all.indexOf(part), 1);
    } else {
      // A residual block: the branch's last batch norm lies on the edge into the sum.
      const branch = add(`bn${i}`, batchNorm(), [add(`conv${i}`, conv, [u])], 'edge');
      add(`relu${i}`, RELU_INPLACE, [add(`add${i}`, ADD_INPLACE, [branch, u])], 'join');
      // The batch norm must keep its one consumer.
      all.splice(all.indexOf(branch), 1);
    }
  }
  const ends = [...open];
  const joined = ends.length === 1 ? (ends[0] ?? 0) : add('joined', CONCAT, ends);
  add('scores', linear(3), [add('flat', FLATTEN, [joined], 'join')]);
  return b.build();
}

/** The same graph with numbered modules of up to three operations each. */
export const inBlocks = (graph: Graph): Graph => ({
  ...graph,
  ids: graph.ids.map((id, v) => (v === 0 ? id : `blocks.${Math.floor(v / 3)}.${id}`)),
});

/** A stream of small random problems: bytes-only graphs of every kind and networks in both profiles. */
export function* randomProblems(count: number, seed: number, most = 12): Generator<[string, Problem]> {
  const rng = createRng(seed);
  for (let i = 0; i < draws(count); i++) {
    const name = `seed ${seed}, problem ${i}`;
    if (i % 3 === 2) {
      const profile: Profile = i % 2 === 0 ? 'pytorch' : 'tfjs';
      yield [name, createProblem(inBlocks(randomNetwork(rng, between(rng, 2, most))), profile)];
    } else {
      const kind = pick(rng, GRAPH_KINDS);
      yield [
        name,
        createProblem(bytesGraph(randomStGraph(rng, { vertices: between(rng, 2, most), kind })), 'pytorch'),
      ];
    }
  }
}
