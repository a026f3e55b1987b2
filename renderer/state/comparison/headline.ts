import { formatBytes } from '../../shared/format/bytes.ts';
import { figure, type HeadlinePart, text } from '../../shared/format/headline-part.ts';
import { formatCount, formatPercent } from '../../shared/format/numbers.ts';
import type { StrategyRow } from './rows.ts';

export interface HeadlineInput {
  readonly network: string;
  readonly batch: number;
  readonly regularBytes: number;
  readonly front: StrategyRow | null;
}

/** "ResNet-50 at batch 64 needs 5.2 GiB; live needs 1.4 GiB for 24 % more time." */
export function headline({ network, batch, regularBytes, front }: HeadlineInput): HeadlinePart[] {
  const start = [text(`${network} at batch ${formatCount(batch)} needs `), figure(formatBytes(regularBytes))];
  if (front === null || front.identity.name === 'regular' || front.peakBytes === null) {
    return [...start, text(' for one regular training step.')];
  }
  const name: HeadlinePart = { text: front.identity.title, role: 'strategy' };
  return [
    ...start,
    text('; '),
    name,
    text(' needs '),
    figure(formatBytes(front.peakBytes)),
    ...priceOf(front),
  ];
}

function priceOf(row: StrategyRow): HeadlinePart[] {
  const measured = row.measuredOverhead !== null;
  const overhead = row.measuredOverhead ?? row.predictedOverhead;
  if (overhead === null) return [text('.')];
  const source = measured ? ' (measured).' : '.';
  if (Math.abs(overhead) < 0.0005) return [text(` at no extra time${source}`)];
  const word = overhead > 0 ? ' more time' : ' less time';
  return [text(' for '), figure(formatPercent(Math.abs(overhead))), text(word + source)];
}

/** The first network of the catalogue that a message names ("did you mean resnet50?"). */
export function namedIn<M extends { readonly name: string }>(
  message: string,
  models: readonly M[],
): M | undefined {
  for (const word of message.split(/[^\w-]+/)) {
    const found = models.find(({ name }) => name === word);
    if (found !== undefined) return found;
  }
  return undefined;
}
