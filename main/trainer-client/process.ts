import type { HostMessage, TrainerMessage } from '../trainer/protocol.ts';

/** A started trainer process, whatever it runs in: Node's child process or Electron's utility process. */
export interface TrainerProcess {
  send(message: HostMessage): void;
  onMessage(listener: (message: TrainerMessage) => void): void;
  /** Called with why it ended, in a few words: `exit code 1`, `killed by SIGKILL`. */
  onExit(listener: (reason: string) => void): void;
  /** Ends it at once. */
  kill(): void;
}

/** Starts a trainer process; the process answers `ready` when it listens. */
export type ProcessSpawner = () => TrainerProcess;
