import type { RowFigures } from './measure-row.ts';

/** Differences up to this, in percent, need no explanation. */
export const EXPLAINED_ABOVE_PCT = 5;

/** Why a printed number and ours differ, by what was measured how. */
export const DIFFERENCE_CAUSES = [
  'workspace-and-gradients',
  'small-tensors',
  'segment-under-autograd',
  'difference-of-batches',
  'other-checkpoints',
  'own-design',
  'unknown',
] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];

export const DIFFERENCE_COLUMNS = ['regular', 'random', 'chen', 'ours'] as const;

export interface Difference {
  readonly column: (typeof DIFFERENCE_COLUMNS)[number];
  readonly paperMB: number | null;
  readonly oursMB: number | null;
}

/** How far the paper's number lies above ours, so that a reader can judge a cause. */
export interface Gap {
  readonly column: Difference['column'];
  readonly megabytes: number;
  /** The same without its sign, in largest tensors of the network. */
  readonly largestTensors: number;
}

/** A cause of what a row of a table differs in, in memory. Data, which the page and the command line word. */
export interface Cause {
  readonly kind: DifferenceCause;
  readonly gaps: readonly Gap[];
}

const NAS = new Set(['nasnet', 'amoebanet', 'darts']);

/** The cause of one difference, by what was measured how; null when it is small or there is none. */
export function causeOf(
  network: string,
  table: 'cvpr' | 'iclr',
  difference: Difference,
): DifferenceCause | null {
  const { column, paperMB, oursMB } = difference;
  if (paperMB === null || oursMB === null) return null;
  const percent = (oursMB / paperMB - 1) * 100;
  if (Math.abs(percent) <= EXPLAINED_ABOVE_PCT) return null;
  if (network === 'customnet') return 'own-design';
  if (column === 'regular') return NAS.has(network) ? 'small-tensors' : 'workspace-and-gradients';
  if (column === 'random') return 'other-checkpoints';
  if (table === 'iclr' && percent > 0) return 'difference-of-batches';
  if (column === 'chen') return 'other-checkpoints';
  if (NAS.has(network)) return 'small-tensors';
  // The CVPR table is simulated with reentrant segments, as its program runs them.
  return table === 'cvpr' ? 'unknown' : 'segment-under-autograd';
}

/** The causes of a row's differences, each with the columns that it explains. */
export function explain(
  network: string,
  table: 'cvpr' | 'iclr',
  { largestTensorBytes }: Pick<RowFigures, 'largestTensorBytes'>,
  differences: readonly Difference[],
): Cause[] {
  const byCause = new Map<DifferenceCause, Gap[]>();
  for (const difference of differences) {
    const cause = causeOf(network, table, difference);
    if (cause === null) continue;
    const megabytes = (difference.paperMB ?? 0) - (difference.oursMB ?? 0);
    const largestTensors = (Math.abs(megabytes) * 2 ** 20) / largestTensorBytes;
    const gap = { column: difference.column, megabytes, largestTensors };
    byCause.set(cause, [...(byCause.get(cause) ?? []), gap]);
  }
  return [...byCause].map(([kind, gaps]) => ({ kind, gaps }));
}
