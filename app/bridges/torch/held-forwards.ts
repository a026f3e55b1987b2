import { formatBytes } from '../../../engine/bytes.ts';
import { InfeasibleError } from '../../../engine/errors.ts';
import type { SolvedStrategy } from '../../../engine/strategies/solve.ts';

/** The need of all is close to proportional to that of one, so few plans come near to the budget. */
const MOST_PLANS = 5;
/** Budgets closer to each other than this share are not told apart. */
const CLOSE = 0.005;

/**
 * Bytes of a step that holds several forward passes at once: the peak of one, and what the others hold at their end.
 *
 * @param forwards in sizes of this one, so not always a whole number
 */
export const peakOfAll = (peakBytes: number, savedBytes: number, forwards: number): number =>
  Math.ceil(peakBytes + (forwards - 1) * savedBytes);

export const atOnce = (forwards: number): string =>
  `forward passes at once that are ${Math.round(10 * forwards) / 10} times as large as the captured one`;

interface PlanOfOne {
  readonly solved: SolvedStrategy;
  /** With which this plan of one forward pass was asked for. */
  readonly budgetBytes: number;
}

/**
 * The plan of one forward pass with which several at once stay within a budget, of the least recompute found.
 *
 * @throws InfeasibleError with the least bytes that are known to be enough for all
 */
export function solveWithin(
  solve: (budgetBytes: number) => SolvedStrategy,
  budgetBytes: number,
  forwards: number,
): PlanOfOne {
  const needOf = ({ peakBytes, savedBytes }: SolvedStrategy): number =>
    peakOfAll(peakBytes ?? 0, savedBytes ?? 0, forwards);
  // Its part of the budget is enough for each, as none holds more at its end than at its peak.
  let found = solveOrLeast(solve, Math.max(1, Math.floor(budgetBytes / forwards)));
  const need = needOf(found.solved);
  if (need > budgetBytes) {
    const said = `a budget of ${formatBytes(budgetBytes)} is too small for ${atOnce(forwards)}, with a smallest known need of ${formatBytes(need)}`;
    throw new InfeasibleError(said, need);
  }
  let [asked, most] = [(found.budgetBytes * budgetBytes) / need, budgetBytes];
  for (let plans = 1; plans < MOST_PLANS && most > (1 + CLOSE) * found.budgetBytes; plans++) {
    const least = found.budgetBytes;
    asked = Math.floor(asked > least * (1 + CLOSE) && asked < most ? asked : (least + most) / 2);
    const solved = solve(asked);
    const together = needOf(solved);
    if (together <= budgetBytes) found = { solved, budgetBytes: asked };
    else most = asked;
    asked *= budgetBytes / together;
  }
  return found;
}

/** A plan within a budget, or the one of the lowest peak that is known. */
function solveOrLeast(solve: (budgetBytes: number) => SolvedStrategy, budgetBytes: number): PlanOfOne {
  try {
    return { solved: solve(budgetBytes), budgetBytes };
  } catch (error) {
    if (!(error instanceof InfeasibleError) || error.leastBytes === undefined) throw error;
    return { solved: solve(error.leastBytes), budgetBytes: error.leastBytes };
  }
}
