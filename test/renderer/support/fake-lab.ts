import type { LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import type { ComparisonEvent } from '../../../app/contract/results.ts';
import type { TrainEvent, TrainRequestInput } from '../../../app/contract/training.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { readAddress } from '../../../renderer/state/experiment/address.ts';
import { createWorkspace, type Workspace } from '../../../renderer/state/workspace/workspace.ts';
import type { LabConnection, LabConnectionState, LabPlace } from '../../../app/contract/connection.ts';
import { compareEvents } from '../../../main/solver/compare.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';

/** The real solver's answer to an experiment, as a list. */
export function eventsOf(experiment: Experiment): ComparisonEvent[] {
  const events: ComparisonEvent[] = [];
  compareEvents(experiment, {
    memory: new SolverMemory(),
    control: NO_CONTROL,
    emit: (event) => events.push(event),
  });
  return events;
}

export function experimentOf(part: Partial<Experiment> = {}): Experiment {
  return experimentSchema.parse({
    model: 'tiny-residual',
    batch: 4,
    strategies: ['regular', 'chen-sqrt'],
    ...part,
  });
}

export interface FakeLab {
  readonly client: LabClient;
  /** Every comparison that was asked for. */
  readonly asked: Experiment[];
  /** Signals of the comparisons, in the same order. */
  readonly signals: (AbortSignal | undefined)[];
  /** Holds back every event after the head until released. */
  release(): void;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A lab in this very thread: the real solver behind the contract's types, with a valve. */
export function fakeLab({ held = false, fail }: { held?: boolean; fail?: () => unknown } = {}): FakeLab {
  const asked: Experiment[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  let open = (): void => undefined;
  const valve = held ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();

  async function* compare(experiment: Experiment, signal?: AbortSignal): AsyncGenerator<ComparisonEvent> {
    const failure = fail?.();
    if (failure !== undefined) throw failure;
    for (const event of eventsOf(experiment)) {
      if (event.type !== 'head') await Promise.race([valve, aborted(signal)]);
      if (signal?.aborted) throw new Error('aborted');
      yield event;
    }
  }
  const client = {
    compare: async (experiment: Experiment, options?: CallOptions) => {
      asked.push(experiment);
      signals.push(options?.signal);
      return compare(experiment, options?.signal);
    },
  };
  return { client: client as unknown as LabClient, asked, signals, release: () => open() };
}

function aborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

/** A lab whose trainer says what a test feeds it. */
export function fakeTrainer(script: (request: TrainRequestInput) => AsyncGenerator<TrainEvent>): LabClient {
  const client = {
    train: async (request: TrainRequestInput, options?: CallOptions) => {
      const events = script(request);
      options?.signal?.addEventListener('abort', () => void events.return(undefined), { once: true });
      return events;
    },
  };
  return client as unknown as LabClient;
}

export interface FakeConnection extends LabConnection {
  become(state: LabConnectionState): void;
}

/** The connection to a lab in this very thread, which is lost and found as a test says. */
export function connectionTo(client: LabClient, place: LabPlace = 'browser'): FakeConnection {
  const listeners = new Set<() => void>();
  let state: LabConnectionState = 'open';
  return {
    client,
    place,
    get state() {
      return state;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    opened: async () => undefined,
    close: () => undefined,
    become: (next) => {
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** A workspace as a link opens it, on a lab that a test brings, or on one that nothing is asked of. */
export function workspaceOf(link: string, screens: readonly string[], client = {} as LabClient): Workspace {
  return createWorkspace(connectionTo(client), readAddress(link, screens), screens);
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until a condition holds; a test that waits in vain fails by its own time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
