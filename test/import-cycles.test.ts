import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importSpecifiers } from './support/layers.ts';

const ROOT = join(import.meta.dirname, '..');

/** What each file imports of the others, types included. */
function importsOf(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx)$/.test(name))
      .map((name) => posix.join(folder, name.split(sep).join('/'))),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const targets = importSpecifiers(readFileSync(join(ROOT, file), 'utf8'))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(file), specifier));
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
}

/** Files on a cycle, or between two: what stays when those that import nothing, or that nothing imports, go. */
function knotted(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let left = [...imports.keys()];
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const here = new Set(left);
    const imported = new Set(left.flatMap((file) => imports.get(file) ?? []));
    left = left.filter((file) => imported.has(file) && imports.get(file)?.some((target) => here.has(target)));
  }
  return left;
}

describe('imports', () => {
  it('have no cycles, type-only ones included', () => {
    expect(knotted(importsOf(['engine', 'app', 'main']))).toEqual([]);
  });

  it('of files that need each other, in one step or several, would be seen', () => {
    const imports = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
      ['e', ['e']],
    ]);
    expect(knotted(imports)).toEqual(['b', 'c', 'e']);
  });
});
