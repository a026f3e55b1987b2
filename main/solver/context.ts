import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import type { FileNetworks } from './file-networks.ts';
import type { SolverMemory } from './memory.ts';

/** Context of an answer. */
export interface SolverContext<Event = never> {
  /** Cached graphs and plans. */
  readonly memory: SolverMemory;
  /** Opened files. */
  readonly files: FileNetworks;
  /** Ticked during the work, so that the call can be cancelled. */
  readonly control: Control;
  emit(event: Event): void;
}

/** Without the files: enough for a call on a network. */
export type Solving<Event = never> = Omit<SolverContext<Event>, 'files'>;
