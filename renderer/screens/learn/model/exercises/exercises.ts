import type { LessonId } from '../../../../state/learn/lessons.ts';
import { BRANCHES_EXERCISES } from './branches.ts';
import { BUDGET_EXERCISES } from './budget.ts';
import { MISTAKES_EXERCISES } from './mistakes.ts';
import { ORDERS_EXERCISES } from './orders.ts';
import { PEBBLES_EXERCISES } from './pebbles.ts';
import { POOR_EXERCISES } from './poor.ts';
import type { Exercise } from './question.ts';
import { REGULAR_EXERCISES } from './regular.ts';
import { SQRT_EXERCISES } from './sqrt.ts';
import { THEORY_EXERCISES } from './theory.ts';
import { UNEQUAL_EXERCISES } from './unequal.ts';

export const EXERCISES: Readonly<Record<LessonId, readonly Exercise[]>> = {
  regular: REGULAR_EXERCISES,
  pebbles: PEBBLES_EXERCISES,
  poor: POOR_EXERCISES,
  sqrt: SQRT_EXERCISES,
  unequal: UNEQUAL_EXERCISES,
  branches: BRANCHES_EXERCISES,
  budget: BUDGET_EXERCISES,
  theory: THEORY_EXERCISES,
  mistakes: MISTAKES_EXERCISES,
  orders: ORDERS_EXERCISES,
};

export const FIRST_SEED = 1;
export const MAX_SEED = 9999;

const dataOf = (exercise: Exercise, seed: number): string => {
  const { text, drawing } = exercise.make(seed);
  return JSON.stringify([text, drawing]);
};

/** The next seed that asks something else; after the last one the first. */
export function nextSeed(exercise: Exercise, seed: number): number {
  const now = dataOf(exercise, seed);
  let next = seed;
  do next = next >= MAX_SEED ? FIRST_SEED : next + 1;
  while (next !== seed && dataOf(exercise, next) === now);
  return next;
}
