import { BadInputError, CancelledError, InfeasibleError } from '../../engine/errors.ts';

/** Exit codes that scripts rely on (DESIGN section 8). */
export const EXIT_BAD_INPUT = 2;
export const EXIT_INFEASIBLE = 3;
export const EXIT_INTERNAL = 70;
export const EXIT_INTERRUPTED = 130;

/** An error that already knows its exit code, such as a failed training process. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof BadInputError) return EXIT_BAD_INPUT;
  if (error instanceof InfeasibleError) return EXIT_INFEASIBLE;
  if (error instanceof CancelledError) return EXIT_INTERRUPTED;
  return EXIT_INTERNAL;
}

/** One line for standard error, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split('\n', 1)[0] ?? '';
  if (exitCodeOf(error) !== EXIT_INTERNAL) return line;
  return `internal fault: ${line} (please report it; ZIGZAG_DEBUG=1 prints the stack)`;
}
