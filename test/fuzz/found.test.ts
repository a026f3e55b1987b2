import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shrunk } from '../support/shrink.ts';
import { TARGETS } from './targets.ts';

const FOLDER = new URL('../fixtures/fuzz/', import.meta.url);
const found = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];

interface Kept {
  readonly target: string;
  readonly input?: unknown;
  readonly base64?: string;
}

it.each(found)('inputs that npm run fuzz found holds now: %s', async (name) => {
  const { target, input, base64 } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Kept;
  await TARGETS[target]?.check(base64 === undefined ? input : new Uint8Array(Buffer.from(base64, 'base64')));
});

it.each(Object.entries(TARGETS))(
  'each target of npm run fuzz %s draws the same inputs from a seed, and passes on some',
  async (name, target) => {
    for (let seed = 1; seed <= 25; seed++) {
      const drawn = target.draw(seed);
      expect(target.draw(seed)).toEqual(drawn);
      // Limits of time are skipped: no test asserts a duration.
      if (name !== 'sizes' && !name.startsWith('bombs')) await target.check(drawn);
    }
  },
);

describe('a shrunk input', () => {
  it('is the smallest that still fails', () => {
    const document = { a: [1, 2, { b: 1000 }, 4], c: 'a long text that says nothing' };
    const holds = (d: unknown): boolean =>
      JSON.stringify(d).includes('"b":') && /"b":[1-9]/.test(JSON.stringify(d));
    expect(shrunk(document, holds)).toEqual({ a: [{ b: 1 }] });
  });

  it('may be bytes, and shrinking ends after a number of tries', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => i);
    expect(shrunk(bytes, (d) => d instanceof Uint8Array && d.includes(37))).toEqual(Uint8Array.of(37));
    let tries = 0;
    shrunk(bytes, () => ++tries > 0 && false, 5);
    expect(tries).toBeLessThanOrEqual(5);
  });
});
