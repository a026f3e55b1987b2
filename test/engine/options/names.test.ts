import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../../../engine/options/table.ts';

/** Words of the field too: a network's batch, a tensor and its gradients, a schedule's segments, a sweep's shards. */
const WORDS = new Set(
  'batch input dropout profile dtype precision optimizer gradients seed budgetBytes checkpoints slots segments checkpointing plan device shard tensor pipeline'.split(
    ' ',
  ),
);
const MAX_FILES = 10;

/** The words of each file of the program, without its comments. */
const FILES = ['app', 'main', 'engine', 'renderer'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|mjs|py)$/.test(path))
    .map((path) => {
      const code = readFileSync(join(room, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
      return { path: join(room, path), words: new Set(code.match(/\w+/g)) };
    }),
);

const filesWith = (name: string): string[] =>
  FILES.filter(({ words }) => words.has(name)).map(({ path }) => path);

describe('the name of an option', () => {
  it.each(Object.keys(OPTIONS).filter((name) => !WORDS.has(name)))(
    `%s stands in ${MAX_FILES} files at most`,
    (name) => {
      const found = filesWith(name);
      expect(found).toContain('engine/options/table.ts');
      expect(found.length, found.join('\n')).toBeLessThanOrEqual(MAX_FILES);
    },
  );

  it('is not counted only where it means something else too', () => {
    for (const name of WORDS) expect(filesWith(name).length, name).toBeGreaterThan(MAX_FILES);
  });
});
