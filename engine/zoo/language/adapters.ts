import type { VertexHandle } from '../../graph/builder.ts';
import { BadInputError } from '../../errors.ts';
import { ADD, linear } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { CAPTURE_INSTEAD } from './fields.ts';
import type { FineTuning } from './fine-tuning.ts';
import type { LanguageModel } from './model.ts';
import { inFourBits } from './four-bits.ts';
import type { Adapters, Sketch } from './sketch.ts';

/** Products beside which peft puts adapters where nothing else is said (peft 0.21, utils/constants.py). */
interface UsualTargets {
  readonly ours: readonly string[];
  readonly peft: readonly string[];
}

const QUERIES_AND_VALUES = { ours: ['q_proj', 'v_proj'], peft: ['q_proj', 'v_proj'] };
const QUERY_AND_VALUE = { ours: ['q_proj', 'v_proj'], peft: ['query', 'value'] };
const USUAL_TARGETS: Readonly<Record<string, UsualTargets>> = {
  llama: QUERIES_AND_VALUES,
  mistral: QUERIES_AND_VALUES,
  qwen2: QUERIES_AND_VALUES,
  qwen3: QUERIES_AND_VALUES,
  gemma2: QUERIES_AND_VALUES,
  gemma3_text: QUERIES_AND_VALUES,
  opt: QUERIES_AND_VALUES,
  bert: QUERY_AND_VALUE,
  roberta: QUERY_AND_VALUE,
  t5: { ours: ['q_proj', 'v_proj'], peft: ['q', 'v'] },
  phi: { ours: ['q_proj', 'v_proj', 'up_proj', 'down_proj'], peft: ['q_proj', 'v_proj', 'fc1', 'fc2'] },
  gpt2: { ours: ['qkv_proj'], peft: ['c_attn'] },
  gpt_neox: { ours: ['qkv_proj'], peft: ['query_key_value'] },
};

/** peft's own choice of `target_modules` for a model type; undefined where it has none. */
export const usualTargets = (modelType: string): UsualTargets | undefined => USUAL_TARGETS[modelType];

/** @throws BadInputError for a model of images or with experts, and for one without usual targets */
export function adaptersOf({ name, layers, image, pair }: LanguageModel, tuning: FineTuning): Adapters {
  const { rank, isQuantised } = tuning;
  if (image !== null || pair !== null)
    throw new BadInputError(
      `LoRA is not supported for images as ${name} reads them; ${CAPTURE_INSTEAD}`,
      'lora',
    );
  if (layers.some(({ mlp }) => mlp.experts !== null))
    throw new BadInputError(`LoRA is not supported for the experts of ${name}; ${CAPTURE_INSTEAD}`, 'lora');
  if (tuning.targets === 'all-linear') return { rank, targets: null, isQuantised };
  const targets = usualTargets(name)?.ours;
  if (targets !== undefined) return { rank, targets, isQuantised };
  throw new BadInputError(
    `peft has no usual targets for ${name}; set LoRA targets to all linear (--lora-targets all-linear)`,
    'lora',
  );
}

/** A product with a weight of a layer, and an adapter beside it where it is a target. */
export function drawLinear(
  s: Sketch,
  id: string,
  outFeatures: number,
  bias: boolean,
  x: VertexHandle,
): VertexHandle {
  const y = s.b.add(id, linear(outFeatures, bias), [x]);
  const { adapters } = s;
  if (adapters === null) return y;
  if (adapters.isQuantised) {
    const elements = (s.b.shapeOf(x).at(-1) ?? 0) * outFeatures;
    s.b.store(y, inFourBits(elements, s.element, bias ? outFeatures * s.element : 0));
  }
  return drawAdapter(s, id, adapters, x, y);
}

/**
 * The product `y` of `x`, and beside it x times A times B, scaled (peft, tuners/lora/layer.py). peft keeps A and B in
 * float32 whatever the type of the model (`autocast_adapter_dtype`), so each adapter of a half model casts its input, and
 * the sum is cast back. No dropout, which is peft's default.
 */
function drawAdapter(
  s: Sketch,
  id: string,
  { rank, targets }: Adapters,
  x: VertexHandle,
  y: VertexHandle,
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
  const read = isHalf ? step('lora_input', 'to', [x], x, FLOAT32) : x;
  const added = product('lora_B', product('lora_A', read, rank), shape.at(-1) ?? 0);
  const scaled = step('lora_scaled', 'mul', [added], added, FLOAT32);
  if (!isHalf) return s.b.add(`${id}.lora_sum`, ADD, [y, scaled]);
  return step('lora_output', 'to', [step('lora_sum', 'add', [y, scaled], y, FLOAT32)], y, s.element);
}
