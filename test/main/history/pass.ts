import { randomUUID } from 'node:crypto';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { type RecordedRun, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import type { RunSource } from '../../../app/contract/history.ts';
import type { TrainEvent, TrainRequest } from '../../../app/contract/training.ts';
import { RunRecorder, recorded } from '../../../main/history/recorder.ts';
import { type HistoryOptions, RunHistory } from '../../../main/history/run-history.ts';
import type { HistoryService } from '../../../main/host/services.ts';
import { requestOf, wholeRun } from './events.ts';

export async function* stream(events: readonly TrainEvent[], error?: Error): AsyncGenerator<TrainEvent> {
  yield* events;
  if (error !== undefined) throw error;
}

/** Lets a run pass through the history; what it throws is part of the test. */
export async function pass(
  history: Pick<HistoryService, 'record'>,
  events: readonly TrainEvent[],
  { id, error, model }: { id?: string; error?: Error; model?: string } = {},
): Promise<TrainEvent[]> {
  const request = requestOf({ ...(id === undefined ? {} : { run: id }), ...(model ? { model } : {}) });
  const seen: TrainEvent[] = [];
  try {
    for await (const event of history.record(request, stream(events, error))) seen.push(event);
  } catch (thrown) {
    if (thrown !== error) throw thrown;
  }
  return seen;
}

export const recordOf = (id: string): RecordedRun => ({
  id,
  begunMs: 1_700_000_000_000,
  endedMs: 1_700_000_009_000,
  outcome: 'done',
  failure: null,
  name: 'a name',
  note: '',
  request: requestOf({ dataFolder: '/home/somebody/data/cifar-10' }),
  ...runContentSchema.parse(wholeRun().reduce(afterEvent, emptyContent())),
});

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A history with its recorders in the same process: each write is done when it is asked for. */
export class RecordingHistory extends RunHistory {
  readonly #now: () => number;

  constructor(options: HistoryOptions) {
    super(options);
    this.#now = options.now ?? Date.now;
  }

  recorder(request: TrainRequest, source: RunSource = 'lab'): RunRecorder {
    const [id, spare] = [request.run ?? randomUUID(), randomUUID()];
    return new RunRecorder({ id, spare, source, begunMs: this.#now(), request }, (run) => this.save(run));
  }

  record(request: TrainRequest, events: AsyncIterable<TrainEvent>, source?: RunSource) {
    return recorded(this.recorder(request, source), events);
  }

  /** Records a run from its first event to its last; throws why it is not kept. */
  keep(id: string): void {
    const recorder = this.recorder(requestOf({ run: id }));
    for (const event of wholeRun()) recorder.take(event);
    void recorder.end('over');
    if (this.problem !== null) throw new Error(this.problem);
  }
}
