import { experts, type Family, partial, sameBias } from './family.ts';
import { CAPTURE_INSTEAD, type Fields, refusal } from './fields.ts';
import type { Attention, DeltaRule, Mlp } from './model.ts';

/** Windows are off unless a field says so, and then begin at a layer. */
const slides = (f: Fields): ((layer: number) => boolean) => {
  const isOn = f.flag('use_sliding_window', false);
  const first = f.number('max_window_layers', 28, 1e6);
  return (layer) => isOn && layer >= first;
};

const NORMED = (f: Fields): Partial<Attention> => ({ ...sameBias(f), normsHeads: true });

/** Experts in every layer, and a network that every token goes through too where it has an inner size. */
function routed(f: Fields, normalises: boolean, shared = 0): Partial<Mlp> {
  if (f.size('decoder_sparse_step', 1) !== 1)
    throw refusal(`decoder_sparse_step other than 1 is not supported; ${CAPTURE_INSTEAD}`);
  const own = { normalises, weightsInFloat32: false, shared, gatesShared: shared > 0 };
  return { experts: experts(f, 'num_experts', own) };
}

/** Fields of models with experts, whose inner size has a name of its own. */
const MOE = {
  names: { intermediate_size: 'moe_intermediate_size' },
  ignored: ['intermediate_size', 'router_aux_loss_coef', 'max_window_layers'],
} as const;

const sharedSize = (f: Fields, usual: number): number => f.size('shared_expert_intermediate_size', usual);

function deltaRule(f: Fields, joinsProducts: boolean): DeltaRule {
  const keyHeads = f.size('linear_num_key_heads', 16);
  const valueHeads = f.size('linear_num_value_heads', 32);
  if (valueHeads % keyHeads !== 0)
    throw refusal(
      `linear_num_value_heads ${valueHeads} is not a multiple of linear_num_key_heads ${keyHeads}`,
    );
  return {
    keyHeads,
    keyEach: f.size('linear_key_head_dim', 128),
    valueHeads,
    valueEach: f.size('linear_value_head_dim', 128),
    positions: f.size('linear_conv_kernel_dim', 4),
    joinsProducts,
  };
}

/** Layers of the gated delta rule, but every fourth, which has gated attention. */
const hybrid = (joinsProducts: boolean): Omit<Family, 'head'> => ({
  defaults: { head_dim: 256 },
  // Heads that predict further tokens are not trained by transformers.
  ignored: ['attn_output_gate', 'mamba_ssm_dtype', 'mtp_num_hidden_layers', 'mtp_use_dedicated_embeddings'],
  model: () => ({ norm: 'rms-plus-one' }),
  attention: (f, each) => {
    const { rotary } = partial(f, each, 'partial_rotary_factor', 0.25);
    return { ...NORMED(f), isGated: true, rotary: { ...rotary!, ofSequences: !joinsProducts } };
  },
  otherLayers: 'linear_attention',
  other: (f) => {
    const delta = deltaRule(f, joinsProducts);
    f.choice('hidden_act', ['silu'], 'silu');
    return (layer) => ({ ...layer, delta });
  },
  slides: (f) => {
    const every = f.size('full_attention_interval', 4);
    return (layer) => (layer + 1) % every !== 0;
  },
});

const withExperts = (family: Omit<Family, 'head'>): Omit<Family, 'head'> => ({
  ...family,
  ...MOE,
  ignored: [...MOE.ignored, ...family.ignored!],
});

/** Qwen, by `model_type`. */
export const QWEN_FAMILIES: Readonly<Record<string, Family>> = {
  qwen2: { head: 'Qwen2ForCausalLM', attention: () => ({ bias: true }), slides },
  qwen2_moe: {
    ...MOE,
    head: 'Qwen2MoeForCausalLM',
    attention: (f) => ({ bias: f.flag('qkv_bias', true) }),
    mlp: (f) => routed(f, f.flag('norm_topk_prob', false), sharedSize(f, 5632)),
  },
  qwen3: { head: 'Qwen3ForCausalLM', defaults: { head_dim: 128 }, attention: NORMED, slides },
  qwen3_moe: {
    ...MOE,
    head: 'Qwen3MoeForCausalLM',
    defaults: { num_key_value_heads: 4 },
    attention: NORMED,
    mlp: (f) => routed(f, f.flag('norm_topk_prob', false)),
    slides: (f) => {
      const isOn = f.flag('use_sliding_window', false);
      return () => isOn;
    },
  },
  qwen3_next: {
    ...withExperts(hybrid(true)),
    head: 'Qwen3NextForCausalLM',
    mlp: (f) => routed(f, f.flag('norm_topk_prob', true), sharedSize(f, 512)),
  },
  qwen3_5_text: { ...hybrid(false), head: 'Qwen3_5ForCausalLM' },
  qwen3_5_moe_text: {
    ...withExperts(hybrid(false)),
    head: 'Qwen3_5MoeForCausalLM',
    mlp: (f) => routed(f, true, sharedSize(f, 512)),
  },
};
