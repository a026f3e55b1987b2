import Table from 'cli-table3';
import { type CsvCell, csvText } from '../../report/csv.ts';
import { html, Markup } from '../../report/markup.ts';
import { bytes, milliseconds, percent } from '../format.ts';
import { plainName } from '../plain-text.ts';
import type { SweptRow } from './solve-cells.ts';

/** How far the recompute lies above what is proved necessary at this budget or peak, as a share of one forward. */
export const recomputeGapOf = ({ recomputeFraction, recomputeBoundFraction }: SweptRow): number | null =>
  recomputeFraction === null || recomputeBoundFraction === null
    ? null
    : recomputeFraction - recomputeBoundFraction;

interface Column {
  readonly name: string;
  readonly of: (row: SweptRow) => CsvCell;
  /** In a table that is read; absent where that leaves it out. */
  readonly shown?: { readonly title: string; readonly text: (row: SweptRow) => string };
}

const orNone = (value: number | null | undefined, text: (value: number) => string): string =>
  value === null || value === undefined ? '' : text(value);

/** How far the peak lies above what is proved of any schedule, as a share of the latter. */
export const peakGapOf = ({ peakBytes, lowerBoundBytes }: SweptRow): number | null =>
  peakBytes === null || lowerBoundBytes === null || lowerBoundBytes <= 0
    ? null
    : peakBytes / lowerBoundBytes - 1;

const COLUMNS: readonly Column[] = [
  { name: 'model', of: ({ model }) => model, shown: { title: 'network', text: ({ model }) => model } },
  { name: 'batch', of: ({ batch }) => batch, shown: { title: 'batch', text: ({ batch }) => String(batch) } },
  { name: 'input', of: ({ input }) => input },
  { name: 'profile', of: ({ profile }) => profile },
  {
    name: 'strategy',
    of: ({ strategy }) => strategy,
    shown: { title: 'strategy', text: ({ strategy }) => strategy },
  },
  {
    name: 'budget',
    of: ({ budget }) => budget,
    shown: { title: 'budget', text: ({ budget }) => budgetText(budget) },
  },
  { name: 'budget_bytes', of: ({ budgetBytes }) => budgetBytes },
  {
    name: 'peak_bytes',
    of: ({ peakBytes }) => peakBytes,
    shown: { title: 'peak', text: ({ peakBytes }) => orNone(peakBytes, bytes) },
  },
  {
    name: 'cutoff',
    of: ({ peakBytes, regularPeakBytes }) => (peakBytes === null ? null : 1 - peakBytes / regularPeakBytes),
    shown: {
      title: 'less',
      text: ({ peakBytes, regularPeakBytes }) =>
        orNone(peakBytes, (peak) => percent(1 - peak / regularPeakBytes)),
    },
  },
  { name: 'lower_bound_bytes', of: ({ lowerBoundBytes }) => lowerBoundBytes },
  {
    name: 'peak_gap',
    of: peakGapOf,
    shown: { title: 'above the bound', text: (row) => orNone(peakGapOf(row), percent) },
  },
  {
    name: 'recompute_fraction',
    of: ({ recomputeFraction }) => recomputeFraction,
    shown: { title: 'recompute', text: ({ recomputeFraction }) => orNone(recomputeFraction, percent) },
  },
  { name: 'recompute_bound_fraction', of: ({ recomputeBoundFraction }) => recomputeBoundFraction },
  {
    name: 'recompute_gap',
    of: recomputeGapOf,
    shown: { title: 'above the proof', text: (row) => orNone(recomputeGapOf(row), percent) },
  },
  { name: 'predicted_overhead', of: ({ predictedOverhead }) => predictedOverhead },
  { name: 'checkpoints', of: ({ checkpoints }) => checkpoints },
  { name: 'steps', of: ({ steps }) => steps },
  {
    name: 'solve_ms',
    of: ({ solveMs }) => solveMs,
    shown: { title: 'solved in', text: ({ solveMs }) => milliseconds(solveMs) },
  },
  { name: 'stopped_early', of: ({ stoppedEarly }) => (stoppedEarly === true ? 'yes' : null) },
  { name: 'claim', of: ({ claim }) => claim },
  { name: 'not_applicable_because', of: ({ reason }) => reason },
  { name: 'processor_ms', of: ({ processorMs }) => processorMs },
];

const budgetText = (budget: string | null): string =>
  budget === null || budget.endsWith('%') ? (budget ?? '') : bytes(Number(budget));

const SHOWN = COLUMNS.flatMap(({ shown }) => (shown === undefined ? [] : [shown]));
/** The rest are figures. */
const isWord = (title: string): boolean => title === 'network' || title === 'strategy';

/** One line a cell. */
export const sweepCsv = (rows: readonly SweptRow[]): string =>
  csvText([COLUMNS.map(({ name }) => name), ...rows.map((row) => COLUMNS.map(({ of }) => of(row)))]);

/** Cells that have an answer, for people; the others are counted below. */
export function sweepText(rows: readonly SweptRow[]): string {
  const table = new Table({
    head: SHOWN.map(({ title }) => title),
    colAligns: SHOWN.map(({ title }) => (isWord(title) ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  const answered = rows.filter(({ peakBytes }) => peakBytes !== null);
  for (const row of answered) table.push(SHOWN.map(({ text }) => plainName(text(row))));
  const others = rows.length - answered.length;
  return `${table.toString()}\n${others === 0 ? '' : `${others} more do not apply; --csv gives the reasons`}`.trimEnd();
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; padding: 0 1.5rem; max-width: 76rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.75rem; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: right; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
th.word, td.word { text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; }
td.why { text-align: left; }
@media print { thead th { position: static; } }
`;

/** The same as one page without scripts, with the reasons of what does not apply. */
export function sweepHtml(rows: readonly SweptRow[], title: string): string {
  const className = (name: string): string => (isWord(name) ? 'word' : 'figure');
  const figures = SHOWN.length - 4;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
<table>
<caption>Peak memory, recompute, and the distance of the peak from the proved lower bound. Zigzag.</caption>
<thead><tr>${SHOWN.map((column) => html`<th scope="col" class="${className(column.title)}">${column.title}</th>`)}</tr></thead>
<tbody>
${rows.map((row) =>
  row.peakBytes === null
    ? html`<tr>${SHOWN.slice(0, 4).map((column) => html`<td class="${className(column.title)}">${column.text(row)}</td>`)}<td class="why" colspan="${figures}">${row.reason ?? ''}</td></tr>
`
    : html`<tr>${SHOWN.map((column) => html`<td class="${className(column.title)}">${column.text(row)}</td>`)}</tr>
`,
)}</tbody>
</table>
</body>
</html>
`;
  return page.text;
}
