import type { TableName } from '../../engine/tables/table.ts';
import { formatCount, THIN, threeDigits } from '../shared/format/numbers.ts';
import { PICTURED } from './layout.ts';
import type { TableProgress } from './tables-store.ts';

export interface HeadlinePart {
  readonly text: string;
  readonly figure: boolean;
}

const text = (value: string): HeadlinePart => ({ text: value, figure: false });
const figure = (value: string): HeadlinePart => ({ text: value, figure: true });

/** Cut-offs closer than this, in points, count as the same. */
const SAME = 5;

/** The one sentence of a reproduced table. */
export function tableHeadline(name: TableName, table: TableProgress): HeadlinePart[] {
  const { rows, networks } = table;
  if (rows.length === 0) return [text('Reproducing the paper’s table…')];
  const { paper, ours } = PICTURED[name];
  const pairs = rows.flatMap((row) => {
    const [a, b] = [row[paper], row[ours]];
    return typeof a === 'number' && typeof b === 'number' ? [Math.abs(a - b)] : [];
  });
  const close = pairs.filter((difference) => difference <= SAME).length;
  const what = name === 'theory' ? 'Theoretical cut-offs' : 'Cut-offs';
  const solved = rows.length < networks.length ? ` so far` : '';
  const start = [
    text(`${what} agree with the paper within ${SAME} points on `),
    figure(`${formatCount(close)} of ${formatCount(rows.length)}`),
    text(` networks${solved}`),
  ];
  if (name !== 'theory') return [...start, text('.')];
  const seconds = (key: string): number =>
    rows.reduce((sum, row) => sum + (typeof row[key] === 'number' ? row[key] : 0), 0);
  return [
    ...start,
    text(', solved in '),
    figure(saySeconds(seconds('solverS'))),
    text(' instead of '),
    figure(saySeconds(seconds('paperSolverS'))),
    text('.'),
  ];
}

function saySeconds(seconds: number): string {
  if (seconds < 1) return `${threeDigits(seconds * 1000)}${THIN}ms`;
  if (seconds < 120) return `${threeDigits(seconds)}${THIN}s`;
  return seconds < 7200 ? `${threeDigits(seconds / 60)}${THIN}min` : `${threeDigits(seconds / 3600)}${THIN}h`;
}
