import type { TrainEventOf } from '../../../../app/contract/training.ts';
import { type Axis, linearAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { formatCount } from '../../../shared/format/numbers.ts';

type ProbeEvent = TrainEventOf<'probe'>;

/** One batch that was tried: doublings of the first one across, and in order of time from the top. */
export interface ProbeMark {
  readonly batch: number;
  readonly ran: boolean;
  readonly reason: string | null;
  readonly x: number;
  readonly y: number;
}

export interface ProbePlot {
  readonly marks: readonly ProbeMark[];
  readonly batches: Axis;
  readonly trials: Axis;
}

export function probePlot(probes: readonly ProbeEvent[]): ProbePlot {
  const doublings = Math.ceil(Math.log2(Math.max(2, ...probes.map(({ batch }) => batch))));
  const rows = Math.max(8, probes.length);
  return {
    marks: probes.map(({ batch, ran, reason }, i) => ({
      batch,
      ran,
      reason,
      x: Math.log2(batch),
      y: rows - i - 0.5,
    })),
    batches: {
      ...linearAxis(0, doublings, { parts: 10, least: 1, exact: true }),
      format: (power) => formatCount(2 ** power),
    },
    trials: { ...linearAxis(0, rows, { exact: true }), format: () => '' },
  };
}

export function probeTable(probes: readonly ProbeEvent[]): ChartTable {
  return {
    caption: 'Batches that were tried',
    columns: ['Trial', 'Batch', 'Ran', 'Reason'],
    rows: probes.map(({ batch, ran, reason }, i) => [i + 1, batch, ran ? 'yes' : 'no', reason]),
  };
}
