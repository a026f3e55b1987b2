import { failureOf, type LabFailureView } from '../../../app/contract/client.ts';

export type Events<E> = AsyncIterable<E> | Promise<AsyncIterable<E>>;

export async function* once<T>(answer: Promise<T>): AsyncGenerator<T, void, void> {
  yield await answer;
}

/**
 * Follows one request of the lab to its end. Nothing is told after an abort, whatever the lab still sends.
 *
 * @returns null when all was told, else why not: `ABORTED` after the signal, or what the lab said; never throws
 */
export async function follow<E>(
  ask: (signal: AbortSignal) => Events<E>,
  signal: AbortSignal,
  tell: (event: E) => void,
): Promise<LabFailureView | null> {
  try {
    for await (const event of await ask(signal)) {
      if (signal.aborted) break;
      tell(event);
    }
    return signal.aborted ? failureOf(null, signal) : null;
  } catch (error) {
    return failureOf(error, signal);
  }
}
