import { BadInputError } from '../errors.ts';
import type { Shape } from '../ops/definition.ts';
import { definitionOf, type Operation } from '../ops/operation.ts';
import { clipped } from '../sentence.ts';
import { figuresOf } from './figures.ts';
import type { GivenVertex } from './given-vertex.ts';

/** Names of several inputs and several outputs once joined, as a capture of PyTorch names them. */
export const JOINED_SOURCE = 'zigzag_source';
export const JOINED_TARGET = 'zigzag_target';

/** A graph as it was given, and behind its vertices those that join its ends. */
export interface Joined {
  readonly vertices: readonly GivenVertex[];
  /** Inputs of each vertex, by index. */
  readonly inputs: readonly (readonly number[])[];
  /** 1 for an input that the joined source stands for: it is no longer a vertex. */
  readonly merged: Uint8Array;
}

/**
 * Joins several sources and several targets as a capture of a PyTorch model does. All inputs become one source
 * that holds the sum of their bytes; what computes but reads nothing (it states FLOPs, parameters or what its
 * backward keeps) reads that source from then on. All that nothing reads is read by a target of 0 bytes. One
 * end stays as it is. Nothing is joined where there is no end at all: that is a cycle.
 * Time and space O(V + E).
 *
 * @throws BadInputError where nothing reads anything, where an operation lacks its inputs, where an id is taken
 */
export function joinEnds(
  given: readonly GivenVertex[],
  read: readonly (readonly number[])[],
  bytesPerElement: number,
): Joined {
  const sources = given.map((_, v) => v).filter((v) => read[v]!.length === 0);
  if (sources.length === given.length) {
    throw new BadInputError('expected at least one edge', 'edges');
  }
  const vertices = [...given];
  let inputs = read;
  const merged = new Uint8Array(given.length + 2);
  if (sources.length > 1) {
    const entries = sources.filter((v) => !computes(given[v]!, v));
    const source = entries.length === 1 ? entries[0]! : vertices.length;
    if (source === vertices.length) {
      vertices.push(
        joinedSource(
          entries.map((v) => given[v]!),
          bytesPerElement,
        ),
      );
      for (const v of entries) merged[v] = 1;
    }
    inputs = vertices.map((_, v) => {
      const own = read[v] ?? [];
      if (v !== source && own.length === 0 && merged[v] === 0) return [source];
      return own.map((u) => (merged[u] === 1 ? source : u));
    });
  }
  const isRead = new Uint8Array(vertices.length);
  for (const list of inputs) for (const u of list) isRead[u] = 1;
  const ends = vertices.map((_, v) => v).filter((v) => isRead[v] === 0 && merged[v] === 0);
  if (ends.length > 1) {
    vertices.push({ id: JOINED_TARGET, op: { kind: 'opaque', label: 'outputs', keeps: KEPT }, bytes: 0 });
    inputs = [...inputs, ends];
  }
  requireFree(vertices.slice(given.length), given, merged);
  return { vertices, inputs, merged };
}

const UNKNOWN: Operation = { kind: 'opaque', label: '' };
const KEPT = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };

/** True if a vertex that reads nothing is an operation all the same. */
function computes({ id, op = UNKNOWN, flops = 0, parameters = 0 }: GivenVertex, v: number): boolean {
  if (op.kind === 'opaque') return flops > 0 || parameters > 0 || op.keeps !== undefined;
  if (definitionOf(op).arity === 0) return false;
  throw new BadInputError(
    `no edge enters ${JSON.stringify(clipped(id))}, and ${op.kind} needs one`,
    `vertices[${v}]`,
  );
}

function joinedSource(inputs: readonly GivenVertex[], bytesPerElement: number): GivenVertex {
  const bytes = inputs
    .map(({ id, op = UNKNOWN, ...figures }) => figuresOf(id, op, [], [], figures, bytesPerElement).bytes)
    .reduce((sum, one) => sum + one, 0);
  if (Number.isSafeInteger(bytes))
    return { id: JOINED_SOURCE, op: { kind: 'opaque', label: 'inputs' }, bytes };
  throw new BadInputError(`the inputs take more than ${Number.MAX_SAFE_INTEGER} bytes`, 'vertices');
}

function requireFree(
  joining: readonly GivenVertex[],
  given: readonly GivenVertex[],
  merged: Uint8Array,
): void {
  for (const { id } of joining) {
    const at = given.findIndex((vertex, v) => vertex.id === id && merged[v] === 0);
    if (at < 0) continue;
    const ends = id === JOINED_SOURCE ? 'sources' : 'targets';
    throw new BadInputError(
      `${JSON.stringify(id)} is the name of what joins several ${ends}`,
      `vertices[${at}].id`,
    );
  }
}

/**
 * An operation that reads a joined source. That has no shape, so what was inferred from the shapes of the inputs
 * (and what backward keeps under the `pytorch` profile) is stated instead.
 * @param shapes of what the operation read before the join
 */
export function stated(
  vertex: GivenVertex,
  op: Operation,
  shapes: readonly Shape[],
  bytesPerElement: number,
): GivenVertex & { readonly op: Operation } {
  const { shape, bytes, flops, parameters } = figuresOf(vertex.id, op, [], shapes, vertex, bytesPerElement);
  const definition = definitionOf(op);
  const view = definition.aliasing(op, 'pytorch') === 'view';
  const keeps = definition.keeps(op, 'pytorch', shapes, shape);
  return {
    ...vertex,
    op: { kind: 'opaque', label: op.kind, keeps, ...(view ? { alias: 'view' } : {}) },
    ...{ shape, bytes, flops, parameters },
  };
}
