import type { Run } from '../runs/run.ts';

const MOST_VISIBLE = 4;

/** Runs that can be laid over each other: the same network at the same size. */
export function sameSize(a: Run, b: Run): boolean {
  const size = ({ request: { model, batch, input, dropout } }: Run): string =>
    [model, batch, input ?? '', dropout ?? ''].join();
  return size(a) === size(b);
}

/** The run in front: the one chosen, else the newest. */
export function frontRun(runs: readonly Run[], chosen: number | null): Run | null {
  return runs.find(({ id }) => id === chosen) ?? runs[0] ?? null;
}

/**
 * The runs on the charts: the one in front, and the latest comparable run of every other strategy that
 * was not hidden. The one in front comes last, over the others.
 */
export function visibleRuns(runs: readonly Run[], front: Run | null, hidden: ReadonlySet<number>): Run[] {
  if (front === null) return [];
  const shown = [front];
  for (const run of runs) {
    if (shown.length >= MOST_VISIBLE) break;
    const known = shown.some(({ request }) => request.strategy === run.request.strategy);
    if (!known && !hidden.has(run.id) && run.predicted !== null && sameSize(run, front)) shown.push(run);
  }
  return shown.reverse();
}
