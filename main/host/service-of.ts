import type { Calls, EventOf, InputOf, ResultOf, ServiceOf } from '../../app/contract/calls.ts';
import { InternalError } from '../../engine/errors.ts';

/** Makes one call: yields its events, returns its result. */
export type Ask<C extends Calls> = <Name extends keyof C & string>(
  name: Name,
  input: InputOf<C[Name]>,
  signal?: AbortSignal,
) => AsyncGenerator<EventOf<C[Name]>, ResultOf<C[Name]>, void>;

/** Builds a service's methods from the calls that it answers and one function that makes any call. */
export function serviceOf<C extends Calls>(calls: C, ask: Ask<C>): ServiceOf<C> {
  const methods = Object.entries(calls).map(([name, { kind, once }]) => {
    const asked = (input: never, signal?: AbortSignal) => ask(name, input, signal);
    if (kind === 'events') return [name, asked];
    const answer = async (input: never, signal?: AbortSignal) => resultOf(asked(input, signal));
    return [name, once === true ? remembered(answer as () => Promise<unknown>) : answer];
  });
  return Object.fromEntries(methods);
}

async function resultOf<T>(answer: AsyncGenerator<unknown, T, void>): Promise<T> {
  const { done, value } = await answer.next();
  if (done !== true) throw new InternalError('a call with a result sent an event');
  return value;
}

/** Asks once; a failure is not cached. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    if (known !== null) return known;
    const asked = ask();
    known = asked;
    asked.catch(() => {
      if (known === asked) known = null;
    });
    return asked;
  };
}
