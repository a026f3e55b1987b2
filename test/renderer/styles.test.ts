import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const RENDERER = join(import.meta.dirname, '..', '..', 'renderer');
const FILES = readdirSync(RENDERER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** Classes by the CSS module that they are read from. */
function usedClasses(): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  for (const file of FILES.filter((name) => /\.tsx?$/.test(name))) {
    const text = readFileSync(file, 'utf8');
    for (const [, name, path] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = join(dirname(file), path!);
      const classes = used.get(sheet) ?? new Set();
      used.set(sheet, classes);
      for (const [, one] of text.matchAll(new RegExp(`\\b${name}\\['(\\w+)'\\]`, 'g'))) classes.add(one!);
    }
  }
  return used;
}

it('has no unused and no missing class', () => {
  const used = usedClasses();
  const wrong = FILES.filter((name) => name.endsWith('.module.css')).flatMap((sheet) => {
    const rules = readFileSync(sheet, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\{[^{}]*\}/g, ' ');
    const there = new Set([...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name!));
    const read = used.get(sheet) ?? new Set<string>();
    const name = relative(RENDERER, sheet);
    return [
      ...[...there].filter((one) => !read.has(one)).map((one) => `${name}: nothing reads .${one}`),
      ...[...read].filter((one) => !there.has(one)).map((one) => `${name}: there is no .${one}`),
    ];
  });
  expect(wrong).toEqual([]);
});
