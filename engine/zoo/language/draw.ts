import { BadInputError } from '../../errors.ts';
import type { GraphBuilder, VertexHandle } from '../../graph/builder.ts';
import { ADD, embedding, linear } from '../../ops/make.ts';
import type { LanguageModel, Layer } from './model.ts';
import { drawAttention, drawMlp, drawNorm } from './parts.ts';
import { Sketch } from './sketch.ts';

export interface DrawSettings {
  readonly batch: number;
  /** Tokens of a sequence. */
  readonly length: number;
  /** Bytes of an element of weights and activations. */
  readonly element: number;
}

/**
 * Adds the operations of a language model that predicts the next token at every position, in the order in which
 * transformers runs them. Time and space O(layers).
 *
 * @throws BadInputError for a sequence longer than the model's positions
 */
export function drawLanguageModel(b: GraphBuilder, model: LanguageModel, settings: DrawSettings): void {
  const { batch, length, element } = settings;
  if (length > model.positions) {
    throw new BadInputError(
      `expected a sequence of at most ${model.positions} tokens, the positions of ${model.name}, got ${length}`,
      'input',
    );
  }
  const s = new Sketch(b, batch, length, element);
  let x = b.tokens('tokens', [batch, length]);
  x = b.add('embed_tokens', embedding(model.vocabulary, model.width), [x]);
  model.layers.forEach((layer, i) => {
    x = drawLayer(s, `layers.${i}`, model, layer, x);
  });
  x = drawNorm(s, 'norm', model.norm, x);
  const { vocabulary, tied } = model;
  b.add(
    'lm_head',
    tied
      ? { kind: 'tied-linear', table: 'embed_tokens', outFeatures: vocabulary }
      : linear(vocabulary, false),
    [x],
  );
}

/** Attention and a gated product, each after a norm and beside a skip connection. */
function drawLayer(
  s: Sketch,
  id: string,
  { norm }: LanguageModel,
  { attention, mlp }: Layer,
  x: VertexHandle,
): VertexHandle {
  const normed = drawNorm(s, `${id}.input_layernorm`, norm, x);
  const y = s.b.add(`${id}.self_attn.add`, ADD, [x, drawAttention(s, `${id}.self_attn`, attention, normed)]);
  const again = drawNorm(s, `${id}.post_attention_layernorm`, norm, y);
  return s.b.add(`${id}.mlp.add`, ADD, [y, drawMlp(s, `${id}.mlp`, mlp, again)]);
}
