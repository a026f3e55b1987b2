import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { failureOf } from '../../../app/contract/client.ts';
import { historyCalls } from '../../../app/contract/history-calls.ts';
import { solverCalls } from '../../../app/contract/solver-calls.ts';
import { trainerCalls } from '../../../app/contract/trainer-calls.ts';
import { CARRIERS, type Carried } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';

const CALLS = { ...solverCalls, ...trainerCalls, ...historyCalls };

/** Values that carriers know beside JSON and no call takes. */
const VALUES: readonly unknown[] = [
  1n,
  -(2n ** 64n),
  [1n],
  { x: 1n },
  new Map([[1n, 1n]]),
  new Set([1n]),
  /x/,
  new Date(0),
];

const carry = CARRIERS.find(([name]) => name === 'WebSocket')?.[1];
let carried: Carried;
beforeAll(async () => {
  if (carry === undefined) throw new Error('there is no such carrier');
  carried = await carry(stubServices({}));
});
afterAll(() => carried.close());

/** How a call ends; null where it does not fail. */
async function codeOf(name: string, input: unknown): Promise<string | null> {
  const calls = carried.client as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  try {
    const answer = await calls[name]?.(input);
    const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    if (isStream) for await (const _event of answer as AsyncIterable<unknown>);
    return null;
  } catch (error) {
    return failureOf(error).code;
  }
}

describe('a call with what JSON has not', () => {
  const taking = Object.entries(CALLS).filter(([, { input }]) => input instanceof z.ZodObject);
  it.each(taking.map(([name, { input }]) => [name, input] as const))(
    'is bad input: %s',
    async (name, schema) => {
      const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
      expect(keys.length).toBeGreaterThan(0);
      for (const value of VALUES) {
        const isObject = Object.getPrototypeOf(value) === Object.prototype;
        if (!isObject) expect(await codeOf(name, value), name).toBe('BAD_INPUT');
        // All of them: the first that is wrong is told, and whatever it is must be one that can be told.
        for (const key of keys)
          expect(await codeOf(name, { [key]: value }), `${name} ${key}`).toBe('BAD_INPUT');
      }
    },
  );
});
