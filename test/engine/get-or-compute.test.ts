import { expect, it } from 'vitest';
import { getOrCompute } from '../../engine/get-or-compute.ts';

it('computes once for each key', () => {
  const known = new WeakMap<object, number>();
  const [one, two] = [{}, {}];
  let computed = 0;
  const ask = (key: object): number => getOrCompute(known, key, () => ++computed);
  expect([ask(one), ask(two), ask(one), ask(two)]).toEqual([1, 2, 1, 2]);
  const wrong = (): number => {
    throw new Error('no answer');
  };
  const three = {};
  expect(() => getOrCompute(known, three, wrong)).toThrow('no answer');
  expect(ask(three)).toBe(3);
});
