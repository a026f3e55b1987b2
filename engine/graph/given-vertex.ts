import type { Operation } from '../ops/operation.ts';
import type { GivenFigures } from './figures.ts';
import type { TensorRole } from './graph.ts';

/** One vertex as a file states it. Bytes or a shape or, past the source, an operation must be there. */
export interface GivenVertex extends GivenFigures {
  readonly id: string;
  /** An opaque operation where not given; then the file has to state shape or bytes. */
  readonly op?: Operation;
  /** `own` where not given, but when no vertex gives one the general rule decides (default-roles.ts). */
  readonly role?: TensorRole;
  /** As `Graph` has it. */
  readonly backwardBytes?: number;
  readonly besideBytes?: number;
  /** As `Graph` has it, by id. */
  readonly heldUntil?: string;
  readonly sharesGradient?: boolean;
}
