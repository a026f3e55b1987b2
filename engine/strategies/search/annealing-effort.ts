/** Moves of annealing for one budget: what takes about a third of a second, and little on little graphs. */
export function movesWithin(size: number): number {
  return Math.min(30 * size * size, 6e6 / Math.sqrt(size), 60_000);
}

/** Moves for each of the budgets of a front. */
export const movesOfFront = (size: number): number => movesWithin(size) / 6;
