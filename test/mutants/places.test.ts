import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLACES } from './places.mjs';
import { readRows } from './score.mjs';

it.each(Object.entries(PLACES))(
  'the places of npm run mutants %s has code to change and tests to notice it',
  (_name, { folder, tests }) => {
    expect(readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith('.ts'))).toBe(true);
    for (const glob of tests) {
      if (!glob.includes('*')) {
        expect(existsSync(glob), glob).toBe(true);
        continue;
      }
      const room = glob.slice(0, glob.indexOf('*'));
      expect(
        existsSync(room) && readdirSync(room, { recursive: true }).some((f) => /\.test\.ts$/.test(String(f))),
      ).toBe(true);
    }
  },
);

describe('the stored results of mutants', () => {
  it('are figures of existing files', () => {
    const rows = readRows(readFileSync('test/bench/results/mutants.md', 'utf8'));
    expect(rows.length).toBeGreaterThan(50);
    for (const { file } of rows) expect(existsSync(file), file).toBe(true);
  });

  it('are equivalent ones whose line still exists', () => {
    const named = JSON.parse(readFileSync('test/mutants/equivalent.json', 'utf8')) as {
      file: string;
      line: string;
    }[];
    for (const { file, line } of named)
      expect(
        readFileSync(file, 'utf8')
          .split('\n')
          .map((one) => one.trim()),
        file,
      ).toContain(line);
  });
});
