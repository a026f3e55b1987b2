import { HOLD_GRADIENT } from '../../../../engine/schedule/schedule.ts';
import type { RunSummary } from '../../../../app/contract/history.ts';
import type { Run } from '../../../state/runs/run.ts';

/** More zigzags over each other are not told apart. */
const MAX_ZIGZAGS = 4;
const MAX_LOSSES = 8;

export const isNaive = ({ request }: Run): boolean =>
  request.naiveStatistics === true || request.naiveDropout === true;

/** Seen in its steps: a strategy without segments ignores the request. */
export const isReentrant = ({ predicted }: Pick<Run, 'predicted'>): boolean =>
  predicted?.timeline.kinds.includes(HOLD_GRADIENT) === true;

export const isOpen = ({ outcome }: Run): boolean => outcome === 'running';

export function sameSize(a: Run, b: Run): boolean {
  return sizeOf(a) === sizeOf(b);
}

export function comparableLines(lines: readonly RunSummary[], { key, request, start }: Run): string[] {
  const input = request.input ?? start?.input;
  return lines
    .filter(
      (line) =>
        line.id !== key &&
        line.model === request.model &&
        line.batch === request.batch &&
        line.done > 0 &&
        (input === undefined || line.input === input),
    )
    .slice(0, MAX_LOSSES - 1)
    .map(({ id }) => id);
}

const sizeOf = ({ request, start }: Run): string =>
  [request.model, request.batch, request.input ?? start?.input ?? '', request.dropout ?? 0].join();

/** Runs that see the same images under the same rule: if recomputation is right, their losses coincide. */
export function sameData(a: Run, b: Run): boolean {
  return sameSize(a, b) && dataOf(a) === dataOf(b);
}

const dataOf = ({ request }: Run): string =>
  [request.seed ?? 0, request.dataFolder ?? '', request.learningRate ?? 0.01, request.momentum ?? 0.9].join();

/**
 * The runs over which the zigzag is drawn: the one in front, and the latest comparable run of every other
 * strategy, naive and reentrant ones apart. The one in front comes last, over the others.
 */
export function visibleRuns(runs: readonly Run[], front: Run | null): Run[] {
  if (front === null) return [];
  const kind = (run: Run): string => `${run.request.strategy} ${isNaive(run)} ${isReentrant(run)}`;
  const shown = [front];
  for (const run of runs) {
    if (shown.length >= MAX_ZIGZAGS) break;
    if (run.predicted === null || !sameSize(run, front)) continue;
    if (!shown.some((other) => kind(other) === kind(run))) shown.push(run);
  }
  return shown.reverse();
}

export function lossRuns(runs: readonly Run[], front: Run | null): Run[] {
  if (front === null) return [];
  const others = runs.filter((run) => run.key !== front.key && run.loss.length > 0 && sameData(run, front));
  return [front, ...others].slice(0, MAX_LOSSES).reverse();
}
