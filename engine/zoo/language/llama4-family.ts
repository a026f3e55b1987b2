import { experts, type Family, sameBias, withoutExperts } from './family.ts';
import type { Fields } from './fields.ts';

/** Layers whose queries and keys are turned: three of four, unless the file lists them. */
export function turnedLayers(f: Fields): (layer: number) => boolean {
  const every = f.size('no_rope_layer_interval', 4);
  const listed = f.integers('no_rope_layers') ?? [];
  return (layer) => (listed.length === 0 ? (layer + 1) % every !== 0 : listed[layer] !== 0);
}

/** Layers with experts: every so many, unless the file lists them. */
function expertLayers(f: Fields): (layer: number) => boolean {
  const every = f.size('interleave_moe_layer_step', 1);
  const listed = f.integers('moe_layers');
  return (layer) => listed?.includes(layer) ?? (layer + 1) % every === 0;
}

/**
 * Llama 4 without images: turned layers see their chunk of the sequence, the others all of it and scale their queries by
 * position. Every expert computes every token.
 */
export const LLAMA4: Family = {
  head: 'Llama4ForCausalLM',
  defaults: {
    vocab_size: 202_048,
    num_key_value_heads: 8,
    head_dim: 128,
    intermediate_size: 8192,
    intermediate_size_mlp: 16_384,
    max_position_embeddings: 131_072,
    num_local_experts: 16,
    num_experts_per_tok: 1,
    attention_chunk_size: 8192,
  },
  ignored: ['router_aux_loss_coef', 'router_jitter_noise', 'floor_scale', 'attn_scale'],
  kernels: ['sdpa', 'eager'],
  attention: (f, each) => ({
    ...sameBias(f),
    rotary: { features: each, table: 'rotary', joins: false, angles: 'complex' },
    normsTurned: f.flag('use_qk_norm', true),
    softmaxInFloat32: false,
  }),
  mlp: (f) => ({
    experts: experts(f, 'num_local_experts', {
      normalises: false,
      weightsInFloat32: false,
      shared: f.size('intermediate_size'),
      computesAll: true,
    }),
  }),
  otherLayers: 'chunked_attention',
  window: (f) => f.sizeOrNull('attention_chunk_size'),
  slides: turnedLayers,
  vary: (f) => {
    const isTurned = turnedLayers(f);
    const hasExperts = expertLayers(f);
    const inner = f.size('intermediate_size_mlp');
    const scalesQueries = f.flagOrNumber('attn_temperature_tuning', true) ? ('float32' as const) : null;
    return (layer, i) => {
      const attention = isTurned(i)
        ? layer.attention
        : { ...layer.attention, rotary: null, normsTurned: false, scalesQueries };
      const own = { ...layer, attention };
      return hasExperts(i) ? own : withoutExperts(own, inner);
    };
  },
};
