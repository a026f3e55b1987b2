import type { LabFailureView } from '../../../app/contract/client.ts';
import type { RecordedRun, RunContent, RunOutcome } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { afterEvent, isLast } from '../../../app/contract/run-content.ts';
import type { TrainEventOf, TrainEvent, TrainRequestInput } from '../../../app/contract/training.ts';
import { type SizedTimeline, sizeTimeline } from '../comparison/sized-timeline.ts';

export { medianMs } from '../../../app/contract/run-content.ts';

export type ProgressEvent = TrainEventOf<'progress'>;

export interface Run extends RunContent {
  /** The same in the history. */
  readonly key: string;
  readonly id: number;
  readonly request: TrainRequestInput;
  readonly begunMs: number;
  readonly outcome: RunOutcome;
  readonly failure: Pick<LabFailureView, 'message'> | null;
  /** The prediction at the run's batch; `null` before the start. */
  readonly predicted: SizedTimeline | null;
  readonly progress: ProgressEvent | null;
  readonly paused: boolean;
}

export function newRun(id: number, request: TrainRequestInput, key = `run-${id}`, begunMs = Date.now()): Run {
  return {
    ...emptyContent(),
    key,
    id,
    request,
    begunMs,
    outcome: 'running',
    failure: null,
    predicted: null,
    progress: null,
    paused: false,
  };
}

export function runAfter(run: Run, event: TrainEvent): Run {
  const next = afterEvent(run, event);
  if (event.event === 'start') return { ...next, predicted: sizeTimeline(event.timeline, event.batch) };
  if (event.event === 'progress') return { ...next, progress: event };
  if (event.event === 'paused') return { ...next, paused: event.paused };
  return isLast(event) ? { ...next, outcome: 'done' } : next;
}

export function reopenedRun(recorded: RecordedRun, id: number): Run {
  const {
    id: key,
    begunMs,
    endedMs: _ended,
    name: _name,
    note: _note,
    request,
    failure,
    ...content
  } = recorded;
  const { start } = content;
  return {
    ...newRun(id, request, key, begunMs),
    ...content,
    failure: failure === null ? null : { message: failure },
    predicted: start === null ? null : sizeTimeline(start.timeline, start.batch),
  };
}
