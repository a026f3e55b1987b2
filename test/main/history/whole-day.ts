import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RecordedRun, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import type { Bounds } from '../../../main/history/eviction.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { requestOf, wholeRun } from './events.ts';

/** A day of a lab in which everything happens that writes. What a stage was named for is promised once it is over. */
export const STAGES = [
  'opened',
  'own',
  'named',
  'imported',
  'removed',
  'restored',
  'second',
  'made room',
  'undone',
] as const;
export type Stage = (typeof STAGES)[number];

/** So few that the second import needs the room of two runs. */
export const DAY_BOUNDS: Bounds = { runs: 5, bytes: 1e9 };

export const IMPORTED = ['f1', 'f2'] as const;
export const MADE_ROOM_FOR = ['f3', 'f4'] as const;

const importedRun = (id: string): RecordedRun => ({
  ...{ id, begunMs: 1_700_000_000_000, endedMs: 1_700_000_009_000 },
  ...{ outcome: 'done', failure: null, name: 'of a file', note: '' },
  request: requestOf(),
  ...runContentSchema.parse(wholeRun().reduce(afterEvent, emptyContent())),
});

export const fileOf = (ids: readonly string[]): Uint8Array =>
  new TextEncoder().encode(writeRunsFile(ids.map(importedRun)));

/** Records a run from its first event to its last, and says whether it is kept. */
export function keepRun(history: RunHistory, id: string): void {
  const recorder = history.recorder(requestOf({ run: id }), 'lab');
  for (const event of wholeRun()) recorder.take(event);
  recorder.end('over');
  if (history.problem !== null) throw new Error(history.problem);
}

/** @param over called after each stage; what a stage cannot do it throws */
export function wholeDay(history: RunHistory, over: (stage: Stage) => void): void {
  const work: Readonly<Record<Stage, () => unknown>> = {
    opened: () => history.list(),
    own: () => keepRun(history, 'own'),
    named: () => history.annotate({ id: 'own', name: 'mine' }),
    imported: () => history.importRuns(fileOf(IMPORTED)),
    removed: () => history.remove(['f2']),
    restored: () => history.restore(['f2']),
    second: () => keepRun(history, 'second'),
    'made room': () => history.importRuns(fileOf(MADE_ROOM_FOR), true),
    undone: () => history.restore(['second']),
  };
  for (const stage of STAGES) {
    work[stage]();
    over(stage);
  }
}
