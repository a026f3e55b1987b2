import { BadInputError } from '../errors.ts';
import { type Aliasing, PROFILES } from '../ops/definition.ts';
import { memoryModel } from '../ops/memory-model.ts';
import { definitionOf } from '../ops/operation.ts';
import { clipped } from '../sentence.ts';
import { type Graph, idOf, predecessorsOf } from './graph.ts';

const TOGETHER = `take more than ${Number.MAX_SAFE_INTEGER} bytes together; choose a smaller batch or input`;

/**
 * Condition of every figure of a graph from elsewhere: no sum of its bytes (all outputs, their gradients and what
 * operations keep besides, under every profile, which no step of a schedule exceeds), of its FLOPs or of its
 * parameters leaves the integers that a number holds exactly, and nothing is overwritten in place by what is larger
 * than it. Time and space O(V + E).
 *
 * @param placeOf where the input speaks of a vertex of the graph
 * @throws BadInputError with the first place at which that is not so
 */
export function requireExact(graph: Graph, placeOf: (vertex: number) => string): void {
  requireRoom(graph, placeOf);
  for (const profile of PROFILES) {
    const { outputBytes, gradientBytes, auxBytes } = memoryModel(graph, profile);
    requireSum(
      graph,
      (v) => (outputBytes[v] ?? 0) + (gradientBytes[v] ?? 0),
      (v) => {
        return new BadInputError(
          `the tensors up to this one and their gradients ${TOGETHER}`,
          `${placeOf(v)}.bytes`,
        );
      },
    );
    requireSum(
      graph,
      (v) => (outputBytes[v] ?? 0) + (gradientBytes[v] ?? 0) + (auxBytes[v] ?? 0),
      (v) => {
        const what = 'the tensors up to this one, their gradients and the auxiliaries of operations';
        return new BadInputError(`${what} ${TOGETHER}`, `${placeOf(v)}.keeps`);
      },
    );
  }
  requireSum(
    graph,
    (v) => graph.flops[v] ?? 0,
    (v) => {
      const what = `the FLOPs up to this operation are more than ${Number.MAX_SAFE_INTEGER}`;
      return new BadInputError(`${what}; choose a smaller batch or input`, `${placeOf(v)}.flops`);
    },
  );
  requireSum(
    graph,
    (v) => graph.parameters[v] ?? 0,
    (v) => {
      const what = `the parameters up to this operation are more than ${Number.MAX_SAFE_INTEGER}`;
      return new BadInputError(what, `${placeOf(v)}.params`);
    },
  );
}

function requireSum(
  { size }: Graph,
  figureOf: (vertex: number) => number,
  refusal: (vertex: number) => BadInputError,
): void {
  let sum = 0;
  for (let v = 0; v < size; v++) {
    sum += figureOf(v);
    if (!(Number.isSafeInteger(sum) && sum >= 0)) throw refusal(v);
  }
}

/**
 * A storage cannot grow: what is written over a smaller tensor would be counted as if it were as small. Nothing is
 * written over a view (memory-model.ts), so that its bytes do not matter.
 */
function requireRoom(graph: Graph, placeOf: (vertex: number) => string): void {
  for (let v = 1; v < graph.size; v++) {
    if (aliasingOf(graph, v) !== 'inplace') continue;
    const first = predecessorsOf(graph, v)[0] ?? 0;
    const [bytes = 0, room = 0] = [graph.bytes[v], graph.bytes[first]];
    if (bytes <= room || aliasingOf(graph, first) === 'view') continue;
    throw new BadInputError(
      `expected at most the ${room} bytes of its first input ${JSON.stringify(clipped(idOf(graph, first)))}, which it overwrites in place, got ${bytes}`,
      `${placeOf(v)}.bytes`,
    );
  }
}

function aliasingOf({ operations }: Graph, v: number): Aliasing {
  const op = operations[v];
  return op === undefined ? 'none' : definitionOf(op).aliasing(op, 'pytorch');
}
