import { clipped } from '../../sentence.ts';
import { CAPTURE_INSTEAD, type ConfigDocument, Fields, refusal, shown } from './fields.ts';
import { ACTIVATIONS, type Attention, KERNELS, type LanguageModel, type Layer } from './model.ts';

/** Deeper networks than any are mistakes, or wish the lab ill. */
const MAX_LAYERS = 1024;

/** Differences of one architecture from Llama, with the defaults of its class in transformers. */
interface Family {
  /** Class of its head, without `ForCausalLM`. */
  readonly prefix: string;
  readonly tied?: boolean;
  readonly biases?: (f: Fields) => Pick<Attention, 'bias' | 'outBias'>;
  readonly mlpBias?: (f: Fields) => boolean;
  /** Window of each layer. */
  readonly windows?: (f: Fields, layers: number) => (layer: number) => number | null;
}

const sameBias = (f: Fields): Pick<Attention, 'bias' | 'outBias'> => {
  const bias = f.flag('attention_bias', false);
  return { bias, outBias: bias };
};

/** Names of `model_type`, and how the network differs from Llama's. */
const FAMILIES: Readonly<Record<string, Family>> = {
  llama: { prefix: 'Llama', biases: sameBias, mlpBias: (f) => f.flag('mlp_bias', false) },
  mistral: {
    prefix: 'Mistral',
    windows: (f) => {
      const window = f.sizeOrNull('sliding_window');
      return () => window;
    },
  },
};

/**
 * Reads a Hugging Face `config.json`.
 * @throws BadInputError in one sentence that names the model type or field that is not supported
 */
export function readLanguageModel(document: ConfigDocument): LanguageModel {
  const name = String(document['model_type']);
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
  if (family === undefined) throw refusal(`model_type ${shown(name)} is not supported; ${CAPTURE_INSTEAD}`);
  requireHead(document, `${family.prefix}ForCausalLM`);
  const f = new Fields(document);
  const model = decoder(name, f, family);
  f.refuseOthers(name);
  return model;
}

function requireHead({ architectures }: ConfigDocument, expected: string): void {
  const [head] = Array.isArray(architectures) ? (architectures as unknown[]) : [];
  if (head === undefined || head === expected) return;
  throw refusal(
    `architectures names ${clipped(shown(head))}, and only ${expected} is supported; ${CAPTURE_INSTEAD}`,
  );
}

function decoder(name: string, f: Fields, family: Family): LanguageModel {
  const width = f.size('hidden_size');
  const count = f.size('num_hidden_layers');
  if (count > MAX_LAYERS) throw refusal(`num_hidden_layers: expected at most ${MAX_LAYERS}, got ${count}`);
  const heads = f.size('num_attention_heads');
  const groups = f.sizeOrNull('num_key_value_heads') ?? heads;
  if (heads % groups !== 0)
    throw refusal(`num_attention_heads ${heads} is no multiple of num_key_value_heads ${groups}`);
  const given = f.sizeOrNull('head_dim');
  if (given === null && width % heads !== 0)
    throw refusal(
      `hidden_size ${width} is no multiple of num_attention_heads ${heads}, and head_dim is missing`,
    );
  const { bias, outBias } = family.biases?.(f) ?? { bias: false, outBias: false };
  const windowOf = family.windows?.(f, count) ?? (() => null);
  const attention = {
    heads,
    groups,
    each: given ?? width / heads,
    bias,
    outBias,
    kernel: f.choice('attn_implementation', KERNELS, 'sdpa'),
    rate: f.number('attention_dropout', 0, 0.95),
  };
  const mlp = {
    inner: f.size('intermediate_size'),
    activation: f.choice('hidden_act', ACTIVATIONS, 'silu'),
    bias: family.mlpBias?.(f) ?? false,
  };
  const byWindow = new Map<number | null, Layer>();
  const layers = Array.from({ length: count }, (_, i) => {
    const window = windowOf(i);
    const layer = byWindow.get(window) ?? { attention: { ...attention, window }, mlp };
    byWindow.set(window, layer);
    return layer;
  });
  return {
    name,
    vocabulary: f.size('vocab_size'),
    width,
    positions: f.size('max_position_embeddings'),
    layers,
    norm: 'rms',
    tied: f.flag('tie_word_embeddings', family.tied ?? false),
  };
}
