/** A transformer as its `config.json` describes it, whatever the names of its fields. */
export interface LanguageModel {
  readonly name: string;
  readonly vocabulary: number;
  readonly width: number;
  /** Longest sequence. */
  readonly positions: number;
  /** One a layer; equal layers are the same object. */
  readonly layers: readonly Layer[];
  readonly norm: Norm;
  /** True if the head's weight is the embedding's table. */
  readonly tied: boolean;
}

/**
 * Normalisation with a trained scale, as transformers writes it out: `rms` scales in the type of its input, `rms-plus-one`
 * (Gemma) by one more than its weight and in float32; `layer` is PyTorch's layer norm.
 */
export type Norm = 'rms' | 'rms-plus-one' | 'layer';

export interface Layer {
  readonly attention: Attention;
  readonly mlp: Mlp;
}

export interface Attention {
  readonly heads: number;
  /** Heads of keys and values; each serves `heads / groups` of the queries. */
  readonly groups: number;
  /** Features of a head. */
  readonly each: number;
  /** Biases of the products for queries, keys and values, and of the one after attention. */
  readonly bias: boolean;
  readonly outBias: boolean;
  readonly kernel: Kernel;
  /** Positions that one sees, itself included; null sees all before it. */
  readonly window: number | null;
  /** Dropout rate on the probabilities. */
  readonly rate: number;
}

/** transformers' `attn_implementation`: how attention runs. */
export const KERNELS = ['sdpa', 'flash_attention_2', 'eager'] as const;
export type Kernel = (typeof KERNELS)[number];

export interface Mlp {
  readonly inner: number;
  readonly activation: Activation;
  readonly bias: boolean;
}

/** Names of transformers' ACT2FN. */
export const ACTIVATIONS = ['silu', 'gelu', 'gelu_pytorch_tanh', 'relu'] as const;
export type Activation = (typeof ACTIVATIONS)[number];
