import type { TrainingPhase } from '../../../../app/contract/training.ts';
import { medianMs, type Run } from '../../../state/runs/run.ts';
import { formatCount } from '../../../shared/format/numbers.ts';

export interface RunProgress {
  readonly text: string;
  /** Share of what it does now; null while nobody can tell. */
  readonly share: number | null;
  readonly leftMs: number | null;
}

const PHASES: Readonly<Record<TrainingPhase, string>> = {
  'warm-up': 'Warming up',
  costs: 'Timing every operation on this device',
  iterations: 'Iteration',
  pairs: 'Pair with regular training',
  probes: 'Trying batches',
  difference: 'Measuring at two batch sizes',
};

/** Null for a run that has ended. */
export function progressOf(run: Run): RunProgress | null {
  if (run.outcome !== 'running') return null;
  const { progress, request, iterationMs } = run;
  if (progress !== null && progress.phase !== 'iterations') {
    const { phase, done, of, leftMs } = progress;
    const counted = phase === 'pairs' && of > 0 ? ` ${place(done, of)}` : '';
    return { text: `${PHASES[phase]}${counted}`, share: of > 0 ? Math.min(1, done / of) : null, leftMs };
  }
  if (run.start === null) {
    const text =
      request.largestBatch === true ? 'Trying batches' : 'Building the network, choosing a backend';
    return { text, share: null, leftMs: null };
  }
  const { iterations } = request;
  const done = iterationMs.length;
  const median = medianMs(iterationMs);
  return {
    text: done === 0 ? 'The first iteration warms up' : `Iteration ${place(done, iterations)}`,
    share: (progress?.done ?? done) / iterations,
    leftMs: median === null ? null : (progress?.leftMs ?? median * (iterations - done)),
  };
}

const place = (done: number, of: number): string =>
  `${formatCount(Math.min(Math.floor(done) + 1, of))} of ${formatCount(of)}`;
