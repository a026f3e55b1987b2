import { BadInputError } from '../errors.ts';
import type { Shape } from './definition.ts';
import { formatShape } from './shape.ts';

/** The one shape of all inputs of an element-wise operation. */
export function requireSameShapes(kind: string, inputs: readonly Shape[]): Shape {
  const [first = []] = inputs;
  for (const other of inputs) {
    if (other.length !== first.length || other.some((extent, axis) => extent !== first[axis])) {
      throw new BadInputError(
        `${kind} expects inputs of one shape, got ${formatShape(first)} and ${formatShape(other)}`,
      );
    }
  }
  return first;
}
