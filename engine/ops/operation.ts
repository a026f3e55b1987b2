import {
  causalMaskDefinition,
  geluDefinition,
  relu6Definition,
  scaleDefinition,
  softmaxDefinition,
  sigmoidDefinition,
  tanhDefinition,
} from './elementwise.ts';
import { adaptiveAvgPoolDefinition } from './adaptive-avg-pool.ts';
import { addDefinition } from './add.ts';
import { addedEmbeddingDefinition } from './added-embedding.ts';
import { attentionDefinition, attentionScoresDefinition, attentionValuesDefinition } from './attention.ts';
import { batchNormDefinition } from './batch-norm.ts';
import { classTokenDefinition } from './class-token.ts';
import { concatDefinition } from './concat.ts';
import { convTranspose2dDefinition } from './conv-transpose2d.ts';
import { conv2dDefinition } from './conv2d.ts';
import { dropoutDefinition } from './dropout.ts';
import { embeddingDefinition } from './embedding.ts';
import { inputDefinition } from './input.ts';
import { groupNormDefinition } from './group-norm.ts';
import { layerNormDefinition } from './layer-norm.ts';
import { linearDefinition } from './linear.ts';
import { multiplyDefinition } from './multiply.ts';
import { opaqueDefinition } from './opaque.ts';
import type { AutocastPolicy, Field, OpDefinition, Shape } from './definition.ts';
import { poolDefinition } from './pool.ts';
import { reluDefinition } from './relu.ts';
import { elementsOf } from './shape.ts';
import {
  firstDefinition,
  mergeHeadsDefinition,
  patchesDefinition,
  splitDefinition,
  splitHeadsDefinition,
} from './sequence-views.ts';
import { tiedLinearDefinition } from './tied-linear.ts';
import { tokensDefinition } from './tokens.ts';
import { flattenDefinition, identityDefinition, shiftDefinition } from './views.ts';

/**
 * Every kind of operation. What a vertex computes is data, and the file of its kind beside this one has its type and
 * its behaviour: shapes, FLOPs, parameters, what backward keeps.
 * Layout of image tensors is [N, C, H, W] throughout the engine, of sequences [N, L, features], of what
 * attention does head by head [N, heads, L, ...].
 */
const DEFINITIONS = {
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
  tokens: tokensDefinition,
  embedding: embeddingDefinition,
  'position-embedding': addedEmbeddingDefinition,
  'segment-embedding': addedEmbeddingDefinition,
  'tied-linear': tiedLinearDefinition,
  'layer-norm': layerNormDefinition,
  'group-norm': groupNormDefinition,
  gelu: geluDefinition,
  tanh: tanhDefinition,
  sigmoid: sigmoidDefinition,
  relu6: relu6Definition,
  'conv-transpose2d': convTranspose2dDefinition,
  patches: patchesDefinition,
  'class-token': classTokenDefinition,
  first: firstDefinition,
  split: splitDefinition,
  'split-heads': splitHeadsDefinition,
  'merge-heads': mergeHeadsDefinition,
  'attention-scores': attentionScoresDefinition,
  scale: scaleDefinition,
  'causal-mask': causalMaskDefinition,
  softmax: softmaxDefinition,
  'attention-values': attentionValuesDefinition,
  attention: attentionDefinition,
  opaque: opaqueDefinition,
};

type Definitions = typeof DEFINITIONS;
type OperationOf<Definition> = Definition extends OpDefinition<infer O> ? O : never;
type OfKind<O extends Operation, Kind> = O extends unknown ? (Kind extends O['kind'] ? O : never) : never;

/** One operation, a union tagged by `kind`. */
export type Operation = OperationOf<Definitions[keyof Definitions]>;
export type OperationKind = Operation['kind'];

/** The compiler refuses a kind without its own definition. */
const BY_KIND: { readonly [Kind in OperationKind]: OpDefinition<OfKind<Operation, Kind>> } = DEFINITIONS;

export const OPERATION_KINDS = Object.keys(DEFINITIONS) as readonly OperationKind[];

/** The behaviour of an operation's kind; pass the operation itself to its functions. */
export function definitionOf(op: Operation): OpDefinition<Operation> {
  // Methods are bivariant: the definition of a kind takes the operations of that kind only.
  return BY_KIND[op.kind] as OpDefinition<Operation>;
}

/** Name in plans and graph files: that of the file where an operation is known by its figures. */
export const operationName = (op: Operation): string => (op.kind === 'opaque' ? op.label : op.kind);

/** Name on a screen. */
export function operationTitle(op: Operation | undefined): string {
  const name = op === undefined ? '' : operationName(op);
  return name === '' || name === 'opaque' ? 'size only' : name;
}

/** Number of trained parameters. */
export function parametersOf(op: Operation, inputs: readonly Shape[]): number {
  return definitionOf(op)
    .parameterShapes(op, inputs)
    .reduce((sum, shape) => sum + elementsOf(shape), 0);
}

/** The policy of `torch.autocast` for a kind. */
export const autocastOf = (kind: OperationKind): AutocastPolicy => BY_KIND[kind].autocast;

/** The fields of a kind by name; null where there is no such kind, or none that a file names. */
export function fieldsOf(kind: string): Readonly<Record<string, Field>> | null {
  return Object.hasOwn(BY_KIND, kind) ? BY_KIND[kind as OperationKind].fields : null;
}
