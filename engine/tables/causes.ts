import type { RowFigures } from './measure-row.ts';

/** Differences up to this, in percent, need no explanation. */
export const EXPLAINED_ABOVE_PCT = 5;

/** A named cause of a difference between a printed number and ours. */
export type Cause =
  | 'workspace-and-gradients'
  | 'small-tensors'
  | 'segment-under-autograd'
  | 'difference-of-batches'
  | 'other-checkpoints'
  | 'own-design';

export const CAUSES: Readonly<Record<Cause, string>> = {
  'workspace-and-gradients':
    'cuDNN workspace and gradients of the wide convolutions, which the paper measured and the simulator shows apart',
  'small-tensors':
    "thousands of small tensors: the CUDA allocator's rounding and cuDNN's workspace and reserve for depthwise convolution and batch norm",
  'segment-under-autograd':
    "the paper's program re-forwards a whole segment under autograd and holds it with its gradients and workspace; our schedule frees every tensor after its last use",
  'difference-of-batches':
    'measured as the difference of two batch sizes, in which what peaks at another moment of the step (gradients, workspace) cancels',
  'other-checkpoints':
    "the printed number belongs to other checkpoints: the baseline's draws or thresholds are not published",
  'own-design': 'the paper prints this network as a figure only; ours is our own design of the same kind',
};

export interface Difference {
  readonly column: 'regular' | 'random' | 'chen' | 'ours';
  readonly paperMB: number | null;
  readonly oursMB: number | null;
}

const NAS = new Set(['nasnet', 'amoebanet', 'darts']);

/** The cause of one difference, by what was measured how; null when it is small or there is none. */
export function causeOf(network: string, table: 'cvpr' | 'iclr', difference: Difference): Cause | null {
  const { column, paperMB, oursMB } = difference;
  if (paperMB === null || oursMB === null) return null;
  const percent = (oursMB / paperMB - 1) * 100;
  if (Math.abs(percent) <= EXPLAINED_ABOVE_PCT) return null;
  if (network === 'customnet') return 'own-design';
  if (column === 'regular') return NAS.has(network) ? 'small-tensors' : 'workspace-and-gradients';
  if (column === 'random') return 'other-checkpoints';
  if (table === 'iclr' && percent > 0) return 'difference-of-batches';
  if (column === 'chen') return 'other-checkpoints';
  return NAS.has(network) ? 'small-tensors' : 'segment-under-autograd';
}

/**
 * The causes of a row's differences in one text, each with the columns it explains and its size in
 * MB and in largest tensors of the network, so that a reader can judge it.
 */
export function explain(
  network: string,
  table: 'cvpr' | 'iclr',
  figures: RowFigures,
  differences: readonly Difference[],
): string {
  const byCause = new Map<Cause, string[]>();
  for (const difference of differences) {
    const cause = causeOf(network, table, difference);
    if (cause === null) continue;
    const gap = (difference.paperMB ?? 0) - (difference.oursMB ?? 0);
    const tensors = (Math.abs(gap) * 2 ** 20) / figures.largestTensorBytes;
    const size = `${difference.column}: ${gap > 0 ? '+' : '-'}${Math.abs(gap).toFixed(0)} MB in the paper, ${tensors.toFixed(1)} largest tensors`;
    byCause.set(cause, [...(byCause.get(cause) ?? []), size]);
  }
  return [...byCause].map(([cause, sizes]) => `${CAUSES[cause]} (${sizes.join('; ')})`).join('. ');
}
