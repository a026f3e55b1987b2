import { BadInputError } from '../errors.ts';
import { GraphBuilder } from '../graph/builder.ts';
import { type Graph, idOf, predecessorsOf, type TensorRole } from '../graph/graph.ts';
import type { Operation, Shape } from '../ops/operation.ts';
import { isKnownOperation, operationAttributes, readOperation, shown } from './operation-fields.ts';
import { topologicalOrder } from './topological.ts';

/** Larger files are refused before they are read: 1,000,000 vertices fit into this. */
export const MAX_GRAPH_FILE_BYTES = 160 * 1024 * 1024;
export const MAX_GRAPH_FILE_VERTICES = 1_000_000;

export interface GraphFileOptions {
  /** Multiplies every tensor: what the file gives is one sample, or whatever batch it was written for. */
  readonly batch?: number;
}

interface FileVertex {
  readonly id: string;
  readonly op: Operation;
  readonly shape: Shape | undefined;
  readonly bytes: number | undefined;
  readonly flops: number | undefined;
  readonly parameters: number | undefined;
  /** How the papers' graph draws it; `own` where the file does not say. */
  readonly role: TensorRole;
}

const ROLES: readonly unknown[] = ['own', 'join', 'edge'] satisfies TensorRole[];

/**
 * Reads a zigzag-graph/1 document (DESIGN section 7). A vertex whose `op` is one of ours and comes with
 * its `attrs` is that operation; any other is known by its bytes (or its shape, float32) alone.
 * Time O(V log V + E).
 *
 * @throws BadInputError with the path of the fault, e.g.
 *   `vertices[17].bytes: expected a non-negative integer, got -4`
 */
export function parseGraphFile(text: string, options: GraphFileOptions = {}): Graph {
  const document = parseJson(text);
  if (!isRecord(document)) throw new BadInputError(`the file must hold an object, got ${shown(document)}`);
  if (document['format'] !== 'zigzag-graph') {
    throw new BadInputError(`expected "zigzag-graph", got ${shown(document['format'])}`, 'format');
  }
  if (document['version'] !== 1) {
    throw new BadInputError(`expected 1, got ${shown(document['version'])}`, 'version');
  }
  const name = document['name'] ?? 'graph';
  if (typeof name !== 'string') throw new BadInputError(`expected a text, got ${shown(name)}`, 'name');
  const { batch = 1 } = options;
  const vertices = readVertices(document['vertices'], batch);
  const edges = readEdges(document['edges'], vertices);
  return assemble(name, vertices, edges);
}

/** A graph as a zigzag-graph/1 document; `parseGraphFile` gives the same graph back. */
export function graphFile(graph: Graph): Readonly<Record<string, unknown>> {
  const vertices = graph.ids.map((id, v) => {
    const op = graph.operations[v];
    const opaque = op === undefined || op.kind === 'opaque';
    const shape = graph.shapes[v] ?? [];
    return {
      id,
      bytes: graph.bytes[v],
      ...(op === undefined ? {} : { op: op.kind === 'opaque' ? op.label : op.kind }),
      ...(shape.length > 0 ? { shape } : {}),
      ...(opaque ? {} : { attrs: operationAttributes(op) }),
      ...(graph.roles[v] === 'own' ? {} : { role: graph.roles[v] }),
      ...((graph.flops[v] ?? 0) > 0 ? { flops: graph.flops[v] } : {}),
      ...((graph.parameters[v] ?? 0) > 0 ? { params: graph.parameters[v] } : {}),
    };
  });
  const edges: [string, string][] = [];
  for (let v = 0; v < graph.size; v++) {
    for (const u of predecessorsOf(graph, v)) edges.push([idOf(graph, u), idOf(graph, v)]);
  }
  return { format: 'zigzag-graph', version: 1, name: graph.name, vertices, edges };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message.split('\n', 1)[0] : 'unreadable';
    throw new BadInputError(`the file is not valid JSON (${detail})`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readVertices(value: unknown, batch: number): FileVertex[] {
  if (!Array.isArray(value)) throw new BadInputError(`expected a list, got ${shown(value)}`, 'vertices');
  if (value.length < 2) {
    throw new BadInputError(`expected at least two, a source and a target, got ${value.length}`, 'vertices');
  }
  if (value.length > MAX_GRAPH_FILE_VERTICES) {
    throw new BadInputError(`expected at most ${MAX_GRAPH_FILE_VERTICES}, got ${value.length}`, 'vertices');
  }
  const first = new Map<string, number>();
  return value.map((entry: unknown, i) => {
    const path = `vertices[${i}]`;
    if (!isRecord(entry)) throw new BadInputError(`expected an object, got ${shown(entry)}`, path);
    const id = entry['id'];
    if (typeof id !== 'string' || id === '') {
      throw new BadInputError(`expected a text that is not empty, got ${shown(id)}`, `${path}.id`);
    }
    const earlier = first.get(id);
    if (earlier !== undefined) {
      throw new BadInputError(`${shown(id)} is the id of vertices[${earlier}] already`, `${path}.id`);
    }
    first.set(id, i);
    return readVertex(id, entry, path, batch);
  });
}

function readVertex(
  id: string,
  entry: Readonly<Record<string, unknown>>,
  path: string,
  batch: number,
): FileVertex {
  const count = (field: string): number | undefined => {
    const value = entry[field];
    if (value === undefined) return undefined;
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw new BadInputError(`expected a non-negative integer, got ${shown(value)}`, `${path}.${field}`);
    }
    return value as number;
  };
  const bytes = count('bytes');
  const flops = count('flops');
  const shape = readShape(entry['shape'], `${path}.shape`, batch);
  if (bytes === undefined && shape === undefined) {
    throw new BadInputError('expected bytes or a shape', path);
  }
  const label = entry['op'] ?? 'opaque';
  if (typeof label !== 'string') {
    throw new BadInputError(`expected a text, got ${shown(label)}`, `${path}.op`);
  }
  const attributes = entry['attrs'];
  if (attributes !== undefined && !isRecord(attributes)) {
    throw new BadInputError(`expected an object, got ${shown(attributes)}`, `${path}.attrs`);
  }
  const role = entry['role'] ?? 'own';
  if (!ROLES.includes(role)) {
    throw new BadInputError(`expected own, join or edge, got ${shown(role)}`, `${path}.role`);
  }
  const known = attributes !== undefined && shape !== undefined && isKnownOperation(label);
  return {
    id,
    op: known ? readOperation(label, attributes, `${path}.attrs`) : { kind: 'opaque', label },
    shape,
    bytes: bytes === undefined ? undefined : bytes * batch,
    flops: flops === undefined ? undefined : flops * batch,
    parameters: count('params'),
    role: role as TensorRole,
  };
}

function readShape(value: unknown, path: string, batch: number): Shape | undefined {
  if (value === undefined) return undefined;
  const extent = (x: unknown): boolean => Number.isSafeInteger(x) && (x as number) > 0;
  if (!Array.isArray(value) || value.length === 0 || !value.every(extent)) {
    throw new BadInputError('expected a list of positive integers', path);
  }
  return value.map((x: number, axis) => (axis === 0 ? x * batch : x));
}

function readEdges(value: unknown, vertices: readonly FileVertex[]): [number, number][] {
  if (!Array.isArray(value)) throw new BadInputError(`expected a list, got ${shown(value)}`, 'edges');
  const index = new Map(vertices.map((vertex, i) => [vertex.id, i]));
  return value.map((entry: unknown, i) => {
    if (!Array.isArray(entry) || entry.length !== 2) {
      throw new BadInputError('expected a pair of ids', `edges[${i}]`);
    }
    const [from, to] = entry.map((id: unknown, end) => {
      const vertex = typeof id === 'string' ? index.get(id) : undefined;
      if (vertex === undefined)
        throw new BadInputError(`there is no vertex ${shown(id)}`, `edges[${i}][${end}]`);
      return vertex;
    });
    if (from === to) throw new BadInputError(`${shown(entry[0])} cannot feed itself`, `edges[${i}]`);
    return [from ?? 0, to ?? 0];
  });
}

function assemble(
  name: string,
  vertices: readonly FileVertex[],
  edges: readonly (readonly [number, number])[],
): Graph {
  const ordering = topologicalOrder(vertices.length, edges);
  const idAt = (i: number): string => vertices[i]?.id ?? '';
  if (!ordering.ok) {
    const ids = [...ordering.cycle, ordering.cycle[0] ?? 0].map(idAt);
    const shownIds = ids.length > 8 ? [...ids.slice(0, 4), '...', ...ids.slice(-3)] : ids;
    throw new BadInputError(`${shownIds.join(' -> ')} is a cycle`, 'edges');
  }
  requireOneEnd(vertices, edges, 1, 'source');
  requireOneEnd(vertices, edges, 0, 'target');

  const inputs: number[][] = vertices.map(() => []);
  const handles = new Int32Array(vertices.length);
  for (const [from, to] of edges) inputs[to]?.push(from);
  const builder = new GraphBuilder(name);
  for (const i of ordering.order) {
    const vertex = vertices[i];
    if (vertex === undefined) continue;
    const { id, op, shape, bytes, flops, parameters, role } = vertex;
    const sources = (inputs[i] ?? []).map((u) => handles[u] ?? 0);
    handles[i] = builder.addGiven(id, op, sources, role, {
      ...(shape === undefined ? {} : { shape }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(flops === undefined ? {} : { flops }),
      ...(parameters === undefined ? {} : { parameters }),
    });
  }
  return builder.build();
}

/** @param end which end of an edge rules a vertex out: 1 for the source (nothing enters), 0 for the target. */
function requireOneEnd(
  vertices: readonly FileVertex[],
  edges: readonly (readonly [number, number])[],
  end: 0 | 1,
  word: string,
): void {
  const ruledOut = new Uint8Array(vertices.length);
  for (const edge of edges) ruledOut[edge[end]] = 1;
  const ends = vertices.filter((_, i) => ruledOut[i] === 0).map((vertex) => vertex.id);
  if (ends.length > 1) {
    const others = ends.length > 2 ? ` and ${ends.length - 2} more` : '';
    throw new BadInputError(
      `expected one ${word}, but ${shown(ends[0])} and ${shown(ends[1])}${others} have no ` +
        `${end === 1 ? 'input' : 'consumer'}`,
      'vertices',
    );
  }
}
