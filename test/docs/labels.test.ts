import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`);
const asOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Guides set in italics and nowhere else what the lab or a message says; a renamed button must be renamed there too. */
it('guides name buttons, columns and messages as the lab does', () => {
  const sources = ['renderer', 'engine', 'app'].flatMap((folder) => filesIn(folder, /\.tsx?$/));
  const program = asOneLine(sources.map(read).join('\n')).replaceAll("' + '", '');
  const pages = ['docs/start', 'docs/guides'].flatMap((folder) => filesIn(folder, /\.md$/));
  const labels = pages.flatMap((page) =>
    [
      ...read(page)
        .replaceAll(/```[\s\S]*?```|\*\*/g, '')
        .matchAll(/\*(\S[^*]*)\*/g),
    ].map(([, label = '']) => ({
      page,
      label: asOneLine(label),
    })),
  );
  expect(labels.length).toBeGreaterThan(15);
  expect(labels.filter(({ label }) => !program.includes(label))).toEqual([]);
});
