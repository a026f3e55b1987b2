import {
  causalMaskDefinition,
  geluDefinition,
  relu6Definition,
  scaleDefinition,
  softmaxDefinition,
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
import type { OpDefinition, Operation, OperationKind } from './operation.ts';
import { poolDefinition } from './pool.ts';
import { reluDefinition } from './relu.ts';
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
  tokens: tokensDefinition,
  embedding: embeddingDefinition,
  'position-embedding': addedEmbeddingDefinition,
  'segment-embedding': addedEmbeddingDefinition,
  'tied-linear': tiedLinearDefinition,
  'layer-norm': layerNormDefinition,
  'group-norm': groupNormDefinition,
  gelu: geluDefinition,
  tanh: tanhDefinition,
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

export const OPERATION_KINDS = Object.keys(DEFINITIONS) as readonly OperationKind[];

/** The behaviour of an operation's kind; pass the operation itself to its functions. */
export function definitionOf(op: Operation): OpDefinition {
  // Methods are bivariant: the definition of a kind takes the operations of that kind only.
  return DEFINITIONS[op.kind] as OpDefinition;
}
