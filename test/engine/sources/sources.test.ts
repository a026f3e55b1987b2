import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SOURCE_KEYS, SOURCES, type SourceKey } from '../../../engine/sources/sources.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';

const familyNames = (key: SourceKey): string[] =>
  SOURCES[key].authors.map((author) => author.split(',')[0] ?? '');

/** `He et al. 2016`, `Wu & He 2018`, `Griewank & Walther, Algorithm 799: revolve, 2000`, `Liu 1987`. */
const CITED =
  /\b([A-Z][a-z]+)(?: et al\.| (?:&|&amp;|and) [A-Z][a-z]+| \()?(?:,[^.;()\n]{0,60}?)?,? \(?((?:19|20)\d\d)\b/g;

/** Words that look like an author and are a month, a product or a licence. */
const NO_AUTHOR = /^(?:January|Table|Copyright|Sys|Re|Size)$/;

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(entry.name) && !path.includes('sources')) yield path;
  }
}

function citations(text: string): { readonly author: string; readonly year: number }[] {
  return [...text.matchAll(CITED)]
    .map(([, author = '', year]) => ({ author, year: Number(year) }))
    .filter(({ author }) => !NO_AUTHOR.test(author));
}

const isListed = ({ author, year }: { readonly author: string; readonly year: number }): boolean =>
  SOURCE_KEYS.some((key) => SOURCES[key].year === year && familyNames(key).includes(author));

describe('sources', () => {
  it('are found as the code cites them', () => {
    expect(citations('as He et al. 2016 and Wu & He 2018 (Chen et al., Training deep nets, 2016)')).toEqual([
      { author: 'He', year: 2016 },
      { author: 'Wu', year: 2018 },
      { author: 'Chen', year: 2016 },
    ]);
    expect(isListed({ author: 'Nobody', year: 2016 })).toBe(false);
  });

  it('have an entry for every author and year that code, SPEC and README name', () => {
    const texts = ['engine', 'app', 'main', 'renderer'].flatMap((folder) => [...sourceFiles(folder)]);
    const found = [...texts, 'SPEC.md', 'README.md'].flatMap((file) =>
      citations(readFileSync(file, 'utf8')).map((cited) => ({ file, ...cited })),
    );
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter((cited) => !isListed(cited))).toEqual([]);
  });

  it('are what the strategies say in words', () => {
    for (const { name, source, cites } of STRATEGIES) {
      const authors = cites.flatMap(familyNames);
      const named = citations(source);
      for (const { author, year } of named) {
        expect(
          cites.some((key) => SOURCES[key].year === year && familyNames(key).includes(author)),
          name,
        ).toBe(true);
      }
      expect(authors.length > 0 || /^(?:Zigzag|a zigzag-plan)/.test(source), name).toBe(true);
      // Every entry is named: by an author, or as PyTorch.
      for (const key of cites)
        expect(
          [...familyNames(key), 'PyTorch'].some((author) => source.includes(author)),
          `${name}: ${key}`,
        ).toBe(true);
    }
  });

  it('have what BibTeX’s styles ask of each type', () => {
    const REQUIRED = {
      article: ['journal'],
      inproceedings: ['booktitle'],
      techreport: ['institution'],
      misc: [],
    };
    for (const key of SOURCE_KEYS) {
      const { type, fields = {}, year } = SOURCES[key];
      for (const field of REQUIRED[type]) expect(fields, key).toHaveProperty(field);
      if (type !== 'misc') expect(year, key).not.toBeNull();
    }
  });
});
