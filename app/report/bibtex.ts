import type { Source } from '../../engine/sources/source.ts';
import { SOURCE_KEYS, SOURCES, type SourceKey } from '../../engine/sources/sources.ts';
import { latexText } from './latex-text.ts';

/** The entry of Zigzag itself. */
export const ZIGZAG_KEY = 'zigzag';

export type EntryKey = SourceKey | typeof ZIGZAG_KEY;

export const ENTRY_KEYS: readonly EntryKey[] = [...SOURCE_KEYS, ZIGZAG_KEY];

/** Zigzag as a source; a release has a version, and no year that would be known here. */
const zigzag = (version: string): Source => ({
  type: 'misc',
  authors: ['Zigzag contributors'],
  title: 'Zigzag: a Lab for Gradient Checkpointing',
  year: null,
  fields: { note: `Version ${version}` },
});

/**
 * BibTeX in ASCII of the entries asked for, each once, in the order of the list.
 *
 * @param version of Zigzag, as `0.1.0`
 */
export function bibtex(version: string, keys: readonly EntryKey[] = ENTRY_KEYS): string {
  return ENTRY_KEYS.filter((key) => keys.includes(key))
    .map((key) => entry(key, key === ZIGZAG_KEY ? zigzag(version) : SOURCES[key]))
    .join('\n');
}

function entry(key: string, { type, authors, title, year, fields = {} }: Source): string {
  const pairs: readonly (readonly [name: string, value: string])[] = [
    ...(authors.length === 0 ? [] : [['author', authors.map(author).join(' and ')] as const]),
    // The second pair of braces keeps styles from changing capitals: PyTorch, BERT.
    ['title', `{${latexText(title)}}`],
    ...(year === null ? [] : [['year', String(year)] as const]),
    // Addresses are read as they are, and a range of pages has its two hyphens.
    ...Object.entries(fields).map(
      ([name, value]) => [name, /^(?:url|eprint|pages)$/.test(name) ? value : latexText(value)] as const,
    ),
  ];
  return `@${type}{${key},\n${pairs.map(([name, value]) => `  ${name} = {${value}},\n`).join('')}}\n`;
}

/** A body is no person with a family name; `others` is BibTeX's own word. */
const author = (name: string): string =>
  name.includes(',') || name === 'others' ? latexText(name) : `{${latexText(name)}}`;
