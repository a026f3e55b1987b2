import { randomUUID } from 'node:crypto';
import { emptyContent } from '../../app/contract/empty-content.ts';
import type {
  Annotation,
  ExportedRuns,
  History,
  ImportedRuns,
  RunSource,
} from '../../app/contract/history.ts';
import type { RecordedRun, RunContent } from '../../app/contract/recorded-run.ts';
import { afterEvent, isLast } from '../../app/contract/run-content.ts';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { LabFailure, workerDied } from '../host/failure.ts';
import type { HistoryService } from '../host/services.ts';
import type { DataFolder } from './folder.ts';
import type { ProcessSpawner, WorkerProcess } from '../trainer-client/process.ts';
import type { BegunRun, EndOfRun, FromHistory, HistoryCall, HistoryMethod, ToHistory } from './protocol.ts';
import { recorded } from './recorder.ts';
import type { RunHistory } from './run-history.ts';

/** Where runs are kept; a folder that was chosen has to be there, as a disk may be unplugged. */
export type HistoryPlace = Pick<DataFolder, 'folder'> & Partial<Pick<DataFolder, 'by'>>;

export interface HistoryTimes {
  /** How long a process that dies must have lived for a run to start the next at once. */
  readonly patienceMs: number;
  /** How long the end of this program waits for what is still to be written. */
  readonly closeMs: number;
}

const TIMES: HistoryTimes = { patienceMs: 10_000, closeMs: 5000 };

interface Pending {
  readonly message: HistoryCall | EndOfRun;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  isRetried: boolean;
}

/** A run that goes on, as far as it told: a process that died is told it again. */
interface Recording extends Omit<BegunRun, 'resumed'> {
  content: RunContent;
  sawLast: boolean;
}

/**
 * The history in a process of its own, started when it is first needed. One that dies is started again: what was asked
 * for is asked once more, and a run that goes on is written anew, so that neither it nor the lab comes to harm.
 */
export class HistoryClient implements HistoryService {
  readonly #spawn: ProcessSpawner<ToHistory, FromHistory>;
  #place: HistoryPlace;
  readonly #times: HistoryTimes;
  readonly #pending = new Map<number, Pending>();
  readonly #recordings = new Map<number, Recording>();
  #process: WorkerProcess<ToHistory, FromHistory> | null = null;
  #isReady = false;
  #startedMs = Number.NEGATIVE_INFINITY;
  #lastId = 0;
  #problem: string | null = null;
  #notice: string | null = null;

  constructor(
    spawn: ProcessSpawner<ToHistory, FromHistory>,
    place: string | HistoryPlace,
    times: Partial<HistoryTimes> = {},
  ) {
    this.#spawn = spawn;
    this.#place = typeof place === 'string' ? { folder: place } : place;
    this.#times = { ...TIMES, ...times };
  }

  /** Why runs are not kept just now, in one sentence; null when they are. Complete once it was closed. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Never fails: where there is no history it says why. */
  async list(): Promise<History> {
    try {
      const history = await this.#call<'list'>('list');
      const notice = [this.#notice, history.notice].filter((sentence) => sentence !== null).join(' ');
      return { ...history, notice: notice === '' ? null : notice };
    } catch (error) {
      if (!(error instanceof LabFailure) || error.failure.code !== 'WORKER_DIED') throw error;
      return {
        runs: [],
        evicted: [],
        folder: this.#place.folder,
        problem: this.#stopped(error),
        notice: null,
      };
    }
  }

  open(id: string): Promise<RecordedRun> {
    return this.#call('open', id);
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#call('remove', ids);
  }

  restore(ids: readonly string[]): Promise<void> {
    return this.#call('restore', ids);
  }

  annotate(annotation: Annotation): Promise<void> {
    return this.#call('annotate', annotation);
  }

  exportRuns(ids: readonly string[]): Promise<ExportedRuns> {
    return this.#call('exportRuns', ids);
  }

  importRuns(bytes: Uint8Array, makeRoom: boolean): Promise<ImportedRuns> {
    return this.#call('importRuns', bytes, makeRoom);
  }

  /**
   * Goes on in another folder, into which the runs are copied where it has none; those of before stay where they are.
   * A run that goes on is written there anew, and what was asked for meanwhile is asked there.
   *
   * @param remember called when the folder can be used, before it is; what it throws leaves all as it is
   * @returns whether the runs were copied: false where the folder had runs of its own, or there were none to copy
   * @throws LabFailure in one sentence, where the folder cannot be used
   */
  async moveTo(folder: string, remember: () => void): Promise<boolean> {
    const wasCopied = await this.#call('copyTo', folder);
    remember();
    const { process } = { process: this.#process };
    this.#place = { folder, by: 'choice' };
    this.#process = null;
    this.#isReady = false;
    this.#problem = null;
    this.#notice = null;
    process?.kill();
    if (this.#pending.size > 0 || this.#recordings.size > 0) this.#start();
    return wasCopied;
  }

  record(
    request: TrainRequest,
    events: AsyncIterable<TrainEvent>,
    source: RunSource = 'lab',
  ): AsyncGenerator<TrainEvent, void, void> {
    const recording: Recording = {
      key: ++this.#lastId,
      id: request.run ?? randomUUID(),
      spare: randomUUID(),
      source,
      begunMs: Date.now(),
      request,
      content: emptyContent(),
      sawLast: false,
    };
    let hasEnded = false;
    const recorder = {
      take: (event: TrainEvent) => this.#take(recording, event),
      end: (outcome: EndOfRun['outcome'], failure: string | null = null) => {
        if (!hasEnded) this.#end(recording.key, outcome, failure);
        hasEnded = true;
      },
    };
    return recorded(recorder, events, (error) => error instanceof CancelledError);
  }

  /** Waits until what was asked for is done, but not for ever; the process is gone then. */
  async close(): Promise<void> {
    if (this.#process === null) return;
    const isDone = Promise.allSettled([this.#call('close')]);
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#times.closeMs);
    });
    await Promise.race([isDone, tooLong]);
    clearTimeout(timer);
    const process = this.#process;
    this.#process = null;
    process?.kill();
    for (const { reject } of this.#pending.values()) reject(new CancelledError());
    this.#pending.clear();
  }

  #take(recording: Recording, event: TrainEvent): void {
    const { key } = recording;
    const isFirst = !this.#recordings.has(key);
    this.#recordings.set(key, recording);
    // Before the event is counted: a process that is told of the run here hears it next.
    if (isFirst && this.#isReady) this.#process?.send({ type: 'begin', run: begunRun(recording, false) });
    recording.content = afterEvent(recording.content, event);
    recording.sawLast ||= isLast(event);
    if (this.#isReady) this.#process?.send({ type: 'take', key, event });
    else if (this.#process === null && this.#mayStart()) this.#start();
  }

  /** Nobody waits for it here: `close` does, and what is asked for next is answered after it. */
  #end(key: number, outcome: EndOfRun['outcome'], failure: string | null): void {
    // A run of which nothing was heard is not kept: it was refused.
    if (!this.#recordings.has(key)) return;
    this.#ask({ type: 'end', id: ++this.#lastId, key, outcome, failure })
      .catch((error: Error) => {
        this.#problem = this.#stopped(error);
      })
      .finally(() => this.#recordings.delete(key));
  }

  #call<Name extends HistoryMethod>(
    name: Name,
    ...input: Parameters<RunHistory[Name]>
  ): Promise<ReturnType<RunHistory[Name]>> {
    const message = { type: 'call', id: ++this.#lastId, name, input } as unknown as HistoryCall;
    return this.#ask(message) as Promise<ReturnType<RunHistory[Name]>>;
  }

  #ask(message: HistoryCall | EndOfRun): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.set(message.id, { message, resolve, reject, isRetried: false });
      if (this.#process === null) this.#start();
      else if (this.#isReady) this.#process.send(message);
    });
  }

  #mayStart(): boolean {
    return performance.now() - this.#startedMs >= this.#times.patienceMs;
  }

  #start(): void {
    this.#startedMs = performance.now();
    this.#isReady = false;
    const started = this.#spawn();
    this.#process = started;
    started.onMessage((message) => {
      if (started === this.#process) this.#receive(message);
    });
    started.onExit((reason) => {
      if (started === this.#process) this.#died(reason);
    });
  }

  #receive(message: FromHistory): void {
    if (message.type === 'ready') this.#greet();
    else if (message.type === 'problem') this.#problem = message.problem;
    else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.type === 'answer') pending?.resolve(message.value);
      else pending?.reject(new LabFailure(message.failure));
    }
  }

  /** All that a process must know: the folder, the runs that go on, what is asked for. */
  #greet(): void {
    this.#isReady = true;
    const { folder, by } = this.#place;
    this.#process?.send({ type: 'folder', folder, ...(by === 'choice' ? { mustExist: true } : {}) });
    for (const recording of this.#recordings.values()) {
      this.#process?.send({ type: 'begin', run: begunRun(recording, true) });
    }
    for (const { message } of this.#pending.values()) this.#process?.send(message);
  }

  #died(reason: string): void {
    this.#process = null;
    this.#isReady = false;
    this.#notice =
      `The history of runs stopped unexpectedly (${reason}) and was started again; ` +
      'what was written before is there, and training goes on.';
    const error = workerDied('history', reason);
    for (const [id, pending] of this.#pending) {
      if (pending.isRetried) {
        this.#pending.delete(id);
        pending.reject(error);
      }
      pending.isRetried = true;
    }
    if (this.#pending.size > 0 || (this.#recordings.size > 0 && this.#mayStart())) this.#start();
    else if (this.#recordings.size > 0) this.#problem = this.#stopped(error);
  }

  #stopped(error: Error): string {
    const reason =
      error instanceof LabFailure && error.failure.code === 'WORKER_DIED'
        ? error.failure.data.reason
        : error.message;
    return (
      `Runs are not kept, because the history stops each time that it is started (${reason}); training goes on. ` +
      `Move runs.db out of ${this.#place.folder}, and a new one is begun.`
    );
  }
}

/** A run as a process is told of it; one that was begun before, with all that it told. */
const begunRun = ({ content, sawLast, ...run }: Recording, isResumed: boolean): BegunRun => ({
  ...run,
  resumed: isResumed ? { content, sawLast } : null,
});
