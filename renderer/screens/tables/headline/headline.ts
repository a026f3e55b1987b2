import { isNetworkTable, type TableName } from '../../../../engine/tables/table.ts';
import { figure, type HeadlinePart, text } from '../../../../app/report/headline-part.ts';
import { formatCount, THIN, threeDigits } from '../../../shared/format/numbers.ts';
import { plainHeadline } from './plain-headline.ts';
import { PICTURED } from '../state/layout.ts';
import type { TableProgress } from '../state/tables-store.ts';

/** Cut-offs closer than this, in points, count as the same. */
const SAME = 5;

/** The one sentence of a reproduced table. */
export function tableHeadline(name: TableName, table: TableProgress): HeadlinePart[] {
  const { rows, networks } = table;
  if (rows.length === 0) return [text('Reproducing the paper’s table…')];
  if (!isNetworkTable(name)) return plainHeadline(name, rows);
  const { paper, ours } = PICTURED[name];
  const pairs = rows.flatMap((row) => {
    const [a, b] = [row[paper], row[ours]];
    return typeof a === 'number' && typeof b === 'number' ? [[a, b] as const] : [];
  });
  const close = pairs.filter(([a, b]) => Math.abs(a - b) <= SAME).length;
  const printed = pairs.filter(([a, b]) => Math.round(b) === a).length;
  const agreement = [
    figure(`${formatCount(close)} of ${formatCount(pairs.length)}`),
    text(
      ` cut-offs are within ${SAME} points of the paper’s${rows.length < networks.length ? ' so far' : ''}.`,
    ),
  ];
  if (name !== 'theory') return agreement;
  const seconds = (key: string): number =>
    rows.reduce((sum, row) => sum + (typeof row[key] === 'number' ? row[key] : 0), 0);
  return [
    text('Solved in '),
    figure(saySeconds(seconds('solverS'))),
    text(' where the authors’ program took '),
    figure(saySeconds(seconds('paperSolverS'))),
    text('; '),
    figure(`${formatCount(printed)} of ${formatCount(pairs.length)}`),
    text(' cut-offs are as printed.'),
  ];
}

function saySeconds(seconds: number): string {
  if (seconds < 1) return `${threeDigits(seconds * 1000)}${THIN}ms`;
  if (seconds < 120) return `${threeDigits(seconds)}${THIN}s`;
  return seconds < 7200 ? `${threeDigits(seconds / 60)}${THIN}min` : `${threeDigits(seconds / 3600)}${THIN}h`;
}
