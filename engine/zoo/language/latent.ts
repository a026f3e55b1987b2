import type { VertexHandle } from '../../graph/builder.ts';
import { drawLinear } from './adapters.ts';
import type { Attention, Latent, Norm, Rotary } from './model.ts';
import { drawNorm, drawRotary } from './parts.ts';
import type { Sketch } from './sketch.ts';

/**
 * Queries, keys and values of multi-head latent attention (DeepSeek-V2, 2024, section 2.1), as transformers trains it: keys
 * and values of all heads are products of one short vector for each position. The turned part of a key is the same for all heads.
 */
export function drawLatentHeads(
  s: Sketch,
  id: string,
  { heads, each, bias }: Attention,
  { queryRank, rank, turned, valueEach }: Latent,
  rotary: Rotary,
  norm: Norm,
  x: VertexHandle,
): readonly [q: VertexHandle, k: VertexHandle, v: VertexHandle] {
  const { batch, length } = s;
  const product = (name: string, features: number, from: VertexHandle, hasBias = false): VertexHandle =>
    drawLinear(s, `${id}.${name}_proj`, features, hasBias, from);
  const plain = each - turned;
  const perHead = (features: number) => [batch, heads, length, features];

  const short =
    queryRank === null ? x : drawNorm(s, `${id}.q_a_norm`, norm, product('q_a', queryRank, x, bias));
  const queries = product(queryRank === null ? 'q' : 'q_b', heads * each, short);
  const q = drawRotary(s, `${id}.q_rotary`, rotary, queries, perHead(each));

  const both = product('kv_a', rank + turned, x, bias);
  const latent = drawNorm(s, `${id}.kv_a_norm`, norm, s.part(`${id}.latent`, both, [batch, length, rank]));
  const keyPart = s.part(`${id}.k_shared`, both, [batch, length, turned]);
  const shared = drawRotary(s, `${id}.k_rotary`, rotary, keyPart, [batch, 1, length, turned]);
  const all = product('kv_b', heads * (plain + valueEach), latent);
  const k = s.composite(`${id}.k`, 'concat', [s.part(`${id}.k_plain`, all, perHead(plain)), shared], {
    shape: perHead(each),
  });
  return [q, k, s.part(`${id}.v`, all, perHead(valueEach))];
}
