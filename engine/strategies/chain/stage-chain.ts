import { successorsOf, workOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import { type SplittingChain, splittingChain, whyNoChain } from '../chen/splitting-chain.ts';
import type { Problem } from '../strategy/strategy.ts';

/**
 * A graph of operations as a chain of stages: stage i holds the operations after splitting vertex i up
 * to splitting vertex i + 1, so that its inside reads nothing but boundary i and feeds nothing but
 * boundary i + 1. On a linear graph every stage is one vertex of the papers' graph.
 */
export interface StageChain {
  readonly problem: Problem;
  /** Operations of each stage, ascending. */
  readonly stages: readonly (readonly number[])[];
  /** The operation that stores boundary i: 0 for the source, then the last operation of stage i - 1. */
  readonly boundaries: Int32Array;
  /** Forward work of each stage (FLOPs; bytes where the graph has none). */
  readonly work: Float64Array;
}

/** The chain of stages of a problem, or why it has just one stage. Time and space O(V + E). */
export function stageChain(problem: Problem): StageChain | string {
  const { graph, view } = problem;
  const chain = splittingChain(view.tensors);
  const reason = whyNoChain(problem, chain);
  if (reason !== null) return reason;
  const ends = survivors(problem, chain);
  if (ends.length === 2) return 'no splitting vertex has its own storage';
  const stageOfTensor = stagesOfTensors(ends, view.tensors.size);
  const stageOf = new Int32Array(graph.size);
  for (let v = graph.size - 1; v > 0; v--) {
    const tensor = view.tensorOf[v]!;
    // An operation on an edge has one consumer, later in topological order.
    stageOf[v] = tensor >= 0 ? stageOfTensor[tensor]! : stageOf[successorsOf(graph, v)[0]!]!;
  }
  const stages: number[][] = Array.from({ length: ends.length - 1 }, () => []);
  const work = new Float64Array(stages.length);
  const unit = workOf(graph);
  for (let v = 1; v < graph.size; v++) {
    stages[stageOf[v]!]!.push(v);
    work[stageOf[v]!]! += unit[v]!;
  }
  const boundaries = Int32Array.from(ends, (tensor) => view.representative[tensor]!);
  return { problem, stages, boundaries, work };
}

/** Everything that the backward of a stage needs live. */
export function needsOfStage({ problem, stages }: StageChain, stage: number): Set<number> {
  const needs = new Set<number>();
  for (const v of stages[stage]!) for (const u of needsOf(problem.memory, v)) needs.add(u);
  return needs;
}

/**
 * The splitting vertices that can be held on their own: of those that share a storage (a view, an
 * in-place operation) only the last counts, because its forward may overwrite the others.
 */
function survivors({ graph, memory, view }: Problem, chain: SplittingChain): number[] {
  const storage = Int32Array.from({ length: graph.size }, (_, v) => v);
  for (let v = 1; v < graph.size; v++) {
    const from = Math.max(memory.takesOver[v]!, memory.viewOf[v]!);
    if (from >= 0) storage[v] = storage[from]!;
  }
  const storageAt = (i: number): number => storage[view.representative[chain.vertices[i]!]!]!;
  const last = chain.vertices.length - 1;
  return chain.vertices.filter((_tensor, i) => {
    if (i === 0 || i === last) return true;
    return storageAt(i) !== 0 && storageAt(i) !== storageAt(i + 1);
  });
}

/** The stage of every vertex of the papers' graph; a boundary ends the stage before it. */
function stagesOfTensors(ends: readonly number[], size: number): Int32Array {
  const stageOf = new Int32Array(size);
  let passed = 0;
  for (let t = 0; t < size; t++) {
    // The source passes boundary 0 and belongs to no stage.
    stageOf[t] = passed - 1;
    if (ends[passed] === t) passed++;
  }
  return stageOf;
}
