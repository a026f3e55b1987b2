import { oneLine } from './sentence.ts';

/**
 * The three ways in which a request can fail (STYLE: bad input, infeasible, our bug), as classes,
 * so that callers and tests match the type and not the text.
 */

/** The user's input is wrong. The message is one sentence that says what to do; CLI exit code 2. */
export class BadInputError extends Error {
  override readonly name = 'BadInputError';
  /** Place of the fault in the input, e.g. `vertices[17].bytes`; empty when it has none. */
  readonly path: string;

  constructor(message: string, path = '') {
    super(oneLine(path === '' ? message : `${path}: ${message}`));
    this.path = oneLine(path);
  }
}

/** The input is fine, but nothing satisfies the request (a budget below the reachable); exit code 3. */
export class InfeasibleError extends Error {
  override readonly name = 'InfeasibleError';
  /** The least bytes with which the same request is known to work; absent where none is known. */
  readonly leastBytes: number | undefined;

  constructor(message: string, leastBytes?: number) {
    super(oneLine(message));
    this.leastBytes = leastBytes;
  }
}

/** Sentence on a strategy that cannot treat a network. */
export const notApplicableText = (strategy: string, reason: string | null): string =>
  `${strategy} does not apply here: ${reason ?? 'no reason given'}`;

/** The caller's signal asked the work to stop. Nothing is wrong. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor() {
    super('cancelled');
  }
}

/** A broken promise between our own modules; exit code 70. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}
