import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { BadInputError, InfeasibleError } from '../../engine/errors.ts';
import { OutOfMemoryError } from './errors.ts';
import type { Progress } from './progress.ts';
import { runTraining, type TrainingOptions } from './run.ts';
import type { Supervision } from './supervision.ts';

export interface Trial {
  readonly batch: number;
  readonly ran: boolean;
  /** Why it did not run; null on success. */
  readonly reason: string | null;
}

/**
 * The largest batch that really runs on this device: by doubling until one runs out of memory, then by bisection. Every
 * trial is one whole iteration; a trial that the prediction rules out costs almost nothing, because runTraining first
 * compares it with the cap and the device's limit.
 *
 * @param request its batch is ignored @param most largest batch to try @throws InfeasibleError if not even one sample
 *   runs; CancelledError; any error other than a lack of memory
 */
export async function measureLargestBatch(
  request: Omit<TrainRequest, 'batch' | 'iterations'>,
  most: number,
  supervision: Supervision,
  options: TrainingOptions & { readonly onTrial?: (trial: Trial) => void; readonly progress?: Progress },
): Promise<number> {
  let lastReason = '';
  let trials = 0;
  options.progress?.begin('probes', 1, false);
  const runs = async (batch: number, after: number): Promise<boolean> => {
    options.progress?.reckon(trials + 1 + after);
    const onEvent = (event: TrainEvent): void => {
      if (event.event === 'progress') options.progress?.at(trials + event.done);
    };
    try {
      await runTraining({ ...request, batch, iterations: 1 }, onEvent, supervision, options);
      options.onTrial?.({ batch, ran: true, reason: null });
      return true;
    } catch (error) {
      if (!isTooLarge(error, batch)) throw error;
      lastReason = error.message;
      options.onTrial?.({ batch, ran: false, reason: error.message });
      return false;
    } finally {
      options.progress?.at(++trials);
    }
  };
  const batch = await largest(runs, most);
  if (batch === 0) throw new InfeasibleError(`not even one sample runs: ${lastReason}`);
  return batch;
}

/** A budget that fits one sample may be too small for more. */
function isTooLarge(error: unknown, batch: number): error is Error {
  if (error instanceof OutOfMemoryError) return true;
  return batch > 1 && (error instanceof InfeasibleError || error instanceof BadInputError);
}

/**
 * The largest of 1..most that works, or 0; assumes that all below a working one work. At most 2 log2 of it calls.
 *
 * @param works also receives the approximate number of calls to come
 */
export async function largest(
  works: (value: number, after: number) => Promise<boolean>,
  most: number,
): Promise<number> {
  let good = 0;
  let bad = most + 1;
  for (let value = 1; value < bad; value = Math.min(2 * value, most)) {
    // Assumes that doubling ends here: bisection takes as many calls as doubling did.
    if (await works(value, Math.max(1, Math.floor(Math.log2(value))))) good = value;
    else bad = value;
    if (value === most) break;
  }
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await works(middle, Math.ceil(Math.log2(bad - good)) - 1)) good = middle;
    else bad = middle;
  }
  return good;
}
