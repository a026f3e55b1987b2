import { type Family, sameBias } from './family.ts';
import { CAPTURE_INSTEAD, type Fields, refusal } from './fields.ts';
import type { Attention, Norm } from './model.ts';

const gemma = (f: Fields, norm: Norm) => ({
  norm,
  scalesEmbedding: true,
  tied: f.flag('tie_word_embeddings', true),
  capsScores: f.number('final_logit_softcapping', 0, 1e6) > 0,
});

const GEMMA: Omit<Family, 'head'> = {
  names: { hidden_act: 'hidden_activation' },
  activation: 'gelu_pytorch_tanh',
  ignored: ['hidden_act', 'query_pre_attn_scalar', 'sliding_window_size', 'use_bidirectional_attention'],
  model: (f) => gemma(f, 'rms-plus-one'),
  attention: sameBias,
};

/** Norms before and after. */
const SANDWICH: Omit<Family, 'head'> = { ...GEMMA, layer: () => ({ order: 'sandwich' }) };

/** Gemma 4 without images and sound: layers that see everything have heads of their own size. */
const GEMMA4: Family = {
  ...GEMMA,
  head: 'Gemma4ForCausalLM',
  turnsWindows: true,
  defaults: {
    vocab_size: 262_144,
    hidden_size: 2304,
    intermediate_size: 9216,
    num_hidden_layers: 30,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 256,
    max_position_embeddings: 131_072,
    sliding_window: 512,
  },
  ignored: ['top_k_experts', 'moe_intermediate_size', 'num_experts', 'output_router_logits'],
  model: (f) => {
    f.choice('use_bidirectional_attention', ['vision'], 'vision');
    if (f.flag('enable_moe_block', false))
      throw refusal(`enable_moe_block true is not supported; ${CAPTURE_INSTEAD}`);
    const features = f.number('hidden_size_per_layer_input', 256, 1e6);
    const vocabulary = f.size('vocab_size_per_layer_input', 262_144);
    return {
      ...gemma(f, 'rms-by-power'),
      perLayer: features === 0 ? null : { vocabulary, features },
    };
  },
  layer: () => ({ order: 'sandwich', scalesOutput: true }),
  attention: (f) => ({ ...sameBias(f), normsHeads: true, normsValues: true }),
  slides: (f) => (layer) => (layer + 1) % 6 !== 0 && layer + 1 < f.size('num_hidden_layers'),
  vary: (f) => {
    const each = f.size('global_head_dim', 512);
    const valuesAreKeys = f.flag('attention_k_eq_v', false);
    const globalGroups = f.sizeOrNull('num_global_key_value_heads');
    // Newer files say the same of each layer.
    const given = f.ofLayers('per_layer_config');
    // From this layer on keys and values are those of the last layer before it with a window, or without.
    const first = f.size('num_hidden_layers') - f.number('num_kv_shared_layers', 0, 1e6);
    const widens = f.flag('use_double_wide_mlp', false);
    return (layer, i) => {
      const { attention, mlp } = layer;
      const { rotary, window } = attention;
      const isLocal = window !== null;
      const features = given.get(i)?.sizeOrNull('head_dim') ?? each;
      const groups = given.get(i)?.sizeOrNull('num_key_value_heads') ?? (valuesAreKeys ? globalGroups : null);
      const own: Attention = isLocal
        ? attention
        : {
            ...attention,
            groups: groups ?? attention.groups,
            each: features,
            valuesAreKeys,
            rotary: rotary && { ...rotary, features },
          };
      const reads = i >= first;
      return {
        ...layer,
        attention: { ...own, shared: { of: isLocal ? 'window' : 'all', reads } },
        mlp: reads && widens ? { ...mlp, inner: 2 * mlp.inner } : mlp,
      };
    };
  },
};

/** Gemma, by `model_type`. */
export const GEMMA_FAMILIES: Readonly<Record<string, Family>> = {
  gemma: {
    ...GEMMA,
    head: 'GemmaForCausalLM',
    names: {},
    defaults: { head_dim: 256 },
    ignored: ['hidden_activation', 'use_bidirectional_attention'],
  },
  gemma2: {
    ...SANDWICH,
    head: 'Gemma2ForCausalLM',
    defaults: {
      num_key_value_heads: 4,
      head_dim: 256,
      sliding_window: 4096,
      final_logit_softcapping: 30,
      attn_logit_softcapping: 50,
    },
    // sdpa has no place for the bound of the scores.
    kernels: ['eager', 'flash_attention_2'],
    attention: (f) => ({ ...sameBias(f), capsScores: f.number('attn_logit_softcapping', 0, 1e6) > 0 }),
    slides: () => (layer) => layer % 2 === 0,
  },
  gemma3_text: {
    ...SANDWICH,
    head: 'Gemma3ForCausalLM',
    turnsWindows: true,
    defaults: {
      vocab_size: 262_208,
      num_attention_heads: 8,
      num_key_value_heads: 4,
      head_dim: 256,
      sliding_window: 4096,
      max_position_embeddings: 131_072,
    },
    attention: (f) => ({ ...sameBias(f), normsHeads: true }),
    slides: (f) => {
      const pattern = f.size('sliding_window_pattern', 6);
      return (layer) => (layer + 1) % pattern !== 0;
    },
  },
  gemma4_text: GEMMA4,
};
