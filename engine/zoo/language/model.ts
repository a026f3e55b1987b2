/** A transformer as its `config.json` describes it, whatever the names of its fields. */
export interface LanguageModel {
  readonly name: string;
  /** Rows of the table of tokens; 0 for images. */
  readonly vocabulary: number;
  /** Images that it reads in place of tokens; null without. */
  readonly image: Image | null;
  /** Sound that the encoder reads in place of tokens; null without. */
  readonly speech: Speech | null;
  /** Images that are compared with the texts; null without. */
  readonly pair: Pair | null;
  readonly width: number;
  /** Longest sequence. */
  readonly positions: number;
  /** Rows of a trained table of positions; null where attention turns its queries and keys instead. */
  readonly positionRows: number | null;
  /** True if what the embedding looks up is multiplied by a constant. */
  readonly scalesEmbedding: boolean;
  /** Rows of a trained table of segments, of which the first is added; null without. */
  readonly segments: number | null;
  /** True if a norm follows the embedding. */
  readonly normsEmbedding: boolean;
  /** Dropout rate after the embedding. */
  readonly embeddingRate: number;
  /** Dropout rate after the last norm. */
  readonly endRate: number;
  /** Layers of an encoder of the same tokens or of speech, which the layers' `cross` reads; null without. */
  readonly encoder: readonly Layer[] | null;
  /** One a layer. */
  readonly layers: readonly Layer[];
  readonly norm: Norm;
  /** True if a norm follows the last layer. */
  readonly normsEnd: boolean;
  /** Head for hidden tokens: a product, its activation and a norm come before the scores. Null for the next token. */
  readonly maskedHead: MaskedHead | null;
  /** One vector of the sequence instead of scores at every position; null without. */
  readonly pooler: Pooler | null;
  /** Bias of the scores. */
  readonly scoreBias: boolean;
  /** True if the head's weight is the embedding's table. */
  readonly tied: boolean;
  /** True if the scores go through a scaled tanh. */
  readonly capsScores: boolean;
  /** True if the scores are divided by a constant. */
  readonly scalesScores: boolean;
  /** Inputs of single layers, beside what the layer before wrote; null without. */
  readonly perLayer: PerLayer | null;
  /** True if weights of experts are stored in MXFP4, which transformers trains only dequantised. */
  readonly isStoredInMxfp4: boolean;
}

/** A table whose rows have features for each layer. */
export interface PerLayer {
  readonly vocabulary: number;
  readonly features: number;
}

/** A square image, cut into square patches. */
export interface Image {
  readonly side: number;
  readonly patch: number;
  readonly channels: number;
  /** Bias of the product of each patch. */
  readonly bias: boolean;
  readonly hasClassToken: boolean;
}

/** The mel spectrogram of a piece of sound, two frames for each position of the encoder. */
export interface Speech {
  readonly bins: number;
  readonly positions: number;
}

/** An image tower beside that of a text. Every text of a batch is compared with every image. */
export interface Pair {
  readonly image: LanguageModel;
  /** Features of both vectors after a product without a bias; null where they are compared as they are. */
  readonly features: number | null;
  /** True if a trained number is added to the scores. */
  readonly addsBias: boolean;
}

export interface Pooler {
  /**
   * The first position, that of the token that ends a text, the last position, attention of a trained query, or scores of
   * every position, of which the last token's are taken.
   */
  readonly from: 'first' | 'end-token' | 'last' | 'probe' | 'scored';
  /** True if a norm follows. */
  readonly norms: boolean;
  /** Classes that it is scored for, or features of a last product; null without. */
  readonly labels: number | null;
  /** The head of a classifier of texts before its scores; absent without. */
  readonly dense?: PooledDense;
}

/** A product of a pooled vector, its activation, a norm where it has one, and dropout. */
export interface PooledDense {
  readonly activation: Activation | 'tanh';
  readonly bias: boolean;
  readonly norms: boolean;
  readonly rate: number;
  /** True if dropout comes before the product too. */
  readonly dropsFirst: boolean;
}

export interface MaskedHead {
  readonly activation: Activation;
  readonly bias: boolean;
}

/**
 * Normalisation with a trained scale, as transformers writes it out: `rms` scales in the type of its input, `rms-plus-one`
 * (Gemma) by one more than its weight and in float32; `rms-in-float32` (OLMo) by its weight in float32; `rms-by-power` (Gemma 4) by a float32 copy of it, after a power of the mean; `rms-promoted` (T5) multiplies a half input by float32 roots and keeps
 * it too; `layer` is PyTorch's layer norm, with a bias or without.
 */
export type Norm =
  | 'rms'
  | 'rms-plus-one'
  | 'rms-in-float32'
  | 'rms-by-power'
  | 'rms-promoted'
  | 'layer'
  | 'layer-without-bias';

export interface Layer {
  readonly attention: Attention;
  /** The gated delta rule in place of attention; null where the layer attends. */
  readonly delta: DeltaRule | null;
  /** Attention of the layer to what an encoder writes; null without. */
  readonly cross: Attention | null;
  readonly mlp: Mlp;
  /**
   * `pre`: attention, then the products, each after a norm and beside a skip connection; `sandwich`: each before another
   * norm too; `after`: before a norm alone; `parallel`: both of the layer's input; `parallel-one-norm`: both of one norm of it; `post`: a norm after each sum.
   */
  readonly order: 'pre' | 'sandwich' | 'after' | 'parallel' | 'parallel-one-norm' | 'post';
  /** True if attention reads the layer's input as it is, in order `pre`. */
  readonly skipsFirstNorm: boolean;
  /** Dropout rate after attention, unless `dropsAttention` is false, and after the products. */
  readonly rate: number;
  readonly dropsAttention: boolean;
  /** True if what is added to the skip connections is multiplied by a constant. */
  readonly scalesSums: boolean;
  /** True if the layer's output is multiplied by a constant, in its storage. */
  readonly scalesOutput: boolean;
}

export interface Attention {
  readonly heads: number;
  /** Heads of keys and values; each serves `heads / groups` of the queries. */
  readonly groups: number;
  /** Features of a head. */
  readonly each: number;
  /** True if one product makes queries, keys and values. */
  readonly isOneProduct: boolean;
  /** Biases of the products for queries, keys and values, and of the one after attention. */
  readonly bias: boolean;
  readonly outBias: boolean;
  /** True if the product for keys has no bias, whatever the others have. */
  readonly plainKeys: boolean;
  /** True if queries, keys and values are copied, heads before positions. */
  readonly copiesHeads: boolean;
  /** True if an RMS norm of their own goes over each head of queries and keys. */
  readonly normsHeads: boolean;
  /** True if one goes over all heads of queries at once, and one over those of keys. */
  readonly normsAllHeads: boolean;
  /** True if an RMS norm without a weight goes over each head of values. */
  readonly normsValues: boolean;
  /** True if a sigmoid of the other half of the product for queries multiplies what attention writes (Qwen 3.5). */
  readonly isGated: boolean;
  /** True if one product makes keys and values. */
  readonly valuesAreKeys: boolean;
  /** Keys and values that layers of a kind share; null where each has its own. */
  readonly shared: SharedKeys | null;
  /** True if an RMS norm without a weight goes over each head of queries and keys once they are turned. */
  readonly normsTurned: boolean;
  /** Queries times a number of their position, of the network's type or in float32; null without. */
  readonly scalesQueries: 'own' | 'float32' | null;
  /** Null where positions turn no queries and keys. */
  readonly rotary: Rotary | null;
  /** Keys and values by way of a short vector; null where they are products of the layer's input. */
  readonly latent: Latent | null;
  /** Numbers by distance that are added to scores; null without. */
  readonly relative: Relative | null;
  readonly kernel: Kernel;
  /** True if no position sees a later one. */
  readonly causal: boolean;
  /** Positions that one sees; null sees all. */
  readonly window: number | null;
  /** True if scores go through a scaled tanh, where attention is written out. */
  readonly capsScores: boolean;
  /** True if a trained number of each head is one more score of every row, and what it draws is left out (GPT-OSS). */
  readonly hasSinks: boolean;
  /** True if the softmax computes in float32 whatever the type. */
  readonly softmaxInFloat32: boolean;
  /** Dropout rate on the probabilities. */
  readonly rate: number;
}

/** Heads of the gated delta rule (Yang et al., Gated Delta Networks, 2024). Heads of values are a multiple of those of queries and keys. */
export interface DeltaRule {
  readonly keyHeads: number;
  readonly keyEach: number;
  readonly valueHeads: number;
  readonly valueEach: number;
  /** Positions that the convolution of queries, keys and values reads. */
  readonly positions: number;
  /** True if one product makes queries, keys, values and their gate, and another what decays and updates. */
  readonly joinsProducts: boolean;
}

/** A layer writes keys and values for later ones of its kind, or reads those of the last one that wrote. */
export interface SharedKeys {
  readonly of: 'window' | 'all';
  readonly reads: boolean;
}

export interface Relative {
  /** Rows of a trained table, one for each range of distances; 0 in layers that share the first layer's. */
  readonly rows: number;
}

export interface Rotary {
  /** Features of a head that positions turn. */
  readonly features: number;
  /** Name of the table of angles. */
  readonly table: string;
  /** True if the turned features and the others are joined, which lays heads before positions. */
  readonly joins: boolean;
  /** Cosine and sine of an angle: of the network's type, in float32 whatever that is, or one complex number in float32. */
  readonly angles: 'own' | 'float32' | 'complex';
  /** True if each sequence of a batch has angles of its own. */
  readonly ofSequences?: boolean;
}

/** Multi-head latent attention of DeepSeek. A head's queries and keys have a plain part, then a turned part. */
export interface Latent {
  /** Features of the short vector for queries; null where queries are a product of the layer's input. */
  readonly queryRank: number | null;
  /** Features of the short vector for keys and values. */
  readonly rank: number;
  /** Features of a head that positions turn. */
  readonly turned: number;
  /** Features of a head's values. */
  readonly valueEach: number;
}

/** transformers' `attn_implementation`: how attention runs. */
export const KERNELS = ['sdpa', 'flash_attention_2', 'eager'] as const;
export type Kernel = (typeof KERNELS)[number];

export interface Mlp {
  readonly inner: number;
  readonly activation: Activation;
  readonly bias: boolean;
  /** Dropout rate between the products. */
  readonly rate: number;
  /** Gate times a product of its own (`two`), times the other half of one product (`one`), or no gate at all. */
  readonly gate: 'none' | 'one' | 'two';
  /** Experts of the inner size each, of which a router chooses some for each token; null where there is one network. */
  readonly experts: Experts | null;
}

export interface Experts {
  readonly count: number;
  /** Number that each token goes through. */
  readonly chosen: number;
  /** True if the shares of those chosen are made to add up to one. */
  readonly normalises: boolean;
  /** True if shares stay float32 in a half network. */
  readonly weightsInFloat32: boolean;
  /**
   * How the router scores: by a product and a softmax, of all or of those chosen alone, or by a product in float32 whatever
   * the network's type.
   */
  readonly scores: 'softmax' | 'softmax-of-chosen' | 'float32-softmax' | 'float32-sigmoid';
  /** True if a mask of the best groups of experts is kept. */
  readonly keepsMask: boolean;
  /** Inner size of a network that every token goes through too; 0 without. */
  readonly shared: number;
  /** True if a sigmoid of a score of the token multiplies what that network writes. */
  readonly gatesShared: boolean;
  /** True if every expert computes every token, multiplied by a share that is 0 where the router did not choose it. */
  readonly computesAll: boolean;
  /** True if products and router have biases, and both halves of the gate are bounded (GPT-OSS). */
  readonly isBounded: boolean;
}

/** Names of transformers' ACT2FN. */
export const ACTIVATIONS = ['silu', 'gelu', 'gelu_new', 'gelu_pytorch_tanh', 'quick_gelu', 'relu'] as const;
export type Activation = (typeof ACTIVATIONS)[number];
