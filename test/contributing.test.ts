import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['.ci', 'app', 'docs', 'engine', 'main', 'renderer', 'test'];
const SOURCE = /\w\.(ts|tsx|mjs|css)$/;
const NAMES: ReadonlySet<string> = new Set(
  [ROOT, ...FOLDERS.map((folder) => join(ROOT, folder))].flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== ROOT, encoding: 'utf8' }).map((path) => basename(path)),
  ),
);

/** Paths of the repository in a document's code and links that are not there; globs name no path. */
function missing(text: string): readonly string[] {
  const fenced = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const rest = text.replace(/^```.*\n[\s\S]*?^```/gm, '');
  const inline = [...rest.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const links = [...rest.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  const words = [...fenced, ...inline].flatMap((code) => code.split(/\s+/));
  const plain = words.filter((word) => /^[\w./-]+$/.test(word));
  const paths = plain.filter((word) => FOLDERS.some((folder) => word.startsWith(`${folder}/`)));
  const names = plain.filter((word) => !word.includes('/') && SOURCE.test(word));
  return [
    ...[...links, ...paths].filter((path) => !existsSync(join(ROOT, path))),
    ...names.filter((name) => !NAMES.has(name)),
  ];
}

describe('the documents', () => {
  it.each(['CONTRIBUTING.md', 'README.md', 'SPEC.md'])('%s names only what is there', (document) => {
    expect(missing(readFileSync(join(ROOT, document), 'utf8'))).toEqual([]);
  });

  it('are caught naming what is not', () => {
    const text =
      'See `engine/gone.ts`, `gone.tsx`, `engine/zoo/`, `main/*.ts`, [this](GONE.md).\n```\nnode test/gone\n```\n';
    expect(missing(text)).toEqual(['GONE.md', 'test/gone', 'engine/gone.ts', 'gone.tsx']);
  });
});
