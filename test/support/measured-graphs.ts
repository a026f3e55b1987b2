import { GraphBuilder } from '../../engine/graph/builder.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import type { OpaqueOp } from '../../engine/ops/opaque.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { draws } from './draws.ts';
import { GRAPH_KINDS, type GraphKind, randomStGraph } from './random-graphs.ts';
import { between, chance, createRng, pick, type Rng } from './rng.ts';

/** A vertex as somebody measured it; `inputs` are earlier vertices, in the operation's order. */
export interface MeasuredVertex {
  readonly bytes: number;
  readonly flops: number;
  readonly inputs: readonly number[];
  readonly keeps?: NonNullable<OpaqueOp['keeps']>;
  readonly alias?: NonNullable<OpaqueOp['alias']>;
}

/** A graph as data, so that a failing one can be printed, kept and made smaller. The first vertex is the source. */
export type MeasuredGraph = readonly MeasuredVertex[];

export interface MeasuredOptions {
  readonly vertices: number;
  readonly kind?: GraphKind;
  /** Edges beside those of the kind; none when absent. */
  readonly denser?: number;
}

/**
 * A random graph of everything that a file can state: what backward keeps (inputs, output, neither), auxiliaries
 * that grow and that are fixed, views, operations in place, several consumers, no bytes at all, with FLOPs or without.
 */
export function measuredGraph(rng: Rng, options: MeasuredOptions): MeasuredGraph {
  const { vertices, kind = pick(rng, GRAPH_KINDS), denser = 0 } = options;
  const { edges, cost } = randomStGraph(rng, { vertices, kind });
  const inputs: number[][] = cost.map(() => []);
  for (const [from, to] of edges) inputs[to]!.push(from);
  for (let i = 0; i < denser; i++) {
    const to = between(rng, 1, vertices - 1);
    const from = rng.below(to);
    if (!inputs[to]!.includes(from)) inputs[to]!.push(from);
  }
  const hasFlops = chance(rng, 0.5);
  const rate = pick(rng, [0, 0.3, 0.6, 1]);
  const zeroes = pick(rng, [0, 0.1, 0.5]);
  const bytes = cost.map((value) => (chance(rng, zeroes) ? 0 : value));
  return inputs.map((own, v): MeasuredVertex => {
    const flops = v > 0 && hasFlops && !chance(rng, zeroes) ? between(rng, 1, 20) : 0;
    const plain = { bytes: bytes[v]!, flops, inputs: own };
    if (v === 0 || !chance(rng, rate)) return plain;
    const keeps = {
      inputs: own.map((_, position) => position).filter(() => chance(rng, 0.4)),
      output: chance(rng, 0.4),
      auxBytes: chance(rng, 0.25) ? between(rng, 1, 6) : 0,
      fixedAuxBytes: chance(rng, 0.25) ? between(rng, 1, 6) : 0,
    };
    if (!chance(rng, 0.35)) return { ...plain, keeps };
    const alias = pick(rng, ['view', 'inplace'] as const);
    // A view is no larger than its storage; half of the views cover all of it.
    const first = bytes[own[0]!]!;
    if (alias === 'inplace' || chance(rng, 0.5)) bytes[v] = first;
    else bytes[v] = Math.min(first, bytes[v]!);
    return { ...plain, bytes: bytes[v]!, keeps, alias };
  });
}

export function graphOf(measured: MeasuredGraph): Graph {
  const builder = new GraphBuilder('measured');
  measured.forEach(({ bytes, flops, inputs, keeps, alias }, v) => {
    const op: OpaqueOp = {
      kind: 'opaque',
      label: '',
      ...(keeps === undefined ? {} : { keeps }),
      ...(alias === undefined ? {} : { alias }),
    };
    builder.addGiven(`v${v}`, op, inputs, 'own', { bytes, flops });
  });
  return builder.build();
}

export function measuredProblem(measured: MeasuredGraph): Problem {
  return createProblem(graphOf(measured), 'pytorch');
}

/** A stream of them, each with its text for a message. */
export function* measuredProblems(
  count: number,
  seed: number,
  { least = 3, most = 9 }: { readonly least?: number; readonly most?: number } = {},
): Generator<[string, Problem, MeasuredGraph]> {
  const rng = createRng(seed);
  for (let i = 0; i < draws(count); i++) {
    const vertices = between(rng, least, most);
    const denser = chance(rng, 0.3) ? between(rng, 1, vertices) : 0;
    const measured = measuredGraph(rng, { vertices, denser });
    yield [`seed ${seed}, graph ${i}: ${JSON.stringify(measured)}`, measuredProblem(measured), measured];
  }
}
