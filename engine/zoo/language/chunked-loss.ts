import { BadInputError } from '../../errors.ts';
import type { ChunkedLoss } from '../../graph/graph.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import type { LanguageModel } from './model.ts';
import type { RankShare } from './share.ts';
import type { Sketch } from './sketch.ts';

/**
 * Head and cross entropy in chunks of tokens, as `torch.nn.functional.linear_cross_entropy` of PyTorch 2.15 runs them with
 * `LinearCrossEntropyOptions(batch_chunk_size=...)` on CUDA (torch/nn/modules/linear_cross_entropy.py, policy `compact`):
 * forward computes the gradients of the input and of the weight chunk by chunk, and backward scales them. A chunk has
 * float32 scores, and in a half network their half copy and a float32 copy of its input; each gathers a row of the weight for
 * every token. Beside there are each token's label, its weight and a mark. Liger's kernel runs the same way.
 *
 * @throws BadInputError for a model that ends otherwise, or of which a GPU has a part
 */
export function chunkedLossOf(
  s: Sketch,
  { name, vocabulary, width, encoder, maskedHead, capsScores, scalesScores }: LanguageModel,
  tokens: number,
  share: RankShare | undefined,
): ChunkedLoss {
  if (encoder !== null) refuseChunkedLoss(name, 'it has an encoder');
  if (maskedHead !== null) refuseChunkedLoss(name, 'its head is for hidden tokens');
  if (capsScores) refuseChunkedLoss(name, 'its scores go through a tanh');
  if (scalesScores) refuseChunkedLoss(name, 'its scores are divided by a constant');
  if (share !== undefined) refuseChunkedLoss(name, 'a GPU has a part of the model');
  const all = s.batch * s.length;
  const rows = Math.min(tokens, all);
  const isHalf = s.element < FLOAT32;
  const trains = s.adapters === null;
  const scores = vocabulary * (FLOAT32 + (isHalf ? s.element : 0));
  const inputs = width * FLOAT32 * (isHalf && trains ? 2 : 1);
  return {
    tokens,
    workBytes: rows * (scores + inputs) + all * (BYTES_OF_INDEX + FLOAT32 + 1),
    labelBytes: all * BYTES_OF_INDEX,
    products: trains ? 3 : 2,
  };
}

export function refuseChunkedLoss(name: string, why: string): never {
  throw new BadInputError(
    `a loss in chunks is not supported for ${name}: ${why}; leave the chunk out (--loss-chunk)`,
    'loss-chunk',
  );
}
