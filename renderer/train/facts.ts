import { LEAST_ITERATIONS } from '../runs/measured.ts';
import { medianMs, type OverheadEvent, type Run } from '../runs/run.ts';
import { formatBytes, formatExactBytes } from '../shared/format/bytes.ts';
import { formatChange, formatCount, formatMs, formatPercent, THIN } from '../shared/format/numbers.ts';
import { sameSize } from './visible-runs.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Measured values stand out and carry the device. */
  readonly measured: boolean;
  readonly note?: string;
}

/** Whether the run's memory was what was predicted, as far as it has come. */
export function agreement(run: Run): string {
  if (run.known === 0) return '…';
  if (run.worst.bytes === 0) return 'yes, at every step';
  const sign = run.worst.bytes > 0 ? '+' : '−';
  return `no: ${sign}${formatExactBytes(Math.abs(run.worst.bytes))} at step ${run.worst.step + 1}`;
}

/** What a run showed, for the table beside its chart. */
export function factsOf(run: Run, runs: readonly Run[]): Fact[] {
  const { start, iterationMs, loss } = run;
  if (start === null) return [];
  const median = medianMs(iterationMs);
  const overhead = measuredOverhead(run, runs);
  const last = loss.at(-1);
  return [
    { name: 'Backend', value: start.backend, measured: false, note: start.backendReason },
    { name: 'Device', value: start.device, measured: false },
    {
      name: 'Predicted peak',
      value: formatBytes(start.predictedPeakBytes),
      measured: false,
      note: formatExactBytes(start.predictedPeakBytes),
    },
    measuredFact('Measured peak', run.measuredPeakBytes, formatBytes, formatExactBytes),
    ...(run.deviceBytes === null
      ? []
      : [
          {
            name: 'Device reports',
            value: formatBytes(run.deviceBytes),
            measured: true,
            note: 'The most that the backend itself held at any step: weights, temporaries and caches included',
          },
        ]),
    { name: 'As predicted', value: agreement(run), measured: run.known > 0 },
    measuredFact('Iteration, median', median, formatMs),
    ...(run.quartilesMs === null
      ? []
      : [
          {
            name: 'Iteration, spread',
            value: `${formatMs(run.quartilesMs[0])} to ${formatMs(run.quartilesMs[1])}`,
            measured: true,
            note: 'The middle half of the iterations after the first, which warms up',
          },
        ]),
    { name: 'Predicted overhead', value: formatChange(start.predictedOverhead), measured: false },
    run.overhead === null
      ? measuredFact(
          'Measured overhead',
          overhead,
          formatChange,
          undefined,
          'needs a regular run of the same size',
        )
      : pairedFact(run.overhead),
    ...(run.statisticsDrift === null
      ? []
      : [
          {
            name: 'Statistics drift',
            value: formatPercent(run.statisticsDrift),
            measured: true,
            note: 'How far the running statistics are from those of a careful run: recomputed batches count twice',
          },
        ]),
    measuredFact('Last loss', last ?? null, (value) => value.toFixed(4)),
    {
      name: 'Stationary',
      value: formatBytes(start.stationaryBytes),
      measured: false,
      note: 'Weights, their gradients and momentum: there throughout, not part of the curves',
    },
  ];
}

function measuredFact(
  name: string,
  value: number | null,
  format: (value: number) => string,
  exact?: (value: number) => string,
  missing = '…',
): Fact {
  if (value === null) return { name, value: missing, measured: false };
  const fact: Fact = { name, value: format(value), measured: true };
  return exact === undefined ? fact : { ...fact, note: exact(value) };
}

/** Pairs cancel the drift of a machine that gets slower or faster; better than a run of another minute. */
function pairedFact({ measured, quartiles, pairs, planned }: OverheadEvent): Fact {
  const [low, high] = quartiles;
  const count = pairs < planned ? `${formatCount(pairs)} of ${formatCount(planned)}` : formatCount(pairs);
  return {
    name: 'Measured overhead',
    value: `${formatChange(measured)} (pairs: ${count})`,
    measured: true,
    note: `Median over the pairs; the middle half from ${formatChange(low)} to ${formatChange(high)}`,
  };
}

/** Against the latest regular run of the same size on the same backend. */
function measuredOverhead(run: Run, runs: readonly Run[]): number | null {
  if (run.request.strategy === 'regular' || run.iterationMs.length < LEAST_ITERATIONS) return null;
  const regular = runs.find(
    (other) =>
      other.request.strategy === 'regular' &&
      other.iterationMs.length >= LEAST_ITERATIONS &&
      other.start?.backend === run.start?.backend &&
      sameSize(other, run),
  );
  const base = medianMs(regular?.iterationMs ?? []);
  const own = medianMs(run.iterationMs);
  return base === null || own === null || base === 0 ? null : own / base - 1;
}

/** The sentence over the chart. */
export function runSentence(run: Run, title: string, network: string): string {
  const { start, request, iterationMs, outcome } = run;
  const planned = formatCount(request.iterations);
  const count = `${formatCount(iterationMs.length)} of ${planned} iterations`;
  const what = `${title} on ${network} at batch ${formatCount(request.batch)}`;
  if (outcome === 'running') {
    if (start === null) return `${what}: the trainer is starting…`;
    return `${what}: iteration ${formatCount(Math.min(iterationMs.length + 1, request.iterations))} of ${planned}.`;
  }
  if (outcome === 'cancelled') return `${what}: cancelled after ${count}.`;
  if (outcome === 'failed') return `${what}: stopped after ${count}.`;
  const measured = formatBytes(run.measuredPeakBytes ?? 0);
  if (run.worst.bytes === 0) return `${what}: measured ${measured}, just as predicted, at every step.`;
  return `${what}: measured ${measured}, predicted ${formatBytes(start?.predictedPeakBytes ?? 0)}.`;
}

/** `About 5 s left.`: whole seconds, because a guess has no decimals. */
export function sayTimeLeft(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90
    ? `About ${seconds}${THIN}s left.`
    : `About ${formatCount(Math.round(seconds / 60))}${THIN}min left.`;
}

/** Milliseconds that the rest of a run should take, once there is an iteration to judge by. */
export function timeLeftMs(run: Run): number | null {
  const median = medianMs(run.iterationMs);
  if (median === null || run.outcome !== 'running') return null;
  const { iterations, pairs = 0 } = run.request;
  // A pair that warms up comes before those that count.
  const pairsLeft = pairs === 0 ? 0 : pairs - (run.overhead?.pairs ?? -1);
  return median * (iterations - run.iterationMs.length + 2 * pairsLeft);
}
