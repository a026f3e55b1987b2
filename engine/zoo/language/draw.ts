import { BadInputError } from '../../errors.ts';
import type { GraphBuilder, VertexHandle } from '../../graph/builder.ts';
import { ADD, embedding, linear } from '../../ops/make.ts';
import { drawAttention } from './attend.ts';
import { drawDeltaRule } from './delta-rule.ts';
import { drawExperts } from './experts.ts';
import { drawPatches } from './images.ts';
import type { FineTuning } from './fine-tuning.ts';
import { adaptersOf, drawLinear } from './adapters.ts';
import { layersOfStage, requireContext, requireExperts, shareOfModel } from './share.ts';
import type { Image, LanguageModel, Layer } from './model.ts';
import { drawComparison, drawPairs } from './pairs.ts';
import { drawActivation, drawCap, drawMlp, drawNorm } from './parts.ts';
import { drawPooler } from './pooler.ts';
import { drawOwnInput, drawPerLayer } from './per-layer.ts';
import { chunkedLossOf, refuseChunkedLoss } from './chunked-loss.ts';
import { drawSpeech } from './speech.ts';
import { type DrawSettings, Sketch } from './sketch.ts';

/** Gemma's bound of the scores; no byte depends on it. */
const SCORE_BOUND = 30;
/** Granite's divisor of the scores; no byte depends on it. */
const SCORE_DIVISOR = 16;

/**
 * Adds the operations of a transformer that scores tokens at every position or pools one vector, in the order in which
 * transformers runs them. Time and space O(layers).
 *
 * @param tuning adapters to train in place of all else
 * @throws BadInputError for a sequence longer than the model's positions, or targets that the model lacks
 */
export function drawLanguageModel(
  b: GraphBuilder,
  whole: LanguageModel,
  settings: DrawSettings,
  tuning?: FineTuning,
): void {
  const { length, share } = settings;
  const stage = share?.stage;
  const [first, end] = stage === undefined ? [0, whole.layers.length] : layersOfStage(whole, stage);
  const model = share === undefined || share.tensor === 1 ? whole : shareOfModel(whole, share, tuning);
  if (share !== undefined) {
    requireExperts(model, share, tuning);
    requireContext(model, share, length, settings.isMasked === true);
  }
  const { vocabulary, speech, pair, pooler } = model;
  if (length > model.positions) {
    throw new BadInputError(
      `expected a sequence of at most ${model.positions} tokens, the positions of ${model.name}, got ${length}`,
      'input',
    );
  }
  if (settings.isMasked === true) requireMaskable(model);
  const isWhole = stage === undefined;
  if (isWhole && model.image === null && pooler === null && (model.encoder === null || speech !== null))
    b.transformers = {
      modelType: model.name,
      predicts: speech !== null ? 'transcript' : model.maskedHead === null ? 'next-token' : 'hidden-tokens',
      attention: model.layers[0]?.attention.kernel ?? 'sdpa',
      ...(model.isStoredInMxfp4 ? { isStoredInMxfp4: true } : {}),
    };
  const adapters = tuning === undefined ? null : adaptersOf(model, tuning);
  const s = new Sketch(b, settings, adapters);
  const reader = speech === null ? s : new Sketch(b, { ...settings, length: speech.positions }, adapters);
  const image = pair === null ? null : drawImage(b, pair.image, settings, drawPairs(s, pair.image.image!));
  let x =
    speech === null
      ? first > 0
        ? s.received(model.width)
        : drawEmbedding(s, model)
      : s.dropped('frames_dropout', model.embeddingRate, drawSpeech(s, model.width, speech));
  const encoder = model.encoder ?? [];
  const drawn = encoder.length + (pair?.image.layers.length ?? 0);
  let memory: VertexHandle | undefined;
  if (encoder.length > 0) {
    encoder.forEach((layer, i) => {
      x = drawLayer(reader, `layers.${i}`, model, layer, x);
    });
    memory = s.dropped('encoder_dropout', model.endRate, drawNorm(s, 'encoder_norm', model.norm, x));
    x = speech === null ? drawDecoderTokens(s, model) : drawEmbedding(s, model);
  }
  const perLayer = drawPerLayer(s, model, x);
  // Numbered on, so that each is a block and a unit of its own.
  model.layers.slice(first, end).forEach((layer, i) => {
    x = drawWholeLayer(s, `layers.${drawn + first + i}`, model, layer, x, memory, perLayer);
  });
  if (end < model.layers.length) return;
  if (model.normsEnd) x = s.dropped('norm.dropout', model.endRate, drawNorm(s, 'norm', model.norm, x));
  if (pooler !== null) {
    if (settings.lossTokens !== undefined) refuseChunkedLoss(model.name, 'it makes one vector of a sequence');
    const y = drawPooler(s, model, pooler, x);
    if (pair !== null) drawComparison(s, pair, image!, y);
    return;
  }
  const { maskedHead } = model;
  if (maskedHead !== null) {
    x = drawLinear(s, 'head.dense', model.width, maskedHead.bias, x);
    x = drawNorm(s, 'head.norm', model.norm, drawActivation(s, 'head.act', maskedHead.activation, x));
  }
  const hasBias = model.scoreBias;
  // The last of several stages has a table of its own.
  const tied = model.tied && first === 0;
  const head = tied
    ? ({ kind: 'tied-linear', table: 'embed_tokens', outFeatures: vocabulary } as const)
    : linear(vocabulary, hasBias);
  x = s.gathered('lm_head', x);
  if (settings.lossTokens !== undefined) b.chunkedLoss = chunkedLossOf(s, whole, settings.lossTokens, share);
  // A bias of its own, also where the weight is the table.
  x = b.addGiven('lm_head', head, [x], 'own', tied && hasBias ? { parameters: vocabulary } : {});
  if (model.capsScores) drawCap(s, 'lm_head.cap', SCORE_BOUND, x);
  if (model.scalesScores) b.add('lm_head.scaled', { kind: 'scale', divisor: SCORE_DIVISOR }, [x]);
}

/** @throws BadInputError where a mask changes nothing, or what is not known */
function requireMaskable({ name, image, encoder, layers }: LanguageModel): void {
  const isFlash = layers.some(({ attention }) => attention.kernel === 'flash_attention_2');
  const why =
    image !== null
      ? 'its images are of one size'
      : encoder !== null
        ? 'the mask of its encoder is not known'
        : isFlash
          ? 'flash_attention_2 leaves padding out, and its share is not known'
          : undefined;
  if (why === undefined) return;
  throw new BadInputError(
    `an attention mask is not supported for ${name}: ${why}; leave --attention-mask out`,
    'attentionMask',
  );
}

/** The vector of an image that is compared with texts. */
function drawImage(
  b: GraphBuilder,
  model: LanguageModel,
  settings: DrawSettings,
  pixels: VertexHandle,
): VertexHandle {
  const s = new Sketch(b, { ...settings, length: model.positions, isMasked: false }, null);
  let x = drawEmbedding(s, model, pixels);
  model.layers.forEach((layer, i) => {
    x = drawLayer(s, `layers.${i}`, model, layer, x);
  });
  if (model.normsEnd) x = drawNorm(s, 'image_norm', model.norm, x);
  return drawPooler(s, model, model.pooler!, x);
}

/** Input of the first layer. */
function drawEmbedding(s: Sketch, model: LanguageModel, pixels?: VertexHandle): VertexHandle {
  const { image, positionRows, segments } = model;
  const { b } = s;
  const images = ({ channels, side }: Image): VertexHandle =>
    pixels ?? b.input('pixels', [s.batch, channels, side, side]);
  let x = image === null ? drawTokens(s, model) : drawPatches(s, model.width, image, images(image));
  const id = pixels === undefined ? 'embed_positions' : 'patch_positions';
  const positioned = (sum: VertexHandle): VertexHandle =>
    b.add(id, { kind: 'position-embedding', count: positionRows! }, [sum]);
  x = s.embedded(x, positionRows === null ? null : positioned);
  if (segments !== null) x = b.add('embed_segments', { kind: 'segment-embedding', count: segments }, [x]);
  if (model.normsEmbedding) x = drawNorm(s, 'embed_norm', model.norm, x);
  return s.dropped('embed_dropout', model.embeddingRate, x);
}

/** As many tokens as the encoder's are predicted; the table is the encoder's. */
function drawDecoderTokens(s: Sketch, { vocabulary, width, embeddingRate }: LanguageModel): VertexHandle {
  const table = embedding(vocabulary, width);
  const x = s.b.addGiven('decoder_tokens', table, ['tokens'], 'own', { parameters: 0 });
  return s.dropped('decoder_dropout', embeddingRate, x);
}

function drawTokens(
  s: Sketch,
  { vocabulary, width, speech, pair, scalesEmbedding }: LanguageModel,
): VertexHandle {
  const tokens = speech === null && pair === null ? s.tokens() : 'tokens';
  const x = s.b.add('embed_tokens', embedding(vocabulary, width), [tokens]);
  return scalesEmbedding ? s.scaled('embed_tokens.scaled', x) : x;
}

/** @param perLayer inputs of all layers; null without */
function drawWholeLayer(
  s: Sketch,
  id: string,
  model: LanguageModel,
  layer: Layer,
  x: VertexHandle,
  memory: VertexHandle | undefined,
  perLayer: VertexHandle | null,
): VertexHandle {
  const y = drawLayer(s, id, model, layer, x, memory);
  const z = perLayer === null ? y : drawOwnInput(s, id, model.norm, y, perLayer);
  return layer.scalesOutput ? s.inPlace(`${id}.scaled`, 'multiply', z) : z;
}

function drawLayer(
  s: Sketch,
  id: string,
  { norm }: LanguageModel,
  layer: Layer,
  x: VertexHandle,
  memory?: VertexHandle,
): VertexHandle {
  const { order, rate, cross, dropsAttention, scalesSums } = layer;
  const normsAfter = order === 'sandwich' || order === 'after';
  const isPost = order === 'post';
  const skipsNorms = isPost || order === 'after';
  const shared = order === 'parallel-one-norm' ? drawNorm(s, `${id}.input_layernorm`, norm, x) : null;
  /** After its own norm, where the layer has one, dropout, and a constant. */
  const finished = (name: string, y: VertexHandle): VertexHandle => {
    const normed = normsAfter ? drawNorm(s, `${id}.${name}.norm`, norm, y) : y;
    const dropped = s.dropped(`${id}.${name}.dropout`, name !== 'mlp' && !dropsAttention ? 0 : rate, normed);
    return scalesSums ? s.scaled(`${id}.${name}.scaled`, dropped) : dropped;
  };
  const attended = (y: VertexHandle): VertexHandle => {
    const normed =
      shared ?? (skipsNorms || layer.skipsFirstNorm ? y : drawNorm(s, `${id}.input_layernorm`, norm, y));
    const own = `${id}.self_attn`;
    if (layer.delta !== null)
      return finished('self_attn', drawDeltaRule(s, `${id}.linear_attn`, layer, layer.delta, normed));
    return finished('self_attn', drawAttention(s, own, layer.attention, norm, s.gathered(own, normed)));
  };
  const fed = (y: VertexHandle): VertexHandle => {
    const normed = shared ?? (skipsNorms ? y : drawNorm(s, `${id}.post_attention_layernorm`, norm, y));
    const { mlp } = layer;
    const own = `${id}.mlp`;
    const whole = s.gathered(own, normed);
    const z =
      mlp.experts === null ? drawMlp(s, own, mlp, whole) : drawExperts(s, own, mlp, mlp.experts, whole);
    return finished('mlp', z);
  };
  const y = attended(x);
  if (order === 'parallel' || shared !== null) {
    const sum = s.b.add(`${id}.self_attn.add`, ADD, [fed(x), y]);
    return s.b.add(`${id}.mlp.add`, ADD, [sum, x]);
  }
  const summed = (name: string, a: VertexHandle, b: VertexHandle): VertexHandle => {
    const sum = s.b.add(`${id}.${name}.add`, ADD, [a, b]);
    return isPost ? drawNorm(s, `${id}.${name}.norm`, norm, sum) : sum;
  };
  let z = summed('self_attn', x, y);
  if (cross !== null) {
    const normed = drawNorm(s, `${id}.cross_attention_layernorm`, norm, z);
    const read = drawAttention(s, `${id}.cross_attn`, cross, norm, normed, memory);
    z = summed('cross_attn', z, finished('cross_attn', read));
  }
  return summed('mlp', z, fed(z));
}
