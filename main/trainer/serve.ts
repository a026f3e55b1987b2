import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { BusyError, DeviceLostError, failureOf } from './errors.ts';
import { PauseGate } from './pause-gate.ts';
import type { HostMessage, TrainerMessage } from './protocol.ts';
import type { Supervision } from './supervision.ts';

/** One end of a channel to the host, whatever carries it. */
export interface TrainerPort {
  send(message: TrainerMessage): void;
  onMessage(listener: (message: HostMessage) => void): void;
}

export type TrainFunction = (
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  supervision: Supervision,
) => Promise<void>;

/**
 * Answers the host's messages (protocol.ts) with training runs, one at a time.
 *
 * @param onBroken called after a failure that this process cannot recover from, once it has been reported
 */
export function serveTrainer(port: TrainerPort, train: TrainFunction, onBroken: () => void): void {
  let running: {
    readonly id: number;
    readonly controller: AbortController;
    readonly gate: PauseGate;
  } | null = null;

  const run = async (id: number, request: TrainRequest): Promise<void> => {
    const controller = new AbortController();
    const emit = (event: TrainEvent): void => port.send({ type: 'event', id, event });
    const gate = new PauseGate((paused) => emit({ event: 'paused', paused }));
    const announce = (ms: number): void => port.send({ type: 'patience', id, ms });
    running = { id, controller, gate };
    try {
      await train(request, emit, { signal: controller.signal, gate, announce });
      running = null;
      port.send({ type: 'end', id });
    } catch (error) {
      running = null;
      port.send({ type: 'error', id, failure: failureOf(error) });
      if (error instanceof DeviceLostError) onBroken();
    }
  };

  port.onMessage((message) => {
    if (message.type === 'cancel') {
      if (running?.id === message.id) running.controller.abort();
    } else if (message.type === 'pause') {
      if (running?.id === message.id) running.gate.setPaused(message.paused);
    } else if (running !== null) {
      port.send({ type: 'error', id: message.id, failure: failureOf(new BusyError()) });
    } else {
      void run(message.id, message.request);
    }
  });
  port.send({ type: 'ready' });
}
