import { medianMs, type Run } from '../../../state/runs/run.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatChange, formatCount, formatMs, formatPercent } from '../../../shared/format/numbers.ts';
import { agreement, dataName } from '../facts/facts.ts';
import { sayDate } from '../history/history-rows.ts';
import { largestDifference } from '../iterations/loss-sentence.ts';
import type { RunLook } from '../state/run-look.ts';

export interface ComparisonRow {
  readonly name: string;
  readonly values: readonly [string, string];
  /** Empty where they are the same or cannot be subtracted. */
  readonly difference: string;
  readonly measured: boolean;
}

const NONE = '–';

/** Two runs with regular training as what the other is compared with; in the order given where that says nothing. */
export function comparedRuns([a, b]: readonly [Run, Run]): readonly [Run, Run] {
  const isRegular = ({ request }: Run): boolean => request.strategy === 'regular';
  return isRegular(b) && !isRegular(a) ? [b, a] : [a, b];
}

/** Facts that neither run has are left out. */
export function comparisonRows(a: Run, b: Run, nowMs: number): ComparisonRow[] {
  const text = (name: string, of: (run: Run) => string, measured = false): ComparisonRow => {
    const values = [of(a), of(b)] as const;
    return { name, values, difference: values[0] === values[1] ? 'the same' : '', measured };
  };
  const number = (
    name: string,
    of: (run: Run) => number | null,
    format: (value: number) => string,
    measured: boolean,
    subtract: (from: number, to: number) => string = (from, to) => changeOf(from, to),
  ): ComparisonRow => {
    const [from, to] = [of(a), of(b)];
    const say = (value: number | null): string => (value === null ? NONE : format(value));
    return {
      name,
      values: [say(from), say(to)],
      difference: from === null || to === null ? '' : from === to ? 'the same' : subtract(from, to),
      measured,
    };
  };
  const bytes = (name: string, of: (run: Run) => number | null, measured: boolean): ComparisonRow =>
    number(name, of, formatBytes, measured, (from, to) => {
      const sign = to > from ? '+' : '−';
      return `${sign}${formatBytes(Math.abs(to - from))} (${changeOf(from, to)})`;
    });
  const points = (from: number, to: number): string =>
    `${to > from ? '+' : '−'}${formatPercent(Math.abs(to - from)).replace('%', 'points')}`;
  const rows = [
    text('Network', ({ request }) => request.model),
    number('Batch', ({ request }) => request.batch, formatCount, false),
    text('Input', ({ request, start }) => `${start?.input ?? request.input ?? NONE}`),
    text('Data', dataName),
    text('Backend', ({ start }) => start?.backend ?? NONE),
    text('Device', ({ start }) => start?.device ?? NONE),
    text('Begun', ({ begunMs }) => sayDate(begunMs, nowMs)),
    number('Iterations', ({ iterationMs }) => iterationMs.length, formatCount, false),
    bytes('Predicted peak', ({ start }) => start?.predictedPeakBytes ?? null, false),
    bytes('Measured peak', ({ measuredPeakBytes }) => measuredPeakBytes, true),
    text('As predicted', agreement, true),
    bytes('Stationary', ({ start }) => start?.stationaryBytes ?? null, false),
    number('Iteration, median', ({ iterationMs }) => medianMs(iterationMs), formatMs, true),
    number('Recomputed', ({ start }) => start?.recomputeFraction ?? null, formatPercent, false, points),
    number('Overhead by FLOPs', ({ start }) => start?.predictedOverhead ?? null, formatChange, false, points),
    number('Overhead, measured', ({ overhead }) => overhead?.measured ?? null, formatChange, true, points),
    lossRow(a, b),
    number('Statistics drift', ({ drift }) => drift.at(-1) ?? null, formatPercent, true, points),
    number('Largest batch', ({ largest }) => largest?.batch ?? null, formatCount, true),
  ];
  return rows.filter(({ values }) => values.some((value) => value !== NONE));
}

export function comparisonSentence(a: RunLook, b: RunLook): string {
  const peaks = between(a.run.measuredPeakBytes, b.run.measuredPeakBytes, formatBytes);
  const times = between(medianMs(a.run.iterationMs), medianMs(b.run.iterationMs), formatMs);
  const facts = [
    ...(peaks === null ? [] : [`measured peaks of ${peaks}`]),
    ...(times === null ? [] : [`median iterations of ${times}`]),
  ];
  const names = `${a.name} (run ${a.run.id}) and ${b.name} (run ${b.run.id})`;
  return facts.length === 0 ? `${names}.` : `${names}: ${facts.join(', ')}.`;
}

function between(from: number | null, to: number | null, format: (value: number) => string): string | null {
  if (from === null || to === null) return null;
  return `${format(from)} and ${format(to)}${from === to ? '' : ` (${changeOf(from, to)})`}`;
}

function lossRow(a: Run, b: Run): ComparisonRow {
  const [from, to] = [a.loss.at(-1), b.loss.at(-1)];
  const say = (loss: number | undefined): string => (loss === undefined ? NONE : loss.toFixed(4));
  const { largest, at } = largestDifference(a.loss, b.loss);
  const difference =
    from === undefined || to === undefined
      ? ''
      : largest === 0
        ? 'bit-identical in every iteration'
        : `up to ${largest.toPrecision(2)} (iteration ${formatCount(at)})`;
  return { name: 'Last loss', values: [say(from), say(to)], difference, measured: true };
}

function changeOf(from: number, to: number): string {
  if (from === 0) return formatExactBytes(to - from);
  return formatChange(to / from - 1);
}
