import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';

const SMALL = {
  vocab_size: 96,
  hidden_size: 32,
  num_hidden_layers: 3,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 64,
};

const { num_key_value_heads: _groups, ...UNGROUPED } = SMALL;
/** Groups of heads are those of the class. */
const LEFT_OUT = { ...UNGROUPED, hidden_size: 64, num_attention_heads: 16 };
/** Wider, where a layer norm's numbers of each row would weigh too much: the CPU keeps them in half, CUDA never does. */
const WIDE = { ...UNGROUPED, hidden_size: 128 };

const T5 = {
  model_type: 't5',
  vocab_size: 96,
  d_model: 32,
  d_kv: 16,
  d_ff: 64,
  num_layers: 3,
  num_heads: 4,
  n_positions: 64,
  dropout_rate: 0,
};
/** An encoder of other positions, and a decoder of other layers, heads and inner size. */
const WHISPER = {
  model_type: 'whisper',
  vocab_size: 96,
  d_model: 128,
  encoder_layers: 3,
  encoder_attention_heads: 4,
  encoder_ffn_dim: 64,
  decoder_layers: 2,
  decoder_attention_heads: 8,
  decoder_ffn_dim: 96,
  num_mel_bins: 16,
  max_source_positions: 40,
  max_target_positions: 64,
  pad_token_id: 0,
  bos_token_id: 1,
  eos_token_id: 2,
  decoder_start_token_id: 1,
};
/** Images of the cases' length. */
const { vocab_size: _words, max_position_embeddings: _positions, ...LAYERS } = WIDE;
const PICTURE = { ...LAYERS, image_size: 24, patch_size: 4 };

const GEMMA4 = {
  model_type: 'gemma4_text',
  ...SMALL,
  head_dim: 16,
  global_head_dim: 24,
  sliding_window: 8,
  hidden_size_per_layer_input: 8,
  vocab_size_per_layer_input: 96,
  layer_types: ['sliding_attention', 'sliding_attention', 'full_attention'],
};
const DISTILBERT = {
  vocab_size: 96,
  dim: 128,
  n_layers: 3,
  n_heads: 4,
  hidden_dim: 64,
  max_position_embeddings: 64,
  attention_dropout: 0,
};
const WITHOUT_DROPOUT = { hidden_dropout_prob: 0, attention_probs_dropout_prob: 0 };
const SPECIAL_TOKENS = {
  pad_token_id: 0,
  bos_token_id: 1,
  eos_token_id: 2,
  cls_token_id: 1,
  sep_token_id: 2,
};

const LATENT_SIZES = {
  ...SMALL,
  num_key_value_heads: 4,
  moe_intermediate_size: 40,
  n_routed_experts: 8,
  num_experts_per_tok: 3,
  first_k_dense_replace: 1,
  kv_lora_rank: 16,
  qk_nope_head_dim: 8,
  qk_rope_head_dim: 8,
  // PyTorch fuses attention on a CPU only where values are as wide as keys.
  v_head_dim: 16,
};
const DEEPSEEK_V3 = {
  model_type: 'deepseek_v3',
  ...LATENT_SIZES,
  q_lora_rank: 24,
  n_group: 4,
  topk_group: 2,
};

const LLAMA4 = {
  model_type: 'llama4_text',
  ...SMALL,
  head_dim: 16,
  intermediate_size_mlp: 80,
  num_local_experts: 4,
  no_rope_layer_interval: 2,
  pad_token_id: 0,
};

/** Heads of linear attention that share keys, and layers of which the last attends. */
const DELTA_RULE = {
  ...SMALL,
  head_dim: 16,
  max_position_embeddings: 128,
  linear_key_head_dim: 8,
  linear_value_head_dim: 12,
  linear_num_key_heads: 2,
  linear_num_value_heads: 4,
  layer_types: ['linear_attention', 'linear_attention', 'full_attention'],
};
const SHARED_EXPERT = {
  moe_intermediate_size: 40,
  shared_expert_intermediate_size: 48,
  num_experts: 8,
  num_experts_per_tok: 3,
};

/** By name; each is tried fused and written out, but for those that cannot be fused, in both types. */
export const CONFIGS: Readonly<Record<string, ConfigDocument>> = {
  llama: { model_type: 'llama', ...SMALL },
  'llama, tied, with biases': {
    model_type: 'llama',
    ...UNGROUPED,
    tie_word_embeddings: true,
    attention_bias: true,
    mlp_bias: true,
  },
  smollm3: { model_type: 'smollm3', ...SMALL, no_rope_layer_interval: 2, pad_token_id: 0 },
  'smollm3, window': {
    model_type: 'smollm3',
    ...SMALL,
    no_rope_layers: [1, 0, 1],
    use_sliding_window: true,
    sliding_window: 8,
    pad_token_id: 0,
  },
  granite: { model_type: 'granite', ...SMALL, residual_multiplier: 0.5, logits_scaling: 2 },
  olmo2: { model_type: 'olmo2', ...SMALL, pad_token_id: 0 },
  olmo3: { model_type: 'olmo3', ...SMALL, sliding_window: 8, pad_token_id: 0 },
  mistral: { model_type: 'mistral', ...SMALL, sliding_window: null },
  'mistral, window': { model_type: 'mistral', ...SMALL, head_dim: 16, sliding_window: 8 },
  'mistral, a window of the sequence': { model_type: 'mistral', ...SMALL, sliding_window: 24 },
  'mistral, groups left out': { model_type: 'mistral', ...LEFT_OUT },
  'gemma2, groups left out': { model_type: 'gemma2', ...LEFT_OUT, head_dim: 4 },
  'mixtral, groups left out': {
    model_type: 'mixtral',
    ...LEFT_OUT,
    num_local_experts: 4,
    num_experts_per_tok: 2,
  },
  'qwen3_moe, groups left out': {
    model_type: 'qwen3_moe',
    ...LEFT_OUT,
    moe_intermediate_size: 40,
    num_experts: 8,
    num_experts_per_tok: 3,
  },
  ministral3: { model_type: 'ministral3', ...SMALL, head_dim: 16, pad_token_id: 0 },
  qwen2: { model_type: 'qwen2', ...SMALL },
  'qwen2, window': {
    model_type: 'qwen2',
    ...SMALL,
    use_sliding_window: true,
    sliding_window: 8,
    max_window_layers: 1,
  },
  qwen3: { model_type: 'qwen3', ...SMALL, head_dim: 16 },
  qwen2_moe: { model_type: 'qwen2_moe', ...SMALL, ...SHARED_EXPERT },
  qwen3_next: { model_type: 'qwen3_next', ...DELTA_RULE, ...SHARED_EXPERT, partial_rotary_factor: 0.5 },
  'qwen3_next, a head of values for each of keys': {
    model_type: 'qwen3_next',
    ...DELTA_RULE,
    ...SHARED_EXPERT,
    linear_num_key_heads: 4,
    norm_topk_prob: false,
  },
  qwen3_5: { model_type: 'qwen3_5_text', ...DELTA_RULE },
  'qwen3_5, a head of values for each of keys': {
    model_type: 'qwen3_5_text',
    ...DELTA_RULE,
    linear_num_key_heads: 4,
    rope_parameters: { rope_type: 'default', rope_theta: 1e6, partial_rotary_factor: 0.5 },
  },
  qwen3_5_moe: { model_type: 'qwen3_5_moe_text', ...DELTA_RULE, ...SHARED_EXPERT },
  gemma: { model_type: 'gemma', ...SMALL, head_dim: 16 },
  gemma2: { model_type: 'gemma2', ...SMALL, head_dim: 16, sliding_window: 8 },
  gemma3: { model_type: 'gemma3_text', ...SMALL, head_dim: 16, sliding_window: 8, sliding_window_pattern: 2 },
  gemma4: {
    ...GEMMA4,
    hidden_size_per_layer_input: 0,
    attention_k_eq_v: true,
    num_global_key_value_heads: 1,
  },
  'gemma4, inputs of layers, shared keys': {
    ...GEMMA4,
    num_hidden_layers: 6,
    layer_types: [0, 1, 0, 1, 0, 1].map((full) => (full === 1 ? 'full_attention' : 'sliding_attention')),
    num_kv_shared_layers: 2,
    use_double_wide_mlp: true,
    final_logit_softcapping: 30.5,
  },
  mixtral: { model_type: 'mixtral', ...SMALL, num_local_experts: 4, num_experts_per_tok: 2 },
  qwen3_moe: {
    model_type: 'qwen3_moe',
    ...SMALL,
    head_dim: 16,
    moe_intermediate_size: 40,
    num_experts: 8,
    num_experts_per_tok: 3,
    norm_topk_prob: true,
  },
  glm4_moe: {
    model_type: 'glm4_moe',
    ...SMALL,
    head_dim: 16,
    use_qk_norm: true,
    attention_bias: true,
    moe_intermediate_size: 40,
    n_routed_experts: 8,
    num_experts_per_tok: 3,
    partial_rotary_factor: 0.5,
  },
  gpt_oss: {
    model_type: 'gpt_oss',
    ...SMALL,
    head_dim: 16,
    num_local_experts: 4,
    num_experts_per_tok: 2,
    sliding_window: 8,
    pad_token_id: 0,
  },
  deepseek_v2: { model_type: 'deepseek_v2', ...LATENT_SIZES, q_lora_rank: null, mlp_bias: true },
  'deepseek_v2, groups': {
    model_type: 'deepseek_v2',
    ...LATENT_SIZES,
    q_lora_rank: 24,
    topk_method: 'group_limited_greedy',
    n_group: 4,
    topk_group: 2,
  },
  deepseek_v3: DEEPSEEK_V3,
  'deepseek_v3, narrow values': { ...DEEPSEEK_V3, attention_bias: true, v_head_dim: 12 },
  llama4: LLAMA4,
  'llama4, two experts, chunks': {
    ...LLAMA4,
    num_experts_per_tok: 2,
    interleave_moe_layer_step: 2,
    attention_chunk_size: 8,
    attn_temperature_tuning: false,
    attention_bias: true,
  },
  'llama4, lists, a whole chunk': {
    ...LLAMA4,
    moe_layers: [0],
    no_rope_layers: [1, 0, 1],
    attention_chunk_size: 24,
    use_qk_norm: false,
  },
  phi: { model_type: 'phi', ...WIDE, partial_rotary_factor: 0.5 },
  phi3: { model_type: 'phi3', ...SMALL, pad_token_id: 0 },
  gpt2: {
    model_type: 'gpt2',
    vocab_size: 96,
    n_positions: 64,
    n_embd: 128,
    n_layer: 3,
    n_head: 4,
    attn_pdrop: 0,
    resid_pdrop: 0,
    embd_pdrop: 0,
  },
  bert: { model_type: 'bert', ...WIDE, ...WITHOUT_DROPOUT, pad_token_id: 0 },
  roberta: { model_type: 'roberta', ...WIDE, ...WITHOUT_DROPOUT, pad_token_id: 1, type_vocab_size: 1 },
  'xlm-roberta': {
    model_type: 'xlm-roberta',
    ...WIDE,
    ...WITHOUT_DROPOUT,
    pad_token_id: 1,
    type_vocab_size: 1,
  },
  distilbert: { model_type: 'distilbert', ...DISTILBERT },
  modernbert: { model_type: 'modernbert', ...WIDE, ...SPECIAL_TOKENS },
  'modernbert, window': { model_type: 'modernbert', ...WIDE, ...SPECIAL_TOKENS, local_attention: 16 },
  'modernbert, half a window of the sequence': {
    model_type: 'modernbert',
    ...WIDE,
    ...SPECIAL_TOKENS,
    local_attention: 48,
  },
  gpt_neox: { model_type: 'gpt_neox', ...WIDE },
  'gpt_neox, one after the other': {
    model_type: 'gpt_neox',
    ...WIDE,
    rotary_pct: 1,
    use_parallel_residual: false,
  },
  opt: {
    model_type: 'opt',
    vocab_size: 96,
    hidden_size: 128,
    num_hidden_layers: 3,
    ffn_dim: 64,
    num_attention_heads: 4,
    max_position_embeddings: 64,
    word_embed_proj_dim: 128,
    dropout: 0,
  },
  ...Object.fromEntries(
    (
      [
        ['llama', 'Llama', SMALL],
        ['gemma2', 'Gemma2', { ...SMALL, head_dim: 16, sliding_window: 8 }],
        ['bert', 'Bert', { ...WIDE, ...WITHOUT_DROPOUT, classifier_dropout: 0.1 }],
        ['roberta', 'Roberta', { ...WIDE, ...WITHOUT_DROPOUT, type_vocab_size: 1, classifier_dropout: 0.1 }],
        ['distilbert', 'DistilBert', DISTILBERT],
        ['modernbert', 'ModernBert', { ...WIDE, ...SPECIAL_TOKENS }],
      ] as const
    ).map(([type, name, sizes]) => [
      `classifier of ${type}`,
      {
        model_type: type,
        ...sizes,
        architectures: [`${name}ForSequenceClassification`],
        id2label: { 0: 'a', 1: 'b', 2: 'c' },
        pad_token_id: 0,
      },
    ]),
  ),
  t5: T5,
  't5, gated': { ...T5, feed_forward_proj: 'gated-gelu', num_decoder_layers: 2, tie_word_embeddings: false },
  vit: { model_type: 'vit', ...PICTURE, num_labels: 10 },
  clip_vision: { model_type: 'clip_vision_model', ...PICTURE },
  clip_text: { model_type: 'clip_text_model', ...WIDE },
  siglip_vision: { model_type: 'siglip_vision_model', ...PICTURE },
  clip: {
    model_type: 'clip',
    text_config: { ...WIDE, hidden_size: 64, eos_token_id: 2 },
    vision_config: PICTURE,
    projection_dim: 48,
  },
  siglip: { model_type: 'siglip', text_config: { ...WIDE, projection_size: 128 }, vision_config: PICTURE },
  whisper: WHISPER,
};
/** Tokens of those for which the usual few are too few: linear attention runs in chunks of 64. */
export const LENGTH_OF: Readonly<Record<string, number>> = { qwen3_5: 100, qwen3_next: 100 };

/** Kernels of those that do not run with both. */
export const KERNELS_OF: Readonly<Record<string, readonly string[]>> = {
  gemma2: ['eager'],
  'gemma2, groups left out': ['eager'],
  gpt_oss: ['eager'],
  'classifier of gemma2': ['eager'],
  t5: ['eager'],
  't5, gated': ['eager'],
  'deepseek_v3, narrow values': ['eager'],
};
