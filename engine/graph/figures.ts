import { BadInputError } from '../errors.ts';
import type { Shape } from '../ops/definition.ts';
import type { Operation } from '../ops/operation.ts';
import { definitionOf, parametersOf } from '../ops/operation.ts';
import { elementsOf, formatShape } from '../ops/shape.ts';
import { clipped } from '../sentence.ts';
import { TOKEN_BYTES } from '../ops/tokens.ts';

/** Figures that a file states, which a caller knows better than inference. */
export interface GivenFigures {
  readonly shape?: Shape;
  readonly bytes?: number;
  /** FLOPs of the forward; the backward is then taken to cost twice as much. */
  readonly flops?: number;
  readonly parameters?: number;
}

/** One list for all vertices without a shape. */
const UNKNOWN: Shape = [];

/** The numbers of a vertex. */
export interface Figures {
  readonly shape: Shape;
  readonly bytes: number;
  readonly flops: number;
  readonly backwardFlops: number;
  readonly parameters: number;
}

/**
 * Figures of one vertex: given ones first, the others inferred from the operation and the shapes of its
 * inputs. A source computes nothing, so its shape or bytes have to be given.
 *
 * @param sources the vertices that the inputs are; only vertex 0 needs no gradient
 * @throws BadInputError that names the vertex, the operation and the shapes
 */
export function figuresOf(
  id: string,
  op: Operation,
  sources: readonly number[],
  inputs: readonly Shape[],
  given: GivenFigures,
  bytesPerElement: number,
): Figures {
  try {
    const shape = checkedShape(shapeOf(op, inputs, given));
    const flops = checkedCount(given.flops ?? 0, 'flops');
    const bytes = checkedBytes(given.bytes ?? elementsOf(shape) * elementBytes(op, bytesPerElement));
    const parameters = checkedCount(given.parameters ?? 0, 'parameters');
    if (inputs.length === 0) return { shape, bytes, flops, backwardFlops: 0, parameters };
    const definition = definitionOf(op);
    const inputGradient = sources.some((u) => u !== 0);
    // A file that states what would be inferred has the rest inferred too.
    const inferred =
      given.flops === undefined || (op.kind !== 'opaque' && flops === definition.flops(op, inputs, shape));
    return {
      shape,
      bytes,
      flops: inferred ? definition.flops(op, inputs, shape) : flops,
      backwardFlops: inferred ? definition.backwardFlops(op, inputs, shape, inputGradient) : 2 * flops,
      parameters: given.parameters === undefined ? parametersOf(op, inputs) : parameters,
    };
  } catch (error) {
    if (error instanceof BadInputError) throw new BadInputError(error.message, clipped(id));
    throw error;
  }
}

/** Tokens are numbers of their own size. */
function elementBytes(op: Operation, bytesPerElement: number): number {
  return op.kind === 'tokens' ? TOKEN_BYTES.pytorch : bytesPerElement;
}

function shapeOf(op: Operation, inputs: readonly Shape[], given: GivenFigures): Shape {
  if (inputs.length === 0 || op.kind === 'opaque') {
    if (given.shape === undefined && given.bytes === undefined) {
      throw new BadInputError('expected a shape or a number of bytes');
    }
    return given.shape ?? UNKNOWN;
  }
  const { arity, shape: infer } = definitionOf(op);
  if (arity !== 'many' && arity !== inputs.length) {
    throw new BadInputError(
      `${op.kind} expects ${arity} ${arity === 1 ? 'input' : 'inputs'}, got ${inputs.length}`,
    );
  }
  const inferred = infer(op, inputs);
  if (given.shape !== undefined && formatShape(given.shape) !== formatShape(inferred)) {
    throw new BadInputError(
      `${op.kind} gives the shape ${formatShape(inferred)}, not ${formatShape(given.shape)}`,
    );
  }
  return inferred;
}

function checkedShape(shape: Shape): Shape {
  for (const extent of shape) {
    if (!Number.isSafeInteger(extent) || extent < 1) {
      throw new BadInputError(`expected a shape of positive integers, got ${formatShape(shape)}`);
    }
  }
  return shape;
}

function checkedCount(value: number, what: string): number {
  if (value >= 0) return value;
  throw new BadInputError(`expected a non-negative integer as ${what}, got ${value}`);
}

function checkedBytes(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new BadInputError(
    bytes > Number.MAX_SAFE_INTEGER
      ? `its tensor takes more than ${Number.MAX_SAFE_INTEGER} bytes; choose a smaller batch or input`
      : `expected a non-negative integer as bytes, got ${bytes}`,
  );
}
