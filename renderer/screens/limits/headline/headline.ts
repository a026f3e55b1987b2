import { formatCount, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { figure, type HeadlinePart, text } from '../../../../app/report/headline-part.ts';
import { batchText } from '../../../../app/report/words.ts';
import type { Counted } from '../state/counted.ts';
import { fastestRow, type LimitRow, widestRow } from '../state/rows.ts';

type Part = HeadlinePart & { readonly row?: LimitRow };

const strategy = (row: LimitRow): Part => ({ text: row.identity.title, role: 'strategy', row });

/** "On an RTX 2080 Ti ResNet-50 trains at batch 120; live fits 5.1 times as many, 612." */
export function limitsHeadline(
  network: string,
  device: string,
  rows: readonly LimitRow[],
  one: Counted['one'] = 'image',
): Part[] {
  const regular = rows.find(({ identity }) => identity.name === 'regular');
  if (regular?.batch == null) return [text(`Solving the limits of ${network} on ${device}…`)];
  const best = widestRow(rows.filter(({ identity }) => identity.name !== 'regular'));
  const start = [text(`On ${device}, ${network} trains `)];
  if (regular.batch === 0) {
    if (best === null) return [...start, figure(`not even one ${one}`), text(' at a time.')];
    return [
      ...start,
      text(`regularly not even one ${one} at a time; `),
      strategy(best),
      text(' fits '),
      figure(batchText(best.batch ?? 0)),
      text('.'),
    ];
  }
  const first = [...start, text('regularly up to batch '), figure(batchText(regular.batch))];
  if (best === null || (best.batch ?? 0) <= regular.batch) return [...first, text('.')];
  return [
    ...first,
    text('; '),
    strategy(best),
    text(' reaches '),
    figure(batchText(best.batch ?? 0)),
    text(`, ${Number((best.factor ?? 1).toPrecision(2))}${THIN}times as many.`),
  ];
}

export function fastestSentence(rows: readonly LimitRow[]): string {
  const regular = rows.find(({ identity }) => identity.name === 'regular');
  const fastest = fastestRow(rows);
  if (fastest === null || regular === undefined) return '';
  if (fastest.identity.name === 'regular') {
    const widest = widestRow(rows.filter(({ identity }) => identity.name !== 'regular'));
    if (widest?.rate == null || regular.rate === null) return 'Regular training is the fastest here.';
    const loss = formatPercent(1 - widest.rate / regular.rate);
    return `Regular training at batch ${batchText(regular.batch ?? 0)} is the fastest; ${widest.identity.title} at batch ${batchText(widest.batch ?? 0)} is ${loss} slower. Recompute pays here only if you need the batch.`;
  }
  const from = fastest.paysFrom;
  const pays =
    from === null
      ? ''
      : ` Recompute pays from batch ${formatCount(from)} on, where regular training no longer fits.`;
  return `${fastest.identity.title} at batch ${batchText(fastest.batch ?? 0)} is the fastest.${regular.rate === null ? ' Regular training does not fit at all.' : pays}`;
}
