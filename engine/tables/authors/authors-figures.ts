import type { Graph } from '../../graph/graph.ts';
import { createProblem } from '../../problem.ts';
import type { Problem } from '../../strategies/strategy/strategy.ts';
import { AuthorsRun } from './authors-run.ts';
import { AUTHORS_RULES, type AuthorsRule, type MemoryRule } from './rules.ts';
import { authorsDivision, type RunEdge } from './run-graph.ts';

/** A figure of the authors' program, and by how much each rule moves it; bytes. */
export interface AuthorsFigure {
  readonly bytes: number;
  readonly effects: readonly { readonly rule: MemoryRule; readonly bytes: number }[];
}

/** Iterations until blocks are reused as they will be: one that is not measured, two that are. */
const ITERATIONS = 3;

/**
 * Memory of regular training and of the optimum of Eq. 2 as the authors' program measures both (SPEC, E1 to E9): the
 * most that the allocator counts in an iteration above what it counts between iterations.
 *
 * The effect of a rule is the figure less that without the rule; of all but `blocks` in bytes asked for, without the
 * allocator, whose blocks depend on everything before.
 */
export function authorsFigures(graph: Graph): {
  readonly regular: AuthorsFigure;
  readonly optimal: AuthorsFigure;
} {
  const problem = createProblem(graph, 'pytorch-1.5');
  const today = createProblem(graph, 'pytorch');
  const division = authorsDivision(problem.view.tensors);
  const run = new AuthorsRun(problem);
  run.prepare();
  const figureOf = (edges: readonly RunEdge[] | null): AuthorsFigure => {
    run.heap.empty();
    const bytes = peakOf(run, edges, ITERATIONS);
    const asked = askedFor(problem, edges);
    const rules = AUTHORS_RULES.filter((rule) => rule !== 'blocks');
    return {
      bytes,
      effects: [
        { rule: 'saved-inputs', bytes: asked - askedFor(today, edges) },
        ...rules.map((rule) => ({ rule, bytes: asked - askedFor(problem, edges, [rule]) })),
        { rule: 'blocks', bytes: bytes - asked },
      ],
    };
  };
  return { regular: figureOf(null), optimal: figureOf(division) };
}

function askedFor(
  problem: Problem,
  edges: readonly RunEdge[] | null,
  off: readonly AuthorsRule[] = [],
): number {
  return peakOf(new AuthorsRun(problem, [...off, 'blocks']), edges, 1);
}

function peakOf(run: AuthorsRun, edges: readonly RunEdge[] | null, iterations: number): number {
  const { heap } = run;
  const before = heap.live;
  for (let i = 0; i < iterations; i++) {
    if (i === 1) heap.peak = before;
    if (edges === null) run.regular();
    else run.checkpointed(edges);
  }
  return heap.peak - before;
}
