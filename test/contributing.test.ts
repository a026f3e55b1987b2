import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['.ci', 'app', 'docs', 'engine', 'main', 'renderer', 'test'];
const SOURCE = /\w\.(ts|tsx|mjs|css)$/;
const NAMES: ReadonlySet<string> = new Set(
  [ROOT, ...FOLDERS.map((folder) => join(ROOT, folder))].flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== ROOT, encoding: 'utf8' }).map((path) => basename(path)),
  ),
);

/** Paths in a document's code (from the root) and links (from its folder) that do not exist; globs name no path. */
function missing(text: string, folder = ROOT): readonly string[] {
  const fenced = [...text.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const rest = text.replace(/^```.*\n[\s\S]*?^```/gm, '');
  const inline = [...rest.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const links = [...rest.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  const words = [...fenced, ...inline].flatMap((code) => code.split(/\s+/));
  const plain = words.filter((word) => /^[\w./-]+$/.test(word));
  const paths = plain.filter((word) => FOLDERS.some((folder) => word.startsWith(`${folder}/`)));
  const names = plain.filter((word) => !word.includes('/') && SOURCE.test(word));
  return [
    ...links.filter((path) => !existsSync(join(folder, path))),
    ...paths.filter((path) => !existsSync(join(ROOT, path))),
    ...names.filter((name) => !NAMES.has(name)),
  ];
}

/** Every document for readers: the root's, but for the changelog, whose history names what is gone, and docs/. */
const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the documents', () => {
  it.each(DOCUMENTS)('%s names only existing files', (document) => {
    const path = join(ROOT, document);
    expect(missing(readFileSync(path, 'utf8'), dirname(path))).toEqual([]);
  });

  it('are caught when they name a missing one', () => {
    const text =
      'See `engine/gone.ts`, `gone.tsx`, `engine/zoo/`, `main/*.ts`, [this](GONE.md).\n```\nnode test/gone\n```\n';
    expect(missing(text)).toEqual(['GONE.md', 'test/gone', 'engine/gone.ts', 'gone.tsx']);
  });
});
