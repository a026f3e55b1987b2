import type { Shape } from '../ops/definition.ts';
import type { Operation } from '../ops/operation.ts';

/**
 * Role of a vertex in the papers' computation graph (paper/graph-views of the sources):
 * `own` starts a vertex, `join` shares the vertex of its first input, `edge` lies on the edge into
 * its only consumer.
 */
export type TensorRole = 'own' | 'join' | 'edge';

/** How PyTorch ran a captured graph, by vertex. */
export interface Observed {
  /**
   * The most bytes that backward of a vertex allocates at once, gradients of its inputs included and of parameters not;
   * absent where nobody measured them. Its formula may hold several tensors, or a gradient that is added to another.
   */
  readonly backwardBytes?: Float64Array;
  /**
   * By vertex, the later one up to whose first forward the program itself holds the result, in a list, a variable or a
   * frame; 0 where it holds none longer than its readers do, absent where nobody looked.
   */
  readonly heldUntil?: Int32Array;
  /** Bytes of other results, of no vertex, that the program holds while a vertex is first forwarded. */
  readonly besideBytes?: Float64Array;
  /** 1 where the gradients of the inputs are in the storage of the result's, as those of a sum and a concatenation are. */
  readonly sharesGradient?: Uint8Array;
}

/**
 * A directed acyclic graph of operations, frozen after it is built. Vertex = an operation and the
 * tensor that it outputs; vertices are 0..size-1 in topological order, vertex 0 is the single source,
 * vertex size-1 the single target; names live at the edge. Typed arrays are indexed by vertex and are
 * read-only by convention: nobody writes to them after `GraphBuilder.build`.
 */
export interface Graph extends Observed {
  readonly name: string;
  readonly size: number;
  readonly edgeCount: number;
  readonly ids: readonly string[];
  readonly operations: readonly Operation[];
  /** Output shapes, batch included; empty for a vertex known by its bytes alone. */
  readonly shapes: readonly Shape[];
  /** Bytes of the output tensor. */
  readonly bytes: Float64Array;
  /** Forward FLOPs; all zero in a graph that gives none. */
  readonly flops: Float64Array;
  readonly backwardFlops: Float64Array;
  /** Parameters (count, not bytes), all of them trained where `frozen` is absent. */
  readonly parameters: Float64Array;
  readonly roles: readonly TensorRole[];
  /** Inputs of v, in order, a repeated input repeated: predecessors[offsets[v] .. offsets[v+1]). */
  readonly predecessorOffsets: Int32Array;
  readonly predecessors: Int32Array;
  /** Consumers of v in topological order, a repeated consumer repeated. */
  readonly successorOffsets: Int32Array;
  readonly successors: Int32Array;
  /** Bytes of one element of an activation: 4 for float32, 2 for float16. */
  readonly bytesPerElement: number;
  /** The same of each vertex, where they differ (mixed precision). */
  readonly elementBytes?: Float64Array;
  /**
   * Bytes of the copy in another precision that a vertex makes of an input before it reads it, aligned with
   * `predecessors`; 0 where it reads the input itself, absent where all do. What backward needs is then the copy.
   */
  readonly inputCopies?: Float64Array;
  /** Bytes of outputs whose element in this precision nobody knows, so that they are counted as a file says them. */
  readonly unknownElementBytes?: number;
  /**
   * True if the executor keeps to the order of the vertices, backward in its reverse, as PyTorch's autograd does:
   * a schedule under another order would not be followed.
   */
  readonly keepsOrder?: boolean;
  /** Parts that are not trained; absent where every parameter is. */
  readonly frozen?: Frozen;
  /** The model that transformers builds of the same config.json; absent of other networks. */
  readonly transformers?: TransformersModel;
  /** The last vertex computes the loss of its scores, some tokens at a time; absent where it ends in its output. */
  readonly chunkedLoss?: ChunkedLoss;
  /** True if the samples of a batch are compared with each other, so that parts of it have another loss. */
  readonly comparesSamples?: boolean;
}

/** A product and the cross entropy of its scores in one operation, which holds the scores of some tokens at a time. */
export interface ChunkedLoss {
  /** Tokens of a chunk. */
  readonly tokens: number;
  /** Bytes that its forward pass holds beside its results. */
  readonly workBytes: number;
  /** Bytes of labels, there throughout. */
  readonly labelBytes: number;
  /** Products of its forward pass, which computes the gradients too. */
  readonly products: number;
}

/** A language model as transformers names it. */
export interface TransformersModel {
  /** `model_type` of its config.json. */
  readonly modelType: string;
  readonly predicts: 'next-token' | 'hidden-tokens' | 'transcript';
  /** `attn_implementation`. */
  readonly attention: string;
  /** On huggingface.co; absent of a file. */
  readonly repository?: string;
  /** True if its checkpoint is to be dequantised to be trained. */
  readonly isStoredInMxfp4?: boolean;
}

/** Parts of a network that fine-tuning does not train; indexed by vertex. */
export interface Frozen {
  /** 1 where parameters that v reads have no gradient. */
  readonly weights: Uint8Array;
  /** 1 where the output of v has no gradient, since nothing up to it is trained. */
  readonly outputs: Uint8Array;
  /** Bytes of the parameters of v as they are stored; 0 where the precision of training says it. */
  readonly storedBytes: Float64Array;
  /** Bytes of the weight that a product of quantised weights unpacks while it runs. */
  readonly unpackedBytes: Float64Array;
}

/** A view of the list; a loop that runs for each step of many schedules reads the list itself and makes none. */
export function predecessorsOf(graph: Graph, vertex: number): Int32Array {
  return graph.predecessors.subarray(graph.predecessorOffsets[vertex], graph.predecessorOffsets[vertex + 1]);
}

export function successorsOf(graph: Graph, vertex: number): Int32Array {
  return graph.successors.subarray(graph.successorOffsets[vertex], graph.successorOffsets[vertex + 1]);
}

/** The id of a vertex, for messages. */
export function idOf(graph: Graph, vertex: number): string {
  return graph.ids[vertex] ?? `#${vertex}`;
}

/** Vertex of an id, or -1. */
export function vertexOf(graph: Graph, id: string): number {
  return graph.ids.indexOf(id);
}

/** Bytes of an element of v's output. */
export function elementBytesOf(graph: Graph, vertex: number): number {
  return graph.elementBytes?.[vertex] ?? graph.bytesPerElement;
}

/** Forward work of each vertex in the simulator's unit: FLOPs, or bytes in a graph without FLOPs. */
export function workOf(graph: Graph): Float64Array {
  return graph.flops.some((flops) => flops > 0) ? graph.flops : graph.bytes;
}

export function totalParameters(graph: Graph): number {
  return graph.parameters.reduce((sum, count) => sum + count, 0);
}

/** Parameters that have gradients. */
export const trainedParameters = ({ parameters, frozen }: Graph): number =>
  parameters.reduce((sum, count, v) => (frozen?.weights[v] === 1 ? sum : sum + count), 0);
