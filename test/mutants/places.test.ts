import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLACES } from './places.mjs';

describe('the places of npm run mutants', () => {
  it.each(Object.entries(PLACES))(
    '%s has code to change and tests to notice it',
    (_name, { folder, tests }) => {
      expect(readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith('.ts'))).toBe(
        true,
      );
      for (const glob of tests) {
        if (!glob.includes('*')) {
          expect(existsSync(glob), glob).toBe(true);
          continue;
        }
        const room = glob.slice(0, glob.indexOf('*'));
        expect(
          existsSync(room) &&
            readdirSync(room, { recursive: true }).some((f) => /\.test\.ts$/.test(String(f))),
        ).toBe(true);
      }
    },
  );
});
