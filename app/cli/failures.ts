import { BadInputError, CancelledError, InfeasibleError } from '../../engine/errors.ts';
import { type Failure, failureFrom } from '../../main/host/failure.ts';
import { plainName } from './plain-text.ts';

/** Exit codes that scripts rely on. */
export const EXIT_BAD_INPUT = 2;
const EXIT_INFEASIBLE = 3;
export const EXIT_INTERNAL = 70;

/** A signal ends a process with 128 and its number, as a shell says it. */
const EXIT_OF_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof EXIT_OF_SIGNAL;
export const ENDING_SIGNALS = Object.keys(EXIT_OF_SIGNAL) as readonly EndingSignal[];

/** A signal asked the command to stop. */
export class InterruptedError extends CancelledError {
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal) {
    super();
    this.signal = signal;
  }
}

/** The answer of a command that fails: what `--json` prints beside the error. */
export class AnsweredError extends BadInputError {
  readonly document: object;

  constructor(message: string, document: object) {
    super(message);
    this.document = document;
  }
}

/** The same of a request that nothing satisfies, with what would, line by line. */
export class AnsweredInfeasibleError extends InfeasibleError {
  readonly document: object;
  readonly advice: string;

  constructor(message: string, document: object, advice: string) {
    super(message);
    this.document = document;
    this.advice = advice;
  }
}

/** Document that `--json` prints for an error. */
export const documentOf = (error: unknown): object =>
  error instanceof AnsweredError || error instanceof AnsweredInfeasibleError ? error.document : {};

const EXITS: Readonly<Record<Failure['code'], number>> = {
  BAD_INPUT: EXIT_BAD_INPUT,
  INFEASIBLE: EXIT_INFEASIBLE,
  OUT_OF_MEMORY: EXIT_INFEASIBLE,
  WORKER_DIED: EXIT_INTERNAL,
  BUSY: EXIT_INTERNAL,
  NOT_ADDED: EXIT_INTERNAL,
  INTERNAL: EXIT_INTERNAL,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return EXIT_OF_SIGNAL[error.signal];
  return error instanceof CancelledError ? EXIT_OF_SIGNAL.SIGINT : EXITS[failureFrom(error).code];
}

/** One line for standard error, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The name of a file may have line breaks; what is said of it follows them.
  if (exitCodeOf(error) !== EXIT_INTERNAL) return plainName(message);
  const line = plainName(message.split('\n', 1)[0] ?? '');
  return `internal fault: ${line} (please report it; ZIGZAG_DEBUG=1 prints the stack)`;
}

/** A failure as `--json` prints it. */
export interface JsonError {
  /** `bad-input`, `infeasible`, `out-of-memory`, `worker-died`, `busy`, `internal` or `cancelled`. */
  readonly kind: string;
  /** The sentence on standard error. */
  readonly message: string;
  readonly exitCode: number;
}

export function jsonErrorOf(error: unknown): JsonError {
  const code = error instanceof CancelledError ? 'CANCELLED' : failureFrom(error).code;
  return {
    kind: code.toLowerCase().replaceAll('_', '-'),
    message: sentenceOf(error),
    exitCode: exitCodeOf(error),
  };
}
