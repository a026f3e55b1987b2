import { BadInputError } from '../errors.ts';
import { clipped } from '../sentence.ts';
import type { Shape } from '../ops/definition.ts';
import type { Operation } from '../ops/operation.ts';
import { type BuilderOptions, GraphBuilder } from './builder.ts';
import { defaultRoles } from './default-roles.ts';
import type { GivenVertex } from './given-vertex.ts';
import type { Graph } from './graph.ts';
import { joinEnds, stated } from './join-ends.ts';
import { requireExact } from './require-exact.ts';
import { topologicalOrder } from './topological-order.ts';

export interface GivenGraph extends BuilderOptions {
  readonly name: string;
  readonly vertices: readonly GivenVertex[];
  /** From producer to consumer; the order of a consumer's edges is the order of its inputs. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  /** True joins several sources or targets (join-ends.ts); refused where not given. */
  readonly joinsEnds?: boolean;
  /** Place of a vertex in the input, for errors; `vertices[17]` where not given. */
  readonly placeOf?: (index: number) => string;
}

/**
 * Builds a graph from vertices and edges in any order. What a file states (bytes, FLOPs, parameters)
 * goes before what would be inferred; an operation whose input shapes nobody knows is taken as opaque.
 * Time O(E + V log V).
 *
 * @throws BadInputError with the path of the fault (`vertices[17].bytes: expected ...`)
 */
export function graphFromVerticesAndEdges(given: GivenGraph): Graph {
  const { bytesPerElement = 4, joinsEnds = false, placeOf = (index: number) => `vertices[${index}]` } = given;
  if (given.vertices.length < 2) {
    throw new BadInputError(`expected at least two vertices, got ${given.vertices.length}`, 'vertices');
  }
  const read = readEdges(
    given,
    indexById(
      given.vertices.map(({ id }) => id),
      placeOf,
    ),
  );
  for (const [index, vertex] of given.vertices.entries()) requireFigures(vertex, placeOf(index));
  const joined = joinsEnds ? joinEnds(given.vertices, read, bytesPerElement) : null;
  const { vertices, inputs } = joined ?? { vertices: given.vertices, inputs: read };
  const ids = vertices.map((vertex) => vertex.id);
  if (joined === null) requireEnds(ids, inputs);
  const order = topologicalOrder(inputs, ids);
  const isMerged = (v: number): boolean => joined?.merged[v] === 1;
  const joinsSources = joined?.merged.includes(1) ?? false;

  const builder = new GraphBuilder(given.name, { bytesPerElement });
  const handles = new Int32Array(vertices.length);
  for (const index of order) {
    if (isMerged(index)) continue;
    const vertex = vertices[index]!;
    const handleInputs = inputs[index]!.map((u) => handles[u]!);
    const shapes = (read[index] ?? []).map((u) =>
      isMerged(u) ? (vertices[u]!.shape ?? []) : builder.shapeOf(handles[u]!),
    );
    const op = operationOf(vertex, shapes);
    try {
      // A head that shares a table finds none where the embedding read a joined source.
      const isStated =
        joinsSources && op.kind !== 'opaque' && (op.kind === 'tied-linear' || read[index]!.some(isMerged));
      const added = isStated ? stated(vertex, op, shapes, bytesPerElement) : { ...vertex, op };
      handles[index] = builder.addGiven(vertex.id, added.op, handleInputs, vertex.role ?? 'own', added);
    } catch (error) {
      if (error instanceof BadInputError && error.path !== placeOf(index)) {
        throw new BadInputError(error.message, placeOf(index));
      }
      throw error;
    }
  }
  const graph = builder.build();
  const places = order.filter((index) => !isMerged(index));
  requireExact(graph, (v) => {
    const index = places[v] ?? 0;
    return index < given.vertices.length ? placeOf(index) : 'vertices';
  });
  if (vertices.some((vertex) => vertex.role !== undefined)) return graph;
  return { ...graph, roles: defaultRoles(graph) };
}

function indexById(ids: readonly string[], placeOf: (index: number) => string): Map<string, number> {
  const indices = new Map<string, number>();
  ids.forEach((id, index) => {
    const first = indices.get(id);
    if (first !== undefined) {
      throw new BadInputError(
        `the id ${JSON.stringify(clipped(id))} is already used by ${placeOf(first)}`,
        `${placeOf(index)}.id`,
      );
    }
    indices.set(id, index);
  });
  return indices;
}

function readEdges(given: GivenGraph, indices: ReadonlyMap<string, number>): number[][] {
  const inputs: number[][] = given.vertices.map(() => []);
  const resolve = (id: string | undefined, position: number, end: 0 | 1): number => {
    const index = id === undefined ? undefined : indices.get(id);
    if (index !== undefined) return index;
    throw new BadInputError(
      `there is no vertex ${JSON.stringify(clipped(id ?? ''))}`,
      `edges[${position}][${end}]`,
    );
  };
  given.edges.forEach((edge, position) => {
    const from = resolve(edge[0], position, 0);
    const to = resolve(edge[1], position, 1);
    if (from === to) {
      throw new BadInputError(
        `${JSON.stringify(clipped(edge[0]))} cannot be its own input`,
        `edges[${position}]`,
      );
    }
    inputs[to]!.push(from);
  });
  return inputs;
}

/** A cycle may leave no source or target at all; that is for `topologicalOrder` to say. */
function requireEnds(ids: readonly string[], inputs: readonly (readonly number[])[]): void {
  const read = new Uint8Array(ids.length);
  for (const list of inputs) for (const u of list) read[u] = 1;
  const sources = ids.filter((_id, v) => inputs[v]?.length === 0);
  const targets = ids.filter((_id, v) => read[v] === 0);
  requireOne('source', 'no edge enters', sources);
  requireOne('target', 'no edge leaves', targets);
}

function requireOne(what: string, meaning: string, found: readonly string[]): void {
  if (found.length <= 1) return;
  const named = found.slice(0, 5).map(clipped).join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  throw new BadInputError(`expected one ${what}, but ${meaning} ${named}${more}`, 'vertices');
}

function requireFigures(vertex: GivenVertex, path: string): void {
  for (const field of ['bytes', 'flops', 'parameters'] as const) {
    const value = vertex[field];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new BadInputError(`expected a non-negative integer, got ${value}`, `${path}.${field}`);
    }
  }
  const wrong = vertex.shape?.findIndex((extent) => !(Number.isSafeInteger(extent) && extent > 0)) ?? -1;
  if (wrong >= 0) {
    throw new BadInputError(
      `expected a positive integer, got ${vertex.shape?.[wrong]}`,
      `${path}.shape[${wrong}]`,
    );
  }
}

/** The operation to take: the file's own where its inputs have the shapes that it asks for. */
function operationOf(vertex: GivenVertex, shapes: readonly Shape[]): Operation {
  if (vertex.op === undefined) return { kind: 'opaque', label: '' };
  if (vertex.op.kind === 'opaque' && vertex.op.alias === 'inplace' && shapes.length === 0) {
    // A vertex that reads nothing overwrites nothing.
    const { alias: _, ...op } = vertex.op;
    return op;
  }
  // A file says no shape of a number alone, so one is known by its bytes.
  const known =
    vertex.op.kind === 'input' ? vertex.shape !== undefined : shapes.every((shape) => shape.length > 0);
  return known || vertex.op.kind === 'opaque' ? vertex.op : { kind: 'opaque', label: vertex.op.kind };
}
