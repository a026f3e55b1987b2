import { MAX_DROPOUT } from '../../options/sizes.ts';
import { FAMILIES } from './families.ts';
import { type Family, labelsOf } from './family.ts';
import { CAPTURE_INSTEAD, type ConfigDocument, Fields, refusal, shown } from './fields.ts';
import { positionsOf } from './images.ts';
import { pairFamily, readPair } from './pairs.ts';
import { ACTIVATIONS, KERNELS, type LanguageModel, type Layer, type Pooler } from './model.ts';

/**
 * Reads a Hugging Face `config.json`.
 * @throws BadInputError in one sentence that names the model type or field that is not supported
 */
export function readLanguageModel(document: ConfigDocument): LanguageModel {
  const name = String(document['model_type']);
  const pair = pairFamily(name);
  if (pair !== undefined) {
    requireHead(document, [pair.head]);
    return readPair(document, pair, readLanguageModel);
  }
  const text = textAlone(document);
  if (text !== undefined) return readLanguageModel(text);
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
  if (family === undefined) {
    const parts = ['text_config', 'vision_config'].filter((part) => isPart(document[part]));
    const advice = parts.length === 0 ? '' : `give its ${parts.join(' or ')} alone, or `;
    throw refusal(`model_type ${shown(name)} is not supported; ${advice}${CAPTURE_INSTEAD}`);
  }
  const classifier = family.classifier ?? (SCORED.test(name) ? scoresOfLast : undefined);
  const classifierHead = family.head.replace(/For(CausalLM|MaskedLM)$/, 'ForSequenceClassification');
  const head = requireHead(
    document,
    classifier === undefined ? [family.head] : [family.head, classifierHead],
  );
  const f = new Fields({ ...family.defaults, ...document }, family.names);
  f.ignore(...(family.ignored ?? []));
  const model = decoder(name, f, family);
  const pooler = head === classifierHead ? classifier?.(f) : undefined;
  f.refuseOthers(name);
  return pooler === undefined ? model : { ...model, pooler };
}

/** Models of texts and images whose text model transformers 5.24 loads alone. */
const TEXT_ALONE = ['qwen3_5', 'qwen3_5_moe', 'llama4', 'gemma3', 'gemma4'];

/** The text model of a file of texts and images, where that is what is trained. */
export function textAlone(document: ConfigDocument): ConfigDocument | undefined {
  const { model_type: name, text_config: text, attn_implementation } = document;
  if (!TEXT_ALONE.includes(String(name)) || !isPart(text)) return undefined;
  return { attn_implementation, ...text, model_type: `${name}_text` };
}

/** True for a part of a document whose network is known, or not said. */
function isPart(part: unknown): part is ConfigDocument {
  if (typeof part !== 'object' || part === null) return false;
  const kind = (part as ConfigDocument)['model_type'];
  return kind === undefined || Object.hasOwn(FAMILIES, String(kind));
}

/** Decoders of which transformers classifies texts by scores of the last token (`GenericForSequenceClassification`, and OPT's own). */
const SCORED =
  /^(llama|mistral|ministral3|mixtral|qwen[23](_moe)?|qwen3_next|gemma2?|smollm3|phi3?|deepseek_v[23]|gpt_oss|olmo[23]|opt)$/;

const scoresOfLast = (f: Fields): Pooler => ({ from: 'scored', norms: false, labels: labelsOf(f) });

/** The class that a file names, the first of those that are known where it names none. */
function requireHead({ architectures }: ConfigDocument, known: readonly string[]): string {
  const [head] = Array.isArray(architectures) ? (architectures as unknown[]) : [];
  const found = head === undefined ? known[0] : known.find((one) => one === head);
  if (found !== undefined) return found;
  throw refusal(
    `architectures names ${shown(head)}, and only ${known.join(' or ')} is supported; ${CAPTURE_INSTEAD}`,
  );
}

function decoder(name: string, f: Fields, family: Family): LanguageModel {
  const width = f.size('hidden_size');
  const image = family.image?.(f) ?? null;
  const layers = layersOf(f, family, width);
  const positions = image === null ? f.size('max_position_embeddings') : positionsOf(image);
  return {
    name,
    vocabulary: image === null ? f.size('vocab_size') : 0,
    image,
    speech: null,
    pair: null,
    width,
    positions,
    positionRows: image === null ? null : positions,
    scalesEmbedding: false,
    segments: null,
    normsEmbedding: false,
    embeddingRate: 0,
    norm: 'rms',
    normsEnd: true,
    maskedHead: null,
    pooler: null,
    scoreBias: false,
    tied: f.flag('tie_word_embeddings', false),
    capsScores: false,
    scalesScores: false,
    perLayer: null,
    isStoredInMxfp4: false,
    endRate: 0,
    encoder: null,
    layers,
    ...family.encoder?.(f, layers, width),
    ...family.model?.(f),
  };
}

function layersOf(f: Fields, family: Family, width: number): readonly Layer[] {
  const count = f.layers('num_hidden_layers');
  const each = headFeatures(f, width);
  const rotary = { features: each, table: 'rotary', joins: false, angles: 'own' as const };
  const attention = {
    ...headCounts(f),
    each,
    isOneProduct: false,
    bias: false,
    outBias: false,
    plainKeys: false,
    copiesHeads: false,
    normsHeads: false,
    normsAllHeads: false,
    normsValues: false,
    isGated: false,
    valuesAreKeys: false,
    shared: null,
    normsTurned: false,
    scalesQueries: null,
    rotary,
    latent: null,
    relative: null,
    kernel: f.choice('attn_implementation', family.kernels ?? KERNELS, (family.kernels ?? KERNELS)[0]!),
    causal: true,
    capsScores: false,
    hasSinks: false,
    softmaxInFloat32: true,
    rate: f.number('attention_dropout', 0, MAX_DROPOUT),
    ...family.attention?.(f, each),
  };
  const mlp = {
    inner: f.size('intermediate_size', 4 * width),
    activation: f.choice('hidden_act', ACTIVATIONS, family.activation ?? 'silu'),
    bias: false,
    rate: 0,
    gate: 'two' as const,
    experts: null,
    ...family.mlp?.(f),
  };
  const slides = slidingLayers(f, family, count);
  const window = family.window?.(f) ?? f.sizeOrNull('sliding_window');
  const layer = {
    delta: null,
    cross: null,
    order: 'pre' as const,
    skipsFirstNorm: false,
    rate: 0,
    dropsAttention: true,
    scalesSums: false,
    scalesOutput: false,
    mlp,
    ...family.layer?.(f),
  };
  const full: Layer = { ...layer, attention: { ...attention, window: null } };
  const table = family.turnsWindows === true ? 'local' : 'rotary';
  const local = { ...attention, window, rotary: attention.rotary && { ...attention.rotary, table } };
  const sliding: Layer = window === null ? full : { ...layer, attention: local };
  const other = family.other?.(f)(full) ?? sliding;
  const vary = family.vary?.(f);
  return Array.from({ length: count }, (_, i) => {
    const own = slides(i) ? other : full;
    return vary?.(own, i) ?? own;
  });
}

/** Layers with a window, or of another kind, by the file's list or by the family's rule. */
function slidingLayers(f: Fields, family: Family, count: number): (layer: number) => boolean {
  const { slides, otherLayers = 'sliding_attention' } = family;
  const rule = slides?.(f);
  const listed = f.list('layer_types', ['full_attention', otherLayers], count);
  if (listed !== null) return (layer) => listed[layer] === otherLayers;
  return rule ?? (() => false);
}

function headCounts(f: Fields): { heads: number; groups: number } {
  const heads = f.size('num_attention_heads');
  const groups = f.sizeOrNull('num_key_value_heads') ?? heads;
  if (heads % groups === 0) return { heads, groups };
  throw refusal(`num_attention_heads ${heads} is not a multiple of num_key_value_heads ${groups}`);
}

function headFeatures(f: Fields, width: number): number {
  const given = f.sizeOrNull('head_dim');
  const heads = f.size('num_attention_heads');
  if (given !== null || width % heads === 0) return given ?? width / heads;
  throw refusal(
    `hidden_size ${width} is not a multiple of num_attention_heads ${heads}, and head_dim is missing`,
  );
}
