import { BadInputError } from '../errors.ts';
import { clipped } from '../sentence.ts';
import type { Operation } from '../ops/operation.ts';
import type { Figures } from './figures.ts';
import type { Graph, TensorRole } from './graph.ts';

/** One vertex while a graph is being built; inputs are earlier records. */
export interface VertexRecord extends Figures {
  readonly id: string;
  readonly op: Operation;
  readonly inputs: readonly number[];
  readonly role: TensorRole;
}

/**
 * Checks the shape of the whole (one source, one target, a total that can be counted exactly) and lays
 * the vertices out in arrays. With a single source and a single target every vertex of an acyclic graph
 * lies on a path between them. Time and space O(V + E).
 */
export function freezeGraph(name: string, records: readonly VertexRecord[], bytesPerElement: number): Graph {
  const size = records.length;
  if (size < 2) throw new BadInputError(`expected at least two vertices, a source and a target, got ${size}`);
  const predecessorOffsets = new Int32Array(size + 1);
  const successorOffsets = new Int32Array(size + 1);
  for (let v = 0; v < size; v++) {
    const { inputs } = records[v]!;
    predecessorOffsets[v + 1] = predecessorOffsets[v]! + inputs.length;
    for (const u of inputs) successorOffsets[u + 1]!++;
  }
  for (let v = 0; v < size; v++) successorOffsets[v + 1]! += successorOffsets[v]!;

  const edgeCount = predecessorOffsets[size]!;
  const predecessors = new Int32Array(edgeCount);
  const successors = new Int32Array(edgeCount);
  const next = successorOffsets.slice(0, size);
  let edge = 0;
  for (let v = 0; v < size; v++) {
    for (const u of records[v]!.inputs) {
      predecessors[edge++] = u;
      successors[next[u]!++] = v;
    }
  }
  requireEnds(records, predecessorOffsets, successorOffsets);
  requireRoles(records, successorOffsets);
  requireCountable(name, records);
  const column = (read: (record: VertexRecord) => number): Float64Array => {
    const values = new Float64Array(size);
    for (let v = 0; v < size; v++) values[v] = read(records[v]!);
    return values;
  };
  return {
    name,
    size,
    edgeCount,
    ids: records.map((record) => record.id),
    operations: records.map((record) => record.op),
    shapes: records.map((record) => record.shape),
    bytes: column((record) => record.bytes),
    flops: column((record) => record.flops),
    backwardFlops: column((record) => record.backwardFlops),
    parameters: column((record) => record.parameters),
    roles: records.map((record) => record.role),
    predecessorOffsets,
    predecessors,
    successorOffsets,
    successors,
    bytesPerElement,
  };
}

function requireEnds(records: readonly VertexRecord[], ins: Int32Array, outs: Int32Array): void {
  const ends = (offsets: Int32Array) => records.filter((_record, v) => offsets[v] === offsets[v + 1]);
  requireOne('source', 'without inputs', ends(ins));
  requireOne('target', 'that nothing reads', ends(outs));
}

function requireOne(what: string, meaning: string, found: readonly VertexRecord[]): void {
  if (found.length === 1) return;
  const names = found.slice(0, 5).map((record) => clipped(record.id));
  const more = found.length > names.length ? ` and ${found.length - names.length} more` : '';
  throw new BadInputError(
    `expected one ${what} (a vertex ${meaning}), got ${found.length}: ${names.join(', ')}${more}`,
    'vertices',
  );
}

function requireRoles(records: readonly VertexRecord[], outs: Int32Array): void {
  for (let v = 0; v < records.length; v++) {
    const { id, role } = records[v]!;
    const consumers = outs[v + 1]! - outs[v]!;
    if (role === 'edge' && consumers !== 1) {
      throw new BadInputError(
        `${clipped(id)} cannot lie on an edge of the papers' graph: ${consumers} operations read it`,
        'vertices',
      );
    }
  }
}

/** Sums of bytes are compared for equality, so they have to be exact. */
function requireCountable(name: string, records: readonly VertexRecord[]): void {
  let total = 0;
  for (const { bytes } of records) total += bytes;
  if (!Number.isSafeInteger(total)) {
    throw new BadInputError(
      `the tensors of ${name} take more than ${Number.MAX_SAFE_INTEGER} bytes together; choose a smaller batch or input`,
      'vertices',
    );
  }
}
