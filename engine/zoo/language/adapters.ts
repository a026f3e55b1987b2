import type { VertexHandle } from '../../graph/builder.ts';
import { BadInputError } from '../../errors.ts';
import type { Shape } from '../../ops/definition.ts';
import { ADD, dropout, linear } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { CAPTURE_INSTEAD } from './fields.ts';
import type { FineTuning } from './fine-tuning.ts';
import type { LanguageModel } from './model.ts';
import { inFourBits } from './four-bits.ts';
import type { Adapters, Sketch } from './sketch.ts';

/** Products beside which peft puts adapters, as they are called here and in its `target_modules`. */
interface Targets {
  readonly ours: readonly string[];
  readonly peft: readonly string[];
}

/** The same targets for several model types, between spaces. */
const ofTypes = (modelTypes: string, targets: Targets): Readonly<Record<string, Targets>> =>
  Object.fromEntries(modelTypes.split(' ').map((name) => [name, targets]));

const QUERIES_AND_VALUES = { ours: ['q_proj', 'v_proj'], peft: ['q_proj', 'v_proj'] };
const QUERY_AND_VALUE = { ours: ['q_proj', 'v_proj'], peft: ['query', 'value'] };
/** peft's own choice (peft 0.21, utils/constants.py). */
const USUAL_TARGETS: Readonly<Record<string, Targets>> = {
  ...ofTypes('llama mistral qwen2 qwen3 gemma gemma2 gemma3_text opt', QUERIES_AND_VALUES),
  ...ofTypes('bert roberta xlm-roberta', QUERY_AND_VALUE),
  t5: { ours: ['q_proj', 'v_proj'], peft: ['q', 'v'] },
  phi: { ours: ['q_proj', 'v_proj', 'up_proj', 'down_proj'], peft: ['q_proj', 'v_proj', 'fc1', 'fc2'] },
  gpt2: { ours: ['qkv_proj'], peft: ['c_attn'] },
  gpt_neox: { ours: ['qkv_proj'], peft: ['query_key_value'] },
};

const HEADS = ['q_proj', 'k_proj', 'v_proj', 'o_proj'];
const OUT_LAST = { ours: HEADS, peft: ['q_proj', 'k_proj', 'v_proj', 'out_proj'] };
const OF_BERT = { ours: HEADS, peft: ['query', 'key', 'value', 'attention.output.dense'] };
const OF_ONE_PRODUCT = ['qkv_proj', 'o_proj'];
const OF_LATENT = {
  ours: ['q_proj', 'q_a_proj', 'q_b_proj', 'kv_a_proj', 'kv_b_proj', 'o_proj'],
  peft: ['q_proj', 'q_a_proj', 'q_b_proj', 'kv_a_proj_with_mqa', 'kv_b_proj', 'o_proj'],
};
const OF_DELTA_RULE = [...HEADS, 'in_proj_qkv', 'in_proj_z', 'in_proj_b', 'in_proj_a', 'out_proj'];
const OF_JOINED_DELTA_RULE = [...HEADS, 'in_proj_qkvz', 'in_proj_ba', 'out_proj'];
/** Model types whose products of attention have the names that they have here. */
const WITH_HEADS =
  'llama mistral ministral3 mixtral qwen2 qwen2_moe qwen3 qwen3_moe llama4_text gemma gemma2 gemma3_text gemma4_text smollm3 granite olmo2 olmo3 glm4_moe gpt_oss';

/** All products of attention. */
const ATTENTION_TARGETS: Readonly<Record<string, Targets>> = {
  ...ofTypes(WITH_HEADS, { ours: HEADS, peft: HEADS }),
  ...ofTypes('deepseek_v2 deepseek_v3', OF_LATENT),
  ...ofTypes('qwen3_5_text qwen3_5_moe_text', { ours: OF_DELTA_RULE, peft: OF_DELTA_RULE }),
  qwen3_next: { ours: OF_JOINED_DELTA_RULE, peft: OF_JOINED_DELTA_RULE },
  ...ofTypes('bert roberta xlm-roberta', OF_BERT),
  ...ofTypes('opt clip_text_model siglip_text_model whisper', OUT_LAST),
  phi: { ours: HEADS, peft: ['q_proj', 'k_proj', 'v_proj', 'dense'] },
  phi3: { ours: OF_ONE_PRODUCT, peft: OF_ONE_PRODUCT },
  gpt2: { ours: OF_ONE_PRODUCT, peft: ['c_attn', 'attn.c_proj'] },
  gpt_neox: { ours: OF_ONE_PRODUCT, peft: ['query_key_value', 'attention.dense'] },
  modernbert: { ours: OF_ONE_PRODUCT, peft: ['Wqkv', 'attn.Wo'] },
  distilbert: { ours: HEADS, peft: ['q_lin', 'k_lin', 'v_lin', 'out_lin'] },
  t5: { ours: HEADS, peft: ['q', 'k', 'v', 'o'] },
};

/** peft's `target_modules` for a model type: its own choice, or the products of attention; undefined where unknown. */
export const targetsOf = (modelType: string, which: 'usual' | 'attention'): Targets | undefined =>
  (which === 'usual' ? USUAL_TARGETS : ATTENTION_TARGETS)[modelType];

/** Model types whose products peft 0.21 adapts all of, experts and their router with them. */
const WITH_ADAPTED_EXPERTS = ['mixtral', 'qwen3_moe', 'qwen3_next', 'deepseek_v2', 'deepseek_v3'];

/** @throws BadInputError for a model of images, for experts that peft does not adapt, and for targets that a model type does not have */
export function adaptersOf(model: LanguageModel, tuning: FineTuning): Adapters {
  const { name, layers, image, pair, pooler } = model;
  const { rank, dropout: rate = 0, isQuantised } = tuning;
  if (image !== null || pair !== null)
    throw new BadInputError(
      `LoRA is not supported for images as ${name} reads them; ${CAPTURE_INSTEAD}`,
      'lora',
    );
  if (pooler?.from === 'scored' || pooler?.dense !== undefined)
    throw new BadInputError(
      `LoRA of a classifier is not supported for ${name}, whose head peft trains whole; ${CAPTURE_INSTEAD}`,
      'lora',
    );
  const hasExperts = layers.some(({ mlp }) => mlp.experts !== null);
  if (hasExperts && isQuantised)
    throw new BadInputError(
      `bitsandbytes does not store the experts of ${name} in four bits; leave --base-bits out`,
      'baseBits',
    );
  const adapters = { rank, dropout: rate, isQuantised, ofExperts: false };
  const attention = targetsOf(name, 'attention');
  if (tuning.targets === 'all-linear') {
    if (!hasExperts) return { ...adapters, targets: null };
    const isAdapted = WITH_ADAPTED_EXPERTS.includes(name) && attention !== undefined;
    if (isAdapted && rate === 0)
      return { ...adapters, targets: [...attention.ours, 'shared_expert_gate'], ofExperts: true };
    const why = isAdapted ? 'peft has no dropout for' : 'peft does not adapt';
    throw new BadInputError(
      `${why} the experts of ${name}; set LoRA targets to attention (--lora-targets attention)`,
      'lora',
    );
  }
  const targets = targetsOf(name, tuning.targets)?.ours;
  if (targets !== undefined) return { ...adapters, targets };
  throw new BadInputError(
    `peft has no usual targets for ${name}; set LoRA targets to attention (--lora-targets attention)`,
    'lora',
  );
}

/**
 * A product with a weight of a layer, and an adapter beside it where it is a target.
 * @param sum id of the sum over ranks, where each has a part of what the product reads
 */
export function drawLinear(
  s: Sketch,
  id: string,
  outFeatures: number,
  bias: boolean,
  x: VertexHandle,
  sum?: string,
): VertexHandle {
  const product = s.b.add(id, linear(outFeatures, bias), [x]);
  const y = sum === undefined ? product : s.reduced(sum, product);
  const { adapters } = s;
  if (adapters === null) return y;
  if (adapters.isQuantised) {
    const elements = (s.b.shapeOf(x).at(-1) ?? 0) * outFeatures;
    s.b.store(product, inFourBits(elements, s.element, bias ? outFeatures * s.element : 0));
  }
  return drawAdapter(s, id, adapters, x, y, sum !== undefined);
}

/**
 * The product `y` of `x`, and beside it x times A times B, scaled (peft, tuners/lora/layer.py). peft keeps A and B in
 * float32 whatever the type of the model (`autocast_adapter_dtype`), so each adapter of a half model casts its input, and
 * the sum is cast back. Of a product whose input is split, A is split alike, and B is whole; of others B is split alone
 * (peft, tuners/lora/tp_layer.py).
 */
function drawAdapter(
  s: Sketch,
  id: string,
  { rank, targets, dropout: rate }: Adapters,
  x: VertexHandle,
  y: VertexHandle,
  isInputSplit: boolean,
): VertexHandle {
  if (targets !== null && !targets.includes(id.split('.').at(-1) ?? '')) return y;
  const shape = s.b.shapeOf(y);
  const isHalf = s.element < FLOAT32;
  const step = (name: string, label: string, from: VertexHandle[], likes: VertexHandle, element: number) =>
    s.composite(`${id}.${name}`, label, from, { shape: s.b.shapeOf(likes), flopsEach: 1, element });
  const product = (name: string, from: VertexHandle, outFeatures: number): VertexHandle => {
    const rows = s.b.shapeOf(from);
    const bytes = FLOAT32 * elementsOf([...rows.slice(0, -1), outFeatures]);
    const v = s.b.addGiven(`${id}.${name}`, linear(outFeatures, false), [from], 'own', { bytes });
    s.b.train(v);
    s.b.store(v, { bytes: FLOAT32 * (rows.at(-1) ?? 0) * outFeatures, unpackedBytes: 0 });
    return v;
  };
  const cast = isHalf ? step('lora_input', 'to', [x], x, FLOAT32) : x;
  const bytes = FLOAT32 * elementsOf(s.b.shapeOf(x));
  const read =
    rate === 0 ? cast : s.b.addGiven(`${id}.lora_dropout`, dropout(rate), [cast], 'own', { bytes });
  const narrow = product('lora_A', read, rank);
  const whole = isInputSplit ? s.reduced(`${id}.lora_A`, narrow, FLOAT32) : narrow;
  const added = product('lora_B', whole, shape.at(-1) ?? 0);
  const scaled = step('lora_scaled', 'mul', [added], added, FLOAT32);
  if (!isHalf) return s.b.add(`${id}.lora_sum`, ADD, [y, scaled]);
  return step('lora_output', 'to', [step('lora_sum', 'add', [y, scaled], y, FLOAT32)], y, s.element);
}

/**
 * Weights of experts, or of their router, each with the product of its adapter's A and B added: a tensor of the size of
 * all, which backward needs (peft 0.21, `ParamWrapper`). Factors of experts are cast to the type of the model.
 *
 * @param weight [experts, written, read] or, of the router, [written, read]
 * @param from what is multiplied; the weights depend on nothing else that a step computes
 */
export function drawMergedWeight(
  s: Sketch,
  id: string,
  weight: Shape,
  rank: number,
  from: VertexHandle,
): VertexHandle {
  const [written = 0, read = 0] = weight.slice(-2);
  const isOfExperts = weight.length === 3;
  const isCast = isOfExperts && s.element < FLOAT32;
  const factors = [rank * (isOfExperts ? (weight[0] ?? 0) : 1), written + read];
  const v = s.composite(`${id}.lora_factors`, 'to', [from], {
    shape: factors,
    element: isCast ? s.element : 0,
    weight: factors,
  });
  s.b.train(v);
  s.b.store(v, { bytes: FLOAT32 * elementsOf(factors), unpackedBytes: 0 });
  return s.composite(`${id}.lora_merged`, 'lora_merged', [v], {
    shape: weight,
    flopsEach: 2 * rank,
    needs: isCast ? [0] : [],
    weight,
  });
}
