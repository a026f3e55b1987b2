import { hasLink, type OptionValues } from '../../../../engine/options/options.ts';
import { batchText } from '../../../../app/report/words.ts';
import { savedText } from '../../../../app/report/claims.ts';
import type { Verdict } from '../../../../engine/training-memory/verdict.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount, formatMs, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import type { SortKey } from './sort-rows.ts';

export interface Cell {
  readonly text: string;
  /** Shown on hover: more detail, or why there is no value. */
  readonly note?: string | undefined;
  readonly isOver?: boolean;
  readonly sum?: Verdict | undefined;
}

export interface Column {
  readonly key: SortKey;
  readonly title: string;
  readonly note: string;
  readonly cell: (row: StrategyRow) => Cell;
}

const NONE = '–';

const bytes = (value: number | null, why: string): Cell =>
  value === null ? { text: NONE, note: why } : { text: formatBytes(value) };
const share = (value: number | null, why: string): Cell =>
  value === null ? { text: NONE, note: why } : { text: formatPercent(value) };

const COLUMNS: readonly Column[] = [
  {
    key: 'peakBytes',
    title: 'Peak',
    note: 'The largest sum of live bytes at any instant of one training step',
    cell: (row) => bytes(row.peakBytes, 'No schedule'),
  },
  {
    key: 'needs',
    title: 'Needs',
    note: 'All that the device holds: the peak of the step and, at that instant, weights, gradients, optimizer, loss, workspace, rounding and context; a figure opens its terms',
    cell: ({ verdict }) =>
      verdict === null
        ? { text: NONE, note: 'No plan' }
        : { text: formatBytes(verdict.totalBytes), sum: verdict },
  },
  {
    key: 'over',
    title: 'Fits',
    note: 'Whether the device holds all of it, or by how much that is too much',
    cell: ({ verdict }) => {
      if (verdict === null) return { text: NONE, note: 'No plan' };
      return verdict.fits
        ? { text: 'yes' }
        : { text: `over by ${formatBytes(verdict.overBytes)}`, isOver: true };
    },
  },
  {
    key: 'largestBatch',
    title: 'Largest batch',
    note: 'The largest batch that fits the device under this plan, with all else that it holds',
    cell: ({ verdict }) => {
      if (verdict === null) return { text: NONE, note: 'No plan' };
      const { largestBatch } = verdict;
      return largestBatch === 0
        ? { text: 'none', note: 'Not even one sample fits', isOver: true }
        : { text: batchText(largestBatch) };
    },
  },
  {
    key: 'cut',
    title: 'Saved',
    note: 'Cut-off of the peak against regular training',
    cell: (row) => {
      if (row.identity.name === 'regular') {
        return { text: NONE, note: 'Regular training is what the others are measured against' };
      }
      if (row.cut === null) return { text: NONE, note: 'No schedule' };
      const isWhy = row.savesNothing || row.cut < 0;
      return {
        text: savedText(row.cut, row.savesNothing, THIN),
        note: isWhy ? (row.claim ?? undefined) : undefined,
      };
    },
  },
  {
    key: 'gap',
    title: 'Above bound',
    note: 'How far the peak lies above the lower bound that no schedule can pass',
    cell: (row) => {
      if (row.gap === null || row.lowerBoundBytes === null) return { text: NONE, note: 'No bound is known' };
      const note = `Lower bound ${formatBytes(row.lowerBoundBytes)}${row.claim === null ? '' : `; ${row.claim}`}`;
      return { text: formatPercent(row.gap), note };
    },
  },
  {
    key: 'paperCostBytes',
    title: 'Paper cost',
    note: 'Eq. 2 of the paper: checkpoints plus the largest segment. Not a peak: it counts no gradients',
    cell: (row) => bytes(row.paperCostBytes, 'Does not choose checkpoints on the papers’ computation graph'),
  },
  {
    key: 'checkpoints',
    title: 'Checkpoints',
    note: 'Tensors kept from the first forward for the backward of their segment',
    cell: ({ checkpoints }) => ({
      text: formatCount(checkpoints.length),
      note: checkpoints.length === 0 ? 'None' : listOf(checkpoints),
    }),
  },
  {
    key: 'checkpointing',
    title: 'Segments',
    note: 'How its segments run, as use_reentrant of torch.utils.checkpoint says',
    cell: ({ checkpointing }) =>
      checkpointing === null
        ? { text: NONE, note: 'Is not made of segments: how they run changes nothing here' }
        : { text: checkpointing },
  },
  {
    key: 'recomputeFraction',
    title: 'Recompute',
    note: 'Forward work done again, as a share of the forward work of one step',
    cell: (row) => share(row.recomputeFraction, 'No schedule'),
  },
  {
    key: 'sentBytes',
    title: 'Sent',
    note: 'What is copied to host memory in one step, to be fetched for backward',
    cell: sentCell,
  },
  {
    key: 'solveMs',
    title: 'Solved in',
    note: 'Time that the strategy took to decide; “limit” where the search limit ended it with the best so far',
    cell: ({ solveMs, stopped }) => {
      if (solveMs === null) return { text: NONE, note: 'Not solved' };
      return stopped === null
        ? { text: formatMs(solveMs) }
        : { text: `${formatMs(solveMs)}, limit`, note: asSentence(stopped) };
    },
  },
];

/**
 * The columns beside the strategy's name; how segments run only where that is not the usual way, what is sent only
 * where there is a link or something is.
 */
export function columnsOf(options: OptionValues, sends = hasLink(options)): readonly Column[] {
  const left = new Set<SortKey>();
  if (options.checkpointing !== 'reentrant') left.add('checkpointing');
  if (!sends) left.add('sentBytes');
  return COLUMNS.filter(({ key }) => !left.has(key));
}

function sentCell({ sentBytes, copies }: StrategyRow): Cell {
  if (sentBytes === null) return { text: NONE, note: 'No schedule' };
  if (copies === null) return { text: NONE, note: 'Keeps or recomputes everything on the device' };
  const { hostPeakBytes, fetchedBytes, times } = copies;
  const most = `At most ${formatBytes(hostPeakBytes)} in host memory, ${formatBytes(fetchedBytes)} fetched`;
  const waits =
    times === null
      ? ''
      : `; the device waits ${formatMs(times.stalledMs)} of a step of ${formatMs(times.stepMs)}`;
  return { text: formatBytes(sentBytes), note: most + waits };
}

const MAX_NAMED = 12;

function listOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ');
  return rest > 0 ? `${named} and ${formatCount(rest)} more` : named;
}
