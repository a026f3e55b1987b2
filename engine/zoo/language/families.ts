import { MAX_DROPOUT } from '../../options/sizes.ts';
import { DEEPSEEK_FAMILIES } from './deepseek-families.ts';
import { ENCODER_FAMILIES } from './encoder-families.ts';
import { experts, type Family, LAYER_NORMS, LEARNED, partial, sameBias } from './family.ts';
import { CAPTURE_INSTEAD, refusal } from './fields.ts';
import { GEMMA_FAMILIES } from './gemma-families.ts';
import { IMAGE_FAMILIES } from './image-families.ts';
import { LLAMA4, turnedLayers } from './llama4-family.ts';
import { QWEN_FAMILIES } from './qwen-families.ts';
import { SPEECH_FAMILIES } from './speech-families.ts';
import type { Layer } from './model.ts';

/** Biases of attention and of the gated products by a field each. */
const LLAMA: Omit<Family, 'head'> = {
  attention: sameBias,
  mlp: (f) => ({ bias: f.flag('mlp_bias', false) }),
};

/** Norms after attention and products alone, and over all heads of queries and of keys at once. */
const OLMO: Omit<Family, 'head'> = {
  model: () => ({ norm: 'rms-in-float32' }),
  layer: () => ({ order: 'after' }),
  attention: (f, each) => ({
    ...sameBias(f),
    normsAllHeads: true,
    rotary: { features: each, table: 'rotary', joins: false, angles: 'float32' },
  }),
};

/** Layers of which the first has a trained table of distances. */
const withTable = (layers: readonly Layer[], rows: number): readonly Layer[] =>
  layers.map((layer, i) =>
    i > 0 ? layer : { ...layer, attention: { ...layer.attention, relative: { rows } } },
  );

/** By `model_type`. Each is held to transformers itself by test/engine/zoo/language. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  llama: { ...LLAMA, head: 'LlamaForCausalLM' },
  smollm3: {
    ...LLAMA,
    head: 'SmolLM3ForCausalLM',
    ignored: ['max_window_layers'],
    model: (f) => ({ tied: f.flag('tie_word_embeddings', true) }),
    slides: (f) => {
      const slides = f.flag('use_sliding_window', false);
      const isTurned = turnedLayers(f);
      return (layer) => slides && !isTurned(layer);
    },
    vary: (f) => {
      const isTurned = turnedLayers(f);
      return (layer, i) =>
        isTurned(i) ? layer : { ...layer, attention: { ...layer.attention, rotary: null } };
    },
  },
  granite: {
    ...LLAMA,
    head: 'GraniteForCausalLM',
    ignored: ['embedding_multiplier', 'attention_multiplier', 'residual_multiplier', 'logits_scaling'],
    model: () => ({ scalesEmbedding: true, scalesScores: true }),
    layer: () => ({ scalesSums: true }),
  },
  olmo2: { ...OLMO, head: 'Olmo2ForCausalLM' },
  olmo3: {
    ...OLMO,
    head: 'Olmo3ForCausalLM',
    defaults: { sliding_window: 4096 },
    slides: () => (layer) => (layer + 1) % 4 !== 0,
  },
  mistral: {
    head: 'MistralForCausalLM',
    defaults: { num_key_value_heads: 8, sliding_window: 4096 },
    slides: () => () => true,
  },
  ministral3: {
    head: 'Ministral3ForCausalLM',
    defaults: { num_key_value_heads: 8, head_dim: 128 },
    attention: () => ({ scalesQueries: 'own' }),
    slides: () => () => true,
  },
  ...QWEN_FAMILIES,
  ...GEMMA_FAMILIES,
  mixtral: {
    head: 'MixtralForCausalLM',
    defaults: { num_key_value_heads: 8 },
    ignored: ['router_aux_loss_coef'],
    mlp: (f) => ({
      experts: experts(f, 'num_local_experts', { normalises: true, weightsInFloat32: true }),
    }),
    slides: () => () => true,
  },
  gpt_oss: {
    head: 'GptOssForCausalLM',
    // A softmax with sinks is no kernel of PyTorch's.
    kernels: ['eager'],
    defaults: { head_dim: 64, num_key_value_heads: 8, sliding_window: 128 },
    ignored: [
      'router_aux_loss_coef',
      'swiglu_alpha',
      'swiglu_limit',
      'experts_per_token',
      'initial_context_length',
    ],
    model: (f) => ({
      norm: 'rms-in-float32',
      isStoredInMxfp4: f.part('quantization_config')?.choice('quant_method', ['mxfp4'], 'mxfp4') === 'mxfp4',
    }),
    attention: (f, each) => {
      const bias = f.flag('attention_bias', true);
      const rotary = { features: each / 2, table: 'rotary', joins: true, angles: 'own' as const };
      return { bias, outBias: bias, rotary, hasSinks: true };
    },
    mlp: (f) => ({
      experts: experts(f, 'num_local_experts', {
        normalises: false,
        weightsInFloat32: false,
        scores: 'softmax-of-chosen',
        isBounded: true,
      }),
    }),
    slides: () => (layer) => layer % 2 === 0,
  },
  ...DEEPSEEK_FAMILIES,
  llama4_text: LLAMA4,
  ...IMAGE_FAMILIES,
  ...SPEECH_FAMILIES,
  phi: {
    head: 'PhiForCausalLM',
    activation: 'gelu_new',
    model: (f) => {
      if (f.flag('qk_layernorm', false))
        throw refusal(`qk_layernorm true is not supported; ${CAPTURE_INSTEAD}`);
      return { ...LAYER_NORMS, scoreBias: true, embeddingRate: f.number('embd_pdrop', 0, MAX_DROPOUT) };
    },
    layer: (f) => ({ order: 'parallel-one-norm', rate: f.number('resid_pdrop', 0, MAX_DROPOUT) }),
    attention: (f, each) => ({
      ...partial(f, each, 'partial_rotary_factor', 0.5),
      bias: true,
      outBias: true,
    }),
    mlp: () => ({ gate: 'none', bias: true }),
  },
  phi3: {
    head: 'Phi3ForCausalLM',
    ignored: ['embd_pdrop', 'full_attn_mod', 'interpolate_factor'],
    attention: (f, each) => ({ isOneProduct: true, ...partial(f, each, 'partial_rotary_factor', 1) }),
    mlp: () => ({ gate: 'one' }),
    layer: (f) => ({ rate: f.number('resid_pdrop', 0, MAX_DROPOUT) }),
    slides: () => () => true,
  },
  gpt2: {
    head: 'GPT2LMHeadModel',
    names: {
      hidden_size: 'n_embd',
      num_hidden_layers: 'n_layer',
      num_attention_heads: 'n_head',
      max_position_embeddings: 'n_positions',
      intermediate_size: 'n_inner',
      hidden_act: 'activation_function',
      attention_dropout: 'attn_pdrop',
    },
    defaults: { attn_pdrop: 0.1 },
    ignored: [
      'n_ctx',
      'scale_attn_weights',
      'summary_type',
      'summary_use_proj',
      'summary_proj_to_labels',
      'summary_first_dropout',
    ],
    activation: 'gelu_new',
    model: (f) => ({
      ...LAYER_NORMS,
      tied: f.flag('tie_word_embeddings', true),
      positionRows: f.size('max_position_embeddings'),
      embeddingRate: f.number('embd_pdrop', 0.1, MAX_DROPOUT),
    }),
    layer: (f) => ({ rate: f.number('resid_pdrop', 0.1, MAX_DROPOUT) }),
    attention: () => ({ ...LEARNED, isOneProduct: true, softmaxInFloat32: false }),
    mlp: () => ({ gate: 'none', bias: true }),
  },
  ...ENCODER_FAMILIES,
  gpt_neox: {
    head: 'GPTNeoXForCausalLM',
    ignored: ['classifier_dropout'],
    activation: 'gelu',
    model: () => LAYER_NORMS,
    layer: (f) => ({
      order: f.flag('use_parallel_residual', true) ? 'parallel' : 'pre',
      rate: f.number('hidden_dropout', 0, MAX_DROPOUT),
    }),
    attention: (f, each) => {
      const bias = f.flag('attention_bias', true);
      return { ...partial(f, each, 'rotary_pct', 0.25), isOneProduct: true, bias, outBias: bias };
    },
    mlp: () => ({ gate: 'none', bias: true }),
  },
  opt: {
    head: 'OPTForCausalLM',
    names: { intermediate_size: 'ffn_dim', hidden_act: 'activation_function' },
    ignored: ['layerdrop', 'activation_dropout', 'init_std'],
    activation: 'relu',
    model: (f) => {
      if (!f.flag('do_layer_norm_before', true))
        throw refusal(`do_layer_norm_before false is not supported; ${CAPTURE_INSTEAD}`);
      if (f.size('word_embed_proj_dim', f.size('hidden_size')) !== f.size('hidden_size'))
        throw refusal(`word_embed_proj_dim other than hidden_size is not supported; ${CAPTURE_INSTEAD}`);
      f.flag('layer_norm_elementwise_affine', true);
      return {
        ...LAYER_NORMS,
        tied: f.flag('tie_word_embeddings', true),
        // Two rows before the first position, for padding.
        positionRows: f.size('max_position_embeddings') + 2,
      };
    },
    layer: (f) => ({ rate: f.number('dropout', 0.1, MAX_DROPOUT) }),
    attention: (f) => ({
      ...LEARNED,
      bias: f.flag('enable_bias', true),
      outBias: f.flag('enable_bias', true),
    }),
    mlp: (f) => ({ gate: 'none', bias: f.flag('enable_bias', true) }),
  },
  t5: {
    head: 'T5ForConditionalGeneration',
    names: {
      hidden_size: 'd_model',
      num_hidden_layers: 'num_layers',
      num_attention_heads: 'num_heads',
      head_dim: 'd_kv',
      intermediate_size: 'd_ff',
      max_position_embeddings: 'n_positions',
      attention_dropout: 'dropout_rate',
    },
    defaults: { vocab_size: 32_128, d_kv: 64, n_positions: 512, dropout_rate: 0.1 },
    // transformers ties the head whatever the file says.
    ignored: [
      'tie_word_embeddings',
      'relative_attention_max_distance',
      'classifier_dropout',
      'dense_act_fn',
      'is_gated_act',
      'scale_decoder_outputs',
    ],
    // A trained bias of the scores keeps sdpa from the flash kernels.
    kernels: ['eager'],
    model: (f) => {
      const rate = f.number('dropout_rate', 0.1, MAX_DROPOUT);
      return { norm: 'rms-promoted', tied: true, embeddingRate: rate, endRate: rate };
    },
    layer: (f) => ({ rate: f.number('dropout_rate', 0.1, MAX_DROPOUT) }),
    attention: () => ({ rotary: null, causal: false, softmaxInFloat32: false, relative: { rows: 0 } }),
    mlp: (f) => {
      const projection = f.choice('feed_forward_proj', ['relu', 'gated-gelu', 'gated-silu'], 'relu');
      return {
        gate: projection === 'relu' ? 'none' : 'two',
        activation: projection === 'relu' ? 'relu' : projection === 'gated-silu' ? 'silu' : 'gelu_new',
        rate: f.number('dropout_rate', 0.1, MAX_DROPOUT),
      };
    },
    encoder: (f, layers) => {
      const rows = f.size('relative_attention_num_buckets', 32);
      const count = f.layers('num_decoder_layers', layers.length);
      const readers = Array.from({ length: count }, (_, i): Layer => {
        const layer = layers[i] ?? layers[0]!;
        const { attention } = layer;
        return {
          ...layer,
          attention: { ...attention, causal: true },
          cross: { ...attention, relative: null },
        };
      });
      return { encoder: withTable(layers, rows), layers: withTable(readers, rows) };
    },
  },
};
