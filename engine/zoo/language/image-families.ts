import { MAX_DROPOUT } from '../../options/sizes.ts';
import { type Family, labelsOf, LAYER_NORMS, LEARNED } from './family.ts';
import { CAPTURE_INSTEAD, type Fields, refusal } from './fields.ts';
import type { Image } from './model.ts';

/** Layers as in BERT, each with its norms first. */
const TOWER: Omit<Family, 'head'> = {
  activation: 'quick_gelu',
  attention: () => ({ ...LEARNED, causal: false }),
  mlp: () => ({ gate: 'none', bias: true }),
};

const image = (f: Fields, hasClassToken: boolean, bias: boolean): Image => ({
  side: f.size('image_size'),
  patch: f.size('patch_size'),
  channels: f.size('num_channels', 3),
  bias,
  hasClassToken,
});

const BASE = { hidden_size: 768, intermediate_size: 3072, num_hidden_layers: 12, num_attention_heads: 12 };

/** Image towers, and the text towers of CLIP and SigLIP, by `model_type`. */
export const IMAGE_FAMILIES: Readonly<Record<string, Family>> = {
  vit: {
    ...TOWER,
    head: 'ViTForImageClassification',
    names: { attention_dropout: 'attention_probs_dropout_prob' },
    ignored: ['encoder_stride', 'pooler_output_size', 'pooler_act'],
    defaults: { image_size: 224, patch_size: 16 },
    activation: 'gelu',
    image: (f) => image(f, true, true),
    model: (f) => ({
      ...LAYER_NORMS,
      embeddingRate: f.number('hidden_dropout_prob', 0, MAX_DROPOUT),
      pooler: { from: 'first', norms: false, labels: labelsOf(f) },
    }),
    layer: (f) => ({ rate: f.number('hidden_dropout_prob', 0, MAX_DROPOUT) }),
    attention: (f) => ({ ...LEARNED, causal: false, bias: f.flag('qkv_bias', true) }),
  },
  clip_vision_model: {
    ...TOWER,
    head: 'CLIPVisionModel',
    ignored: ['projection_dim'],
    defaults: { ...BASE, image_size: 224, patch_size: 32 },
    image: (f) => image(f, true, false),
    model: () => ({
      ...LAYER_NORMS,
      normsEmbedding: true,
      normsEnd: false,
      pooler: { from: 'first', norms: true, labels: null },
    }),
  },
  clip_text_model: {
    ...TOWER,
    head: 'CLIPTextModel',
    ignored: ['projection_dim'],
    defaults: {
      hidden_size: 512,
      intermediate_size: 2048,
      num_hidden_layers: 12,
      num_attention_heads: 8,
      vocab_size: 49_408,
      max_position_embeddings: 77,
    },
    model: (f) => ({
      ...LAYER_NORMS,
      positionRows: f.size('max_position_embeddings'),
      pooler: { from: 'end-token', norms: false, labels: null },
    }),
    attention: () => LEARNED,
  },
  siglip_text_model: {
    ...TOWER,
    head: 'SiglipTextModel',
    activation: 'gelu_pytorch_tanh',
    defaults: { ...BASE, vocab_size: 32_000, max_position_embeddings: 64 },
    model: (f) => ({
      ...LAYER_NORMS,
      positionRows: f.size('max_position_embeddings'),
      pooler: { from: 'last', norms: false, labels: f.size('projection_size', f.size('hidden_size')) },
    }),
  },
  siglip_vision_model: {
    ...TOWER,
    head: 'SiglipVisionModel',
    activation: 'gelu_pytorch_tanh',
    defaults: { ...BASE, image_size: 224, patch_size: 16 },
    image: (f) => image(f, false, true),
    model: (f) => {
      if (!f.flag('vision_use_head', true))
        throw refusal(`vision_use_head false is not supported; ${CAPTURE_INSTEAD}`);
      return { ...LAYER_NORMS, pooler: { from: 'probe', norms: false, labels: null } };
    },
  },
};
