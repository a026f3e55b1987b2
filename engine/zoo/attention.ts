import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { attention, dropout, SOFTMAX } from '../ops/make.ts';

export interface AttentionOptions {
  readonly heads: number;
  /** In one operation, as FlashAttention, or written out. */
  readonly fused: boolean;
  readonly causal: boolean;
  /** Dropout rate on the probabilities. */
  readonly rate: number;
}

/**
 * Attention of q, k and v, each [N, L, width]. Written out, the probabilities of every pair of positions
 * are kept, and what dropout makes of them; fused, one number a row and head instead.
 */
export function addAttention(
  b: GraphBuilder,
  id: string,
  qkv: readonly VertexHandle[],
  { heads, fused, causal, rate }: AttentionOptions,
): VertexHandle {
  const split = qkv.map((x, i) => b.add(`${id}.${'qkv'[i]}_heads`, { kind: 'split-heads', heads }, [x]));
  const [q = 0, k = 0, v = 0] = split;
  if (fused) {
    const y = b.add(`${id}.fused`, attention(causal, rate), [q, k, v]);
    return b.add(`${id}.merge`, { kind: 'merge-heads', copies: false }, [y]);
  }
  const divisor = Math.sqrt(b.shapeOf(q)[3] ?? 1);
  let p = b.add(`${id}.scores`, { kind: 'attention-scores' }, [q, k]);
  p = b.add(`${id}.scale`, { kind: 'scale', divisor }, [p]);
  if (causal) p = b.add(`${id}.mask`, { kind: 'causal-mask' }, [p]);
  p = b.add(`${id}.softmax`, SOFTMAX, [p]);
  p = b.add(`${id}.dropout`, dropout(rate), [p]);
  const y = b.add(`${id}.values`, { kind: 'attention-values' }, [p, v]);
  return b.add(`${id}.merge`, { kind: 'merge-heads', copies: true }, [y]);
}
