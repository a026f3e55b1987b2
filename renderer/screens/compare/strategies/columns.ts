import { hasLink, type OptionValues } from '../../../../engine/options/options.ts';
import { batchText } from '../../../../app/report/words.ts';
import { savedText } from '../../../../app/report/claims.ts';
import type { Verdict } from '../../../../engine/training-memory/verdict.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatChange, formatCount, formatMs, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import type { View } from '../../../state/experiment/experiment-store.ts';
import type { ViewWords } from '../../../state/experiment/view-part.ts';
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
    key: 'needs',
    title: 'Needs',
    note: 'Device memory of one training step: activations, weights, gradients, optimizer, workspace and context. A figure opens its parts',
    cell: ({ verdict }) =>
      verdict === null
        ? { text: NONE, note: 'No plan' }
        : { text: formatBytes(verdict.totalBytes), sum: verdict },
  },
  {
    key: 'over',
    title: 'Fits',
    note: 'Yes, or the missing memory',
    cell: ({ verdict }) => {
      if (verdict === null) return { text: NONE, note: 'No plan' };
      return verdict.fits
        ? { text: 'yes' }
        : { text: `over by ${formatBytes(verdict.overBytes)}`, isOver: true };
    },
  },
  {
    key: 'predictedOverhead',
    title: 'More time',
    note: 'Predicted time of a training step against regular training; measured times are on the screen Train',
    cell: ({ predictedOverhead }) =>
      predictedOverhead === null
        ? { text: NONE, note: 'No schedule' }
        : { text: formatChange(predictedOverhead) },
  },
  {
    key: 'largestBatch',
    title: 'Largest batch',
    note: 'Largest batch that fits the device under this plan',
    cell: ({ verdict }) => {
      if (verdict === null) return { text: NONE, note: 'No plan' };
      const { largestBatch } = verdict;
      return largestBatch === 0
        ? { text: 'none', note: 'Not even one sample fits', isOver: true }
        : { text: batchText(largestBatch) };
    },
  },
  {
    key: 'peakBytes',
    title: 'Peak',
    note: 'Peak of the activations alone: the largest sum of live bytes at any instant of one training step',
    cell: (row) => bytes(row.peakBytes, 'No schedule'),
  },
  {
    key: 'cut',
    title: 'Saved',
    note: 'Share of regular training’s peak that is saved',
    cell: (row) => {
      if (row.identity.name === 'regular') {
        return { text: NONE, note: 'The other strategies are compared with regular training' };
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
    note: 'Distance of the peak above the proved lower bound',
    cell: (row) => {
      if (row.gap === null || row.lowerBoundBytes === null)
        return { text: NONE, note: 'No lower bound known' };
      const note = `Lower bound ${formatBytes(row.lowerBoundBytes)}${row.claim === null ? '' : `; ${row.claim}`}`;
      return { text: formatPercent(row.gap), note };
    },
  },
  {
    key: 'paperCostBytes',
    title: 'Paper cost',
    note: 'Eq. 2 of the paper: checkpoints plus the largest segment. It counts no gradients, so it is not a peak',
    cell: (row) => bytes(row.paperCostBytes, 'Places no checkpoints on the papers’ computation graph'),
  },
  {
    key: 'checkpoints',
    title: 'Checkpoints',
    note: 'Tensors kept from the forward pass until the backward of their segment',
    cell: ({ checkpoints }) => ({
      text: formatCount(checkpoints.length),
      note: checkpoints.length === 0 ? 'None' : listOf(checkpoints),
    }),
  },
  {
    key: 'checkpointing',
    title: 'Segments',
    note: 'How segments run: use_reentrant of torch.utils.checkpoint',
    cell: ({ checkpointing }) =>
      checkpointing === null ? { text: NONE, note: 'Has no segments' } : { text: checkpointing },
  },
  {
    key: 'recomputeFraction',
    title: 'Recompute',
    note: 'Share of the forward pass that is recomputed',
    cell: (row) => share(row.recomputeFraction, 'No schedule'),
  },
  {
    key: 'sentBytes',
    title: 'Sent',
    note: 'Bytes copied to host memory in one step and fetched for backward',
    cell: sentCell,
  },
  {
    key: 'solveMs',
    title: 'Solved in',
    note: 'Time that the strategy needed. “limit”: the search limit ended it with the best plan found',
    cell: ({ solveMs, stopped }) => {
      if (solveMs === null) return { text: NONE, note: 'Not solved' };
      return stopped === null
        ? { text: formatMs(solveMs) }
        : { text: `${formatMs(solveMs)}, limit`, note: asSentence(stopped) };
    },
  },
];

/** Columns of a first visit, beside the strategy's name; the others are behind the menu. */
const FIRST: readonly SortKey[] = ['needs', 'over', 'predictedOverhead', 'largestBatch'];

/** Columns that say nothing without what they are about. */
function isMeant(key: SortKey, options: OptionValues, sends: boolean): boolean {
  if (key === 'checkpointing') return options.checkpointing === 'reentrant';
  return key !== 'sentBytes' || sends;
}

/** The columns beside the strategy's name, in order; `isFirst` are shown without being chosen. */
export function columnsOf(
  options: OptionValues,
  sends = hasLink(options),
): readonly (Column & { readonly isFirst: boolean })[] {
  return COLUMNS.filter(({ key }) => isMeant(key, options, sends)).map((column) => ({
    ...column,
    isFirst: FIRST.includes(column.key) || column.key === 'checkpointing' || column.key === 'sentBytes',
  }));
}

/** Keys of the columns that are shown beside those of a first visit, as the address says them. */
export const columnWords: ViewWords<readonly SortKey[], null> = {
  names: ['columns'],
  read: ({ columns = '' }) => COLUMNS.map(({ key }) => key).filter((key) => columns.split(',').includes(key)),
  write: (keys): View => (keys.length === 0 ? {} : { columns: keys.join(',') }),
};

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
