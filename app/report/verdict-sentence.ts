import { formatBytes } from '../../engine/bytes.ts';
import type { Held } from '../../engine/training-memory/held.ts';
import { figure, type HeadlinePart, text } from './headline-part.ts';
import { batchText, count, percent, THIN } from './words.ts';

/** Memory of a whole training step on a device, under regular training or a plan. */
export interface JudgedPlan extends Held {
  readonly title: string;
  readonly fits: boolean;
  /** Predicted share of a regular step's time. */
  readonly overhead: number | null;
  /** Checkpoints that it keeps. */
  readonly kept: number;
}

export interface VerdictInput {
  readonly network: string;
  readonly batch: number;
  /** Tensors of the network, of which a plan keeps some. */
  readonly tensors: number;
  readonly memoryBytes: number;
  readonly regular: { readonly totalBytes: number; readonly fits: boolean; readonly largestBatch: number };
  /** Plans of the strategies solved so far. */
  readonly plans: readonly JudgedPlan[];
  /** More plans are still to come. */
  readonly isSearching: boolean;
}

/** The plan to take: of those that fit the least time, then the least memory. */
export function cheapestThatFits<Plan extends Pick<JudgedPlan, 'fits' | 'overhead' | 'totalBytes'>>(
  plans: readonly Plan[],
): Plan | null {
  const [best] = plans
    .filter(({ fits }) => fits)
    .sort((a, b) => (a.overhead ?? 0) - (b.overhead ?? 0) || a.totalBytes - b.totalBytes);
  return best ?? null;
}

/**
 * The answer to "does it fit, and if not, what do I do?", the same in the lab and in `zigzag fit`:
 *
 * - "ResNet-50 at batch 64 fits 11 GiB (needs 6.12 GiB). The largest batch is 124."
 * - "ResNet-152 at batch 96 does not fit 11 GiB (needs 17.2 GiB). It fits under Budget with 0.2 % more time
 *   (predicted): keep 193 of 516 tensors."
 *
 * The subject stays while plans come in: only the second sentence sharpens.
 */
export function verdictSentence(input: VerdictInput): HeadlinePart[] {
  const { network, batch, memoryBytes, regular } = input;
  const verb = regular.fits ? 'fits' : 'does not fit';
  const first = [
    text(`${network} at batch ${count(batch)} `),
    figure(`${verb} ${sizeOfDevice(memoryBytes)}`),
    text(` (needs ${formatBytes(regular.totalBytes, THIN)}). `),
  ];
  if (regular.fits)
    return [...first, text('The largest batch is '), figure(batchText(regular.largestBatch)), text('.')];
  return [...first, ...remedy(input)];
}

/** A device is known by its whole number: 11 GiB. */
const sizeOfDevice = (bytes: number): string => formatBytes(bytes, THIN).replace(/\.0+(?=\D)/, '');

function remedy({ plans, tensors, memoryBytes, isSearching }: VerdictInput): HeadlinePart[] {
  const best = cheapestThatFits(plans);
  if (best !== null) {
    const { title, overhead, kept } = best;
    return [
      text(`It fits under ${title} `),
      ...timeParts(overhead),
      text(kept === 0 ? '.' : `: keep ${count(kept)} of ${count(tensors)} tensors.`),
    ];
  }
  if (isSearching) return [text('Looking for a plan that fits…')];
  const [least] = [...plans].sort((a, b) => a.totalBytes - b.totalBytes);
  if (least === undefined) return [text('No strategy in this comparison has a plan for it.')];
  if (needsBesideActivations(least) > memoryBytes)
    return [
      text('Checkpointing cannot help: the optimizer’s step alone needs '),
      figure(formatBytes(least.totalBytes, THIN)),
      text('.'),
    ];
  return [
    text(`No strategy in this comparison makes it fit. The smallest, ${least.title}, needs `),
    figure(formatBytes(least.totalBytes, THIN)),
    text('.'),
  ];
}

/**
 * Bytes that every plan needs: where a plan needs the most at the optimizer's step, nothing is left there that another plan
 * could drop but the allocator's rounding.
 */
const needsBesideActivations = ({ instant, totalBytes, terms }: Held): number =>
  instant === 'optimizer' ? totalBytes - terms.rounding : 0;

function timeParts(overhead: number | null): HeadlinePart[] {
  if (overhead === null) return [text('with unknown extra time')];
  if (overhead < 0.0005) return [text('at no extra time (predicted)')];
  return [text('with '), figure(`${percent(overhead, THIN)} more time`), text(' (predicted)')];
}
