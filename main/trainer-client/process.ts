import type { HostMessage, TrainerMessage } from '../trainer/protocol.ts';

/** A started process of the lab: Node's child process or Electron's utility process. */
export interface WorkerProcess<Sent, Received> {
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
  /** Called with why it ended, in a few words: `exit code 1`, `killed by SIGKILL`. */
  onExit(listener: (reason: string) => void): void;
  /** Ends it at once. */
  kill(): void;
}

export type TrainerProcess = WorkerProcess<HostMessage, TrainerMessage>;

/** Starts a process, by default a trainer; it answers `ready` when it listens. */
export type ProcessSpawner<Sent = HostMessage, Received = TrainerMessage> = () => WorkerProcess<
  Sent,
  Received
>;
