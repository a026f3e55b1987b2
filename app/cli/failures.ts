import { CancelledError } from '../../engine/errors.ts';
import { type Failure, failureFrom } from '../../main/host/failure.ts';

/** Exit codes that scripts rely on (DESIGN section 8). */
export const EXIT_BAD_INPUT = 2;
const EXIT_INFEASIBLE = 3;
export const EXIT_INTERNAL = 70;
const EXIT_INTERRUPTED = 130;

const EXITS: Readonly<Record<Failure['code'], number>> = {
  BAD_INPUT: EXIT_BAD_INPUT,
  INFEASIBLE: EXIT_INFEASIBLE,
  OUT_OF_MEMORY: EXIT_INFEASIBLE,
  WORKER_DIED: EXIT_INTERNAL,
  BUSY: EXIT_INTERNAL,
  INTERNAL: EXIT_INTERNAL,
};

export function exitCodeOf(error: unknown): number {
  return error instanceof CancelledError ? EXIT_INTERRUPTED : EXITS[failureFrom(error).code];
}

/** One line for standard error, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split('\n', 1)[0] ?? '';
  if (exitCodeOf(error) !== EXIT_INTERNAL) return line;
  return `internal fault: ${line} (please report it; ZIGZAG_DEBUG=1 prints the stack)`;
}
