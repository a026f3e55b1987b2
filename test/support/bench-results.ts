import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** Processor, runtime and load: figures of time mean nothing without them. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(1) ?? 'unknown';
  return `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}, load ${load}`;
}

type Cell = string | number;

/** Rows with the same keys as a table of Markdown; columns that hold numbers alone are set to the right. */
export function markdownTable(rows: readonly Readonly<Record<string, Cell>>[]): string[] {
  const keys = Object.keys(rows[0] ?? {});
  const isFigure = (key: string): boolean =>
    rows.every((row) => row[key] === '' || Number.isFinite(Number(row[key])));
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(keys),
    line(keys.map((key) => (isFigure(key) ? '---:' : '---'))),
    ...rows.map((row) => line(keys.map((key) => row[key] ?? ''))),
  ];
}

/** Writes a file of `test/bench/results`. */
export function writeResult(file: string, text: string): void {
  const folder = join('test', 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Keeps what a benchmark found: `test/bench/results/NAME.md`, with the machine on its second line. */
export const keepResult = (name: string, title: string, lines: readonly string[]): void =>
  writeResult(`${name}.md`, `# ${title}\n\n${machine()}\n\n${lines.join('\n')}\n`);

/** The middle value; of two, the larger. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The row of a kept table whose first cell is the name. */
export function keptRow(result: string, name: string): Record<string, string> | undefined {
  const path = join('test', 'bench', 'results', `${result}.md`);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const [keys = [], , ...rows] = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  const cells = rows.find(([own]) => own === name);
  return cells && Object.fromEntries(keys.map((key, i) => [key, cells[i] ?? '']));
}
