import type { EventOf } from '../../../app/contract/training.ts';
import type { ChartTable } from '../../shared/charts/csv.ts';

type ProbeEvent = EventOf<'probe'>;

/** One batch that was tried, as a place on a logarithmic axis of batches and a row in order of time. */
export interface ProbeMark {
  readonly batch: number;
  readonly ran: boolean;
  readonly reason: string | null;
  /** Share of the width. */
  readonly x: number;
  /** Share of the height, the first trial on top. */
  readonly y: number;
}

export interface ProbePlot {
  readonly marks: readonly ProbeMark[];
  readonly ticks: readonly { readonly batch: number; readonly x: number }[];
}

/** The search as it went: doubling to the right, then halving the gap between what ran and what did not. */
export function probePlot(probes: readonly ProbeEvent[]): ProbePlot {
  const most = Math.max(2, ...probes.map(({ batch }) => batch));
  const doublings = Math.ceil(Math.log2(most));
  const x = (batch: number): number => Math.log2(batch) / doublings;
  const rows = Math.max(8, probes.length);
  const stride = Math.ceil((doublings + 1) / 10);
  return {
    marks: probes.map(({ batch, ran, reason }, i) => ({
      batch,
      ran,
      reason,
      x: x(batch),
      y: (i + 0.5) / rows,
    })),
    ticks: Array.from({ length: Math.floor(doublings / stride) + 1 }, (_, i) => {
      const batch = 2 ** (i * stride);
      return { batch, x: x(batch) };
    }),
  };
}

export function probeTable(probes: readonly ProbeEvent[]): ChartTable {
  return {
    caption: 'Batches that were tried',
    columns: ['Trial', 'Batch', 'Ran', 'Why not'],
    rows: probes.map(({ batch, ran, reason }, i) => [i + 1, batch, ran ? 'yes' : 'no', reason]),
  };
}
