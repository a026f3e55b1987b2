import { experts, type Family, partial, sameBias, withoutExperts } from './family.ts';
import { type Fields, refusal } from './fields.ts';
import type { Attention, Experts, Layer, Mlp, Rotary } from './model.ts';

const DEEPSEEK: Omit<Family, 'head'> = {
  ignored: [
    'head_dim',
    'qk_head_dim',
    'rope_interleave',
    'topk_method',
    'scoring_func',
    'seq_aux',
    'aux_loss_alpha',
    'ep_size',
    'moe_layer_freq',
    'routed_scaling_factor',
    'norm_topk_prob',
    'num_nextn_predict_layers',
    'num_mtp_layers',
  ],
};

const DEEPSEEK_SIZES = {
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
};

/** Attention by way of short vectors. */
function latent(f: Fields, angles: Rotary['angles']): Partial<Attention> {
  const heads = f.size('num_attention_heads');
  const groups = f.size('num_key_value_heads', heads);
  if (groups !== heads)
    throw refusal(`num_key_value_heads ${groups} differs from num_attention_heads ${heads}; make them equal`);
  const turned = f.size('qk_rope_head_dim');
  return {
    ...sameBias(f),
    each: f.size('qk_nope_head_dim') + turned,
    rotary: { features: turned, table: 'rotary', joins: true, angles },
    latent: {
      queryRank: f.sizeOrNull('q_lora_rank'),
      rank: f.size('kv_lora_rank'),
      turned,
      valueEach: f.size('v_head_dim'),
    },
  };
}

/** Experts of which one network serves all tokens; `limits` where the best groups of experts are chosen first. */
function sharedExperts(
  f: Fields,
  limits: boolean,
  rest: Pick<Experts, 'normalises' | 'scores' | 'keepsMask'>,
): Partial<Mlp> {
  const inner = f.size('moe_intermediate_size');
  const shared = inner * f.size('n_shared_experts');
  const own = experts(f, 'n_routed_experts', { ...rest, weightsInFloat32: true, shared });
  const groups = f.size('n_group', 1);
  const best = f.size('topk_group', 1);
  const reached = limits ? (best * own.count) / groups : own.count;
  if (own.count % groups !== 0 || best > groups || own.chosen > reached)
    throw refusal(
      `topk_group ${best} of n_group ${groups} do not fit ${own.count} experts, of which ${own.chosen} are chosen; correct these fields`,
    );
  return { inner, experts: own };
}

const V3_EXPERTS = (f: Fields): Partial<Mlp> =>
  sharedExperts(f, true, {
    normalises: f.flag('norm_topk_prob', true),
    scores: 'float32-sigmoid',
    keepsMask: false,
  });

/** First layers without experts. */
function firstDense(f: Fields, usual: number): (layer: Layer, index: number) => Layer {
  const count = f.number('first_k_dense_replace', usual, 1e6);
  const inner = f.size('intermediate_size', 4 * f.size('hidden_size'));
  return (layer, i) => (i < count ? withoutExperts(layer, inner) : layer);
}

/** DeepSeek-V2 and V3, and GLM-4.5 with the experts of V3, by `model_type`. */
export const DEEPSEEK_FAMILIES: Readonly<Record<string, Family>> = {
  deepseek_v2: {
    ...DEEPSEEK,
    head: 'DeepseekV2ForCausalLM',
    defaults: { ...DEEPSEEK_SIZES, n_shared_experts: 2, n_routed_experts: 64, moe_intermediate_size: 1407 },
    attention: (f) => latent(f, 'complex'),
    mlp: (f) => {
      const limits = f.choice('topk_method', ['greedy', 'group_limited_greedy'], 'greedy') !== 'greedy';
      const bias = f.flag('mlp_bias', false);
      return {
        bias,
        ...sharedExperts(f, limits, { normalises: false, scores: 'float32-softmax', keepsMask: limits }),
      };
    },
    vary: (f) => firstDense(f, 0),
  },
  deepseek_v3: {
    ...DEEPSEEK,
    head: 'DeepseekV3ForCausalLM',
    defaults: {
      ...DEEPSEEK_SIZES,
      n_shared_experts: 1,
      n_routed_experts: 256,
      num_experts_per_tok: 8,
      n_group: 8,
      topk_group: 4,
      moe_intermediate_size: 2048,
    },
    attention: (f) => latent(f, 'own'),
    mlp: V3_EXPERTS,
    vary: (f) => firstDense(f, 3),
  },
  glm4_moe: {
    ...DEEPSEEK,
    head: 'Glm4MoeForCausalLM',
    defaults: {
      n_shared_experts: 1,
      n_routed_experts: 128,
      num_experts_per_tok: 8,
      moe_intermediate_size: 1408,
      num_key_value_heads: 8,
    },
    attention: (f, each) => ({
      ...partial(f, each, 'partial_rotary_factor', 0.5),
      bias: f.flag('attention_bias', false),
      normsHeads: f.flag('use_qk_norm', false),
    }),
    mlp: V3_EXPERTS,
    vary: (f) => firstDense(f, 1),
  },
};
