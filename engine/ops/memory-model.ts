import { keepsOfLoss } from '../graph/chunked-loss.ts';
import { keepsWithFrozen } from '../graph/frozen.ts';
import { given } from '../given.ts';
import { elementBytesOf, type Graph, type Observed, predecessorsOf } from '../graph/graph.ts';
import type { Profile, Shape } from './definition.ts';
import { definitionOf } from './operation.ts';
import { elementsOf } from './shape.ts';
import { TOKEN_BYTES } from './tokens.ts';

/**
 * Storage of a training step for every vertex of a graph under one profile: the only thing, beside
 * the graph, that schedules and the simulator need to know about operations. Bytes; indexed by vertex.
 */
export interface MemoryModel extends Observed {
  readonly profile: Profile;
  readonly outputBytes: Float64Array;
  /** Bytes of the gradient of the vertex's output; 0 for the source, which has none. */
  readonly gradientBytes: Float64Array;
  /** Bytes of the gradient of the source where a schedule holds one; 0 for tokens, which can have none. */
  readonly sourceGradientBytes: number;
  /** Bytes that forward v keeps besides activations until backward v. */
  readonly auxBytes: Float64Array;
  /** 1 where the auxiliaries do not grow with the batch (batch statistics), so that keeping them is free. */
  readonly auxIsFixed: Uint8Array;
  /** The input whose storage v takes over, destroying its value, or -1. */
  readonly takesOver: Int32Array;
  /** The input whose storage v shares, both staying readable, or -1. */
  readonly viewOf: Int32Array;
  /** Activations that backward v needs: needs[needOffsets[v] .. needOffsets[v+1]), without repeats. */
  readonly needOffsets: Int32Array;
  readonly needs: Int32Array;
}

export function needsOf(memory: MemoryModel, vertex: number): Int32Array {
  return memory.needs.subarray(memory.needOffsets[vertex], memory.needOffsets[vertex + 1]);
}

/** True if the storage of the gradient of v is, after backward v, that of the gradient of its input u too (SPEC M4). */
export function handsOver(memory: MemoryModel, v: number, u: number): boolean {
  if (memory.sharesGradient?.[v] === 1) return true;
  if (memory.viewOf[v] !== u) return false;
  return memory.gradientBytes[v] === (u === 0 ? memory.sourceGradientBytes : memory.gradientBytes[u]);
}

/**
 * Bytes within backward v beside the gradients that it allocates, where what it allocates was measured (SPEC M4). A sum
 * of two gradients is none that it allocates: what it adds is there beside.
 */
export function momentaryBytes({ backwardBytes }: MemoryModel, v: number, allocated: number): number {
  return Math.max(0, (backwardBytes?.[v] ?? 0) - allocated);
}

/**
 * Derives the memory model of a graph. An in-place operation takes over its input's storage only
 * where that is legal: the input has no other consumer, and neither its own backward nor that of the
 * in-place operation needs the old value (SPEC M3); elsewhere it allocates like any other.
 * Time and space O(V + E).
 */
export function memoryModel(graph: Graph, profile: Profile): MemoryModel {
  const { size } = graph;
  const auxBytes = new Float64Array(size);
  const auxIsFixed = new Uint8Array(size);
  const takesOver = new Int32Array(size).fill(-1);
  const viewOf = new Int32Array(size).fill(-1);
  const needOffsets = new Int32Array(size + 1);
  const needs: number[] = [];
  const keepsOutput = new Uint8Array(size);
  const wantsInput = new Int32Array(size).fill(-1);
  /** The last vertex whose needs list u. */
  const listedFor = new Int32Array(size);

  for (let v = 0; v < size; v++) {
    needOffsets[v] = needs.length;
    const op = graph.operations[v];
    if (op === undefined || v === 0) continue;
    const definition = definitionOf(op);
    const inputs = predecessorsOf(graph, v);
    const shapes: Shape[] = [];
    for (const u of inputs) shapes.push(graph.shapes[u] ?? []);
    const own =
      graph.chunkedLoss !== undefined && v === size - 1
        ? keepsOfLoss(graph.bytes[inputs[0] ?? 0] ?? 0)
        : definition.keeps(op, profile, shapes, graph.shapes[v] ?? [], elementBytesOf(graph, v));
    const keeps = keepsWithFrozen(graph, v, own);
    let grown = keeps.auxBytes;
    keepsOutput[v] = keeps.output ? 1 : 0;
    const start = needs.length;
    for (const input of keeps.inputs) {
      const u = inputs[input] ?? 0;
      if (listedFor[u] === v) continue;
      listedFor[u] = v;
      const copy = graph.inputCopies?.[(graph.predecessorOffsets[v] ?? 0) + input] ?? 0;
      if (copy > 0) grown += copy;
      else needs.push(u);
    }
    auxBytes[v] = grown + keeps.fixedAuxBytes;
    auxIsFixed[v] = grown === 0 ? 1 : 0;
    if (needs.length > start + 1) sortTail(needs, start);
    // After every input, and so in ascending order.
    if (keeps.output) needs.push(v);
    const first = inputs[0] ?? 0;
    const aliasing = definition.aliasing(op, profile);
    if (aliasing === 'view') viewOf[v] = first;
    if (aliasing === 'inplace') wantsInput[v] = first;
  }
  needOffsets[size] = needs.length;

  const needArray = Int32Array.from(needs);
  for (let v = 1; v < size; v++) {
    const u = wantsInput[v] ?? -1;
    if (u <= 0 || (keepsOutput[u] ?? 0) === 1) continue;
    const consumers = (graph.successorOffsets[u + 1] ?? 0) - (graph.successorOffsets[u] ?? 0);
    const ownNeeds = needArray.subarray(needOffsets[v], needOffsets[v + 1]);
    // A view shares its input's storage: overwriting through it would destroy that value too.
    if (consumers === 1 && !ownNeeds.includes(u) && viewOf[u] === -1) takesOver[v] = u;
  }

  const { frozen, backwardBytes, heldUntil, besideBytes, sharesGradient } = graph;
  const gradientBytes = Float64Array.from(graph.bytes, (own, v) => (frozen?.outputs[v] === 1 ? 0 : own));
  gradientBytes[0] = 0;
  return {
    profile,
    outputBytes: outputBytesOf(graph, profile),
    gradientBytes,
    sourceGradientBytes: graph.operations[0]?.kind === 'tokens' ? 0 : (graph.bytes[0] ?? 0),
    // PyTorch ran it so, and no other executor.
    ...(profile === 'tfjs' ? {} : given({ backwardBytes, heldUntil, besideBytes, sharesGradient })),
    auxBytes,
    auxIsFixed,
    takesOver,
    viewOf,
    needOffsets,
    needs: needArray,
  };
}

/** The graph's bytes, but for a source of tokens, whose size is the executor's choice. */
function outputBytesOf(graph: Graph, profile: Profile): Float64Array {
  if (profile !== 'tfjs' || graph.operations[0]?.kind !== 'tokens') return graph.bytes;
  const bytes = Float64Array.from(graph.bytes);
  bytes[0] = TOKEN_BYTES[profile] * elementsOf(graph.shapes[0] ?? []);
  return bytes;
}

/** Sorts list[start ..] in place. */
function sortTail(list: number[], start: number): void {
  const tail = list.slice(start).sort((a, b) => a - b);
  for (let i = 0; i < tail.length; i++) list[start + i] = tail[i] ?? 0;
}
