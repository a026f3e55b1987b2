import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { englishFaults } from './support/plain-english.ts';

/** Words that stay out of everything that users read, each with a plainer one. */
const OUT: readonly (readonly [RegExp, string])[] = [
  [/\bbefall/i, 'happens to'],
  [/\bof former times\b/i, 'earlier'],
  [/\bmade again\b/i, 'recomputed'],
  [/\bputs? out\b/i, 'returns, writes'],
  [/\bholds? besides\b/i, 'also holds'],
  [/\bthat there is not\b/i, 'that does not exist'],
  [/\bthere (?:is|are) none\b/i, 'no … exists'],
  [/\banew\b/i, 'again'],
  [/\bhence\b/i, 'so'],
  [/\bwho(?:ever|so)\b/i, 'anyone who'],
  [/\btold none\b/i, 'by default'],
  [/\bthat which\b/i, 'what'],
  [/\bforwards? again\b/i, 'recomputes'],
  [/\bforwarded again\b/i, 'recomputed'],
  [/\bno \w+ any more\b/i, 'no longer'],
  [/\bto be had\b/i, 'available'],
  [/\bis not here\b/i, 'is not installed'],
  [/\bgive up\b/i, 'drop'],
  [/\blest\b/i, 'so that … not'],
  [/\bbr(?:ea|o)ks? off\b|\bbroke off\b/i, 'ends'],
];

const ROOT = join(import.meta.dirname, '..');
const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/node_modules|\.vitepress/.test(name))
    .map((name) => join(folder, name));

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'SPEC.md', ...filesIn('docs', /\.md$/)];
// Titles of papers are not ours.
const PROGRAM = ['renderer', 'app', 'engine', 'main']
  .flatMap((folder) => filesIn(folder, /\.tsx?$/))
  .filter((file) => !file.startsWith('engine/sources/'));

const TEXTS = new Map<string, readonly string[]>();

/** Words of a program that people may read: texts in quotes and between tags, not comments and imports. */
function textsOf(path: string): readonly string[] {
  const known = TEXTS.get(path);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(
    path,
    readFileSync(join(ROOT, path), 'utf8'),
    ts.ScriptTarget.Latest,
    false,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `N${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(source);
  TEXTS.set(path, texts);
  return texts;
}

const found = (path: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    OUT.flatMap(([word, better]) => {
      const [match] = word.exec(text.replaceAll(/\s+/g, ' ')) ?? [];
      return match === undefined ? [] : [`${path}: "${match}" (${better}): ${text.trim().slice(0, 90)}`];
    }),
  );

/** Comments that begin with a word that hides their subject. */
const INDIRECT = /^\s*(?:\/\*\*?|\/\/|#|""") *(?:\n\s*\* *)?(?:What|Whether|Of|Where|Those|That|Which)\b.*/;
const COMMENTS = /^[ \t]*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n[ \t]*)+|(?:# .*\n[ \t]*)+|""".*)/gm;

/** True for three words in a row without a sign of a program, a style sheet or a query. */
const isProse = (text: string): boolean =>
  /[a-z]+ [a-z]+ [a-z]+/i.test(text) && /\b[a-z]{3}/.test(text) && !/[<>{}=;@\\]|-- /.test(text);

/** Prose of a page: without code, tables, addresses and headings. */
const proseOf = (page: string): string =>
  page
    .replaceAll(/^---\n[\s\S]*?\n---|```[\s\S]*?```|^\|.*$|^#.*$|<[^>]*>/gm, '')
    .replaceAll(/`[^`]*`/g, 'N')
    .replaceAll(/\]\([^)]*\)|[[\]*_]/g, '')
    .replaceAll(/^\s*(?:[-*]|\d+\.) /gm, '\n\n');

async function faultsIn(path: string, text: string): Promise<string[]> {
  return (await englishFaults(text)).map((fault) => `${path}: ${fault}`);
}

const SOURCES = ['app', 'engine', 'main', 'renderer', 'test'].flatMap((folder) =>
  filesIn(folder, /\.(?:tsx?|mjs|py|css|cc|h)$/),
);
const TITLES = /\b(?:it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*'(?:\\.|[^'])*'/g;
const matchesOf = (file: string, wanted: RegExp): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(wanted)].map(([match]) => match);

describe('words', () => {
  it('comments lead with the noun or the verb', () => {
    expect(
      SOURCES.flatMap((file) =>
        matchesOf(file, COMMENTS).flatMap((comment) => {
          const [first] = INDIRECT.exec(comment) ?? [];
          return first === undefined ? [] : [`${file}: ${first}`];
        }),
      ),
    ).toEqual([]);
  });

  it('comments and titles of tests use no word that is out', () => {
    const plain = (comment: string): string => comment.replaceAll(/\n\s*(?:\*|\/\/|#)/g, '');
    expect(
      SOURCES.flatMap((file) => [
        ...found(file, matchesOf(file, COMMENTS).map(plain)),
        ...(file.startsWith('test') ? found(file, matchesOf(file, TITLES)) : []),
      ]),
    ).toEqual([]);
  });

  it('documents use no word that is out', () => {
    expect(
      PAGES.flatMap((page) => found(page, readFileSync(join(ROOT, page), 'utf8').split(/\n(?=\s*\n)/))),
    ).toEqual([]);
  });

  it('screens, the command line and messages use none either', () => {
    expect(PROGRAM.length).toBeGreaterThan(500);
    expect(PROGRAM.flatMap((file) => found(file, textsOf(file)))).toEqual([]);
  });

  it('documents pass a linter of English', async () => {
    const faults = PAGES.map((page) => faultsIn(page, proseOf(readFileSync(join(ROOT, page), 'utf8'))));
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it('sentences of screens, the command line and messages pass it', async () => {
    const sentences = PROGRAM.flatMap((file) =>
      textsOf(file)
        .filter(isProse)
        .map((text) => [file, text.replaceAll(/\s+/g, ' ')] as const),
    );
    expect(sentences.length).toBeGreaterThan(2000);
    const faults = await Promise.all(sentences.map(([file, text]) => faultsIn(file, text)));
    expect(faults.flat()).toEqual([]);
  });

  it('Python says it plainly: docstrings, errors and log lines', async () => {
    const files = filesIn('app/bridges/torch', /\.py$/);
    const texts = /"""[\s\S]*?"""|'[^'\n]*'|"[^"\n]*"/g;
    expect(files.flatMap((file) => found(file, matchesOf(file, texts)))).toEqual([]);
    const docstrings = files.flatMap((file) =>
      matchesOf(file, /^ *"""[\s\S]*?"""/gm).map(
        (text) =>
          [file, proseOf(text.replaceAll(/"|^ {4}(?:python|import|model|zigzag|print|#).*$/gm, ''))] as const,
      ),
    );
    const faults = await Promise.all(docstrings.map(([file, text]) => faultsIn(file, text)));
    expect(faults.flat()).toEqual([]);
  });
});
