import { adaptiveAvgPoolDefinition } from './adaptive-avg-pool.ts';
import { addDefinition } from './add.ts';
import { batchNormDefinition } from './batch-norm.ts';
import { concatDefinition } from './concat.ts';
import { conv2dDefinition } from './conv2d.ts';
import { dropoutDefinition } from './dropout.ts';
import { inputDefinition } from './input.ts';
import { linearDefinition } from './linear.ts';
import { multiplyDefinition } from './multiply.ts';
import { opaqueDefinition } from './opaque.ts';
import type { OpDefinition, Operation, OperationKind } from './operation.ts';
import { poolDefinition } from './pool.ts';
import { reluDefinition } from './relu.ts';
import { flattenDefinition, identityDefinition, shiftDefinition } from './views.ts';

type DefinitionOfKind = {
  readonly [K in OperationKind]: OpDefinition<Extract<Operation, { readonly kind: K }>>;
};

/** Every kind of operation; the compiler refuses a kind without a definition. */
const DEFINITIONS: DefinitionOfKind = {
  input: inputDefinition,
  conv2d: conv2dDefinition,
  'max-pool': poolDefinition,
  'avg-pool': poolDefinition,
  'adaptive-avg-pool': adaptiveAvgPoolDefinition,
  'batch-norm': batchNormDefinition,
  relu: reluDefinition,
  add: addDefinition,
  multiply: multiplyDefinition,
  concat: concatDefinition,
  flatten: flattenDefinition,
  linear: linearDefinition,
  dropout: dropoutDefinition,
  identity: identityDefinition,
  shift: shiftDefinition,
  opaque: opaqueDefinition,
};

export const OPERATION_KINDS = Object.keys(DEFINITIONS) as readonly OperationKind[];

/** The behaviour of an operation's kind; pass the operation itself to its functions. */
export function definitionOf(op: Operation): OpDefinition {
  // Methods are bivariant: the definition of a kind takes the operations of that kind only.
  return DEFINITIONS[op.kind] as OpDefinition;
}
