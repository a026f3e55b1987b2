import { medianMs, type Run } from '../../../state/runs/run.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatCount, formatMs, formatPercent, THIN } from '../../../shared/format/numbers.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly measured: boolean;
  readonly note?: string;
}

export function agreement(run: Run): string {
  if (run.measured.length === 0) return '…';
  if (run.worst.bytes === 0) return 'yes, at every step';
  const sign = run.worst.bytes > 0 ? '+' : '−';
  return `no: ${sign}${formatExactBytes(Math.abs(run.worst.bytes))} at step ${run.worst.step + 1}`;
}

export function dataName({ request }: Run): string {
  const { dataFolder } = request;
  return dataFolder === undefined ? 'synthetic images' : `CIFAR-10, ${dataFolder.replace(/^.*[/\\]/, '')}`;
}

export function factsOf(run: Run): Fact[] {
  const { start, iterationMs, loss } = run;
  if (run.request.largestBatch === true) return searchFacts(run);
  if (start === null) return [];
  const median = medianMs(iterationMs);
  const last = loss.at(-1);
  const drift = run.drift.at(-1);
  return [
    { name: 'Backend', value: start.backend, measured: false, note: start.backendReason },
    { name: 'Device', value: start.device, measured: false },
    ...(start.unusedGpu === undefined
      ? []
      : [
          { name: 'NVIDIA GPU', value: 'here, not used', measured: false, note: asSentence(start.unusedGpu) },
        ]),
    {
      name: 'Data',
      value: dataName(run),
      measured: false,
      note: run.request.dataFolder ?? 'Made from the seed',
    },
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
            note: 'Largest memory of the backend at any step, including weights, temporaries and caches',
          },
        ]),
    { name: 'As predicted', value: agreement(run), measured: run.measured.length > 0 },
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
    ...(drift === undefined
      ? []
      : [
          {
            name: 'Statistics drift',
            value: formatPercent(drift),
            measured: true,
            note: 'Difference of the running statistics from those of a careful run, because recomputed batches count twice',
          },
        ]),
    ...differenceFacts(run),
    measuredFact('Last loss', last ?? null, (value) => value.toFixed(4)),
    {
      name: 'Stationary',
      value: formatBytes(start.stationaryBytes),
      measured: false,
      note: 'Weights, their gradients and momentum: constant during a step, and not part of the curves',
    },
  ];
}

function measuredFact(
  name: string,
  value: number | null,
  format: (value: number) => string,
  exact?: (value: number) => string,
): Fact {
  if (value === null) return { name, value: '…', measured: false };
  const fact: Fact = { name, value: format(value), measured: true };
  return exact === undefined ? fact : { ...fact, note: exact(value) };
}

function searchFacts({ request, probes, largest }: Run): Fact[] {
  const failed = probes.filter(({ ran }) => !ran);
  const why = failed.at(-1)?.reason ?? null;
  return [
    { name: 'Memory cap', value: formatBytes(request.memoryCapBytes ?? 0), measured: false },
    { name: 'Backend', value: request.backend ?? 'automatic', measured: false },
    { name: 'Tried', value: formatCount(probes.length), measured: false },
    { name: 'Ran', value: formatCount(probes.length - failed.length), measured: true },
    measuredFact('Largest batch', largest?.batch ?? null, formatCount),
    ...(why === null ? [] : [{ name: 'Stopped by', value: why, measured: false, note: why }]),
  ];
}

/** Memory at two batch sizes: all that is fixed cancels. */
function differenceFacts({ difference }: Run): Fact[] {
  if (difference === null) return [];
  const { batches, peakBytes, deviceBytes, perSampleBytes, predictedPerSampleBytes } = difference;
  const [few, many] = batches;
  const at = (values: readonly (number | null)[]): string =>
    values.map((bytes, i) => `${formatBytes(bytes ?? 0)} at batch ${batches[i]}`).join(', ');
  const [fewDevice, manyDevice] = deviceBytes;
  const byDevice = fewDevice === null || manyDevice === null ? null : (manyDevice - fewDevice) / (many - few);
  return [
    {
      name: 'Per sample, predicted',
      value: formatBytes(predictedPerSampleBytes),
      measured: false,
      note: formatExactBytes(predictedPerSampleBytes),
    },
    {
      name: 'Per sample, measured',
      value: formatBytes(perSampleBytes),
      measured: true,
      note: `${formatExactBytes(perSampleBytes)}: the difference of ${at(peakBytes)}`,
    },
    ...(byDevice === null
      ? []
      : [
          {
            name: 'Per sample, by device',
            value: formatBytes(byDevice),
            measured: true,
            note: `What the device itself reported: ${at(deviceBytes)}`,
          },
        ]),
  ];
}

export function runSentence(run: Run, title: string, network: string): string {
  const { start, request, iterationMs, outcome } = run;
  if (request.largestBatch === true) return largestSentence(run, title, network);
  const planned = formatCount(request.iterations);
  const count = `${formatCount(iterationMs.length)} of ${planned} iterations`;
  const what = `${title} on ${network} at batch ${formatCount(request.batch)}`;
  if (outcome === 'running') {
    if (start === null) return `${what}: the trainer is starting…`;
    return `${what}: iteration ${formatCount(Math.min(iterationMs.length + 1, request.iterations))} of ${planned}.`;
  }
  if (outcome === 'cancelled') return `${what}: cancelled after ${count}.`;
  if (outcome === 'failed') return `${what}: stopped after ${count}.`;
  if (outcome === 'interrupted') return `${what}: interrupted after ${count}.`;
  const measured = formatBytes(run.measuredPeakBytes ?? 0);
  if (run.worst.bytes === 0) return `${what}: measured ${measured}, just as predicted, at every step.`;
  return `${what}: measured ${measured}, predicted ${formatBytes(start?.predictedPeakBytes ?? 0)}.`;
}

function largestSentence({ request, probes, largest, outcome }: Run, title: string, network: string): string {
  const what = `${title} on ${network}`;
  const cap = formatBytes(request.memoryCapBytes ?? 0);
  if (largest !== null) {
    const more = largest.isMost ? ', the largest batch allowed' : '';
    return `${what}: batch ${formatCount(largest.batch)} is the largest that runs within ${cap}${more}.`;
  }
  const best = probes.reduce((most, { batch, ran }) => (ran ? Math.max(most, batch) : most), 0);
  const soFar = best === 0 ? 'none has run yet' : `batch ${formatCount(best)} runs`;
  if (outcome === 'running') return `${what}: searching for the largest batch within ${cap}; ${soFar}.`;
  return `${what}: the search for the largest batch ended early; ${soFar}.`;
}

/** `About 5 s left.`: whole seconds, because a guess has no decimals. */
export function sayTimeLeft(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90
    ? `About ${seconds}${THIN}s left.`
    : `About ${formatCount(Math.round(seconds / 60))}${THIN}min left.`;
}
