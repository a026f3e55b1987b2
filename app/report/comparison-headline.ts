import { formatBytes } from '../../engine/bytes.ts';
import { savedText } from './claims.ts';
import { figure, type HeadlinePart, text } from './headline-part.ts';
import type { StrategyIdentity } from './strategy-looks.ts';
import { count, percent, THIN } from './words.ts';

export interface HeadlineStrategy {
  readonly identity: StrategyIdentity;
  readonly peakBytes: number | null;
  /** Shares of 1. */
  readonly predictedOverhead: number | null;
  readonly measuredOverhead: number | null;
}

export interface HeadlineInput {
  readonly network: string;
  readonly batch: number;
  readonly regularBytes: number;
  readonly front: HeadlineStrategy | null;
  /** Says of a prediction that it is one, where nothing beside the sentence does. */
  readonly saysPredicted?: boolean;
}

/** "ResNet-50 at batch 64 needs 5.2 GiB; live needs 1.4 GiB for 24 % more time." */
export function headline({
  network,
  batch,
  regularBytes,
  front,
  saysPredicted = false,
}: HeadlineInput): HeadlinePart[] {
  const start = [text(`${network} at batch ${count(batch)} needs `), figure(formatBytes(regularBytes, THIN))];
  if (front === null || front.identity.name === 'regular' || front.peakBytes === null) {
    return [...start, text(' for one regular training step.')];
  }
  return [...start, text('; '), ...frontSentence(front, regularBytes, saysPredicted)];
}

/** "Live needs 1.4 GiB for 24 % more time."; empty without a plan. */
export function frontSentence(
  front: HeadlineStrategy,
  regularBytes: number,
  saysPredicted: boolean,
): HeadlinePart[] {
  const { identity, peakBytes } = front;
  if (peakBytes === null) return [];
  return [
    { text: identity.title, role: 'strategy' },
    text(' needs '),
    figure(formatBytes(peakBytes, THIN)),
    ...(peakBytes > regularBytes ? [text(' (more than regular training)')] : []),
    ...priceOf(front, saysPredicted),
  ];
}

function priceOf(
  { measuredOverhead, predictedOverhead }: HeadlineStrategy,
  saysPredicted: boolean,
): HeadlinePart[] {
  const overhead = measuredOverhead ?? predictedOverhead;
  if (overhead === null) return [text('.')];
  const source = measuredOverhead !== null ? ' (measured).' : saysPredicted ? ' (predicted).' : '.';
  if (Math.abs(overhead) < 0.0005) return [text(` at no extra time${source}`)];
  const word = overhead > 0 ? ' more time' : ' less time';
  return [text(' for '), figure(percent(Math.abs(overhead), THIN)), text(word + source)];
}

export interface HeadlineNetwork {
  readonly title: string;
  readonly rows: readonly { readonly identity: StrategyIdentity; readonly cut: number | null }[];
}

/** "Live saves most on ResNet-50 (78 %) and least on VGG-16 (31 %)." Empty until two networks are solved. */
export function acrossSentence(networks: readonly HeadlineNetwork[], strategy: string): string {
  const rated = networks.flatMap(({ title, rows }) => {
    const row = rows.find(({ identity }) => identity.name === strategy);
    return row?.cut == null ? [] : [{ title, name: row.identity.title, cut: row.cut }];
  });
  rated.sort((a, b) => b.cut - a.cut);
  const [most] = rated;
  const least = rated.at(-1);
  if (most === undefined || least === undefined || most === least || strategy === 'regular') return '';
  const on = ({ title, cut }: typeof most): string => `${title} (${savedText(cut, false, THIN)})`;
  return `${most.name} saves most on ${on(most)} and least on ${on(least)}.`;
}
