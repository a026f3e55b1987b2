import { InternalError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition, type Profile } from './definition.ts';

/** Whole numbers, such as those of words: the source of a language model. int64 in PyTorch, int32 in `tfjs`. */
export interface TokensOp {
  readonly kind: 'tokens';
}

/** Bytes of one token. TensorFlow.js has no 64-bit integers. */
export const TOKEN_BYTES: Readonly<Record<Profile, number>> = { pytorch: 8, 'pytorch-1.5': 8, tfjs: 4 };

/** A batch of tokens. Its shape is given, not inferred, and nothing is computed. */
export const tokensDefinition: OpDefinition<TokensOp> = {
  fields: {},
  autocast: 'own',
  arity: 0,
  shape: () => {
    throw new InternalError('the shape of tokens is given, not inferred');
  },
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
