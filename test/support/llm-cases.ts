import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Graph, totalParameters, trainedParameters } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import { elementsOf } from '../../engine/ops/shape.ts';
import { heldCurve } from '../../engine/training-memory/held.ts';
import { lossOf } from '../../engine/training-memory/loss.ts';
import type { Pipeline } from '../../engine/training-memory/pipeline.ts';
import { USUAL_SETUP } from '../../engine/training-memory/setup.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import type { RankShare, Stage } from '../../engine/zoo/language/share.ts';
import { answerOf } from '../app/bridges/python.ts';
import { regularStep } from '../engine/zoo/regular-step.ts';
import { targetsOf } from '../../engine/zoo/language/adapters.ts';
import { type LoraCase, tuningOf } from './lora-case.ts';
import { planOf } from './plans.ts';

/** A small version of an architecture, and the size at which PyTorch and the prediction are compared. */
export interface LlmCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
  readonly lora?: LoraCase;
  /** Runs under gradient_checkpointing_enable of transformers. */
  readonly checkpointing?: true;
  /** The last tokens of a sequence are padding. */
  readonly padded?: true;
  /** One rank of tensor parallel, or a pipeline stage with its schedule. */
  readonly share?: RankShare;
  readonly schedule?: Pipeline['schedule'];
  readonly microBatches?: number;
}

/** One line of a file of test/reference (CASES_OF), or the same of the engine. */
export interface LlmFigures {
  readonly parameters: number;
  readonly trained: number;
  readonly savedBytes: number;
  readonly shape: readonly number[];
  /** Most bytes that the loss holds beside each score, where they are split. */
  readonly lossBytes?: number;
  /** Most bytes that backward of one attention holds beside its gradients, where sequences are divided. */
  readonly ringBytes?: number;
}

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

/** By name; each is tried fused and written out, but for those that cannot be fused, in both types. */
const CONFIGS: Readonly<Record<string, ConfigDocument>> = {
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
const KERNELS_OF: Readonly<Record<string, readonly string[]>> = {
  gemma2: ['eager'],
  'gemma2, groups left out': ['eager'],
  gpt_oss: ['eager'],
  'classifier of gemma2': ['eager'],
  t5: ['eager'],
  't5, gated': ['eager'],
  'deepseek_v3, narrow values': ['eager'],
};

export const LLM_CASES: readonly LlmCase[] = Object.entries(CONFIGS).flatMap(([name, config]) =>
  (KERNELS_OF[name] ?? ['sdpa', 'eager']).flatMap((attention) =>
    (['float32', 'bfloat16'] as const).map((dtype) => ({
      name: `${name}, ${attention}, ${dtype}`,
      config: { attn_implementation: attention, ...config },
      batch: 2,
      length: 24,
      dtype,
    })),
  ),
);

/** Model types for which peft has no usual targets. */
const WITHOUT_TARGETS =
  /^(gemma4|smollm3|ministral3|glm4_moe|granite|olmo|distilbert|phi3|clip_text|modernbert|whisper|mixtral|qwen3_moe|deepseek)/;

/** Cases that train adapters: every architecture fused, four written out, with the usual targets and with all. */
export const LORA_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name }) =>
    !/^(classifier|llama4|gpt_oss|glm4_moe|vit|clip_vision|clip,|siglip)/.test(name) &&
    (!name.includes('eager') || /^(llama|gemma2|bert|t5),/.test(name)),
).flatMap((one) =>
  ([null, 'all-linear'] as const)
    .filter((targets) => targets !== null || !WITHOUT_TARGETS.test(one.name))
    .map((targets) => ({
      ...one,
      name: `${one.name}, LoRA ${targets ?? 'usual'}`,
      lora: { rank: 4, targets },
    })),
);

/** Adapters of attention alone: every architecture whose names are known, those with experts included. */
const ATTENTION_CASES: readonly LlmCase[] = LLM_CASES.flatMap((one) => {
  const targets = targetsOf(String(one.config['model_type']), 'attention')?.peft;
  if (targets === undefined || one.name.startsWith('classifier')) return [];
  return [{ ...one, name: `${one.name}, LoRA attention`, lora: { rank: 4, targets } }];
});

/** Adapters whose input is dropped out: of queries and values, of one product for all, and of all products. */
const DROPOUT_CASES: readonly LlmCase[] = LORA_CASES.filter(({ name }) =>
  /^(llama|gpt2|bert), sdpa/.test(name),
).map((one) => ({ ...one, name: `${one.name}, dropout`, lora: { ...one.lora!, dropout: 0.1 } }));

/**
 * Architectures whose layers transformers runs under gradient checkpointing, in float32 and fused. Keys that layers share
 * are held by a dictionary, which hooks do not show.
 */
export const CHECKPOINTING_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name }) => name.endsWith(', sdpa, float32') && !name.includes('shared keys'),
).map((one) => ({
  ...one,
  name: `${one.name}, gradient_checkpointing`,
  // So little is kept that a norm's numbers of each row would weigh too much.
  config: { ...one.config, ...('hidden_size' in one.config ? { hidden_size: 128 } : {}) },
  checkpointing: true,
}));

/** Architectures whose attention reads a mask of padding, and of packed sequences alike. */
const PADDED_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name, dtype }) => dtype === 'float32' && !/^(vit|clip_vision|siglip_vision|whisper|t5)/.test(name),
).map((one) => ({ ...one, name: `${one.name}, padded`, padded: true }));

/** Heads for 4 ranks, and so wide that norms' numbers of each row weigh little. */
const forRanks = (config: ConfigDocument): ConfigDocument => ({
  ...config,
  ...('n_embd' in config ? { n_head: 8 } : { hidden_size: 128, num_attention_heads: 8 }),
  ...('num_key_value_heads' in config ? { num_key_value_heads: 4 } : {}),
});

/** Architectures that tensor parallel splits, on 2 and 4 ranks, in both types, with and without sequence parallel. */
const PARALLEL_CASES: readonly LlmCase[] = [
  ...LLM_CASES.filter(
    ({ name }) =>
      /^(llama|mistral|qwen2|qwen3|gemma2|gemma3|phi3|gpt2|gpt_neox|opt),/.test(name) &&
      (name.includes(', sdpa,') || /^(llama|gemma2),/.test(name)),
  ),
  ...LORA_CASES.filter(({ name }) => /^(llama|gemma3|gpt2|gpt_neox|opt), sdpa,/.test(name)),
].flatMap((one) =>
  [2, 4].flatMap((tensor) =>
    [false, true]
      // The reference's OPT flattens the sequence that it would have to split.
      .filter((isSequence) => !isSequence || one.config['model_type'] !== 'opt')
      .map((isSequence) => ({
        ...one,
        name: `${one.name}, tensor ${tensor}${isSequence ? ', sequence' : ''}`,
        config: forRanks(one.config),
        share: { tensor, isSequence },
      })),
  ),
);

/** Experts divided among 2 and 4 ranks; each token goes to all, so that they are spread evenly. */
const EXPERT_CASES: readonly LlmCase[] = [...LLM_CASES, ...ATTENTION_CASES]
  .filter(({ name }) => /^(mixtral|qwen3_moe|deepseek_v[23]), (sdpa|eager)/.test(name))
  .flatMap((one) =>
    [2, 4].map((experts) => {
      const { num_local_experts, num_experts, n_routed_experts, n_group } = one.config;
      const chosen = num_local_experts ?? num_experts ?? n_routed_experts;
      return {
        ...one,
        name: `${one.name}, experts ${experts}`,
        config: {
          ...one.config,
          num_experts_per_tok: chosen,
          ...(n_group === undefined ? {} : { topk_group: n_group }),
        },
        share: { tensor: 1, isSequence: false, experts },
      };
    }),
  );

/** Sequences divided among 2 and 4 ranks, where attention is causal throughout. */
const CONTEXT_CASES: readonly LlmCase[] = [...LLM_CASES, ...ATTENTION_CASES]
  .filter(({ name }) =>
    /^(llama|llama, tied, with biases|mistral|mixtral|qwen[23]|qwen3_moe|deepseek_v[23]|phi3?|opt), sdpa/.test(
      name,
    ),
  )
  .flatMap((one) =>
    [2, 4].map((context) => ({
      ...one,
      name: `${one.name}, context ${context}`,
      share: { tensor: 1, isSequence: false, context },
    })),
  );

/**
 * Stages of both schedules, with more micro-batches than stages and with as many; one architecture recomputes each layer,
 * another trains adapters.
 */
const PIPELINE_CASES: readonly LlmCase[] = LLM_CASES.filter(({ name }) =>
  /^(llama, tied, with biases|mistral, window|gpt_neox), sdpa,/.test(name),
)
  .concat(CHECKPOINTING_CASES.filter(({ name }) => name.startsWith('gpt_neox,')))
  .concat(LORA_CASES.filter(({ name }) => name.startsWith('mistral, window, sdpa,')))
  .flatMap((one) =>
    (
      [
        [2, 0, '1f1b', 4],
        [2, 1, '1f1b', 4],
        [4, 0, '1f1b', 4],
        [4, 1, '1f1b', 6],
        [4, 3, 'gpipe', 3],
        [4, 2, 'gpipe', 4],
        [4, 0, 'gpipe', 4],
      ] as const
    ).map(([count, index, schedule, microBatches]) => ({
      ...one,
      name: `${one.name}, stage ${index + 1} of ${count}, ${schedule}, ${microBatches} micro-batches`,
      config: { ...one.config, num_hidden_layers: 5 },
      share: { tensor: 1, isSequence: false, stage: { index, count } },
      schedule,
      microBatches,
    })),
  );

/** All cases, by the file of test/reference that measures them. */
const CASES_OF: Readonly<Record<string, readonly LlmCase[]>> = {
  'torch_llm.py': [
    ...LLM_CASES,
    ...LORA_CASES,
    ...ATTENTION_CASES,
    ...DROPOUT_CASES,
    ...CHECKPOINTING_CASES,
    ...PADDED_CASES,
  ],
  'torch_parallel.py': PARALLEL_CASES,
  'torch_experts.py': EXPERT_CASES,
  'torch_context.py': CONTEXT_CASES,
  'torch_pipeline.py': PIPELINE_CASES,
};
export const ALL_CASES = Object.values(CASES_OF).flat();

/** PyTorch's figures of all cases. */
export const measuredCases = (python: string): readonly LlmFigures[] =>
  Object.entries(CASES_OF).flatMap(([file, cases]) => measured(cases, python, file));

/** Relative difference of saved bytes that a prediction may have. Under checkpointing so little is kept that a table counts. */
export const mostDifference = ({ checkpointing }: LlmCase): number => (checkpointing === true ? 0.02 : 0.01);

export function predicted({
  config,
  batch,
  length,
  dtype,
  lora,
  checkpointing,
  padded,
  share,
  ...pipelined
}: LlmCase): LlmFigures {
  const graph = buildFromConfig(config, {
    batch,
    length,
    element: dtype === 'float32' ? 4 : 2,
    tuning: tuningOf(lora),
    isMasked: padded,
    share,
  });
  const shape = graph.shapes[graph.size - 1] ?? [];
  const [parameters, trained] = [totalParameters(graph), trainedParameters(graph)];
  const stage = share?.stage;
  const savedBytes =
    stage !== undefined
      ? keptByStage(graph, stage, checkpointing, pipelined)
      : checkpointing === true
        ? (solveRow(createProblem(graph, 'pytorch'), 'per-block', { seed: 0 }).savedBytes ?? 0)
        : regularStep(graph).savedBytes;
  const found = { parameters, trained, savedBytes, shape };
  if (share?.context !== undefined)
    return { ...found, ringBytes: graph.bytes[graph.ids.indexOf('layers.0.self_attn.all_gather')]! };
  if ((share?.tensor ?? 1) === 1) return found;
  const lossBytes = lossOf(graph, 'fp32', 'cuda', true).peakBytes / elementsOf(shape);
  return { ...found, lossBytes };
}

/** All that a stage keeps when a backward begins, of all its micro-batches. */
function keptByStage(
  graph: Graph,
  { index, count }: Stage,
  checkpointing: true | undefined,
  { schedule = '1f1b', microBatches = 1 }: Pick<LlmCase, 'schedule' | 'microBatches'>,
): number {
  const problem = createProblem(graph, 'pytorch');
  const pipeline = { stages: count, stage: index + 1, schedule, microBatches };
  const plan = planOf(strategyOf(checkpointing === true ? 'per-block' : 'regular'), problem);
  const { kinds, terms } = heldCurve(problem, plan.schedule, {
    ...USUAL_SETUP,
    accumulate: microBatches,
    pipeline,
  });
  const at = kinds.indexOf('loss');
  const { peakBytes, keptBytes } = lossOf(graph, 'fp32');
  // Another stage has sent its output by then.
  const loss = index === count - 1 ? terms.loss[at]! - peakBytes + keptBytes : 0;
  return terms.activations[at]! + terms.inFlight[at]! + loss;
}

/** PyTorch's own figures, all in one process. */
export function measured<Figures = LlmFigures>(
  cases: readonly object[],
  python: string,
  file = 'torch_llm.py',
): readonly Figures[] {
  const script = join(process.cwd(), 'test', 'reference', file);
  const input = JSON.stringify(cases);
  const run = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 600_000 });
  if (run.status !== 0) throw new Error(`${file}: ${run.stderr || run.error}`);
  return answerOf(run.stdout);
}
