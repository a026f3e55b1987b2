import { buildDivisionTree } from '../../../../engine/paper/build-division-tree.ts';
import {
  type CheckpointChoice,
  evaluateUnderMaxTerm,
  type OptimalSolution,
  solveTree,
} from '../../../../engine/paper/solve-optimal.ts';
import { createTensorGraph } from '../../../../engine/paper/tensor-graph.ts';
import { memoize } from './memoize.ts';

/** Tensor j can be the next kept one after tensor i: what lies between costs no more than C. */
export interface Leap {
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

/** A chain of unequal tensors under one max term C: Algorithm 1 of paper 000, one round of it. */
export interface AccessStop {
  readonly maxTerm: number;
  readonly choice: CheckpointChoice;
}

export interface AccessModel {
  readonly costs: readonly number[];
  readonly leaps: readonly Leap[];
  /** One for every cost that a leap has, ascending: the slider's stops. */
  readonly stops: readonly AccessStop[];
  /** Index of the stop of least Eq. 1; of equals the one that the solver takes. */
  readonly best: number;
  readonly optimum: OptimalSolution;
}

/** @param key costs of a chain's tensors, joined by commas: a text, so that it can be remembered by */
const modelOf = memoize((key: string): AccessModel => {
  const costs = key.split(',').map(Number);
  const graph = createTensorGraph(
    costs,
    costs.slice(1).map((_, i): [number, number] => [i, i + 1]),
  );
  const tree = buildDivisionTree(graph);
  const leaps: Leap[] = [];
  for (let to = 1; to < costs.length; to++) {
    for (let from = 0; from < to; from++) {
      leaps.push({ from, to, cost: costs.slice(from + 1, to).reduce((sum, cost) => sum + cost, 0) });
    }
  }
  const maxTerms = [...new Set(leaps.map(({ cost }) => cost))].sort((a, b) => a - b);
  const stops = maxTerms.map((maxTerm) => ({ maxTerm, choice: evaluateUnderMaxTerm(tree, maxTerm) }));
  const optimum = solveTree(tree);
  const best = stops.findIndex(({ maxTerm }) => maxTerm === optimum.maxTerm);
  return { costs, leaps, stops, best, optimum };
});

export const accessModel = (costs: readonly number[]): AccessModel => modelOf(costs.join(','));

export function pathOf({ costs }: AccessModel, { choice }: AccessStop): number[] {
  return [0, ...choice.checkpoints, costs.length - 1];
}

export const MIN_COST = 1;
export const MAX_COST = 99;
export const FIRST_COSTS: readonly number[] = [6, 9, 2, 7, 5, 1, 8, 3, 6, 2];

/** Costs from a link: `6,8,8,2`; the first ones where they cannot be read. */
export function readCosts(text: string | undefined): readonly number[] {
  const costs = (text ?? '').split(',').map(Number);
  const fits = (cost: number): boolean => Number.isInteger(cost) && cost >= MIN_COST && cost <= MAX_COST;
  return costs.length === FIRST_COSTS.length && costs.every(fits) ? costs : FIRST_COSTS;
}
