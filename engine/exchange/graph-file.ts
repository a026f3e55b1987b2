import { given } from '../given.ts';
import { isRecord } from '../is-record.ts';
import { BadInputError } from '../errors.ts';
import { graphFromVerticesAndEdges } from '../graph/from-vertices.ts';
import type { GivenVertex } from '../graph/given-vertex.ts';
import { type Graph, idOf, type Observed, predecessorsOf, type TensorRole } from '../graph/graph.ts';
import type { Shape } from '../ops/definition.ts';
import { definitionOf, operationName, parametersOf } from '../ops/operation.ts';
import { measuredFields, readMeasured, requireKeptInputs } from './measured-fields.ts';
import { isKnownOperation, operationAttributes, readOperation, shown } from './operation-fields.ts';

export const MAX_GRAPH_FILE_VERTICES = 1_000_000;

export interface GraphFileOptions {
  /** Samples a step; what the file holds where not given. A file that does not say how many it holds, holds one. */
  readonly batch?: number;
}

/** Bytes of an element where a file does not say. */
const FLOAT32 = 4;
const ROLES: readonly unknown[] = ['own', 'join', 'edge'] satisfies TensorRole[];

/**
 * Reads a zigzag-graph/1 document (SPEC, file formats). A vertex whose `op` is one of ours and comes with
 * its `attrs` is that operation; any other is known by its bytes (or its shape, float32) and, where the
 * file says it, by what its backward keeps (measured-fields.ts).
 * Several sources are joined, and several targets (join-ends.ts). Time O(V log V + E).
 *
 * @throws BadInputError with the path of the fault, e.g.
 *   `vertices[17].bytes: expected a non-negative integer, got -4`
 */
export function parseGraphFile(text: string, options: GraphFileOptions = {}): Graph {
  return readGraphDocument(parseJson(text), options);
}

/**
 * `parseGraphFile` for a document that was parsed already, by the caller that had to see what it is.
 * @throws BadInputError with the path of the fault
 */
export function readGraphDocument(document: unknown, options: GraphFileOptions = {}): Graph {
  if (!isRecord(document)) throw new BadInputError(`the file must hold an object, got ${shown(document)}`);
  if (document['format'] !== 'zigzag-graph') {
    throw new BadInputError(`expected "zigzag-graph", got ${shown(document['format'])}`, 'format');
  }
  if (document['version'] !== 1) {
    throw new BadInputError(`expected 1, got ${shown(document['version'])}`, 'version');
  }
  const name = document['name'] ?? 'graph';
  if (typeof name !== 'string') throw new BadInputError(`expected a text, got ${shown(name)}`, 'name');
  const keepsOrder = readOrder(document['order']);
  const samples = samplesOf(document);
  const vertices = readVertices(document['vertices'], { batch: options.batch ?? samples, samples });
  const edges = readEdges(document['edges']);
  requireKeptInputs(vertices, edges);
  const bytesPerElement = document['bytesPerElement'] ?? FLOAT32;
  if (
    !Number.isSafeInteger(bytesPerElement) ||
    (bytesPerElement as number) < 1 ||
    (bytesPerElement as number) > 16
  ) {
    throw new BadInputError(
      `expected an integer from 1 to 16, got ${shown(bytesPerElement)}`,
      'bytesPerElement',
    );
  }
  const graph = graphFromVerticesAndEdges({
    name,
    vertices,
    edges,
    joinsEnds: true,
    bytesPerElement: bytesPerElement as number,
  });
  return keepsOrder ? { ...graph, keepsOrder, ...observed(vertices, graph) } : graph;
}

/**
 * How a framework ran the vertices, which it does in its own order alone.
 * @throws BadInputError where `heldUntil` is no vertex after the one that it is of
 */
function observed(vertices: readonly GivenVertex[], { ids }: Graph): Observed {
  const indices = new Map(vertices.map(({ id }, i) => [id, i]));
  const places = new Map(ids.map((id, v) => [id, v]));
  const of = (id: string): Partial<GivenVertex> => vertices[indices.get(id) ?? -1] ?? {};
  const where = <Values>(field: keyof GivenVertex, read: () => Values): Values | undefined =>
    vertices.some((vertex) => vertex[field] !== undefined) ? read() : undefined;
  const bytes = (field: 'backwardBytes' | 'besideBytes'): Float64Array | undefined =>
    where(field, () => Float64Array.from(ids, (id) => of(id)[field] ?? 0));
  const until = (id: string, v: number): number => {
    const { heldUntil } = of(id);
    if (heldUntil === undefined) return 0;
    const place = places.get(heldUntil) ?? 0;
    if (place > v) return place;
    throw new BadInputError(
      `expected the id of a later vertex, got ${shown(heldUntil)}`,
      `vertices[${indices.get(id)}].heldUntil`,
    );
  };
  return given({
    backwardBytes: bytes('backwardBytes'),
    besideBytes: bytes('besideBytes'),
    heldUntil: where('heldUntil', () => Int32Array.from(ids, until)),
    sharesGradient: where('sharesGradient', () =>
      Uint8Array.from(ids, (id) => (of(id).sharesGradient === true ? 1 : 0)),
    ),
  });
}

/**
 * Samples that a graph document holds, 1 where it does not say.
 * @throws BadInputError where it says nonsense
 */
export function samplesOf(document: unknown): number {
  const samples = isRecord(document) ? (document['samples'] ?? 1) : 1;
  if (Number.isSafeInteger(samples) && (samples as number) > 0) return samples as number;
  throw new BadInputError(`expected a positive integer, got ${shown(samples)}`, 'samples');
}

function readOrder(value: unknown): boolean {
  if (value === undefined || value === 'given') return value === 'given';
  throw new BadInputError(`expected "given" or nothing, got ${shown(value)}`, 'order');
}

/**
 * A graph as a zigzag-graph/1 document; `parseGraphFile` gives the same graph back.
 * @throws BadInputError for a graph with frozen weights or a loss in chunks, which the format cannot say
 */
export function graphFile(graph: Graph): Readonly<Record<string, unknown>> {
  if (graph.frozen !== undefined)
    throw new BadInputError(
      'a zigzag-graph file cannot say which weights are frozen, as under --lora; export another form',
    );
  if (graph.chunkedLoss !== undefined)
    throw new BadInputError(
      'a zigzag-graph file cannot say that the loss runs in chunks, as under --loss-chunk; export another form',
    );
  const vertices = graph.ids.map((id, v) => {
    const op = graph.operations[v];
    const shape = graph.shapes[v] ?? [];
    const inferred = inferredOf(graph, v);
    return {
      id,
      bytes: graph.bytes[v],
      ...(op === undefined ? {} : { op: operationName(op) }),
      ...(shape.length > 0 ? { shape } : {}),
      ...(op === undefined
        ? {}
        : op.kind === 'opaque'
          ? measuredFields(op)
          : { attrs: operationAttributes(op) }),
      role: graph.roles[v],
      ...((graph.flops[v] ?? 0) > 0 || inferred.flops > 0 ? { flops: graph.flops[v] } : {}),
      ...((graph.parameters[v] ?? 0) > 0 || inferred.parameters > 0 ? { params: graph.parameters[v] } : {}),
      ...(graph.backwardBytes === undefined ? {} : { backwardBytes: graph.backwardBytes[v] }),
      ...(graph.besideBytes === undefined ? {} : { besideBytes: graph.besideBytes[v] }),
      ...(graph.heldUntil?.[v] ? { heldUntil: graph.ids[graph.heldUntil[v]] } : {}),
      ...(graph.sharesGradient?.[v] === 1 ? { sharesGradient: true } : {}),
    };
  });
  const edges: [string, string][] = [];
  for (let v = 0; v < graph.size; v++) {
    for (const u of predecessorsOf(graph, v)) edges.push([idOf(graph, u), idOf(graph, v)]);
  }
  const order = graph.keepsOrder ? { order: 'given' } : {};
  const { name, bytesPerElement } = graph;
  const elements = bytesPerElement === FLOAT32 ? {} : { bytesPerElement };
  return { format: 'zigzag-graph', version: 1, name, ...order, ...elements, vertices, edges };
}

/** Defaults of a reader for an operation of ours where a file says nothing. */
function inferredOf(graph: Graph, v: number): { readonly flops: number; readonly parameters: number } {
  const op = graph.operations[v];
  if (op === undefined || op.kind === 'opaque' || v === 0) return { flops: 0, parameters: 0 };
  const shapes = Array.from(predecessorsOf(graph, v), (u) => graph.shapes[u] ?? []);
  const definition = definitionOf(op);
  return {
    flops: definition.flops(op, shapes, graph.shapes[v] ?? []),
    parameters: parametersOf(op, shapes),
  };
}

/** @throws BadInputError when the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInputError(
      `the file is not valid JSON (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
}

/** From the samples that a file holds to those that are asked for. */
interface Scale {
  readonly batch: number;
  readonly samples: number;
}

const AS_IT_IS: Scale = { batch: 1, samples: 1 };

/** Rounded up, exactly; @throws BadInputError where it is no exact number any more */
function scaled(value: number, { batch, samples }: Scale, path: string): number {
  if (batch === samples) return value;
  const product = value * batch;
  const result = Number.isSafeInteger(product)
    ? Math.ceil(product / samples)
    : Number((BigInt(value) * BigInt(batch) + BigInt(samples - 1)) / BigInt(samples));
  if (Number.isSafeInteger(result)) return result;
  throw new BadInputError(
    `${value} at ${samples} samples is more than ${Number.MAX_SAFE_INTEGER} at ${batch}; choose a smaller batch`,
    path,
  );
}

function readVertices(value: unknown, scale: Scale): GivenVertex[] {
  if (!Array.isArray(value)) throw new BadInputError(`expected a list, got ${shown(value)}`, 'vertices');
  if (value.length < 2) {
    throw new BadInputError(`expected at least two, a source and a target, got ${value.length}`, 'vertices');
  }
  if (value.length > MAX_GRAPH_FILE_VERTICES) {
    throw new BadInputError(`expected at most ${MAX_GRAPH_FILE_VERTICES}, got ${value.length}`, 'vertices');
  }
  return value.map((entry: unknown, i) => {
    const path = `vertices[${i}]`;
    if (!isRecord(entry)) throw new BadInputError(`expected an object, got ${shown(entry)}`, path);
    const id = entry['id'];
    if (typeof id !== 'string' || id === '') {
      throw new BadInputError(`expected a text that is not empty, got ${shown(id)}`, `${path}.id`);
    }
    const isTrue = (field: 'fixed' | 'sharesGradient'): boolean => {
      const value = entry[field] ?? false;
      if (typeof value === 'boolean') return value;
      throw new BadInputError(`expected true or false, got ${shown(value)}`, `${path}.${field}`);
    };
    const { heldUntil } = entry;
    if (heldUntil !== undefined && typeof heldUntil !== 'string') {
      throw new BadInputError(`expected an id, got ${shown(heldUntil)}`, `${path}.heldUntil`);
    }
    return {
      ...readVertex(id, entry, path, isTrue('fixed') ? AS_IT_IS : scale),
      ...(heldUntil === undefined ? {} : { heldUntil }),
      ...(isTrue('sharesGradient') ? { sharesGradient: true } : {}),
    };
  });
}

function readVertex(
  id: string,
  entry: Readonly<Record<string, unknown>>,
  path: string,
  scale: Scale,
): GivenVertex {
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
  const shape = readShape(entry['shape'], `${path}.shape`, scale);
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
  const role = entry['role'];
  if (role !== undefined && !ROLES.includes(role)) {
    throw new BadInputError(`expected own, join or edge, got ${shown(role)}`, `${path}.role`);
  }
  const known = attributes !== undefined && shape !== undefined && isKnownOperation(label);
  const parameters = count('params');
  const allocated = (field: 'backwardBytes' | 'besideBytes'): Pick<GivenVertex, typeof field> => {
    const bytes = count(field);
    return bytes === undefined ? {} : { [field]: scaled(bytes, scale, `${path}.${field}`) };
  };
  return {
    id,
    op: known
      ? readOperation(label, attributes, `${path}.attrs`)
      : { kind: 'opaque', label, ...readMeasured(entry, path, (aux, at) => scaled(aux, scale, at)) },
    ...(shape === undefined ? {} : { shape }),
    ...(bytes === undefined ? {} : { bytes: scaled(bytes, scale, `${path}.bytes`) }),
    ...(flops === undefined ? {} : { flops: scaled(flops, scale, `${path}.flops`) }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(role === undefined ? {} : { role: role as TensorRole }),
    ...allocated('backwardBytes'),
    ...allocated('besideBytes'),
  };
}

function readShape(value: unknown, path: string, scale: Scale): Shape | undefined {
  if (value === undefined) return undefined;
  const extent = (x: unknown): boolean => Number.isSafeInteger(x) && (x as number) > 0;
  if (!Array.isArray(value) || value.length === 0 || !value.every(extent)) {
    throw new BadInputError('expected a list of positive integers', path);
  }
  return value.map((x: number, axis) => (axis === 0 ? scaled(x, scale, `${path}[0]`) : x));
}

function readEdges(value: unknown): [string, string][] {
  if (!Array.isArray(value)) throw new BadInputError(`expected a list, got ${shown(value)}`, 'edges');
  return value.map((entry: unknown, i) => {
    if (!Array.isArray(entry) || entry.length !== 2) {
      throw new BadInputError('expected a pair of ids', `edges[${i}]`);
    }
    const [from, to] = entry.map((id: unknown, end) => {
      if (typeof id !== 'string') {
        throw new BadInputError(`expected an id, got ${shown(id)}`, `edges[${i}][${end}]`);
      }
      return id;
    });
    return [from ?? '', to ?? ''];
  });
}
