import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** The pages whose blocks of code run. */
export const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort();

export interface Block {
  /** The comment above it: `not run: why`, or `run by FILE`. */
  readonly note: string | undefined;
  readonly language: string;
  readonly code: string;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/(?:<!-- (.+?) -->\n+)?^```(\w+)\n([\s\S]*?)^```/gm)].map(
    ([, note, language = '', code = '']) => ({ note, language, code }),
  );
}

const ZIGZAG = /^(?:npm run -s zigzag --|zigzag) (.+)$/;

/** Words and output file of a line that runs the command line; undefined for another command. */
export function commandOf(line: string): { words: string[]; file: string | undefined } | undefined {
  const [command = '', file] = line.replace(/\s+#.*$/, '').split(' > ');
  const words = ZIGZAG.exec(command)?.[1]?.split(' ');
  return words && { words, file: file?.trim() };
}

export const linesOf = ({ code }: Block): string[] => code.split('\n').filter((line) => line.trim() !== '');
