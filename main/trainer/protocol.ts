import type { InputOf, OutputOf } from '../../app/contract/calls.ts';
import type { TrainerCalls } from '../../app/contract/trainer-calls.ts';
import type { Backend } from '../../app/contract/backends.ts';
import type { SteerRequest } from '../../app/contract/training.ts';
import type { Failure } from '../host/failure.ts';

/**
 * Messages between the lab host and the trainer process, the same over Node's child-process channel, Electron's utility
 * process and a hidden window's message port. Plain data only. `id` is chosen by the host and names one run.
 *
 * The trainer sends `ready` once when it listens. A `run` is answered by any number of `event`s and then by exactly one
 * `end` (the run is complete) or `error`; after an error that `isBroken`, the host ends the trainer. `cancel` makes a
 * run end in the error CANCELLED at its next step; for an id that is not running it does nothing. `pause` makes it wait
 * at its next step, or resume; it confirms with the event `paused`. One run at a time: another `run` meanwhile is
 * answered by the error BUSY and does not disturb the first.
 *
 * Kernels keep the process from sending anything while they run. Before one that may take long, the trainer sends
 * `patience` with the milliseconds until its next message; a process that stays silent longer counts as hung.
 */
export type HostMessage =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly request: InputOf<TrainerCalls['train']>;
      readonly choice?: BackendChoice;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | ({ readonly type: 'pause'; readonly id: number } & Pick<SteerRequest, 'paused'>);

/**
 * How a run without a backend finds one among several processes: this one tries its share first, and answers NO_BACKEND
 * at once if none works.
 */
export interface BackendChoice {
  /** Backends to try here. */
  readonly among: readonly Backend[];
  /** Obstacles of backends tried elsewhere: `tensorflow: not installed`. */
  readonly skipped: readonly string[];
  /** Skips backends on the processor: another process may have a GPU. */
  readonly onlyGpu?: boolean;
}

export type TrainerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'event'; readonly id: number; readonly event: OutputOf<TrainerCalls['train']> }
  | { readonly type: 'patience'; readonly id: number; readonly ms: number }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly failure: TrainerFailure;
      /** True if this process cannot train again. */
      readonly isBroken: boolean;
    }
  | { readonly type: 'end'; readonly id: number };

/** Why a run ended early: the contract's failures and cancellation. */
export type TrainerFailure =
  | Failure
  | {
      readonly code: 'NO_BACKEND';
      readonly message: string;
      readonly skipped: readonly string[];
      readonly onProcessor: Backend | null;
    }
  | { readonly code: 'CANCELLED'; readonly message: string };
