import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import type { FileNetworks } from './file-networks.ts';
import type { SolverMemory } from './memory.ts';

/** Context that a call is answered with. */
export interface SolverContext<Event = never> {
  /** Graphs and plans that were made already. */
  readonly memory: SolverMemory;
  /** The files that were opened. */
  readonly files: FileNetworks;
  /** To be ticked, so that the call can be cancelled. */
  readonly control: Control;
  emit(event: Event): void;
}

/** Without the files: all that a call on a network needs. */
export type Solving<Event = never> = Omit<SolverContext<Event>, 'files'>;
