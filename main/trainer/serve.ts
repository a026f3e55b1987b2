import type { TrainEvent, TrainEventOf, TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { BusyError, DeviceLostError, failureOf } from './errors.ts';
import { PauseGate } from './pause-gate.ts';
import type { BackendChoice, HostMessage, TrainerMessage } from './protocol.ts';
import type { Supervision } from './supervision.ts';

/** One end of a channel to the host. */
export interface TrainerPort {
  send(message: TrainerMessage): void;
  onMessage(listener: (message: HostMessage) => void): void;
}

export type TrainFunction = (
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  supervision: Supervision,
) => Promise<void>;

/** Chooses the backend of a run before any other work. @throws NoBackendError */
export type SettleFunction = (request: TrainRequest, choice: BackendChoice) => Promise<Settled>;

export interface Settled {
  /** The same request with its backend. */
  readonly request: TrainRequest;
  /** Reason for this backend. */
  readonly reason: string;
  /** Why it leaves a GPU unused; absent if it does not. */
  readonly unusedGpu?: string;
}

/** Answers the host's messages (protocol.ts) with training runs, one at a time. */
export function serveTrainer(port: TrainerPort, train: TrainFunction, settle: SettleFunction): void {
  let running: {
    readonly id: number;
    readonly controller: AbortController;
    readonly gate: PauseGate;
  } | null = null;

  const fail = (id: number, error: unknown): void =>
    port.send({ type: 'error', id, failure: failureOf(error), isBroken: error instanceof DeviceLostError });

  const run = async (id: number, given: TrainRequest, choice?: BackendChoice): Promise<void> => {
    const controller = new AbortController();
    let told: Partial<TrainEventOf<'start'>> = {};
    const emit = (event: TrainEvent): void => {
      port.send({ type: 'event', id, event: event.event === 'start' ? { ...event, ...told } : event });
    };
    const gate = new PauseGate((paused) => emit({ event: 'paused', paused }));
    const announce = (ms: number): void => port.send({ type: 'patience', id, ms });
    running = { id, controller, gate };
    try {
      const settled = choice === undefined ? null : await settle(given, choice);
      if (controller.signal.aborted) throw new CancelledError();
      if (settled !== null) {
        const { reason: backendReason, unusedGpu } = settled;
        told = { backendReason, ...(unusedGpu === undefined ? {} : { unusedGpu }) };
      }
      await train(settled?.request ?? given, emit, { signal: controller.signal, gate, announce });
      running = null;
      port.send({ type: 'end', id });
    } catch (error) {
      running = null;
      fail(id, error);
    }
  };

  port.onMessage((message) => {
    if (message.type === 'cancel') {
      if (running?.id === message.id) running.controller.abort();
    } else if (message.type === 'pause') {
      if (running?.id === message.id) running.gate.setPaused(message.paused);
    } else if (running !== null) {
      fail(message.id, new BusyError());
    } else {
      void run(message.id, message.request, message.choice);
    }
  });
  port.send({ type: 'ready' });
}
