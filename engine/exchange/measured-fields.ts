import { BadInputError } from '../errors.ts';
import type { GivenVertex } from '../graph/given-vertex.ts';
import type { Keeps } from '../ops/definition.ts';
import type { OpaqueOp } from '../ops/opaque.ts';
import { shown } from './operation-fields.ts';

type Fields = Readonly<Record<string, unknown>>;
type Measured = Pick<OpaqueOp, 'keeps' | 'alias' | 'weight'>;

/**
 * Measured figures of an operation that is not one of ours (optional in zigzag-graph/1):
 *
 *     "keeps": {"inputs": [0], "output": false, "auxBytes": 4096, "fixedAuxBytes": 0}, "alias": "view", "weight": [8, 64, 32]
 *
 * `inputs` are positions among the vertex's edges. `auxBytes` grow with the batch, `fixedAuxBytes` do
 * not; `scaled` takes them to the batch that is asked for. `alias` says that the output lies in the storage
 * of the first input: `view` or `inplace`. `weight` is the shape of its parameters, where they are one tensor.
 *
 * @throws BadInputError with the path of the field at fault
 */
export function readMeasured(
  entry: Fields,
  path: string,
  scaled: (bytes: number, path: string) => number,
): Measured {
  const alias = entry['alias'];
  if (alias !== undefined && alias !== 'view' && alias !== 'inplace') {
    throw new BadInputError(`expected "view" or "inplace", got ${shown(alias)}`, `${path}.alias`);
  }
  const keeps = entry['keeps'];
  if (keeps !== undefined && (typeof keeps !== 'object' || keeps === null || Array.isArray(keeps))) {
    throw new BadInputError(`expected an object, got ${shown(keeps)}`, `${path}.keeps`);
  }
  const weight = entry['weight'];
  if (
    weight !== undefined &&
    !(Array.isArray(weight) && weight.length > 0 && weight.every((size) => isCount(size) && size > 0))
  )
    throw new BadInputError(`expected a list of positive integers, got ${shown(weight)}`, `${path}.weight`);
  return {
    ...(weight === undefined ? {} : { weight }),
    ...(keeps === undefined ? {} : { keeps: readKeeps(keeps as Fields, `${path}.keeps`, scaled) }),
    ...(alias === undefined ? {} : { alias }),
  };
}

/** The same fields of an operation, for a file. */
export function measuredFields(op: OpaqueOp): Measured {
  return {
    ...(op.keeps === undefined ? {} : { keeps: op.keeps }),
    ...(op.alias === undefined ? {} : { alias: op.alias }),
    ...(op.weight === undefined ? {} : { weight: op.weight }),
  };
}

/** @throws BadInputError where a vertex keeps an input that it does not have */
export function requireKeptInputs(
  vertices: readonly GivenVertex[],
  edges: readonly (readonly [string, string])[],
): void {
  const counts = new Map<string, number>();
  for (const [, to] of edges) counts.set(to, (counts.get(to) ?? 0) + 1);
  vertices.forEach((vertex, i) => {
    if (vertex.op?.kind !== 'opaque') return;
    const count = counts.get(vertex.id) ?? 0;
    const path = `vertices[${i}]`;
    const wrong = vertex.op.keeps?.inputs.findIndex((position) => position >= count) ?? -1;
    if (wrong >= 0) {
      throw new BadInputError(
        `${shown(vertex.id)} has ${count} inputs, so there is no input ${vertex.op.keeps?.inputs[wrong]}`,
        `${path}.keeps.inputs[${wrong}]`,
      );
    }
  });
}

function readKeeps(keeps: Fields, path: string, scaled: (bytes: number, path: string) => number): Keeps {
  const count = (field: string): number => {
    const value = keeps[field] ?? 0;
    if (!isCount(value)) {
      throw new BadInputError(`expected a non-negative integer, got ${shown(value)}`, `${path}.${field}`);
    }
    return value;
  };
  const inputs = keeps['inputs'] ?? [];
  if (!Array.isArray(inputs) || !inputs.every(isCount)) {
    throw new BadInputError('expected a list of positions', `${path}.inputs`);
  }
  const output = keeps['output'] ?? false;
  if (typeof output !== 'boolean') {
    throw new BadInputError(`expected true or false, got ${shown(output)}`, `${path}.output`);
  }
  const auxBytes = scaled(count('auxBytes'), `${path}.auxBytes`);
  return { inputs, output, auxBytes, fixedAuxBytes: count('fixedAuxBytes') };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
