export { expect } from 'vitest';

/**
 * @typedef {() => unknown} Body
 * @typedef {{ id: string, body: Body, before: readonly Body[] }} Test
 */

/**
 * Parts of Vitest that the engine's tests use: tests are gathered, and run by runner.mjs; the matchers are Vitest's
 * own.
 */
/** @type {Test[]} */
let tests = [];
/** @type {{ names: string[], before: Body[] }} */
let at = { names: [], before: [] };

/** Tests gathered since the last call. */
export function gathered() {
  const all = tests;
  tests = [];
  at = { names: [], before: [] };
  return all;
}

/** @param {string} name @param {() => void} body */
export function describe(name, body) {
  const outer = at;
  at = { names: [...outer.names, name], before: [...outer.before] };
  body();
  at = outer;
}

/** @param {Body} body */
export function beforeAll(body) {
  at.before.push(body);
}

/** @param {string} name @param {Body} body */
export function it(name, body) {
  // Two tests may have one name.
  tests.push({ id: `${tests.length} ${[...at.names, name].join(' ')}`, body, before: at.before });
}

it.each =
  /** @param {readonly unknown[]} cases */
    (cases) =>
    /** @param {string} name @param {(...args: unknown[]) => unknown} body */
    (name, body) => {
      for (const each of cases) it(name, () => (Array.isArray(each) ? body(...each) : body(each)));
    };
