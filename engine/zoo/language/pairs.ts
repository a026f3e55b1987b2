import { given } from '../../given.ts';
import { isRecord } from '../../is-record.ts';
import type { VertexHandle } from '../../graph/builder.ts';
import { linear } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import { CAPTURE_INSTEAD, type ConfigDocument, Fields, refusal, shown } from './fields.ts';
import type { Image, LanguageModel, Pair } from './model.ts';
import type { Sketch } from './sketch.ts';

interface PairFamily {
  /** Class of the whole model. */
  readonly head: string;
  /** `model_type` of its towers, where a file leaves them out. */
  readonly text: string;
  readonly image: string;
  readonly pair: (f: Fields) => Omit<Pair, 'image'>;
}

/** Models that compare images with texts, by `model_type`. */
const PAIR_FAMILIES: Readonly<Record<string, PairFamily>> = {
  clip: {
    head: 'CLIPModel',
    text: 'clip_text_model',
    image: 'clip_vision_model',
    pair: (f) => ({ features: f.size('projection_dim', 512), addsBias: false }),
  },
  siglip: {
    head: 'SiglipModel',
    text: 'siglip_text_model',
    image: 'siglip_vision_model',
    pair: () => ({ features: null, addsBias: true }),
  },
};

export const pairFamily = (modelType: string): PairFamily | undefined =>
  Object.hasOwn(PAIR_FAMILIES, modelType) ? PAIR_FAMILIES[modelType] : undefined;

/**
 * Both towers of a document, the text's with the image's beside it.
 * @param read reads the document of one tower
 * @throws BadInputError for towers whose vectors cannot be compared
 */
export function readPair(
  document: ConfigDocument,
  { text, image, pair: described }: PairFamily,
  read: (tower: ConfigDocument) => LanguageModel,
): LanguageModel {
  const name = String(document['model_type']);
  const f = new Fields(document);
  f.ignore(
    'text_config',
    'vision_config',
    'text_config_dict',
    'vision_config_dict',
    'logit_scale_init_value',
  );
  f.flag('tie_word_embeddings', true);
  const tower = (part: string, modelType: string): LanguageModel => {
    // Older files have a second table of the same fields, which transformers prefers.
    const [fields, preferred] = [document[part] ?? {}, document[`${part}_dict`] ?? {}];
    if (!isRecord(fields) || !isRecord(preferred))
      throw refusal(`${part}: expected an object, got ${shown(document[part])}`);
    const { attn_implementation, _attn_implementation } = document;
    const kept = given({ attn_implementation, _attn_implementation });
    const whole: ConfigDocument = { model_type: modelType, ...kept, ...fields, ...preferred };
    const own = whole['model_type'];
    if (own === modelType) return read(whole);
    throw refusal(`${part}: model_type ${shown(own)} is not the ${modelType} of ${name}; ${CAPTURE_INSTEAD}`);
  };
  const pair = { ...described(f), image: tower('vision_config', image) };
  const model = { ...tower('text_config', text), name, pair };
  f.refuseOthers(name);
  const [a, b] = [model.pooler?.labels ?? model.width, pair.image.width];
  if (pair.features === null && a !== b)
    throw refusal(`a text of ${a} features cannot be compared with an image of ${b}; give both the same`);
  return model;
}

/** The tokens and images of a step, which it holds throughout; the images. */
export function drawPairs(s: Sketch, { side, channels }: Image): VertexHandle {
  const images = [s.batch, channels, side, side];
  const pixels = s.part('pixels', s.tokens(s.element * elementsOf(images)), images);
  s.b.freeze(pixels);
  return pixels;
}

/**
 * Scores of every text with every image of the batch (Radford et al. 2021, figure 3; Zhai et al. 2023, section 3), as
 * transformers writes them out: the vectors over their lengths, their products, times the power of a trained number.
 */
export function drawComparison(
  s: Sketch,
  { features, addsBias }: Pair,
  image: VertexHandle,
  text: VertexHandle,
): void {
  const { b, batch, element } = s;
  b.comparesSamples = true;
  // A length is the root of a sum that is kept too, or one operation.
  const lengths = (features === null ? 1 : 2) * batch * element;
  const projected = (id: string, x: VertexHandle): VertexHandle =>
    features === null ? x : b.add(`${id}_projection`, linear(features, false), [x]);
  const normed = (id: string, x: VertexHandle): VertexHandle =>
    s.composite(`${id}_normed`, 'div', [x], { shape: b.shapeOf(x), flopsEach: 4, needs: [0], aux: lengths });
  const images = projected('image', image);
  const texts = projected('text', text);
  const vectors = [normed('image', images), normed('text', texts)] as const;
  const each = b.shapeOf(texts).at(-1) ?? 0;
  const scores = { shape: [batch, batch], weight: [1] };
  const products = s.composite('similarity', 'mm', vectors, {
    shape: scores.shape,
    flopsEach: 2 * each,
    needs: [0, 1],
  });
  const scaled = { ...scores, flopsEach: 1, needs: [0], fixed: element };
  const logits = s.composite('logits', 'mul', [products], scaled);
  if (addsBias) s.composite('logits.bias', 'add', [logits], { ...scores, flopsEach: 1 });
}
