import { MAX_DROPOUT } from '../../options/sizes.ts';
import { type Family, labelsOf, LAYER_NORMS, LEARNED, sameBias } from './family.ts';
import type { Fields } from './fields.ts';
import { ACTIVATIONS, type Activation, type LanguageModel, type PooledDense, type Pooler } from './model.ts';

const BERT: Omit<Family, 'head'> = {
  names: { attention_dropout: 'attention_probs_dropout_prob' },
  defaults: { attention_probs_dropout_prob: 0.1 },
  ignored: ['classifier_dropout'],
  activation: 'gelu',
  layer: (f) => ({ order: 'post', rate: f.number('hidden_dropout_prob', 0.1, MAX_DROPOUT) }),
  attention: () => ({ ...LEARNED, causal: false, softmaxInFloat32: false }),
  mlp: () => ({ gate: 'none', bias: true }),
  classifier: (f) => pooled(f, bertDense(f)),
};

const pooled = (f: Fields, dense: PooledDense): Pooler => ({
  from: 'first',
  norms: false,
  labels: labelsOf(f),
  dense,
});

const bertDense = (f: Fields): PooledDense => {
  const usual = f.number('hidden_dropout_prob', 0.1, MAX_DROPOUT);
  const rate = f.number('classifier_dropout', usual, MAX_DROPOUT);
  return { activation: 'tanh', bias: true, norms: false, rate, dropsFirst: false };
};

/** Embeddings of tokens, positions and segments, a norm, and scores of hidden tokens. */
function bertModel(
  f: Fields,
  activation: Activation,
  embeddingRate: number,
): Partial<Omit<LanguageModel, 'layers' | 'name'>> {
  f.choice('position_embedding_type', ['absolute'], 'absolute');
  return {
    ...LAYER_NORMS,
    tied: f.flag('tie_word_embeddings', true),
    positionRows: f.size('max_position_embeddings'),
    normsEmbedding: true,
    embeddingRate,
    normsEnd: false,
    maskedHead: { activation, bias: true },
    scoreBias: true,
  };
}

const bert = (f: Fields, activation: Activation): ReturnType<typeof bertModel> => ({
  ...bertModel(f, activation, f.number('hidden_dropout_prob', 0.1, MAX_DROPOUT)),
  segments: f.size('type_vocab_size', 2),
});

const ROBERTA: Omit<Family, 'head'> = {
  ...BERT,
  // Positions count from the row after that of padding.
  model: (f) => ({ ...bert(f, 'gelu'), positions: f.size('max_position_embeddings') - 2 }),
  classifier: (f) => pooled(f, { ...bertDense(f), dropsFirst: true }),
};

/** Encoders of text, by `model_type`. */
export const ENCODER_FAMILIES: Readonly<Record<string, Family>> = {
  bert: {
    ...BERT,
    head: 'BertForMaskedLM',
    model: (f) => bert(f, f.choice('hidden_act', ACTIVATIONS, 'gelu')),
  },
  roberta: { ...ROBERTA, head: 'RobertaForMaskedLM' },
  'xlm-roberta': { ...ROBERTA, head: 'XLMRobertaForMaskedLM' },
  distilbert: {
    head: 'DistilBertForMaskedLM',
    names: {
      hidden_size: 'dim',
      num_hidden_layers: 'n_layers',
      num_attention_heads: 'n_heads',
      intermediate_size: 'hidden_dim',
      hidden_act: 'activation',
    },
    defaults: {
      vocab_size: 30_522,
      dim: 768,
      n_layers: 6,
      n_heads: 12,
      hidden_dim: 3072,
      max_position_embeddings: 512,
      attention_dropout: 0.1,
    },
    ignored: ['sinusoidal_pos_embds', 'qa_dropout', 'seq_classif_dropout', 'tie_weights_'],
    activation: 'gelu',
    model: (f) => ({
      ...bertModel(f, f.choice('hidden_act', ACTIVATIONS, 'gelu'), f.number('dropout', 0.1, MAX_DROPOUT)),
      segments: null,
    }),
    layer: (f) => ({ order: 'post', rate: f.number('dropout', 0.1, MAX_DROPOUT), dropsAttention: false }),
    attention: BERT.attention,
    mlp: BERT.mlp,
    classifier: (f) => {
      const rate = f.number('seq_classif_dropout', 0.2, MAX_DROPOUT);
      return pooled(f, { activation: 'relu', bias: true, norms: false, rate, dropsFirst: false });
    },
  },
  modernbert: {
    head: 'ModernBertForMaskedLM',
    names: { hidden_act: 'hidden_activation' },
    ignored: [
      'hidden_act',
      'classifier_pooling',
      'classifier_dropout',
      'deterministic_flash_attn',
      'sparse_pred_ignore_index',
      'global_rope_theta',
      'local_rope_theta',
      'position_embedding_type',
      'layer_norm_eps',
    ],
    activation: 'gelu',
    vary: () => (layer, i) => (i === 0 ? { ...layer, skipsFirstNorm: true } : layer),
    turnsWindows: true,
    model: (f) => ({
      norm: f.flag('norm_bias', false) ? 'layer' : 'layer-without-bias',
      tied: f.flag('tie_word_embeddings', true),
      normsEmbedding: true,
      embeddingRate: f.number('embedding_dropout', 0, MAX_DROPOUT),
      maskedHead: {
        activation: f.choice('classifier_activation', ACTIVATIONS, 'gelu'),
        bias: f.flag('classifier_bias', false),
      },
      scoreBias: f.flag('decoder_bias', true),
    }),
    attention: (f) => ({ ...sameBias(f), isOneProduct: true, causal: false }),
    mlp: (f) => ({ gate: 'one', bias: f.flag('mlp_bias', false) }),
    classifier: (f) => {
      f.choice('classifier_pooling', ['cls'], 'cls');
      const activation = f.choice('classifier_activation', ACTIVATIONS, 'gelu');
      const rate = f.number('classifier_dropout', 0, MAX_DROPOUT);
      const bias = f.flag('classifier_bias', false);
      return pooled(f, { activation, bias, norms: true, rate, dropsFirst: false });
    },
    // Each way.
    window: (f) => Math.floor(f.size('local_attention', 128) / 2),
    slides: (f) => {
      const every = f.size('global_attn_every_n_layers', 3);
      return (layer) => layer % every !== 0;
    },
  },
};
