import { writeRunsFile } from '../../../main/history/runs-file.ts';
import type { Bounds } from '../../../main/history/run-store.ts';
import { bytesOf, type RecordingHistory, recordOf } from './pass.ts';

/** A day of a lab in which everything happens that writes; a stage that is over is acknowledged. */
export const STAGES = [
  ...['opened', 'own', 'named', 'imported', 'removed', 'restored', 'second', 'made room', 'undone'],
] as const;

/** So few that the second import needs the room of two runs. */
export const DAY_BOUNDS: Bounds = { runs: 5, bytes: 1e9 };

export const fileOf = (...ids: readonly string[]): Uint8Array =>
  bytesOf(writeRunsFile(ids.map((id) => recordOf(id))));

/** @param over called after each stage; what a stage cannot do it throws */
export function wholeDay(history: RecordingHistory, over: (stage: string) => void): void {
  const work: readonly (() => unknown)[] = [
    () => history.list(),
    () => history.keep('own'),
    () => history.annotate({ id: 'own', name: 'mine' }),
    () => history.importRuns(fileOf('f1', 'f2')),
    () => history.remove(['f2']),
    () => history.restore(['f2']),
    () => history.keep('second'),
    () => history.importRuns(fileOf('f3', 'f4'), true),
    () => history.restore(['second']),
  ];
  for (const [i, stage] of STAGES.entries()) {
    work[i]?.();
    over(stage);
  }
}

/** Calls of a lab to a history with limits: the acknowledged runs, and the messages about the rest. */
export function shortDay(history: RecordingHistory): { acknowledged: string[]; told: string[] } {
  const [acknowledged, told]: string[][] = [[], []];
  const tried = (fact: string, work: () => unknown): void => {
    try {
      work();
      acknowledged?.push(fact);
    } catch (error) {
      told?.push((error as Error).message);
    }
  };
  tried('named', () => history.annotate({ id: 'old', name: 'mine' }));
  tried('own', () => history.keep('own'));
  tried('file', () => history.importRuns(fileOf('f1', 'f2')));
  return { acknowledged: acknowledged as string[], told: told as string[] };
}
