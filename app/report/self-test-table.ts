import type { Column, ReproducedTable, TableRow } from '../../engine/tables/table.ts';

const MEGABYTE = 1e6;
const MILLISECONDS = 1e3;

interface Way {
  readonly way: string;
  readonly peakBytes: number | null;
  readonly seconds: number | null;
  readonly compileSeconds: number | null;
  readonly failed: string | null;
}

/** Figures that the Python package measured on a device (zigzag-selftest/2). */
export interface SelfTested {
  readonly passed: boolean;
  readonly torch: string;
  readonly date: string;
  readonly device: string;
  readonly budget: string;
  readonly cases: readonly {
    readonly name: string;
    readonly same: boolean;
    readonly savedOverPromised: number;
    readonly ways: readonly Way[];
  }[];
}

const COLUMNS: readonly Column[] = [
  { key: 'network', title: 'network', from: 'both', digits: 0 },
  { key: 'way', title: 'trained', from: 'both', digits: 0 },
  { key: 'peakMb', title: 'peak MB', from: 'both', digits: 2 },
  { key: 'peakPct', title: '% of plain', from: 'both', digits: 1 },
  { key: 'stepMs', title: 'step ms', from: 'both', digits: 2 },
  { key: 'timesPlain', title: 'times plain', from: 'both', digits: 2 },
  { key: 'compileS', title: 'compile s', from: 'both', digits: 1 },
  { key: 'savedOverPromised', title: 'saved / promised', from: 'both', digits: 3 },
  { key: 'note', title: 'note', from: 'both', digits: 0 },
];

/** A table of what was measured, each way of training beside plain training in the same run. */
export function selfTestTable(file: SelfTested): Omit<ReproducedTable, 'name'> {
  const { passed, torch, date, device, budget, cases } = file;
  return {
    title: `Plans of ${budget} beside other ways, measured`,
    citation: `PyTorch ${torch}, ${device}, ${date}`,
    columns: COLUMNS,
    rows: cases.flatMap(({ name, same, savedOverPromised, ways }) =>
      ways.map((way) => ({
        ...rowOf(way, ways[0]),
        network: name,
        savedOverPromised: way.way === 'plan' ? savedOverPromised : null,
        note: way.failed ?? (way.way === 'plan' ? (same ? 'bit-identical' : 'NOT bit-identical') : null),
      })),
    ),
    notes: [
      passed ? 'The self-test passed.' : 'The self-test did NOT pass.',
      'Times are medians of one run. Compile time is that of the first step.',
    ],
  };
}

function rowOf({ way, peakBytes, seconds, compileSeconds }: Way, plain: Way | undefined): TableRow {
  const over = (value: number | null, base: number | null | undefined): number | null =>
    value === null || base == null || base === 0 ? null : value / base;
  const share = over(peakBytes, plain?.peakBytes);
  return {
    way,
    peakMb: over(peakBytes, MEGABYTE),
    peakPct: share === null ? null : 100 * share,
    stepMs: seconds === null ? null : seconds * MILLISECONDS,
    timesPlain: over(seconds, plain?.seconds),
    compileS: compileSeconds,
  };
}
