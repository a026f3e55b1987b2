import {
  isNetworkTable,
  type PlainTable,
  type TableName,
  type TableRow,
} from '../../../../engine/tables/table.ts';
import { figure, type HeadlinePart, text } from '../../../../app/report/headline-part.ts';
import { formatCount, THIN, threeDigits } from '../../../shared/format/numbers.ts';
import { PICTURED } from '../state/layout.ts';
import type { TableProgress } from '../state/tables-store.ts';

/** Cut-offs closer than this, in points, count as the same. */
const SAME = 5;

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

function plainHeadline(name: PlainTable, rows: readonly TableRow[]): HeadlinePart[] {
  switch (name) {
    case 'capabilities':
      return capabilities(rows);
    case 'figure1':
      return figureOne(rows);
    case 'depth':
      return depth(rows);
    case 'layers':
      return layers(rows);
    case 'treewidth':
      return treewidth(rows);
    case 'claims':
      return claims(rows);
  }
}

const number = (row: TableRow | undefined, key: string): number | null => {
  const cell = row?.[key];
  return typeof cell === 'number' ? cell : null;
};

function capabilities(rows: readonly TableRow[]): HeadlinePart[] {
  const printed = rows.filter(({ paperApproach }) => paperApproach !== null);
  const same = printed.filter(({ cause }) => cause === '');
  return [
    figure(`${formatCount(same.length)} of ${formatCount(printed.length)}`),
    text(' strategies match all signs of the paper’s table; the others name the graphs that differ.'),
  ];
}

function figureOne(rows: readonly TableRow[]): HeadlinePart[] {
  const same = rows.filter(
    (row) => row['regularFits'] === row['paperRegular'] && row['optimalFits'] === row['paperGcp'],
  );
  return [
    figure(`${formatCount(same.length)} of ${formatCount(rows.length)}`),
    text(' sizes fit, regular and with checkpoints, as the figure says.'),
  ];
}

function depth(rows: readonly TableRow[]): HeadlinePart[] {
  const row = rows.at(-1);
  return [
    text(`${String(row?.['depth'])} needs `),
    figure(`${number(row, 'regularGB')?.toFixed(1)}${THIN}GB`),
    text(', with OpenAI’s automatic checkpoints '),
    figure(`${number(row, 'articulationGB')?.toFixed(1)}${THIN}GB`),
    text(` for ${number(row, 'overheadPct')?.toFixed(0)}${THIN}% more time.`),
  ];
}

function layers(rows: readonly TableRow[]): HeadlinePart[] {
  const printed = rows.filter((row) => number(row, 'paperMB') !== null);
  const same = printed.filter((row) => number(row, 'differenceMB') === 0);
  const one = rows[1];
  return [
    figure(`${formatCount(same.length)} of ${formatCount(printed.length)}`),
    text(' printed numbers agree to the last digit, as the memory held after the forward pass'),
    ...(one === undefined
      ? [text('.')]
      : [
          text('; the peak falls by only '),
          figure(`${number(one, 'peakSavedPct')?.toFixed(1)}${THIN}%`),
          text('.'),
        ]),
  ];
}

function claims(rows: readonly TableRow[]): HeadlinePart[] {
  const kept = rows.filter(({ holds }) => holds === '✓');
  return [
    figure(`${formatCount(kept.length)} of ${formatCount(rows.length)}`),
    text(' claims in the paper’s text hold when computed.'),
  ];
}

function treewidth(rows: readonly TableRow[]): HeadlinePart[] {
  const by = (convention: string): number => rows.filter((row) => row['convention'] === convention).length;
  const plain = by('largest bag');
  const open = by('unexplained');
  return [
    figure(`${formatCount(plain)} of ${formatCount(rows.length)}`),
    text(' printed treewidths equal the size of the largest bag; '),
    figure(formatCount(rows.length - plain - open)),
    text(' follow from another way of counting'),
    ...(open === 0 ? [] : [text(', '), figure(formatCount(open)), text(' follow from none')]),
    text('.'),
  ];
}
