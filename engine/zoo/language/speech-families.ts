import { MAX_DROPOUT } from '../../options/sizes.ts';
import { type Family, LAYER_NORMS, LEARNED } from './family.ts';
import { refusal } from './fields.ts';
import type { Layer } from './model.ts';

/** Transformers that write down speech, by `model_type`. */
export const SPEECH_FAMILIES: Readonly<Record<string, Family>> = {
  whisper: {
    head: 'WhisperForConditionalGeneration',
    names: {
      hidden_size: 'd_model',
      num_hidden_layers: 'encoder_layers',
      num_attention_heads: 'encoder_attention_heads',
      intermediate_size: 'encoder_ffn_dim',
      max_position_embeddings: 'max_target_positions',
      hidden_act: 'activation_function',
    },
    defaults: { max_target_positions: 448 },
    // The number of layers is that of the encoder, twice; the embedding is not scaled, whatever the file says.
    ignored: [
      'num_hidden_layers',
      'scale_embedding',
      'apply_spec_augment',
      'mask_time_prob',
      'mask_time_length',
      'mask_time_min_masks',
      'mask_feature_prob',
      'mask_feature_length',
      'mask_feature_min_masks',
      'median_filter_width',
      'init_std',
      'suppress_tokens',
      'begin_suppress_tokens',
      'forced_decoder_ids',
      'use_weighted_layer_sum',
      'classifier_proj_size',
    ],
    activation: 'gelu',
    model: (f) => ({
      ...LAYER_NORMS,
      tied: f.flag('tie_word_embeddings', true),
      positionRows: f.size('max_position_embeddings'),
      embeddingRate: f.number('dropout', 0, MAX_DROPOUT),
      speech: { bins: f.size('num_mel_bins', 80), positions: f.size('max_source_positions', 1500) },
    }),
    layer: (f) => ({ rate: f.number('dropout', 0, MAX_DROPOUT) }),
    attention: () => ({
      ...LEARNED,
      plainKeys: true,
      copiesHeads: true,
      causal: false,
      softmaxInFloat32: false,
    }),
    mlp: (f) => ({ gate: 'none', bias: true, rate: f.number('activation_dropout', 0, MAX_DROPOUT) }),
    encoder: (f, layers, width) => {
      const [{ attention, mlp, ...layer }] = layers as readonly [Layer];
      const heads = f.size('decoder_attention_heads', 6);
      if (width % heads !== 0)
        throw refusal(`d_model ${width} is not a multiple of decoder_attention_heads ${heads}`);
      const cross = { ...attention, heads, groups: heads, each: width / heads };
      const reader: Layer = {
        ...layer,
        attention: { ...cross, causal: true },
        cross,
        mlp: { ...mlp, inner: f.size('decoder_ffn_dim', 1536) },
      };
      const count = f.layers('decoder_layers', 4);
      return { encoder: layers, layers: Array.from({ length: count }, () => reader) };
    },
  },
};
